import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import request from 'supertest';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Http } from './accounts.js';
import { CHALLENGE, GAME } from './documents.js';
import type { Answer, Body, By, Person, Refusal } from './play.js';
import type { Challenge, Game, User } from './shown.js';

/** What has changed, over both transports, with the same answers. */

export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly deleted: boolean;
  readonly at: string;
  readonly game: Game | null;
  readonly challenge: Challenge | null;
  readonly rating: { readonly ruleset: string; readonly games: number } | null;
  readonly profile: (User & { readonly displayName: string }) | null;
  readonly blocked: User | null;
  readonly vacation: { readonly id: string; readonly days: number } | null;
  readonly notification: {
    readonly id: string;
    readonly type: string;
    readonly readAt: string | null;
  } | null;
  readonly seat: { readonly note: string | null; readonly muted: boolean } | null;
}

export interface Changes {
  readonly items: readonly Change[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

export type Ask = (by: By, asked?: Body) => Promise<Answer<Changes>>;

interface Problem extends Refusal {
  readonly detail: string;
}

export const restChanges =
  (http: Http): Ask =>
  async (by, asked = {}) => {
    const sent = request(http).get('/v1/changes').query(asked);
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { status, body, text } = await sent;
    return status < 400
      ? { data: body as Changes, text }
      : refused(body as Problem, (body as Problem).detail, text);
  };

const USER = '{ id username displayName closed createdAt challengesFrom challengesWithin }';
const CHANGE = `{
  kind id deleted at game ${GAME} challenge ${CHALLENGE} profile ${USER} blocked ${USER}
  rating { ruleset rating deviation volatility provisional games wins draws losses ratedAt }
  vacation { id startsAt endsAt days status } notification { id type gameId data createdAt readAt }
}`;
const SEAT = 'seat: game { note opponentMuted }';

/** As many as GraphQL gives when everything is asked for that there is of each. */
export const A_PAGE = 20;

/** What REST embeds: the game where it is the thing itself, and what somebody keeps at his seat where that is. */
function asInRest(
  change: Change & { readonly seat: null | { note: string; opponentMuted: boolean } },
): Change {
  const { kind, game, seat } = change;
  const kept = kind === 'seat' && seat ? { note: seat.note, muted: seat.opponentMuted } : null;
  return { ...change, game: kind === 'game' ? game : null, seat: kept };
}

export const graphqlChanges =
  (http: Http, fields = CHANGE.replace(/\}$/, `${SEAT} }`)): Ask =>
  async (by, asked = {}) => {
    const query = `query ($since: String, $first: Int, $fromNow: Boolean) {
      changes(since: $since, first: $first, fromNow: $fromNow) { items ${fields} cursor hasMore }
    }`;
    const sent = request(http).post('/graphql');
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { body, text } = await sent.send({ query, variables: { first: A_PAGE, ...asked } });
    const { data, errors } = body as {
      data: { changes: Changes } | null;
      errors?: readonly { readonly message: string; readonly extensions: Refusal }[];
    };
    if (errors) return refused(errors[0]!.extensions, errors[0]!.message, text);
    const items = data!.changes.items.map((item) => asInRest(item as never));
    return { data: { ...data!.changes, items }, text };
  };

const refused = ({ code, field }: Refusal, message: string, text: string): Answer<never> => ({
  data: undefined as never,
  refusal: { code, ...(field === undefined ? {} : { field }) },
  message,
  text,
});

export const CHANGES: readonly (readonly [string, (http: Http) => Ask])[] = [
  ['GraphQL', graphqlChanges],
  ['REST', restChanges],
];

/** Resolves when everything that is committed by now is told: others use the same server, and may hold it back. */
export async function allToldOf(app: INestApplicationContext): Promise<void> {
  const { db } = app.get(PrismaService);
  const [now] = await db.$queryRaw<{ xid: string }[]>`
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid`;
  for (;;) {
    const [all] = await db.$queryRaw<{ told: boolean }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${now!.xid}::text::xid8 AS told`;
    if (all!.told) return;
    await pause(5);
  }
}

/** All pages behind a cursor, or from the beginning; and the cursor behind them. */
export async function allChanges(
  ask: Ask,
  by: By,
  since?: string,
  first = A_PAGE,
): Promise<{ readonly items: readonly Change[]; readonly cursor: string; readonly pages: number }> {
  const items: Change[] = [];
  for (let cursor = since, pages = 1; ; pages++) {
    const { data, text } = await ask(by, { first, ...(cursor === undefined ? {} : { since: cursor }) });
    if (data === undefined) throw new Error(text);
    items.push(...data.items);
    cursor = data.cursor;
    if (!data.hasMore) return { items, cursor, pages };
  }
}

export const briefly = ({ kind, id, deleted }: Change) => `${deleted ? '-' : ''}${kind} ${id}`;
export const sorted = (changes: readonly Change[]) => changes.map(briefly).sort();

/** Polls again and again, each time from where the last one ended. */
export class Poller {
  private cursor: string | undefined;

  constructor(
    private readonly app: INestApplicationContext,
    private readonly ask: Ask,
    private readonly who: Person,
  ) {}

  async poll(): Promise<readonly Change[]> {
    await allToldOf(this.app);
    const { items, cursor } = await allChanges(this.ask, this.who, this.cursor);
    this.cursor = cursor;
    return items;
  }

  /** Without the notifications, which go with most of what happens. */
  async news(): Promise<readonly string[]> {
    return sorted(await this.poll()).filter((change) => !change.includes('notification'));
  }
}
