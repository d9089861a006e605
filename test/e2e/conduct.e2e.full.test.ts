import { Referee } from '../../src/features/games/referee.js';
import type { Player } from '../../src/rules/ruleset.js';
import { TRANSPORTS } from '../support/api.js';
import { DAY, Pair, perMove, startStopped } from '../support/pair.js';
import { FULL, sample } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import { type Game, NOTHING_OFFERED } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';
import { type GameLine, vectors } from '../support/vectors.js';

/** What players agree on and claim: draw offers, claims, acts for a version, repeated acts. */

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const OPENING = ['e2e4', 'e7e5'];
const KNIGHTS = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const DAYS = perMove((3 * DAY) / 1000);
const AGREED = { winner: null, reason: 'agreement' };
const THREEFOLD = { reason: 'threefoldRepetition' };

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let pair: Pair;
  beforeEach(async () => {
    pair = new Pair(server, time, over(server.http));
    await pair.meet();
  });

  describe('a draw offer', () => {
    it('stays open until it is accepted', async () => {
      const game = await pair.after(OPENING);
      await pair.readNews();
      const offered = await pair.do('first', 'offerDraw', game);
      expect(offered).toEqual({
        ...game,
        version: game.version + 1,
        lastActivityAt: pair.in(0),
        offers: { ...NOTHING_OFFERED, draw: { by: 'first', at: pair.in(0), ply: null } },
        viewer: offered.viewer,
        fairness: {
          ...game.fairness,
          headHash: expect.any(String),
          receipt: expect.any(String),
        },
      });
      expect(offered.fairness.headHash).not.toBe(game.fairness.headHash);
      expect([await pair.news('first'), await pair.news('second')]).toEqual([{}, { drawOffer: {} }]);
      time.forward(1000);
      const drawn = await pair.do('second', 'acceptDraw', game);
      expect(drawn).toMatchObject({
        status: 'finished',
        turn: null,
        outcome: AGREED,
        offers: NOTHING_OFFERED,
        endedAt: pair.in(0),
      });
      expect(await pair.log(game)).toEqual([
        ['offerDraw', 'first', {}],
        ['acceptDraw', 'second', {}],
        ['end', null, AGREED],
      ]);
      expect([await pair.news('first'), await pair.news('second')]).toEqual([{ gameOver: AGREED }, {}]);
      await pair.record(game);
    });

    it('comes with a move from ply 2 on, as one act', async () => {
      const game = await pair.after([]);
      const atOnce = () => pair.api.makeMove(pair.first, game.id, 1, 'e2e4', { offerDraw: true });
      await pair.refused(game, atOnce, 'TOO_EARLY_TO_OFFER');
      const moved = await pair.move('first', game, 'e2e4', { offerDraw: false });
      expect(moved.offers).toEqual(NOTHING_OFFERED);
      const offered = await pair.move('second', moved, 'e7e5', { offerDraw: true });
      expect([offered.plyCount, offered.version]).toEqual([2, moved.version + 1]);
      expect(offered.offers.draw).toEqual({ by: 'second', at: pair.in(0), ply: null });
      expect(await pair.log(game)).toEqual([['offerDraw', 'second', {}]]);
      expect(await pair.news('first')).toMatchObject({ drawOffer: {}, yourTurn: { ply: 3 } });
      expect((await pair.do('first', 'acceptDraw', game)).outcome).toEqual(AGREED);
    });

    it('is not made with an illegal move', async () => {
      const game = await pair.after(OPENING);
      const act = () => pair.api.makeMove(pair.first, game.id, 3, 'e4e5', { offerDraw: true });
      await pair.refused(game, act, 'ILLEGAL_MOVE');
    });

    it('is accepted by offering one', async () => {
      const game = await pair.after(OPENING);
      await pair.do('second', 'offerDraw', game);
      expect((await pair.do('first', 'offerDraw', game)).outcome).toEqual(AGREED);
      expect((await pair.log(game))[1]).toEqual(['acceptDraw', 'first', {}]);
    });

    it('survives an own move, and is declined by the opponent’s', async () => {
      const game = await pair.after(OPENING);
      await pair.do('first', 'offerDraw', game);
      const moved = await pair.move('first', game, 'g1f3');
      expect(moved.offers.draw).toMatchObject({ by: 'first' });
      await pair.readNews();
      await pair.do('first', 'offerDraw', game);
      expect(await pair.news('second')).toEqual({});
      const answered = await pair.move('second', moved, 'b8c6');
      expect(answered.offers).toEqual({ ...NOTHING_OFFERED, firstMustMove: 10 });
      expect((await pair.log(game)).slice(1)).toEqual([['declineDraw', 'second', { byMove: true }]]);
      expect(await pair.news('first')).toMatchObject({ offerAnswered: { offer: 'draw', accepted: false } });
      await pair.refused(game, () => pair.api.plain(pair.second, 'acceptDraw', game.id), 'NO_OFFER');
    });

    it('is marked as read when the answer is a move, and that move may offer another', async () => {
      const game = await pair.after(OPENING);
      await pair.do('second', 'offerDraw', game);
      expect(await pair.news('first')).toMatchObject({ drawOffer: {} });
      const moved = await pair.move('first', game, 'g1f3', { offerDraw: true });
      expect(moved.offers).toEqual({
        ...NOTHING_OFFERED,
        draw: { by: 'first', at: pair.in(0), ply: null },
        secondMustMove: 10,
      });
      expect(await pair.news('first')).not.toHaveProperty('drawOffer');
      expect(await pair.news('second')).toMatchObject({
        drawOffer: {},
        offerAnswered: { offer: 'draw', accepted: false },
      });
    });

    it('is refused within 10 own moves after it was declined', async () => {
      const words = (moves: string) =>
        `Your last draw offer was declined. Make ${moves} before you offer again.`;
      let game = await pair.after(OPENING);
      await pair.do('first', 'offerDraw', game);
      await pair.readNews();
      game = await pair.do('second', 'declineDraw', game);
      expect(game.offers).toEqual({ ...NOTHING_OFFERED, firstMustMove: 10 });
      expect(await pair.news('first')).toEqual({ offerAnswered: { offer: 'draw', accepted: false } });
      const again = () => pair.api.plain(pair.first, 'offerDraw', game.id);
      const withMove = () =>
        pair.api.makeMove(pair.first, game.id, game.plyCount + 1, 'g1f3', { offerDraw: true });
      await pair.refused(game, again, 'OFFER_TOO_SOON', words('10 more moves'));
      await pair.refused(game, withMove, 'OFFER_TOO_SOON', words('10 more moves'));
      const there = ['b1c3', 'b8c6', 'f1e2', 'f8e7', 'd2d3', 'd7d6', 'c1d2', 'c8d7', 'd1c1', 'd8c8'];
      const on = ['a2a3', 'a7a6', 'b2b3', 'b7b6', 'h2h3', 'h7h6', 'e1d1', 'e8d8', 'g2g3', 'g7g6'];
      game = await pair.goOn(game, [...there, ...on.slice(0, 8)]);
      expect(game.offers.firstMustMove).toBe(1);
      await pair.refused(game, withMove, 'OFFER_TOO_SOON', words('1 more move'));
      expect((await pair.do('second', 'offerDraw', game)).offers.draw).toMatchObject({ by: 'second' });
      game = await pair.goOn(game, on.slice(8));
      expect(game.offers).toEqual({ ...NOTHING_OFFERED, secondMustMove: 9 });
      expect((await pair.do('first', 'offerDraw', game)).offers.draw).toMatchObject({ by: 'first' });
    });

    it('does not turn a timeout into a draw', async () => {
      const game = await pair.after(OPENING, DAYS);
      await pair.do('second', 'offerDraw', game);
      await pair.later(3 * DAY + 1);
      const outcome = { winner: 'second', reason: 'timeout' };
      await server.app.get(Referee).sweep();
      expect((await pair.read(game)).outcome).toEqual(outcome);
      expect(await pair.news('first')).toEqual({ gameStarted: expect.anything(), gameOver: outcome });
    });
  });

  describe('a claim', () => {
    const claim = (player: Player, { id }: Game, more: Body) => pair.api.claimDraw(pair[player], id, more);

    it('of a third occurrence is accepted for the current position, from the side to move', async () => {
      const game = await pair.after([...KNIGHTS, ...KNIGHTS]);
      expect((await pair.api.claimable(null, game.id)).data).toEqual(['threefoldRepetition']);
      await pair.refused(game, () => claim('second', game, THREEFOLD), 'NOT_YOUR_TURN');
      await pair.refused(
        game,
        () => claim('first', game, { reason: 'fiftyMoves' }),
        'CLAIM_NOT_MET',
        'The game has had 8 plies in a row without a capture or pawn move; a claim needs 100.',
      );
      await pair.readNews();
      const drawn = must(await claim('first', game, THREEFOLD));
      const outcome = { winner: null, ...THREEFOLD };
      expect(drawn).toMatchObject({ status: 'finished', plyCount: 8, outcome, endedAt: pair.in(0) });
      expect(await pair.log(game)).toEqual([
        ['claimDraw', 'first', THREEFOLD],
        ['end', null, outcome],
      ]);
      expect([await pair.news('first'), await pair.news('second')]).toEqual([{}, { gameOver: outcome }]);
      expect((await pair.api.claimable(null, game.id)).data).toEqual([]);
      await pair.record(game);
    });

    it('of a third occurrence is accepted with the move that produces it', async () => {
      const game = await pair.after([...KNIGHTS, ...KNIGHTS.slice(0, 3)], DAYS);
      expect((await pair.api.claimable(null, game.id)).data).toEqual([]);
      await pair.refused(
        game,
        () => claim('second', game, THREEFOLD),
        'CLAIM_NOT_MET',
        'The position has occurred twice; a claim needs three occurrences.',
      );
      const other = () => claim('second', game, { ...THREEFOLD, move: 'b8c6' });
      const otherWords =
        'After this move the position will have occurred once; a claim needs three occurrences.';
      await pair.refused(game, other, 'CLAIM_NOT_MET', otherWords);
      await pair.refused(game, () => claim('second', game, { ...THREEFOLD, move: 'f6f5' }), 'ILLEGAL_MOVE');
      time.forward(7000);
      const drawn = must(await claim('second', game, { ...THREEFOLD, move: 'f6g8' }));
      expect(drawn).toMatchObject({ plyCount: 8, outcome: { winner: null, ...THREEFOLD }, turn: null });
      const { node } = must(await pair.api.moves(null, game.id)).edges.at(-1)!;
      expect(node).toMatchObject({ ply: 8, move: 'f6g8', san: 'Ng8', timeUsed: 7 });
      expect(node.seq).toBe(drawn.version);
      await pair.record(game);
    });

    it('that is wrong costs nothing, and the error says what is missing', async () => {
      const game = await pair.after(KNIGHTS);
      const missing = (subject: string, times: string) =>
        `${subject} occurred ${times}; a claim needs three occurrences.`;
      await pair.refused(game, () => claim('first', game, THREEFOLD), 'CLAIM_NOT_MET', missing('The position has', 'twice')); // prettier-ignore
      const withMove = () => claim('first', game, { ...THREEFOLD, move: 'g1f3' });
      await pair.refused(
        game,
        withMove,
        'CLAIM_NOT_MET',
        missing('After this move the position will have', 'twice'),
      );
      const moved = await pair.move('first', game, 'e2e4');
      await pair.refused(moved, () => claim('second', moved, THREEFOLD), 'CLAIM_NOT_MET', missing('The position has', 'once')); // prettier-ignore
      const quiet = () => claim('second', moved, { reason: 'fiftyMoves', move: 'g8f6' });
      const words =
        'After this move the game will have had 1 ply in a row without a capture or pawn move; a claim needs 100.';
      await pair.refused(moved, quiet, 'CLAIM_NOT_MET', words);
    });

    it('of fifty moves is accepted from the 100th quiet ply on', async () => {
      const { plies } = vectors<GameLine>('games.chess.jsonl').find(({ id }) => id === 'chess-136')!;
      const due = plies.findIndex(({ claimable }) => claimable?.includes('fiftyMoves'));
      const moves = plies.map(({ move }) => move);
      const game = await pair.after(moves.slice(0, due));
      const player = game.turn!;
      const fifty = { reason: 'fiftyMoves' };
      await pair.refused(
        game,
        () => claim(player, game, fifty),
        'CLAIM_NOT_MET',
        'The game has had 99 plies in a row without a capture or pawn move; a claim needs 100.',
      );
      const moved = await pair.goOn(game, moves.slice(due, due + 1));
      expect((await pair.api.claimable(null, game.id)).data).toEqual(['fiftyMoves']);
      expect(must(await claim(moved.turn!, moved, fifty)).outcome).toEqual({ winner: null, ...fifty });
      await pair.record(game);
      if (!FULL) return;
      const other = await pair.after(moves.slice(0, due));
      const drawn = must(await claim(player, other, { ...fifty, move: moves[due] }));
      expect(drawn).toMatchObject({ plyCount: due + 1, outcome: { winner: null, ...fifty } });
      await pair.record(other);
    });

    it('that the rule set does not have is refused with what applies instead', async () => {
      const game = await pair.after([], { ruleset: 'banqi-taiwan' });
      const words =
        'A draw by threefoldRepetition cannot be claimed in this game: it ends by itself when a position occurs for the third time.';
      await pair.refused(game, () => claim('first', game, THREEFOLD), 'CLAIM_NOT_MET', words);
      await pair.refused(game, () => claim('first', game, { reason: 'stalemate' }), 'BAD_INPUT');
      expect((await pair.api.claimable(null, game.id)).data).toEqual([]);
    });
  });
});
