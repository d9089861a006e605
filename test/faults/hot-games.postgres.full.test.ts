import { makeMove } from '../../src/arbiter/acts/make-move.js';
import { isOver } from '../../src/arbiter/state.js';
import type { GameRow } from '../../src/features/games/game.row.js';
import { GamesStore } from '../../src/features/games/games.store.js';
import { HotGames } from '../../src/features/games/hot-games.js';
import { EngineService } from '../../src/engine/engine.service.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { restApi } from '../support/api.js';
import { attempts, rarest, sendAct, someMove, type Answered, type Attempt, type Counts } from '../support/act-attempts.js'; // prettier-ignore
import { type Place, serverPlace } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { random } from '../support/random-games.js';
import { onServer, printCounts, rounds, SEED } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { brokenGames, storedPly } from '../support/stored.js';

/** Two servers on one database, each of which remembers games that the other one changes. */

const STEPS = rounds(600, 150);
const RACES = rounds(200, 25);
const MAY_END_AFTER = 20;
const GAMES = [
  { ruleset: 'chess', timeControl: NO_CLOCK },
  {
    ruleset: 'banqi-hongkong',
    timeControl: { type: 'bank', initial: 86_400, increment: 3600, cap: 172_800 },
  },
  { ruleset: 'xiangqi', timeControl: { type: 'perMove', seconds: 259_200 } },
];

onServer('two servers that remember games', () => {
  const pick = random(SEED);
  let place: Place;
  let db: SqlSession;
  let servers: readonly TestServer[];
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    place = await serverPlace();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    const settings = { SWEEP_SECONDS: '3600', MAX_OPEN_CHALLENGES: '10000', MAX_RUNNING_GAMES: '10000' };
    servers = [await startServer(settings, place), await startServer(settings, place)];
    [ann, ben] = await Promise.all([register(servers[0]!.http, 'ann'), register(servers[0]!.http, 'ben')]);
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await db?.close();
    await place?.remove();
  });

  const any = () => servers[pick(servers.length)]!;
  const hotOf = ({ app }: TestServer) => app.get(HotGames, { strict: false });
  const stored = async (id: string): Promise<GameRow> =>
    (await servers[0]!.app.get(GamesStore, { strict: false }).find(id))!;
  const isStale = (server: TestServer, { id, version, plans }: GameRow): boolean => {
    const known = hotOf(server).get(id);
    return known !== null && (known.version !== version || known.plans !== plans);
  };
  const send = (server: TestServer, id: string, attempt: Attempt): Promise<Answered> =>
    sendAct(
      server.http,
      pick(2) === 0 ? 'REST' : 'GraphQL',
      attempt.player === 'first' ? ann : ben,
      id,
      attempt,
    );

  /** The text of a refusal by a server that remembers nothing, over REST. */
  async function coldly(server: TestServer, id: string, attempt: Attempt): Promise<string> {
    hotOf(server).forget(id);
    const by = attempt.player === 'first' ? ann : ben;
    return (await sendAct(server.http, 'REST', by, id, attempt)).text;
  }
  /** Without what differs by request. */
  const told = (text: string) => text.replace(/"(?:requestId|instance)":"[^"]*"/g, '');

  async function whole(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const records = await Promise.all(servers.map(({ http }) => restApi(http).record(null, id)));
      expect(records[0]!.data).toEqual(records[1]!.data);
      expect(holds(verify(records[0]!.data))).toBe(true);
    }
  }

  function move(row: GameRow): Attempt {
    const input = { ply: row.plyCount + 1, move: someMove(servers[0]!, row, undefined, pick) };
    return { act: makeMove, player: row.turn!, input, expected: 'done' };
  }

  test('answer each act as if they had just read the game', async () => {
    const counts: Counts = new Map();
    const counted = { steps: 0, games: 0, stale: 0, 'stale and refused': 0 };
    const ids: string[] = [];
    for (; counted.steps < STEPS; counted.games++) {
      const terms = GAMES[counted.games % GAMES.length]!;
      const { id } = await begin(restApi(any().http), ann, ben, terms);
      ids.push(id);
      let row = await stored(id);
      for (let step = 0; !isOver(row) && step < 3 * MAY_END_AFTER && counted.steps < STEPS; step++) {
        const all = await attempts(servers[0]!, row, new Date());
        const plays = row.status === 'active' && pick(2) === 0;
        const attempt = plays ? move(row) : rarest(counts, row, all, step > MAY_END_AFTER, pick);
        const server = any();
        if (isStale(server, row)) counted[attempt.expected === 'done' ? 'stale' : 'stale and refused']++;
        const what = [attempt.act.name, attempt.input, row.version];
        if (attempt.expected === 'done') {
          const { code, version } = await send(server, id, attempt);
          expect([what, code, version! > row.version]).toEqual([what, null, true]);
          // Sent again, sometimes to the other server, which remembers an older game.
          const again = pick(3) === 0 ? await send(any(), id, attempt) : null;
          if (again?.code === null) expect([what, again.version]).toEqual([what, version]);
        } else {
          const by = attempt.player === 'first' ? ann : ben;
          const { code, text } = await sendAct(server.http, 'REST', by, id, attempt);
          expect([what, code]).toEqual([what, attempt.expected]);
          expect(told(text)).toBe(told(await coldly(server, id, attempt)));
        }
        row = await stored(id);
        counted.steps++;
      }
    }
    printCounts('Two servers', counted);
    expect(counted.stale).toBeGreaterThan(0);
    expect(counted['stale and refused']).toBeGreaterThan(0);
    await whole(ids);
  }, 600_000);

  test('store one of two moves that race, whatever was planned', async () => {
    const counted = { races: 0, both: 0, planned: 0 };
    const ids: string[] = [];
    while (counted.races < RACES) {
      const { id } = await begin(restApi(any().http), ann, ben);
      ids.push(id);
      let row = await stored(id);
      for (let i = 0; !isOver(row) && i < 12 && counted.races < RACES; i++, counted.races++) {
        const [one, two] = [move(row), move(row)];
        const waits = row.turn === 'first' ? ben : ann;
        const unplayed = servers[0]!.app
          .get(EngineService)
          .legalMoves(row)
          .find((legal) => legal.move !== one.input['move'] && legal.move !== two.input['move']);
        // Neither server may rest on conditional moves that it does not know.
        if (unplayed !== undefined && pick(2) === 0) {
          const plan = [{ when: unplayed.move, resign: true }];
          expect((await restApi(any().http).setConditionalMoves(waits, id, plan)).refusal).toBeUndefined();
          counted.planned++;
        }
        const [a, b] = await Promise.all([send(servers[0]!, id, one), send(servers[1]!, id, two)]);
        const plies = await storedPly(db, id, row.plyCount + 1);
        expect(plies).toHaveLength(1);
        for (const [answer, { input }] of [
          [a, one],
          [b, two],
        ] as const) {
          expect([answer.code, input['move'] === plies[0]!.move]).toEqual(
            input['move'] === plies[0]!.move ? [null, true] : ['STALE_PLY', false],
          );
        }
        if (a.code === null && b.code === null) counted.both++;
        row = await stored(id);
        expect([row.firstPlan, row.secondPlan]).toEqual([null, null]);
      }
    }
    printCounts('Races of two servers', counted);
    const broken = (await brokenGames(db)).map(({ id }) => id);
    expect(ids.filter((id) => broken.includes(id))).toEqual([]);
    await whole(ids);
  }, 600_000);
});
