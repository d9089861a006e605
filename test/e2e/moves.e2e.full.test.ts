import { type Api, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';

/** A move: played exactly once, or refused with the reason and no change. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'REST'))('a move over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const after = async (moves: readonly string[], terms = {}): Promise<Game> =>
    playMoves(api, await begin(api, ann, ben, terms), moves, { first: ann, second: ben });

  const plies = async ({ id }: Game) => (await api.moves(null, id)).data.edges.map(({ node }) => node);

  it('repeated by the same player answers with the current game', async () => {
    const game = await after(['e2e4']);
    expect((await api.makeMove(ann, game.id, 1, 'e2e4')).data).toMatchObject({
      ...game,
      viewer: { seat: 'first' },
    });
    const later = await playMoves(api, game, ['e7e5', 'g1f3'], { first: ann, second: ben });
    expect((await api.makeMove(ann, game.id, 1, 'e2e4')).data).toEqual(later);
    expect((await api.makeMove(ben, game.id, 2, 'e7e5')).data).toMatchObject({
      ...later,
      viewer: { seat: 'second' },
    });
    expect(await plies(game)).toHaveLength(3);
  });

  it('sent ten times at once is played once', async () => {
    const game = await after(['e2e4', 'e7e5']);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.makeMove(ann, game.id, 3, 'g1f3')),
    );
    expect(answers.map(({ data }) => data?.plyCount)).toEqual(Array(10).fill(3));
    expect(new Set(answers.map(({ data }) => data.fairness.headHash)).size).toBe(1);
    expect(await plies(game)).toHaveLength(3);
  });

  it('can be repeated after the game has ended, by the move or otherwise', async () => {
    const mate = await after(['f2f3', 'e7e5', 'g2g4', 'd8h4']);
    expect((await api.makeMove(ben, mate.id, 4, 'd8h4')).data).toEqual(mate);
    expect((await api.makeMove(ann, mate.id, 3, 'g2g4')).data).toMatchObject({
      ...mate,
      viewer: { seat: 'first' },
    });
    const game = await after(['e2e4']);
    const resigned = (await api.resign(ben, game.id)).data;
    expect((await api.makeMove(ann, game.id, 1, 'e2e4')).data).toMatchObject({
      ...resigned,
      viewer: { seat: 'first' },
    });
  });

  it.each([
    ['another move for a stored ply', 'ann', 1, 'd2d4', 'STALE_PLY'],
    ['the stored move by the other player', 'ben', 1, 'e2e4', 'STALE_PLY'],
    ['another move by the other player', 'ann', 2, 'd7d5', 'STALE_PLY'],
    ['a ply too far', 'ann', 4, 'g1f3', 'STALE_PLY'],
    ['a ply far too far', 'ann', 2_000_000_000, 'g1f3', 'STALE_PLY'],
    ['the right ply by the other player', 'ben', 3, 'g8f6', 'NOT_YOUR_TURN'],
  ] as const)('is refused for %s', async (_what, name, ply, move, code) => {
    const game = await after(['e2e4', 'e7e5']);
    const { refusal } = await api.makeMove(name === 'ann' ? ann : ben, game.id, ply, move);
    expect(refusal).toMatchObject({ code });
    expect((await api.game(ann, game.id)).data).toMatchObject({ ...game, viewer: { seat: 'first' } });
  });

  it.each([
    [0, 'e2e4', 'ply'],
    [-1, 'e2e4', 'ply'],
    [1.5, 'e2e4', 'ply'],
    ['1', 'e2e4', 'ply'],
    [null, 'e2e4', 'ply'],
    [3_000_000_000, 'e2e4', null],
    [1, '', 'move'],
    [1, 'e2e4'.repeat(5), 'move'],
    [1, 5, 'move'],
    [1, null, 'move'],
    [1, ['e2e4'], 'move'],
  ])('with ply %j and move %j is refused', async (ply, move, field) => {
    const game = await after([]);
    const { refusal } = await api.makeMove(ann, game.id, ply, move);
    const code = field === null ? expect.stringMatching(/BAD_INPUT|STALE_PLY/) : 'BAD_INPUT';
    expect(refusal).toMatchObject({ code });
    if (field !== null) expect([field, undefined]).toContain(refusal!.field);
    expect((await api.game(ann, game.id)).data).toMatchObject({ ...game, viewer: { seat: 'first' } });
  });
});

const CHESS: readonly (readonly [move: string, fault: string, moves: string, words: RegExp])[] = [
  ['e4e5', 'emptySquare', '', /no piece on e4/],
  ['e7e5', 'notYours', '', /pawn on e7 belongs to Black/],
  ['e2e5', 'cannotReach', '', /pawn on e2 cannot go to e5/],
  ['g1g3', 'cannotReach', '', /knight on g1 cannot go to g3/],
  ['a1a3', 'blocked', '', /pawn on a2 is in the way/],
  ['a1a2', 'ownPiece', '', /own pawn stands on a2/],
  ['e2d3', 'cannotCapture', '', /nothing to take on d3/],
  ['e1g1', 'castling', '', /cannot castle O-O/],
  ['e2e4q', 'promotion', '', /does not promote/],
  ['e2e9', 'offBoard', '', /no square e9/],
  ['e2', 'cannotReach', '', /not a legal move here/],
  ['Nd4', 'cannotReach', '', /not a legal move here\. .*knight/],
  ['E2E4', 'malformed', '', /Expected a move, such as e2e4/],
  ['e2e4\0', 'malformed', '', /Expected a move, such as e2e4/],
  ['e1f2', 'leavesKingInCheck', 'f2f3 e7e5 e2e4 d8h4', /would be in check/],
  ['a2a3', 'leavesKingInCheck', 'f2f3 e7e5 e2e4 d8h4', /leave the king on e1 in check from h4/],
];

const BANQI: typeof CHESS = [
  ['a1a2', 'onlyTurnUp', '', /first ply must turn up a piece/],
  ['a9', 'offBoard', '', /no square a9/],
  ['zz', 'malformed', '', /Expected a move, such as c5/],
  ['pass', 'chain', '', /cannot pass in this game/],
  ['a1', 'alreadyFaceUp', 'a1', /already face-up/],
  ['c3c4', 'faceDown', 'a1', /piece on c3 is face-down/],
  ['a1a2', 'faceDown', 'a1 d8', /piece on a2 is face-down|not yours/],
];

describe.each([
  ['chess', CHESS],
  ['banqi-hongkong', BANQI],
] as const)('an illegal move in %s', (ruleset, table) => {
  it.each(table)('%j is answered with %s after %j', async (move, fault, moves, words) => {
    for (const [, over] of TRANSPORTS) {
      const api = over(server.http);
      const terms = ruleset === 'chess' ? {} : { ruleset };
      const played = moves === '' ? [] : moves.split(' ');
      const game = await playMoves(api, await begin(api, ann, ben, terms), played, {
        first: ann,
        second: ben,
      });
      const by = game.turn === 'first' ? ann : ben;
      const before = [(await api.game(by, game.id)).data, (await api.events(by, game.id)).text];
      const { refusal, message } = await api.makeMove(by, game.id, game.plyCount + 1, move);
      // The owner of the piece on a1 depends on the deal.
      const faults = words.source.includes('not yours') ? [fault, 'notYours'] : [fault];
      expect(refusal).toMatchObject({ code: 'ILLEGAL_MOVE', field: 'move' });
      expect(faults).toContain(refusal!.fault);
      expect(message).toMatch(words);
      expect([(await api.game(by, game.id)).data, (await api.events(by, game.id)).text]).toEqual(before);
    }
  });
});
