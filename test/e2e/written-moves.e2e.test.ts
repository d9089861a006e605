import { type Api, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import type { Body } from '../support/transport.js';

/** Moves as people write them: played if they mean one move, else refused with the candidates. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const after = async (moves: string, terms = {}): Promise<Game> =>
    playMoves(api, await begin(api, ann, ben, terms), moves === '' ? [] : moves.split(' '), {
      first: ann,
      second: ben,
    });

  const toMove = ({ turn }: Game): Person => (turn === 'first' ? ann : ben);
  const send = (game: Game, move: string, more = {}) =>
    api.makeMove(toMove(game), game.id, game.plyCount + 1, move, more);
  const stored = async ({ id }: Game) =>
    (await api.moves(null, id)).data.edges.map(({ node }) => node.move).join(' ');

  it.each<[string, string, string, string, Body?]>([
    ['chess', 'e2e4 e7e5', 'Nf3', 'g1f3'],
    ['chess', 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5', '0-0', 'e1g1'],
    ['chess', 'e2e4 a7a6 e4e5 d7d5', 'exd6 e.p.', 'e5d6'],
    ['xiangqi', '', 'C2=5', 'h3e3'],
    ['xiangqi', '', 'H2-E2', 'h3e3'],
    ['xiangqi', '', 'h2e2', 'h3e3', { format: 'ucci' }],
    ['xiangqi-tournament', 'h3e3', 'h8+7', 'h10g8'],
  ])('%s after %j: %s is %s', async (ruleset, moves, text, move, more = {}) => {
    const game = await after(moves, { ruleset });
    const answer = await send(game, text, more);
    expect(answer.data).toMatchObject({
      plyCount: game.plyCount + 1,
      lastMove: { ply: game.plyCount + 1, move, reveals: null },
    });
    expect(await stored(game)).toBe(`${moves} ${move}`.trim());
    // Sent again, in this form and in the server's form, also after the game has gone on.
    const next = answer.data;
    expect((await api.makeMove(toMove(game), game.id, next.plyCount, text, more)).data).toEqual(next);
    expect((await api.makeMove(toMove(game), game.id, next.plyCount, move)).data).toEqual(next);
  });

  it('conditional moves are read in the same way, and returned as they are stored', async () => {
    const game = await after('e2e4');
    const tree = [{ when: 'e5', reply: 'Nf3', then: [{ when: 'Nc6', reply: 'Bb5' }] }];
    expect((await api.setConditionalMoves(ann, game.id, tree)).refusal).toBeUndefined();
    expect((await api.conditionalMoves(ann, game.id)).data).toMatchObject([
      { when: 'e7e5', reply: 'g1f3', then: [{ when: 'b8c6', reply: 'f1b5' }] },
    ]);
    const unread = await api.setConditionalMoves(ann, game.id, [{ when: 'e5', reply: 'Nd2' }]);
    expect(unread.refusal).toMatchObject({ code: 'ILLEGAL_MOVE' });
  });

  it('a move repeated for its ply on another board is still the same move', async () => {
    const game = await after('g1f3 g8f6 f3g1 f6g8');
    const played = await send(game, 'Nf3');
    await playMoves(api, played.data, ['a7a6', 'b1c3'], { first: ann, second: ben });
    expect((await api.makeMove(ann, game.id, 5, 'Nf3')).data.plyCount).toBe(7);
    expect((await api.makeMove(ann, game.id, 5, 'Nc3')).refusal).toMatchObject({ code: 'STALE_PLY' });
    expect((await api.makeMove(ann, game.id, 5, 'zzz')).refusal).toMatchObject({ code: 'STALE_PLY' });
  });

  it('refuses an ambiguous move with the candidates', async () => {
    const game = await after('d2d4 d7d5 g1f3 a7a6');
    const { refusal, message } = await send(game, 'Nd2');
    expect(refusal).toEqual({ code: 'AMBIGUOUS_MOVE', field: 'move', candidates: ['b1d2', 'f3d2'] });
    expect(message).toMatch(/Nbd2 or Nfd2\. Send one of b1d2, f3d2\.$/);
    expect((await send(game, 'Nbd2')).data.lastMove?.move).toBe('b1d2');
  });

  it('never reads own coordinates as those of engines', async () => {
    const game = await after('', { ruleset: 'xiangqi' });
    const { refusal, message } = await send(game, 'h2e2');
    expect(refusal).toMatchObject({ code: 'ILLEGAL_MOVE', fault: 'emptySquare' });
    expect(message).toMatch(/no piece on h2\..* send h3e3, or set format to ucci\.$/);
    const claim = await api.claimDraw(ann, game.id, { reason: 'threefoldRepetition', move: 'h2e2' });
    expect([claim.refusal, claim.message]).toEqual([refusal, message]);
    expect((await send(game, 'b3b5')).data.lastMove?.move).toBe('b3b5');
  });

  it('refuses a notation that the game does not have', async () => {
    const { refusal } = await send(await after(''), 'e4', { format: 'wxf' });
    expect(refusal).toEqual({ code: 'BAD_INPUT', field: 'format' });
  });

  it('reveals nothing face-down in the answer', async () => {
    const game = await after('', { ruleset: 'banqi-hongkong' });
    const answers = await Promise.all([...'KAENRCPkaenrcp'].map((letter) => send(game, `c5(${letter})`)));
    expect(new Set(answers.map(({ refusal }) => JSON.stringify(refusal)))).toEqual(
      new Set([JSON.stringify({ code: 'ILLEGAL_MOVE', field: 'move', fault: 'faceDown' })]),
    );
    expect(new Set(answers.map(({ message }) => message!.replace(/\(.\)/, ''))).size).toBe(1);
    const played = (await send(game, 'c5(?)')).data;
    expect(played.lastMove).toMatchObject({
      ply: 1,
      move: 'c5',
      reveals: expect.any(String),
      captured: null,
    });
  });

  it('accepts a draw claim with a move as people write it', async () => {
    const game = await after('g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1');
    const { data } = await api.claimDraw(ben, game.id, { reason: 'threefoldRepetition', move: 'Ng8' });
    expect(data).toMatchObject({ outcome: { reason: 'threefoldRepetition' }, lastMove: { move: 'f6g8' } });
  });

  it('accepts conditional moves with the move, whose reply is then the last move', async () => {
    const game = await after('e2e4');
    const conditionalMoves = [{ when: 'g1f3', reply: 'b8c6' }];
    const next = (await send(game, 'e5', { conditionalMoves })).data;
    const answered = (await send(next, 'Nf3')).data;
    expect(answered.lastMove).toMatchObject({ ply: 4, move: 'b8c6' });
    expect(await stored(game)).toBe('e2e4 e7e5 g1f3 b8c6');
  });
});
