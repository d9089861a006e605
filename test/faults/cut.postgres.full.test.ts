import { randomUUID } from 'node:crypto';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { restApi, VERBS } from '../support/api.js';
import { type Cut, type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.js';
import { type Place, serverPlace } from '../support/databases.js';
import { newSeed } from '../support/chosen-deals.js';
import { openHttpClient, type Reply } from '../support/http-client.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Challenge, Game } from '../support/api-types.js';
import { openSocket } from '../support/sockets.js';
import { brokenGames, storedPly } from '../support/stored.js';
import type { Rest } from '../support/transport.js';

/** The connection to PostgreSQL breaks around a commit: nothing is stored twice, nothing acknowledged is lost. */

const CUTS_OF_MOVES = rounds(200, 20);
const CUTS_OF_OTHERS = rounds(30, 6);
const CUTS_BEHIND_ANSWERS = rounds(300, 40);
const WAITING = 12;
const TABLES = 3;
const PLIES_OF_A_GAME = 12;

const GUARDED = /WITH acts AS MATERIALIZED/;
const COMMIT = /^COMMIT/;

type Cuts = readonly (Cut | null)[];

/** The cuts of one round: the first for a batch, the later ones for each of its acts alone. */
const PLANS: readonly (readonly [statement: RegExp, cuts: Cuts])[] = [
  [GUARDED, ['after']],
  [GUARDED, ['before']],
  [GUARDED, ['during']],
  [GUARDED, ['after', 'before']],
  [GUARDED, ['during', 'during']],
  [GUARDED, ['before', 'after', 'after', 'after']],
  [GUARDED, [null, 'after', 'before', 'before']],
  [/WITH acts AS MATERIALIZED|SELECT 1 FROM plies/, ['after', null, 'before']],
  [/row_to_json\(g\)/, ['before', 'after']],
];

const GUARDED_PLANS = PLANS.filter(([statement]) => statement === GUARDED).length;
const WAYS: readonly Cut[] = ['after', 'before', 'during', 'after'];

/** Knights out and back, both sides, without a fifth repetition. */
const MOVES = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];

const NOTHING_YET = { cuts: 0, 'after COMMIT': 0, answered: 0, UNAVAILABLE: 0 };

interface Plan {
  readonly counted: typeof NOTHING_YET;
  readonly statement: RegExp;
  readonly cuts: Cuts;
  /** Of a successful answer. */
  readonly status: number;
}

/** Runs rounds until this many cuts came right after a COMMIT; fails when they come too slowly. */
function* until(counted: { readonly 'after COMMIT': number }, cuts: number): Generator<number> {
  for (let round = 0; counted['after COMMIT'] < cuts; round++) {
    if (round === 10 * cuts) throw new Error(`only ${counted['after COMMIT']} cuts in ${round} rounds`);
    yield round;
  }
}

type Send<Shown> = () => Promise<Reply<Shown>>;

