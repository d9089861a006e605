import { verify } from '../../src/fairness/verify.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import type { Outcome, Player } from '../../src/rules/ruleset.js';
import { restApi, VERBS } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { type HttpClient, openHttpClient, type Reply } from '../support/http-client.js';
import { type Person, register } from '../support/people.js';
import { random, shuffled } from '../support/random-games.js';
import { onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Challenge, Game } from '../support/api-types.js';
import { brokenGames } from '../support/stored.js';
import { must, type Rest } from '../support/transport.js';

/**
 * A game that four acts end at once, over two processes on one PostgreSQL: mate, resignation, an accepted draw and the
 * clock. One wins, the log says which, and all answers agree.
 */

const ROUNDS = rounds(2000, 100);
const AT_ONCE = 8;
const RECORDS = 40;
/** Before the mate, which is Ben's; with the last of them Ann offers a draw. */
const MOVES = ['f2f3', 'e7e5', 'g2g4'];
const MATE = 'd8h4';

interface Asked {
  readonly what: keyof typeof ENDS | 'read';
  readonly reply: Reply;
}

/** The result of each act if it wins, and its log entries. */
const ENDS = {
  mate: { winner: 'second', reason: 'checkmate', log: 'declineDraw second' },
  resignFirst: { winner: 'second', reason: 'resignation', log: 'resign first' },
  resignSecond: { winner: 'first', reason: 'resignation', log: 'resign second' },
  acceptDraw: { winner: null, reason: 'agreement', log: 'acceptDraw second' },
  flag: { winner: 'first', reason: 'timeout', log: 'flag second' },
} as const satisfies Record<string, Outcome & { readonly log: string }>;
type End = keyof typeof ENDS;

/** The set-up of the race: when the time runs out, in milliseconds from its beginning; null if it does not. */
const DEADLINES = [null, null, -5, 0, 2, 5, 10, 20, 40];

interface Stored {
  readonly winner: Player | null;
  readonly reason: string;
  readonly status: string;
  readonly version: number;
  readonly plies: number;
  readonly head: string;
  readonly ended: string;
  readonly log: readonly string[];
}

