import { makeMove } from '../../src/arbiter/acts/make-move.js';
import { isOver } from '../../src/arbiter/state.js';
import type { GameRow } from '../../src/features/games/game.row.js';
import { GamesStore } from '../../src/features/games/games.store.js';
import { EngineService } from '../../src/engine/engine.service.js';
import { attempts, rarest, sendAct, someMove, type Counts } from '../support/act-attempts.js';
import { restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { forgetGames } from '../support/known-games.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { random } from '../support/random-games.js';
import { onServer, printCounts, rounds, SEED } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { type By, send, sendGraphql } from '../support/transport.js';

/** Two servers on one database: what each remembers of games that the other one changes is never shown. */

const STEPS = rounds(300, 60);
const MAY_END_AFTER = 12;
const GAMES = [
  { ruleset: 'chess', rated: true, timeControl: { type: 'perMove', seconds: 259_200 } },
  {
    ruleset: 'banqi-hongkong',
    timeControl: { type: 'bank', initial: 86_400, increment: 3600, cap: 172_800 },
  },
  { ruleset: 'half-court-chess', timeControl: { type: 'none' } },
];
const FIELDS =
  '{ id version status position plyCount turn outcome { reason } lastMove { san } offers { draw { by } } fairness { headHash receipt serverSeed } players { player { id displayName } } ratingChanges { first { after } } viewer { acts { act } conditionalMoves { when } } moves(takenBack: true) { totalCount edges { node { ply san takenBack } } } }';
const LISTS = [
  `{ games(first: 5) { edges { node ${FIELDS} } } }`,
  `{ myGames(first: 5, list: ALL) { counts { toMove offers } edges { node ${FIELDS} } } }`,
];

onServer('two servers that remember what they read', () => {
  const pick = random(SEED);
  let place: Place;
  let servers: readonly TestServer[];
  let ann: Person;
  let ben: Person;
  beforeAll(async () => {
    place = await serverPlace();
    const settings = { SWEEP_SECONDS: '3600', MAX_OPEN_CHALLENGES: '10000', MAX_RUNNING_GAMES: '10000' };
    servers = [await startServer(settings, place), await startServer(settings, place)];
    [ann, ben] = await Promise.all([register(servers[0]!.http, 'ann'), register(servers[0]!.http, 'ben')]);
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await place?.remove();
  });

  const any = () => servers[pick(servers.length)]!;
  const stored = async (id: string): Promise<GameRow> =>
    (await servers[0]!.app.get(GamesStore, { strict: false }).find(id))!;

  /**
   * Everything that a viewer may read, without the seconds that go by and the cursors, which are sealed anew. Any read may
   * be the first after a change: it finds what is remembered as it was, those after it find what it has read.
   */
  async function seen({ http }: TestServer, id: string, by: By, first: number): Promise<readonly string[]> {
    const game = `/v1/games/${id}`;
    const paths = [
      game,
      `${game}/moves`,
      `${game}/legal-moves`,
      `${game}/moves?takenBack=true&last=3`,
      `/v1/games/by-ids?ids=${id}`,
      '/v1/games?first=5',
      `/v1/games?player=${ann.username}&first=5&totalCount=true`,
      ...(by === null
        ? []
        : ['/v1/me/games?first=5', '/v1/me/games?list=all&first=5', '/v1/me/games?list=ended&first=5']),
    ];
    const queries = [`query ($id: ID!) { game(id: $id) ${FIELDS} }`, ...LISTS.slice(0, by === null ? 1 : 2)];
    const reads = [
      ...paths.map((path) => async () => {
        const { status, text, headers } = await send(http, path, {}, by);
        expect([path, status]).toEqual([path, 200]);
        return `${path} ${headers['etag'] ?? ''} ${text}`;
      }),
      ...queries.map((query) => async () => {
        const variables = query.startsWith('query') ? { id } : {};
        return `${query} ${(await sendGraphql(http, query, variables, by)).text}`;
      }),
    ];
    const start = first % reads.length;
    const answers = [];
    for (const read of [...reads.slice(start), ...reads.slice(0, start)]) answers.push(await read());
    return answers.map((text) =>
      text.replace(/"remaining":\d+/g, '"remaining":0').replace(/"(next|previous)":"[^"]*"/g, '"$1":""'),
    );
  }

  test('answer each read as a server that remembers nothing', async () => {
    const counts: Counts = new Map();
    const counted = { steps: 0, games: 0, plans: 0, names: 0, ended: 0 };
    for (; counted.steps < STEPS; counted.games++) {
      const terms = GAMES[counted.games % GAMES.length]!;
      const { id } = await begin(restApi(any().http), ann, ben, terms);
      let row = await stored(id);
      for (let step = 0; counted.steps < STEPS && !isOver(row) && step < 3 * MAY_END_AFTER; step++) {
        const people = {
          first: row.firstId === ann.id ? ann : ben,
          second: row.firstId === ann.id ? ben : ann,
        };
        const kind = pick(6);
        const mustEnd = step === MAY_END_AFTER && counted.games % 2 === 0;
        if (mustEnd) await restApi(any().http).resign(people.first, id);
        else if (kind === 0) {
          await restApi(any().http).updateProfile(ben, { displayName: `Ben ${pick(1000)}` });
          counted.names++;
        } else if (kind === 1 && row.status === 'active') {
          const [legal] = servers[0]!.app.get(EngineService).legalMoves(row);
          const waits = people[row.turn === 'first' ? 'second' : 'first'];
          await restApi(any().http).setConditionalMoves(waits, id, [{ when: legal!.move, resign: true }]);
          counted.plans++;
        } else {
          const all = await attempts(servers[0]!, row, new Date());
          const attempt =
            row.status === 'active' && pick(2) === 0
              ? { player: row.turn!, ...movePlayed(row) }
              : rarest(counts, row, all, step > MAY_END_AFTER, pick);
          await sendAct(any().http, 'REST', people[attempt.player], id, attempt);
        }
        const by = [ann, ben, null][pick(3)]!;
        for (const server of servers) {
          const first = pick(1000);
          const warm = await seen(server, id, by, first);
          forgetGames(server);
          expect(warm).toEqual(await seen(server, id, by, first));
        }
        row = await stored(id);
        if (isOver(row)) counted.ended++;
        counted.steps++;
      }
    }
    printCounts('Reads of two servers', counted);
    expect(counted.ended).toBeGreaterThan(0);
  }, 600_000);

  function movePlayed(row: GameRow) {
    const input = { ply: row.plyCount + 1, move: someMove(servers[0]!, row, undefined, pick) };
    return { act: makeMove, input, expected: 'done' as const };
  }
});
