import { holds, verify } from '../../src/fairness/verify.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game, LegalMove, Plies, Ply } from '../support/api-types.js';
import { stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';
import { type GameLine, vectors } from '../support/vectors.js';

/** Whole games, move by move, and everything that can be read of them. */
// Both databases: whole games of every rule set, as production stores them.

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  stopTime(server.app);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const players = (): Record<'first' | 'second', Person> => ({ first: ann, second: ben });

/** Follows the cursors from one end to the other. */
async function paged(api: Api, id: string, forward: boolean, size: number): Promise<readonly Ply[]> {
  const plies: Ply[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Plies = (
      await api.moves(
        null,
        id,
        forward
          ? { first: size, ...(cursor && { after: cursor }) }
          : { last: size, ...(cursor && { before: cursor }) },
      )
    ).data;
    const rows = page.edges.map(({ node }) => node);
    plies.splice(forward ? plies.length : 0, 0, ...rows);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
    const cursors = page.edges.map((edge) => edge.cursor);
    if (cursors[0] !== undefined) expect([startCursor, endCursor]).toEqual([cursors[0], cursors.at(-1)]);
    expect(forward ? hasPreviousPage : hasNextPage).toBe(cursor !== null);
    if (!(forward ? hasNextPage : hasPreviousPage)) return plies;
    expect(rows).toHaveLength(size);
    cursor = forward ? endCursor : startCursor;
  }
}

const record = async (id: string): Promise<unknown> => must(await restApi(server.http).record(null, id));

/** What must be true of an ended game, however it was played. */
async function expectWhole(api: Api, game: Game, players: Record<'first' | 'second', Person>): Promise<void> {
  const plies = await paged(api, game.id, true, 9);
  expect(await paged(api, game.id, false, 9)).toEqual(plies);
  const all = (await api.moves(null, game.id, { first: 100 })).data;
  expect([all.totalCount, plies.length]).toEqual([game.plyCount, game.plyCount]);
  expect(plies.map(({ ply }) => ply)).toEqual(plies.map((_, index) => index + 1));
  expect(plies.at(-1)!.position).toBe(game.position);

  expect(game).toMatchObject({ status: 'finished', turn: null, deadlineAt: null });
  expect(game.fairness.serverSeed).toMatch(/^[0-9a-f]{64}$/);
  expect(game.endedAt).toBe(plies.at(-1)!.playedAt);
  const events = (await api.events(null, game.id)).data;
  const version = game.fairness.creatorSeed === 'given' ? 2 : 1;
  const seeds = game.fairness.creatorSeed === 'given' ? [['seed', 1]] : [];
  expect(events.map(({ type, seq }) => [type, seq])).toEqual([['create', 0], ...seeds, ['accept', version], ['start', version], ['end', game.version]]); // prettier-ignore
  expect(events.at(-1)!.data).toEqual(game.outcome);
  // One chain: the events before ply 1, the plies, the end.
  const chain = [...events.slice(0, -1), ...plies, events.at(-1)!];
  expect(chain.map(({ previousHash }) => previousHash)).toEqual([null, ...chain.slice(0, -1).map(({ hash }) => hash)]); // prettier-ignore
  expect([game.fairness.termsHash, game.fairness.headHash]).toEqual([chain[0]!.hash, chain.at(-1)!.hash]);
  for (const by of [players.first, players.second, null]) {
    expect((await api.legalMoves(by, game.id)).data).toEqual([]);
  }

  const findings = verify(await record(game.id));
  expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
  const proven = findings.filter(({ ok }) => ok === true).map(({ check }) => check);
  expect(proven).toEqual(expect.arrayContaining(['commitment', 'chain', 'plies', 'outcome']));
  if (game.ruleset.id !== 'chess') {
    expect(proven).toEqual(expect.arrayContaining(['deal', 'dealRoot', 'reveals', 'proofs']));
  }
}

/** Captures if possible, else turns up, else moves: such games end soon. */
function choose(moves: readonly LegalMove[], ply: number): LegalMove {
  const captures = moves.filter(({ san }) => san.includes('x'));
  const turnUps = moves.filter(({ san }) => san.includes('?'));
  const wished = [captures, turnUps, moves].find(({ length }) => length > 0)!;
  return wished[(ply * 7) % wished.length]!;
}

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  let other: Api;
  beforeAll(() => {
    api = over(server.http);
    other = TRANSPORTS.map(([, make]) => make).find((make) => make !== over)!(server.http);
  });

  it.each(['chess-145', 'chess-045', 'chess-147'])(
    'plays the chess game %s as in the vectors',
    async (id) => {
      const line = vectors<GameLine>('games.chess.jsonl').find((game) => game.id === id)!;
      const opened = await begin(api, ann, ben);
      const answer = await playMoves(
        api,
        opened,
        line.plies.map(({ move }) => move),
        players(),
      );
      expect(answer).toMatchObject({
        outcome: line.outcome,
        position: line.final,
        plyCount: line.plies.length,
      });
      expect((await api.game(null, answer.id)).data).toEqual({ ...answer, viewer: null });

      const played = await paged(api, answer.id, true, 100);
      expect(played.map(({ move, player, san, position }) => ({ move, player, san, fen: position }))).toEqual(
        line.plies.map(({ move, player, san, fen }) => ({ move, player, san, fen })),
      );
      await expectWhole(api, answer, players());
    },
  );

  it.each(['banqi-hongkong', 'banqi-taiwan'])('plays %s to the end', async (ruleset) => {
    const terms = { ruleset, options: { quietLimit: 20 }, clientSeed: newSeed() };
    let game = await begin(api, ann, ben, terms, { clientSeed: newSeed() });
    const expected: string[] = [];
    while (game.outcome === null) {
      expect(game.fairness.serverSeed).toBeNull();
      const mover = players()[game.turn!];
      const waiting = mover === ann ? ben : ann;
      if (game.plyCount < 3) {
        expect((await api.legalMoves(waiting, game.id)).data).toEqual([]);
        expect((await api.legalMoves(null, game.id)).data).toEqual([]);
      }
      const { move, san } = choose((await api.legalMoves(mover, game.id)).data, game.plyCount);
      expected.push(san);
      game = (await api.makeMove(mover, game.id, game.plyCount + 1, move)).data;
    }
    const played = await paged(api, game.id, true, 50);
    // The SAN listed before the ply has a ? for the piece that the ply reveals.
    expect(
      played.map(({ san, reveals }) => (reveals === null ? san : san.replace(`(${reveals})`, '(?)'))),
    ).toEqual(expected);
    expect(played.filter(({ reveals }) => reveals !== null).length).toBeGreaterThan(10);
    expect(game.board.captured).toEqual(played.flatMap(({ captured }) => captured ?? []));
    await expectWhole(api, game, players());
  });

  it('shows the same game as the other transport', async () => {
    const game = await begin(api, ann, ben, {
      ruleset: 'banqi-taiwan',
      timeControl: { type: 'perMove', seconds: 3600 },
    });
    await playMoves(api, game, ['a1', 'b1'], players());
    for (const by of [ann, ben, null]) {
      expect((await api.game(by, game.id)).data).toEqual((await other.game(by, game.id)).data);
      const [moves, others] = [must(await api.moves(by, game.id)), must(await other.moves(by, game.id))];
      expect(moves.edges.map(({ node }) => node)).toEqual(others.edges.map(({ node }) => node));
      expect(moves.totalCount).toBe(others.totalCount);
      expect((await api.legalMoves(by, game.id)).data).toEqual((await other.legalMoves(by, game.id)).data);
      expect((await api.events(by, game.id)).data).toEqual((await other.events(by, game.id)).data);
    }
  });

  it('tells each viewer their own seat', async () => {
    const { id } = await begin(api, ann, ben);
    const seats = await Promise.all(
      [ann, ben, null].map(async (by) => (await api.game(by, id)).data.viewer?.seat ?? null),
    );
    expect(seats).toEqual(['first', 'second', null]);
  });
});

