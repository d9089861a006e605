import request from 'supertest';
import { holds, verify } from '../../src/fairness/verify.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Player } from '../../src/rules/ruleset.js';
import { graphqlInbox, restInbox, type Inbox } from './inbox.js';
import {
  begin,
  type Answer,
  type Body,
  graphqlPlay,
  type Person,
  type Play,
  playMoves,
  register,
  renewed,
  restPlay,
} from './play.js';
import { startServer, type TestServer } from './server.js';
import type { Game } from './shown.js';
import { stopTime, type StoppedTime } from './stopped-time.js';

/** Two players at a server whose clock stands still, and what tests of their acts ask for. */

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const perMove = (seconds: number): Body => ({ timeControl: { type: 'perMove', seconds } });

export const WAYS = [
  ['GraphQL', graphqlPlay, graphqlInbox],
  ['REST', restPlay, restInbox],
] as const;

/** A server that sweeps only when it is told to, for as many games as a test wants. */
export async function startStopped(): Promise<[TestServer, StoppedTime]> {
  const server = await startServer({
    ACCESS_TOKEN_SECONDS: '86400',
    SESSION_DAYS: '365',
    SWEEP_SECONDS: '3600',
    EXPIRY_SWEEP_SECONDS: '3600',
    MAX_RUNNING_GAMES: '100000',
  });
  return [server, stopTime(server.app)];
}

/** All that is stored of a game, asked past the server, which would do what its clock has to do. */
export async function stored({ app }: TestServer, { id }: Pick<Game, 'id'>) {
  const { db } = app.get(PrismaService);
  const where = { gameId: id };
  const [row, plies, events, notices] = await Promise.all([
    db.game.findUniqueOrThrow({ where: { id } }),
    db.ply.findMany({ where, orderBy: { seq: 'asc' } }),
    db.gameEvent.findMany({ where, orderBy: [{ seq: 'asc' }, { type: 'asc' }] }),
    db.notification.findMany({ where, orderBy: [{ userId: 'asc' }, { type: 'asc' }] }),
  ]);
  return { row, plies, events, notices };
}
export type Stored = Awaited<ReturnType<typeof stored>>;

/** The seconds of the explanation must lead from the start of a timed turn to its deadline. */
export function explained({
  turnStartedAt,
  deadlineAt,
  deadline,
}: Game): readonly (readonly [string, number | null])[] {
  const parts = deadline.explain.map(({ kind, seconds }) => [kind, seconds] as const);
  const seconds = parts.reduce((sum, [, part]) => sum + (part ?? NaN), 0);
  const at = Number.isNaN(seconds)
    ? null
    : new Date(Date.parse(turnStartedAt) + seconds * 1000).toISOString();
  if (at !== deadlineAt || at !== deadline.at) throw new Error(`${at} is not ${deadlineAt}, ${deadline.at}`);
  return parts;
}

/** What an answer shows; throws when it is a refusal. */
export function must<T>({ data, refusal, text }: Answer<T>): T {
  if (refusal !== undefined) throw new Error(text);
  return data;
}

/** Ann, who makes ply 1, and Ben. */
export class Pair {
  private ann!: Person;
  private ben!: Person;

  constructor(
    private readonly server: TestServer,
    private readonly time: StoppedTime,
    readonly play: Play,
    private readonly inbox: Inbox,
  ) {}

  /** Two players who have no news yet. */
  async meet(): Promise<void> {
    [this.ann, this.ben] = await Promise.all([
      register(this.server.http, 'ann'),
      register(this.server.http, 'ben'),
    ]);
  }

  get first(): Person {
    return this.ann;
  }

  get second(): Person {
    return this.ben;
  }

  /** Time goes by; where a token would have ended both sign in again. */
  async later(milliseconds: number): Promise<void> {
    this.time.forward(milliseconds);
    const { http } = this.server;
    [this.ann, this.ben] = await Promise.all([renewed(http, this.ann), renewed(http, this.ben)]);
  }

  /** The moment that is so many milliseconds from now. */
  in(milliseconds: number): string {
    return new Date(this.time.now().getTime() + milliseconds).toISOString();
  }

  async after(moves: readonly string[], terms: Body = {}): Promise<Game> {
    const game = await begin(restPlay(this.server.http), this.ann, this.ben, terms);
    return this.goOn(game, moves);
  }

  /** Each move by whose turn it is. */
  goOn(game: Game, moves: readonly string[]): Promise<Game> {
    return playMoves(restPlay(this.server.http), game, moves, { first: this.ann, second: this.ben });
  }

  /** An act that must succeed. */
  async do(player: Player, act: Parameters<Play['plain']>[1], { id }: Pick<Game, 'id'>): Promise<Game> {
    return must(await this.play.plain(this[player], act, id));
  }

  async move(player: Player, { id, plyCount }: Game, move: string, more: Body = {}): Promise<Game> {
    return must(await this.play.makeMove(this[player], id, plyCount + 1, move, more));
  }

  /** An act that is refused with this code, and these words, and changes nothing. */
  async refused(
    game: Pick<Game, 'id'>,
    act: () => Promise<Answer<unknown>>,
    code: string,
    words?: string,
  ): Promise<void> {
    const before = await stored(this.server, game);
    const { refusal, message } = await act();
    expect(refusal?.code).toBe(code);
    if (words !== undefined) expect(message).toBe(words);
    expect(await stored(this.server, game)).toEqual(before);
  }

  async read({ id }: Pick<Game, 'id'>): Promise<Game> {
    return must(await this.play.game(null, id));
  }

  /** The log since a version, as its types with who and what. */
  async log({ id }: Pick<Game, 'id'>, since = 1): Promise<readonly unknown[]> {
    const events = must(await this.play.events(null, id)).filter(({ seq }) => seq > since);
    return events.map(({ type, player, data }) => [type, player, data]);
  }

  /** The unread news of a player by type. */
  async news(player: Player): Promise<Readonly<Record<string, unknown>>> {
    const { edges } = (await this.inbox.page(this[player], { unread: true, first: 100 })).data;
    return Object.fromEntries(edges.map(({ node }) => [node.type, node.data]));
  }

  /** Reads all that has come so far. */
  async readNews(): Promise<void> {
    const before = this.in(DAY);
    await Promise.all([this.ann, this.ben].map((by) => this.inbox.mark(by, { before })));
  }

  /** The exported game, which the verifier must find in order. */
  async record({ id }: Pick<Game, 'id'>): Promise<{ readonly plies: readonly unknown[] }> {
    const { body } = await request(this.server.http).get(`/v1/games/${id}/record`);
    const findings = verify(body);
    if (!holds(findings)) throw new Error(JSON.stringify(findings.filter(({ ok }) => ok === false)));
    return body as { readonly plies: readonly unknown[] };
  }
}