onServer('a server whose database connections are cut', () => {
  const line = openHttpClient(2 * TABLES);
  let place: Place;
  let proxy: CuttingProxy;
  let db: SqlSession;
  let server: ServerProcess;
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    place = await serverPlace();
    proxy = await startCuttingProxy(place.databaseUrl!);
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    // Few connections: a leaked one is soon missed.
    server = await startServerProcess({
      DATABASE_URL: proxy.url,
      DATA_DIR: place.dataDir,
      DATABASE_POOL: '4',
    });
    [ann, ben] = await Promise.all([register(server.url, 'ann'), register(server.url, 'ben')]);
  });

  afterAll(async () => {
    line.close();
    await endAllServers();
    await proxy?.close();
    await db?.close();
    await place?.remove();
  });

  afterEach(async () => {
    expect(server.isAlive()).toBe(true);
    expect(server.said()).not.toContain('ERR_UNHANDLED');
    expect(await brokenGames(db)).toEqual([]);
  });

  const count = async (sql: string, ...parameters: string[]): Promise<number> =>
    Number(
      (await db.query<{ count: string }>(`SELECT count(*)::text AS count ${sql}`, parameters))[0]!.count,
    );

  const newGame = (): Promise<Game> => begin(restApi(server.url), ann, ben);

  test('survives connections that are closed after an answer, while others wait for them', async () => {
    const counted = { rounds: 0, cuts: 0, answered: 0 };
    for (; counted.cuts < CUTS_BEHIND_ANSWERS; counted.rounds++) {
      // A read returns its connection with its answer, and a waiting transaction takes it at once.
      const cuts = Array.from({ length: 60 }, (_, i) => (i % 5 === 4 ? 'terminated' : null));
      proxy.arm(/^SELECT/, cuts);
      const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
      const api = restApi(server.url);
      const asked = Array.from({ length: WAITING }, () => [
        api.createChallenge(ann, terms),
        api.user(null, ann.username),
      ]).flat();
      const codes = (await Promise.all(asked)).map(({ refusal }) => refusal?.code ?? 'ok');
      counted.cuts += proxy.disarm().length;
      counted.answered += codes.filter((code) => code === 'ok').length;
      expect(['ok', 'UNAVAILABLE', 'OVERLOADED']).toEqual(expect.arrayContaining(codes));
      expect(server.isAlive()).toBe(true);
    }
    printCounts('Ended behind an answer', counted);
    expect((await restApi(server.url).me(ann)).data).toMatchObject({ id: ann.id });
  });

  const send = <Shown = Game>(by: Person, request: Rest) => line.send<Shown>(server.url, by, request);

  /** Sends requests while connections are cut; returns how often, and the answers. */
  async function sendWhileCut<Shown>(
    plan: Plan,
    sends: readonly Send<Shown>[],
  ): Promise<readonly Reply<Shown>[]> {
    const { counted, statement, cuts } = plan;
    proxy.arm(statement, cuts);
    const replies = await Promise.all(sends.map((send) => send()));
    const made = proxy.disarm();
    counted.cuts += made.length;
    counted['after COMMIT'] += made.filter((cut) => cut === 'after').length;
    return replies;
  }

  /** A request succeeds despite the cuts, or is UNAVAILABLE and succeeds when repeated. */
  async function settled<Shown>(
    { counted, status }: Pick<Plan, 'counted' | 'status'>,
    send: Send<Shown>,
    reply: Reply<Shown>,
  ): Promise<Shown> {
    if (reply?.status === status) {
      counted.answered++;
      return reply.body;
    }
    expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', retryAfter: 2 } });
    counted.UNAVAILABLE++;
    const again = await send();
    expect(again).toMatchObject({ status });
    return again!.body;
  }

  test(`survives ${CUTS_OF_MOVES} cuts right after COMMIT, and others, around moves`, async () => {
    const counted = { ...NOTHING_YET, plies: 0, 'stored although UNAVAILABLE': 0 };
    let games: readonly Game[] = [];
    for (const round of until(counted, CUTS_OF_MOVES)) {
      if (round % PLIES_OF_A_GAME === 0) games = await Promise.all(Array.from({ length: TABLES }, newGame));
      const ply = (round % PLIES_OF_A_GAME) + 1;
      const move = MOVES[round % MOVES.length]!;
      const by = ply % 2 === 1 ? ann : ben;
      const [statement, cuts] = PLANS[round % PLANS.length]!;
      const sends = games.map(
        ({ id }) =>
          () =>
            send(by, VERBS.makeMove.rest(id, ply, move)),
      );
      const replies = await sendWhileCut({ counted, statement, cuts, status: 200 }, sends);
      for (const [i, reply] of replies.entries()) {
        const { id } = games[i]!;
        const before = await storedPly(db, id, ply);
        if (reply?.status !== 200) counted['stored although UNAVAILABLE'] += before.length;
        const game = await settled({ counted, status: 200 }, sends[i]!, reply);
        expect(await storedPly(db, id, ply)).toEqual([
          { player: by === ann ? 'first' : 'second', move, hash: game.fairness.headHash },
        ]);
        expect(game).toMatchObject({ plyCount: ply, version: ply + 1 });
        counted.plies++;
      }
    }
    if (CUTS_OF_MOVES >= 2 * PLANS.length) expect(counted['stored although UNAVAILABLE']).toBeGreaterThan(0);
    printCounts('Cuts around moves', counted);
  }, 300_000);

  test(`survives ${CUTS_OF_OTHERS} cuts right after COMMIT, and others, around other acts`, async () => {
    const counted = { ...NOTHING_YET };
    for (const round of until(counted, CUTS_OF_OTHERS)) {
      const { id } = await newGame();
      const resign = () => send(round % 2 === 0 ? ann : ben, VERBS.resign.rest(id));
      const [, cuts] = PLANS[round % GUARDED_PLANS]!;
      const [reply] = await sendWhileCut({ counted, statement: GUARDED, cuts, status: 200 }, [resign]);
      const game = await settled({ counted, status: 200 }, resign, reply!);
      expect(game).toMatchObject({ version: 2, outcome: { winner: round % 2 === 0 ? 'second' : 'first' } });
      expect(await count("FROM game_events WHERE game_id = $1::uuid AND type = 'resign'", id)).toBe(1);
    }
    printCounts('Cuts around resignations', counted);
  });

  test(`survives ${CUTS_OF_OTHERS} cuts right after COMMIT, and others, around new challenges`, async () => {
    const counted = { ...NOTHING_YET };
    for (const round of until(counted, CUTS_OF_OTHERS)) {
      const before = await count('FROM challenges');
      const key = randomUUID();
      const terms = { ruleset: 'banqi-taiwan', timeControl: NO_CLOCK, opponent: ben.username };
      const create = () => send<Challenge>(ann, VERBS.createChallenge.rest(terms, key));
      const cuts = [WAYS[round % WAYS.length]!];
      const [reply] = await sendWhileCut({ counted, statement: COMMIT, cuts, status: 201 }, [create]);
      const { id } = await settled({ counted, status: 201 }, create, reply!);
      expect(await count('FROM challenges')).toBe(before + 1);
      expect(await count('FROM deal_secrets WHERE game_id = $1::uuid', id)).toBe(1);
      expect((await create())?.body.id).toBe(id);
    }
    printCounts('Cuts around new challenges', counted);
  });

  test(`survives ${CUTS_OF_OTHERS} cuts right after COMMIT, and others, around accepted challenges`, async () => {
    const counted = { ...NOTHING_YET };
    for (const round of until(counted, CUTS_OF_OTHERS)) {
      const terms = {
        ruleset: 'banqi-taiwan',
        timeControl: NO_CLOCK,
        opponent: ben.username,
      };
      const challenge = (await send<Challenge>(ann, VERBS.createChallenge.rest(terms)))!.body;
      const acceptance = VERBS.acceptChallenge.rest(challenge.id, { clientSeed: newSeed() });
      const accept = () => send(ben, acceptance);
      const cuts = [WAYS[round % WAYS.length]!];
      const [reply] = await sendWhileCut({ counted, statement: COMMIT, cuts, status: 200 }, [accept]);
      const game = await settled({ counted, status: 200 }, accept, reply!);
      expect(game).toMatchObject({ id: challenge.id, status: 'active', version: 1, plyCount: 0 });
      expect(await count('FROM game_events WHERE game_id = $1::uuid', game.id)).toBe(3);
      expect(await count("FROM challenges WHERE id = $1::uuid AND status = 'accepted'", game.id)).toBe(1);
    }
    printCounts('Cuts around acceptances', counted);
  });

  test('renews a session once, even if the database’s answer was lost', async () => {
    for (const way of ['after', 'before', 'during'] as const) {
      const { data } = await restApi(server.url).login(null, {
        username: ann.username,
        password: 'correct horse battery',
      });
      proxy.arm(/UPDATE refresh_tokens/, [way]);
      const renewed = await restApi(server.url).refresh(null, data.refreshToken);
      expect(proxy.disarm()).toEqual([way]);
      expect(renewed.refusal).toBeUndefined();
      expect((await restApi(server.url).refresh(null, renewed.data.refreshToken)).refusal).toBeUndefined();
    }
  });

  test('tells subscribers about a move that was stored but not acknowledged', async () => {
    const { id } = await newGame();
    const socket = await openSocket(server, ben);
    const watch = socket.watch(id, '{ version }');
    expect((await watch.next()).data).toEqual({ gameChanged: { version: 1 } });
    const heard = watch.next();
    proxy.arm(GUARDED, ['after', 'before']);
    const reply = await send(ann, VERBS.makeMove.rest(id, 1, 'e2e4'));
    proxy.disarm();
    expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(await storedPly(db, id, 1)).toHaveLength(1);
    expect((await heard).data).toEqual({ gameChanged: { version: 2 } });
    await socket.close();
  });

  test('is delayed, but not stopped, by a silent connection', async () => {
    const games = await Promise.all(Array.from({ length: TABLES }, newGame));
    proxy.arm(GUARDED, ['swallowed']);
    // On a slow machine the patience of the server ends before the connection has: the player sends the move again.
    const moved = async (id: string, tries = 5): Promise<Awaited<ReturnType<typeof send>>> => {
      const reply = await send(ann, VERBS.makeMove.rest(id, 1, 'e2e4'));
      return reply?.status === 503 && tries > 1 ? moved(id, tries - 1) : reply;
    };
    const replies = await Promise.all(games.map(({ id }) => moved(id)));
    expect(proxy.disarm()).toEqual(['swallowed']);
    expect(replies.map((reply) => reply?.status)).toEqual([200, 200, 200]);
    for (const { id } of games) expect(await storedPly(db, id, 1)).toHaveLength(1);
  });
});