describe('a record', () => {
  const after = async (moves: readonly string[]): Promise<Game> => {
    const api = restApi(server.http);
    const game = await begin(api, ann, ben, { ruleset: 'banqi-hongkong', clientSeed: newSeed() });
    return playMoves(api, game, moves, players());
  };

  it.each([
    ['runs', ['a1', 'b1', 'c1'], null],
    ['was resigned', ['a1', 'b1'], 'resign'],
    ['was aborted', ['a1'], 'abort'],
  ] as const)('of a game that %s is valid', async (_, moves, act) => {
    const api = restApi(server.http);
    const game = await after(moves);
    if (act !== null) expect((await api[act](ben, game.id)).refusal).toBeUndefined();
    const exported = await record(game.id);
    expect(exported).toMatchObject({
      serverSeed: act === null ? null : expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const findings = verify(exported);
    expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
    expect(findings.find(({ check }) => check === 'reveals')!.ok).toBe(act === null ? null : true);
    expect(findings.find(({ check }) => check === 'proofs')!.ok).toBe(true);
  });

  it('is invalid when any letter of it is changed', async () => {
    const game = await after(['a1', 'b1']);
    const text = JSON.stringify(await record(game.id));
    expect(holds(verify(JSON.parse(text)))).toBe(true);
    expect(holds(verify(JSON.parse(text.replace('"move":"b1"', '"move":"b2"'))))).toBe(false);
    expect(holds(verify(JSON.parse(text.replace(/"salt":"./, '"salt":"g'))))).toBe(false);
  });
});