onServer('acts that end a game, at once over two processes', () => {
  const pick = random(7);
  const counted: Record<string, number> = { rounds: 0, requests: 0 };
  let line: HttpClient;
  let place: Place;
  let db: SqlSession;
  let servers: readonly ServerProcess[];
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    line = openHttpClient(64);
    place = await serverPlace();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    const settings = { DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir, SWEEP_SECONDS: '1' };
    servers = await Promise.all([startServerProcess(settings), startServerProcess(settings)]);
    [ann, ben] = await Promise.all([register(servers[0]!.url, 'ann'), register(servers[1]!.url, 'ben')]);
  });

  afterAll(async () => {
    line.close();
    await endAllServers();
    await db?.close();
    await place?.remove();
  });

  const url = (process: number): string => servers[process % servers.length]!.url;
  const count = (what: string): void => void (counted[what] = (counted[what] ?? 0) + 1);

  async function done<T>(process: number, by: Person, request: Rest): Promise<T> {
    const reply = await line.send<T>(url(process), by, request);
    if (reply === null || reply.status >= 400) throw new Error(JSON.stringify(reply));
    return reply.body;
  }

  /** A game of a minute per move, one ply before mate, with a draw offered. */
  async function prepared(n: number): Promise<string> {
    const terms = { ruleset: 'chess', seat: 'first', opponent: ben.username, timeControl: { type: 'perMove', seconds: 60 } }; // prettier-ignore
    const { id } = await done<Challenge>(n, ann, VERBS.createChallenge.rest(terms));
    await done(n, ben, VERBS.acceptChallenge.rest(id));
    for (const [at, move] of MOVES.entries()) {
      const offer = at === 2 ? { offerDraw: true } : {};
      await done<Game>(n, at % 2 === 0 ? ann : ben, VERBS.makeMove.rest(id, at + 1, move, offer));
    }
    return id;
  }

  /** Lets the turn run out this soon, as if it had begun a minute before; returns when. */
  async function runOut(id: string, milliseconds: number): Promise<string> {
    const [row] = await db.query<{ at: string }>(
      `UPDATE games SET deadline_at = $2::timestamptz, turn_started_at = $2::timestamptz - interval '60 seconds',
         wake_at = NULL, clock = clock || '{"reminded": true}',
         -- The servers remember the game, and notice a change by its counters only.
         plans = gen_random_uuid()
       WHERE id = $1::uuid RETURNING deadline_at::text AS at`,
      [id, new Date(Date.now() + milliseconds).toISOString()],
    );
    return row!.at;
  }

  const read = (process: number, id: string): Promise<Reply> =>
    line.send(url(process), null, VERBS.game.rest(id));

  const ACTS: Readonly<Record<Asked['what'], (process: number, id: string) => Promise<Reply>>> = {
    mate: (n, id) => line.send(url(n), ben, VERBS.makeMove.rest(id, 4, MATE)),
    resignFirst: (n, id) => line.send(url(n), ann, VERBS.resign.rest(id)),
    resignSecond: (n, id) => line.send(url(n), ben, VERBS.resign.rest(id)),
    acceptDraw: (n, id) => line.send(url(n), ben, VERBS.plain.rest('acceptDraw', id)),
    flag: read,
    read,
  };
  const NAMES = Object.keys(ACTS) as Asked['what'][];

  /** Each act to each process, in any order. */
  async function fight(id: string): Promise<readonly Asked[]> {
    const both = NAMES.flatMap((_, i) => [i, i + NAMES.length]);
    const order = [...shuffled(String.fromCharCode(...both), pick)].map((letter) => letter.charCodeAt(0));
    return Promise.all(
      order.map(async (at) => {
        const what = NAMES[at % NAMES.length]!;
        return { what, reply: await ACTS[what](at < NAMES.length ? 0 : 1, id) };
      }),
    );
  }

  const stored = async (id: string): Promise<Stored> => {
    const [row] = await db.query<Omit<Stored, 'log'>>(
      `SELECT winner, reason, status, version, ply_count AS plies, head_hash AS head, ended_at::text AS ended
       FROM games WHERE id = $1::uuid`,
      [id],
    );
    const log = await db.query<{ entry: string }>(
      `SELECT concat_ws(' ', type, player, data->>'winner', data->>'reason') AS entry FROM game_events
       WHERE game_id = $1::uuid AND seq = $2::integer ORDER BY type = 'end'`,
      [id, String(row!.version)],
    );
    return { ...row!, log: log.map(({ entry }) => entry) };
  };

  /** Which act won, by what is stored: the row, the log and the plies must agree. */
  async function verdict(id: string, deadline: string | null): Promise<{ end: End; row: Stored }> {
    const row = await stored(id);
    const [end, expected] = (Object.entries(ENDS) as [End, (typeof ENDS)[End]][]).find(
      ([, { winner, reason }]) => winner === row.winner && reason === row.reason,
    )!;
    expect(row).toMatchObject({ status: 'finished', version: 5, plies: end === 'mate' ? 4 : 3 });
    const { winner, reason, log } = expected;
    const last = ['end', winner, reason].filter((word) => word !== null).join(' ');
    expect(row.log).toEqual([log, last]);
    const plies = await db.query<{ move: string }>(
      'SELECT move FROM plies WHERE game_id = $1::uuid ORDER BY seq',
      [id],
    );
    expect(plies.map(({ move }) => move)).toEqual(end === 'mate' ? [...MOVES, MATE] : MOVES);
    const [newest] = await db.query<{ hash: string }>(
      `SELECT hash FROM game_events WHERE game_id = $1::uuid AND type = 'end'`,
      [id],
    );
    expect(row.head).toBe(newest!.hash);
    if (end === 'flag') expect(row.ended).toBe(deadline);
    else if (deadline !== null) expect(Date.parse(row.ended)).toBeLessThanOrEqual(Date.parse(deadline));
    return { end, row };
  }

  /** Whether all answers match what is stored. */
  function expectTruth(asked: readonly Asked[], end: End, row: Stored): void {
    const { winner, reason } = row;
    const over = {
      status: 'finished',
      outcome: { winner, reason },
      version: row.version,
      fairness: { headHash: row.head },
    };
    for (const { what, reply } of asked) {
      const { status, body } = reply!;
      if (what === 'read' || what === 'flag') {
        expect(status).toBe(200);
        if (body.status !== 'active') expect(body).toMatchObject(over);
      } else if (status === 200) {
        expect([what, end]).toEqual([end, end]);
        expect(body).toMatchObject(over);
      } else {
        expect(what).not.toBe(end);
        expect(end === 'flag' ? ['DEADLINE_PASSED', 'GAME_OVER'] : ['GAME_OVER']).toContain(body.code);
        count(body.code!);
      }
    }
  }

  async function round(n: number, id: string): Promise<void> {
    const soon = DEADLINES[n % DEADLINES.length]!;
    const deadline = soon === null ? null : await runOut(id, soon);
    const asked = await fight(id);
    const { end, row } = await verdict(id, deadline);
    expectTruth(asked, end, row);
    count('rounds');
    counted['requests']! += asked.length;
    count(end);
  }

  const recordFrom = async ({ url: at }: ServerProcess, id: string): Promise<unknown> =>
    must(await restApi(at).record(null, id));

  test(`leave exactly one result, the one the log explains, ${ROUNDS} times`, async () => {
    const ids: string[] = [];
    for (let n = 0; n < ROUNDS; n += AT_ONCE) {
      const size = Math.min(AT_ONCE, ROUNDS - n);
      const fresh = await Promise.all(Array.from({ length: size }, (_, i) => prepared(n + i)));
      // One after the other: competing acts should not wait for those of other games.
      for (const [i, id] of fresh.entries()) await round(n + i, id);
      ids.push(...fresh);
    }
    const ends = await db.query(
      `SELECT game_id FROM game_events WHERE type = 'end' GROUP BY game_id HAVING count(*) <> 1`,
    );
    expect(ends).toEqual([]);
    expect(await brokenGames(db)).toEqual([]);
    for (let i = 0; i < RECORDS; i++) {
      const id = ids[pick(ids.length)]!;
      const [record, other] = await Promise.all(servers.map((server) => recordFrom(server, id)));
      expect(record).toEqual(other);
      // The deadline was moved in the database, which the record reveals.
      expect(verify(record).filter(({ ok, check }) => ok === false && check !== 'times')).toEqual([]);
    }
    expect(servers.map(({ isAlive }) => isAlive())).toEqual([true, true]);
    printCounts('Results', counted);
    if (ROUNDS >= 200) for (const end of Object.keys(ENDS)) expect(counted[end]).toBeGreaterThan(0);
  }, 600_000);
});
