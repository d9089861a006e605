import { holds, verify } from '../../src/fairness/verify.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Player } from '../../src/rules/ruleset.js';
import { type Api, restApi } from './api.js';
import type { ActName } from '../../src/arbiter/acts/registry.js';
import { type Person, register, renewed } from './people.js';
import { begin, playMoves } from './play.js';
import type { ChainRecord } from './record.js';
import { sharedServer, type TestServer } from './server.js';
import type { Game } from './api-types.js';
import { stopTime, type StoppedTime } from './stopped-time.js';
import { type Answer, type Body, must } from './transport.js';

/** Two players on a server with a stopped clock, with helpers for tests of their acts. */

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const perMove = (seconds: number): Body => ({ timeControl: { type: 'perMove', seconds } });

/** The shared server with a stopped clock; sweeps run only when a test calls them. */
export async function startStopped(): Promise<[TestServer, StoppedTime]> {
  const server = await sharedServer();
  return [server, stopTime(server.app)];
}

/** Everything stored of a game, read from the database: the API would first apply what the clock requires. */
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

/** The same as raw JSON in one statement, to detect any change. */
export interface Snapshot {
  readonly game: Readonly<Record<string, unknown>>;
  readonly plies: unknown;
  readonly events: unknown;
  readonly notices: unknown;
}

export async function snapshot({ app }: TestServer, { id }: Pick<Game, 'id'>): Promise<Snapshot> {
  const [found] = await app.get(PrismaService).db.$queryRaw<Snapshot[]>`
    SELECT to_jsonb(g) AS game,
           (SELECT jsonb_agg(p ORDER BY p.seq) FROM plies p WHERE p.game_id = g.id) AS plies,
           (SELECT jsonb_agg(e ORDER BY e.seq, e.type) FROM game_events e WHERE e.game_id = g.id) AS events,
           (SELECT jsonb_agg(n ORDER BY n.user_id, n.type) FROM notifications n WHERE n.game_id = g.id) AS notices
    FROM games g WHERE g.id = ${id}::uuid`;
  return found!;
}

/**
 * Checks that the explanation of the deadline adds up from the start of the turn, and returns its segments.
 */
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

/** Ann, who makes ply 1, and Ben. */
export class Pair {
  private ann!: Person;
  private ben!: Person;

  constructor(
    private readonly server: TestServer,
    private readonly time: StoppedTime,
    readonly api: Api,
  ) {}

  /** Registers two players, who have no notifications yet. */
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

  /** Moves the clock and renews the tokens. */
  async later(milliseconds: number): Promise<void> {
    this.time.forward(milliseconds);
    const { http } = this.server;
    [this.ann, this.ben] = await Promise.all([renewed(http, this.ann), renewed(http, this.ben)]);
  }

  /** The time this many milliseconds from now. */
  in(milliseconds: number): string {
    return new Date(this.time.now().getTime() + milliseconds).toISOString();
  }

  async after(moves: readonly string[], terms: Body = {}): Promise<Game> {
    const game = await begin(restApi(this.server.http), this.ann, this.ben, terms);
    return this.goOn(game, moves);
  }

  /** Plays each move as the player to move. */
  goOn(game: Game, moves: readonly string[]): Promise<Game> {
    return playMoves(restApi(this.server.http), game, moves, { first: this.ann, second: this.ben });
  }

  /** Performs an act that must succeed. */
  async do(player: Player, act: ActName, { id }: Pick<Game, 'id'>): Promise<Game> {
    return must(await this.api.plain(this[player], act, id));
  }

  async move(player: Player, { id, plyCount }: Game, move: string, more: Body = {}): Promise<Game> {
    return must(await this.api.makeMove(this[player], id, plyCount + 1, move, more));
  }

  /** Checks that an act is refused with this code and message, and changes nothing. */
  async refused(
    game: Pick<Game, 'id'>,
    act: () => Promise<Answer<unknown>>,
    code: string,
    words?: string,
  ): Promise<void> {
    const before = await snapshot(this.server, game);
    const { refusal, message } = await act();
    expect(refusal?.code).toBe(code);
    if (words !== undefined) expect(message).toBe(words);
    expect(await snapshot(this.server, game)).toEqual(before);
  }

  async read({ id }: Pick<Game, 'id'>): Promise<Game> {
    return must(await this.api.game(null, id));
  }

  /** The events since a version, as type, player and data. */
  async log({ id }: Pick<Game, 'id'>, since = 1): Promise<readonly unknown[]> {
    const events = must(await this.api.events(null, id)).filter(({ seq }) => seq > since);
    return events.map(({ type, player, data }) => [type, player, data]);
  }

  /** The unread notifications of a player by type. */
  async news(player: Player): Promise<Readonly<Record<string, unknown>>> {
    const { edges } = (await this.api.notifications(this[player], { unread: true, first: 100 })).data;
    return Object.fromEntries(edges.map(({ node }) => [node.type, node.data]));
  }

  /** Marks all notifications as read. */
  async readNews(): Promise<void> {
    const before = this.in(DAY);
    await Promise.all([this.ann, this.ben].map((by) => this.api.markNotificationsRead(by, { before })));
  }

  /** The exported record, which must pass the verifier. */
  async record({ id }: Pick<Game, 'id'>): Promise<ChainRecord> {
    const record: ChainRecord = must(await this.api.record(null, id));
    const findings = verify(record);
    if (!holds(findings)) throw new Error(JSON.stringify(findings.filter(({ ok }) => ok === false)));
    return record;
  }
}
