import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { parseOptions } from '../../src/rules/options.js';
import { legalMoves, resume } from '../../src/rules/play.js';
import { rulesetById } from '../../src/rules/registry.js';
import { restApi, VERBS } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { openHttpClient, type Reply } from '../support/http-client.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { must, random, shuffled } from '../support/random-games.js';
import { onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Game } from '../support/api-types.js';
import { brokenGames, storedPly } from '../support/stored.js';

/** Simultaneous requests over two processes on one PostgreSQL: exactly one per ply is stored. */

const ROUNDS = rounds(500, 50);
const REQUESTS = 64;
const OF_THE_OPPONENT = 8;
const PLIES_OF_A_GAME = 50;

interface Attempt {
  readonly by: Person;
  readonly move: string;
  readonly reply: Reply;
}

const chess = rulesetById('chess')!;
const options = must(parseOptions(chess, {}));
const movesAt = (position: string) => legalMoves(must(resume(chess, options, { fen: position, plies: [] })));

onServer('two processes on one database', () => {
  const line = openHttpClient(REQUESTS);
  const pick = random(1);
  const counted = {
    rounds: 0,
    games: 0,
    requests: 0,
    wins: 0,
    'safe retries': 0,
    STALE_PLY: 0,
    NOT_YOUR_TURN: 0,
  };
  let place: Place;
  let db: SqlSession;
  let servers: readonly ServerProcess[];
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    place = await serverPlace();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    const settings = { DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir };
    servers = await Promise.all([startServerProcess(settings), startServerProcess(settings)]);
    [ann, ben] = await Promise.all([register(servers[0]!.url, 'ann'), register(servers[1]!.url, 'ben')]);
  });

  afterAll(async () => {
    line.close();
    await endAllServers();
    await db?.close();
    await place?.remove();
  });

  const newGame = (): Promise<Game> => {
    counted.games++;
    return begin(restApi(servers[counted.games % 2]!.url), ann, ben);
  };

  /** Different moves of the side to move, most of them repeated, and some of the opponent, shuffled. */
  function attempts(game: Pick<Game, 'position' | 'turn'>): readonly { by: Person; move: string }[] {
    const moves = movesAt(game.position);
    const [mover, other] = game.turn === 'first' ? [ann, ben] : [ben, ann];
    const order = [...shuffled(String.fromCharCode(...Array(REQUESTS).keys()), pick)];
    return order.map((letter) => {
      const i = letter.charCodeAt(0);
      return { by: i < OF_THE_OPPONENT ? other : mover, move: moves[i % moves.length]! };
    });
  }

  /** One contested ply; the game after it. */
  async function round(game: Pick<Game, 'id' | 'position' | 'turn' | 'plyCount'>) {
    const ply = game.plyCount + 1;
    const made = await Promise.all(
      attempts(game).map(async ({ by, move }, i): Promise<Attempt> => {
        const url = servers[i % servers.length]!.url;
        return { by, move, reply: await line.send(url, by, VERBS.makeMove.rest(game.id, ply, move)) };
      }),
    );
    const stored = await storedPly(db, game.id, ply);
    expect(stored).toEqual([expect.objectContaining({ player: game.turn })]);
    const { move, hash } = stored[0]!;
    const mover = game.turn === 'first' ? ann : ben;
    const won = made.filter((attempt) => attempt.by === mover && attempt.move === move);
    const refused = made.filter((attempt) => !won.includes(attempt));
    for (const { reply } of won) {
      expect(reply).toMatchObject({ status: 200, body: { plyCount: ply, version: ply + 1 } });
      // The ply that ends a game is followed by its end.
      if (reply?.body.outcome === null) expect(reply.body.fairness.headHash).toBe(hash);
    }
    for (const { by, reply } of refused) {
      const codes = by === mover ? ['STALE_PLY'] : ['STALE_PLY', 'NOT_YOUR_TURN'];
      expect([reply?.status, codes]).toEqual([409, expect.arrayContaining([reply?.body.code])]);
      counted[reply!.body.code as 'STALE_PLY' | 'NOT_YOUR_TURN']++;
    }
    counted.rounds++;
    counted.requests += made.length;
    counted.wins += stored.length;
    counted['safe retries'] += won.length - stored.length;
    return won[0]!.reply!.body;
  }

  const recordFrom = async ({ url }: ServerProcess, id: string): Promise<unknown> =>
    (await restApi(url).record(null, id)).data;

  test(`${REQUESTS} requests for one ply: exactly one wins, ${ROUNDS} times`, async () => {
    const games: string[] = [];
    while (counted.rounds < ROUNDS) {
      let game: Pick<Game, 'id' | 'position' | 'turn' | 'plyCount'> = await newGame();
      games.push(game.id);
      while (game.turn !== null && game.plyCount < PLIES_OF_A_GAME && counted.rounds < ROUNDS) {
        game = await round(game);
      }
    }
    expect(counted.wins).toBe(ROUNDS);

    expect(await brokenGames(db)).toEqual([]);
    const rows = await db.query<{ count: string }>('SELECT count(*)::text AS count FROM plies');
    expect(rows).toEqual([{ count: String(ROUNDS) }]);
    for (const id of games) {
      const [record, other] = await Promise.all(servers.map((server) => recordFrom(server, id)));
      expect(record).toEqual(other);
      expect(verify(record).filter(({ ok }) => ok === false)).toEqual([]);
      expect(holds(verify(record))).toBe(true);
    }
    expect(servers.map(({ isAlive }) => isAlive())).toEqual([true, true]);
    printCounts('Race', counted);
  }, 600_000);
});
