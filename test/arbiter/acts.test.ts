import { refusalFor } from '../../src/arbiter/acts/act.js';
import { offerDraw } from '../../src/arbiter/acts/draw.js';
import { NO_OFFERS } from '../../src/arbiter/offers.js';
import { afterPly, timeUsed, type Played } from '../../src/arbiter/ply.js';
import { adjudicate } from '../../src/arbiter/clock-acts.js';
import { leftAt } from '../../src/arbiter/clock.js';
import { turnOf, type Decision, type GameState } from '../../src/arbiter/state.js';
import type { TimeControl } from '../../src/arbiter/time-control.js';
import { opponent, type Player } from '../../src/rules/ruleset.js';
import {
  type ActName,
  ACTS,
  acted,
  begin,
  daily,
  DAY,
  decided,
  HOUR,
  pending,
  plies,
  ply,
  START,
  untimed,
} from './states.js';

const game = plies(2, begin(daily));
const NOW = game.turnStartedAt + HOUR;
const bank: TimeControl = { type: 'bank', initial: 7200, increment: 600, cap: 9000 };

const does = (state: GameState, player: Player, name: ActName, now = NOW): Decision =>
  decided(ACTS[name]({ state, player, now, ply: state.plyCount + 1 }));

const offer = (state: GameState, player: Player, name: ActName) =>
  ACTS[name]({ state, player, now: state.turnStartedAt });

const refused = NO_OFFERS;

describe('acts that end a game', () => {
  const drawOffered = acted(game, NOW, ['first', 'offerDraw']);

  test.each<[string, Decision, GameState['outcome'], string]>([
    ['first resigns', does(game, 'first', 'resign'), { winner: 'second', reason: 'resignation' }, 'resign'],
    ['second resigns', does(game, 'second', 'resign'), { winner: 'first', reason: 'resignation' }, 'resign'],
    ['a draw offer is accepted', does(drawOffered, 'second', 'acceptDraw'), drawn('agreement'), 'acceptDraw'],
    [
      'a draw offer is answered by another offer',
      does(drawOffered, 'second', 'offerDraw'),
      drawn('agreement'),
      'acceptDraw',
    ],
    ['the game is aborted', does(begin(daily), 'second', 'abort'), drawn('aborted'), 'abort'],
    ['a draw is claimed', does(game, 'first', 'claimDraw'), drawn('threefoldRepetition'), 'claimDraw'],
  ])('%s', (_name, { state, log, at }, outcome, act) => {
    expect(log.map(({ type }) => type)).toEqual([act, 'end']);
    expect(log[1]).toEqual({ type: 'end', player: null, data: outcome });
    expect(state).toMatchObject({ turn: null, deadlineAt: null, wakeAt: null, offers: NO_OFFERS, outcome });
    expect(state.status).toBe(outcome!.reason === 'aborted' ? 'aborted' : 'finished');
    expect(at).toBe(NOW);
  });

  function drawn(reason: 'agreement' | 'aborted' | 'threefoldRepetition') {
    return { winner: null, reason };
  }

  test('logs a claim with its reason and refuses another claim once the game has ended', () => {
    const { state, log } = does(game, 'first', 'claimDraw');
    expect(log[0]!.data).toEqual({ reason: 'threefoldRepetition' });
    const again = { state, player: 'first', now: NOW } as const;
    expect(ACTS.claimDraw(again)).toBe('unchanged');
    expect(ACTS.claimDraw({ ...again, reason: 'fiftyMoves' })).toMatchObject({ code: 'GAME_OVER' });
    expect(ACTS.resign(again)).toMatchObject({ code: 'GAME_OVER' });
  });
});

describe('a game that the operator adjudicates', () => {
  test('is aborted in any state, logs the reason, and stays ended', () => {
    const paused = acted(game, NOW, ['first', 'offerPause'], ['second', 'acceptPause']);
    for (const state of [pending(daily), game, paused]) {
      const { state: over, log, at } = adjudicate(state, 'A fault of the server.', NOW)!;
      const outcome = { winner: null, reason: 'aborted' };
      expect(log).toEqual([
        { type: 'adjudicate', player: null, data: { why: 'A fault of the server.' } },
        { type: 'end', player: null, data: outcome },
      ]);
      expect(over).toMatchObject({ status: 'aborted', turn: null, deadlineAt: null, wakeAt: null, outcome });
      expect(at).toBe(NOW);
      expect(adjudicate(over, 'Again.', NOW)).toBeNull();
    }
  });
});

describe('draw offers', () => {
  test('stay open until they are answered; the offering player’s own move does not count', () => {
    const { state, log } = does(game, 'first', 'offerDraw');
    expect(log).toEqual([{ type: 'offerDraw', player: 'first' }]);
    expect(state.offers.draw).toEqual({ by: 'first', at: NOW });
    expect(state.deadlineAt).toBe(game.deadlineAt);
    const moved = ply(state, NOW);
    expect(moved.log).toEqual([]);
    expect(moved.state.offers.draw).toEqual({ by: 'first', at: NOW });
  });

  test('may come with a move from ply 2 on', () => {
    const { state, log } = ply(plies(1, begin(daily)), NOW, true);
    expect([state.offers.draw, log]).toEqual([
      { by: 'second', at: NOW },
      [{ type: 'offerDraw', player: 'second' }],
    ]);
    const withMove = (plyCount: number) =>
      refusalFor(offerDraw, {
        state: plies(plyCount, begin(daily)),
        player: 'first',
        now: NOW,
        ply: plyCount + 1,
      });
    expect([withMove(0)?.code, withMove(1)]).toEqual(['TOO_EARLY_TO_OFFER', null]);
  });

  test('are declined by a move', () => {
    const { state, log } = ply(acted(game, NOW, ['second', 'offerDraw']), NOW);
    expect(log).toEqual([{ type: 'declineDraw', player: 'first', data: { byMove: true } }]);
    expect(state.offers).toEqual({ ...refused, refused: { first: 0, second: 10 } });
  });

  test.each<[string, (state: GameState) => GameState]>([
    ['in words', (state) => acted(state, state.turnStartedAt, ['second', 'declineDraw'])],
    ['by moving', (state) => ply(ply(state, state.turnStartedAt).state, state.turnStartedAt).state],
  ])('may be repeated with the 11th own move after they were declined %s', (_name, refuse) => {
    let state = refuse(acted(game, game.turnStartedAt, ['first', 'offerDraw']));
    // The move made before the offer was declined is not one of the ten.
    expect([state.turn, state.offers.refused.first]).toEqual(['first', 10]);
    for (let move = 1; move <= 10; move += 1) {
      const asked = offer(state, 'first', 'offerDraw');
      expect(asked).toMatchObject({ code: 'OFFER_TOO_SOON' });
      expect((asked as { message: string }).message).toContain(
        move === 10 ? '1 more move ' : `${11 - move} more moves`,
      );
      expect(offer(state, 'second', 'offerDraw')).toMatchObject({
        state: { offers: { draw: { by: 'second' } } },
      });
      state = plies(2, state);
    }
    expect(offer(state, 'first', 'offerDraw')).toMatchObject({
      state: { offers: { draw: { by: 'first' } } },
    });
  });

  test('count only own moves towards the ten', () => {
    const state = acted(game, NOW, ['second', 'offerDraw'], ['first', 'declineDraw']);
    expect(ply(state, NOW).state.offers.refused).toEqual({ first: 0, second: 10 });
    expect(plies(2, state).offers.refused).toEqual({ first: 0, second: 9 });
  });
});

describe('giving time', () => {
  test('adds one turn’s time, once per turn', () => {
    const { state, log } = does(game, 'second', 'giveTime');
    expect(log).toEqual([{ type: 'giveTime', player: 'second', data: { seconds: 86_400 } }]);
    expect(state.deadlineAt).toBe(game.deadlineAt! + DAY);
    const again = { state, player: 'second', now: NOW, ply: 3 } as const;
    expect(ACTS.giveTime(again)).toBe('unchanged');
    expect(does(plies(2, state), 'second', 'giveTime', state.turnStartedAt + HOUR)).toBeDefined();
  });

  test.each<[string, TimeControl, number, number]>([
    ['up to the cap of a bank', bank, 0, 600],
    ['no more than the cap leaves', { ...bank, cap: 7500 }, 0, 300],
    ['more when some of the bank has been used', { ...bank, cap: 7500 }, 200, 500],
    ['no more than the longest turn leaves', { type: 'perMove', seconds: 50 * 86_400 }, 0, 10 * 86_400],
  ])('%s', (_name, control, used, seconds) => {
    const state = begin(control);
    const now = START + used * 1000;
    const given = does(state, 'second', 'giveTime', now);
    expect(given.log[0]!.data).toEqual({ seconds });
    expect(leftAt(turnOf(given.state), now)).toBe(leftAt(turnOf(state), now)! + seconds);
  });
});

describe('pauses', () => {
  const offered = acted(game, NOW, ['second', 'offerPause'], ['second', 'offerTakeback']);
  const paused = acted(offered, NOW + 500, ['first', 'offerPause']);

  test('start by agreement, also when both players offer one, and stop the clock', () => {
    const offers = { ...NO_OFFERS, takeback: offered.offers.takeback };
    expect(paused).toMatchObject({ status: 'paused', deadlineAt: null, wakeAt: null, offers });
    expect(does(offered, 'first', 'acceptPause').log).toEqual([{ type: 'acceptPause', player: 'first' }]);
    expect(leftAt(turnOf(paused), NOW + 99 * DAY)).toBe(23 * 3600);
  });

  test('are accepted by requesting one too', () => {
    const offered = acted(game, NOW, ['first', 'offerTakeback']);
    const { state, log } = does(offered, 'second', 'offerTakeback');
    expect(state.offers.takeback).toMatchObject({ by: 'second' });
    expect(log.map(({ type, player }) => [type, player])).toEqual([
      ['declineTakeback', 'second'],
      ['offerTakeback', 'second'],
    ]);
  });

  test('are declined explicitly or by any move', () => {
    const { state, log } = does(offered, 'first', 'declinePause');
    expect([state.status, state.offers.pause]).toEqual(['active', null]);
    expect(log).toEqual([{ type: 'declinePause', player: 'first' }]);
    const moved = ply(acted(game, NOW, ['first', 'offerPause']), NOW);
    expect([moved.state.status, moved.state.offers.pause]).toEqual(['active', null]);
    expect(moved.log).toEqual([{ type: 'declinePause', player: 'first', data: { byMove: true } }]);
  });

  test('end a day after one player gives notice, in whole seconds', () => {
    const { state, log } = does(paused, 'second', 'unpause', NOW + DAY);
    expect(log).toEqual([{ type: 'unpause', player: 'second', instants: { resumesAt: NOW + 2 * DAY } }]);
    expect([state.status, state.wakeAt]).toEqual(['paused', NOW + 2 * DAY]);
    expect(state.deadlineAt).toBe(game.deadlineAt! + 2 * DAY);
  });

  test('end at once when both players give notice, and may be agreed on again in the same turn', () => {
    const notice = acted(paused, NOW + DAY, ['second', 'unpause']);
    const { state, log } = does(notice, 'first', 'unpause', NOW + DAY + HOUR);
    expect(log[0]!.instants).toEqual({ resumesAt: NOW + DAY + HOUR });
    expect([state.status, state.deadlineAt]).toEqual(['active', game.deadlineAt! + DAY + HOUR]);
    const later = NOW + DAY + 2 * HOUR;
    const again = acted(state, later, ['first', 'offerPause'], ['second', 'acceptPause']);
    const off = does(again, 'first', 'unpause', later + HOUR).state;
    expect(off).toMatchObject({ status: 'paused', deadlineAt: game.deadlineAt! + 2 * DAY + 2 * HOUR });
  });
});

describe('an abandoned game', () => {
  const abandoned = (count: number, player: Player, canWin: boolean) => {
    const state = plies(count, begin(untimed));
    const situation = { state, player, now: state.turnStartedAt + 30 * DAY };
    expect(ACTS.claimAbandoned({ ...situation, now: situation.now - 1, canWin })).toMatchObject({
      code: 'NOT_ABANDONED',
    });
    const { log, state: after } = decided(ACTS.claimAbandoned({ ...situation, canWin }));
    expect(log[0]).toEqual({ type: 'claimAbandoned', player });
    return [after.status, after.outcome];
  };

  test('can be aborted before ply 2 by either player', () => {
    const off = ['aborted', { winner: null, reason: 'aborted' }];
    expect([abandoned(0, 'first', true), abandoned(1, 'first', true)]).toEqual([off, off]);
  });

  test('is won by the waiting player, or drawn if that player could never win', () => {
    expect(abandoned(2, 'second', true)).toEqual(['finished', { winner: 'second', reason: 'timeout' }]);
    expect(abandoned(3, 'first', false)).toEqual(['finished', { winner: null, reason: 'timeout' }]);
  });
});

describe('a ply', () => {
  const played = (then: Played['then'], claim: Played['claim'] = null): Played => ({
    then,
    offersDraw: false,
    claim,
  });

  test('is charged in whole seconds to the bank of the player who made it', () => {
    const state = begin(bank);
    expect(timeUsed(state, START + 1_999_999)).toBe(1999);
    const after = ply(state, START + 1_999_999).state;
    expect(after).toMatchObject({ plyCount: 1, turn: 'second', turnStartedAt: START + 1_999_999 });
    expect(after.clock.bank).toEqual({ first: 7200 - 1999 + 600, second: 7200 });
    expect(after.deadlineAt).toBe(START + 1_999_999 + 7_200_000);
  });

  test('is in time exactly at the deadline, and late after it', () => {
    const move = (now: number) => ACTS.move({ state: game, player: game.turn!, now, ply: 3 });
    expect(decided(move(game.deadlineAt!)).state.turn).toBe(opponent(game.turn!));
    expect(move(game.deadlineAt! + 1)).toMatchObject({ code: 'DEADLINE_PASSED' });
  });

  test('that ends the game leaves no offer open', () => {
    const mate = { winner: 'first', reason: 'checkmate' } as const;
    const { state, log } = afterPly(acted(game, NOW, ['second', 'offerDraw']), 'first', played(mate), NOW);
    expect(state).toMatchObject({
      status: 'finished',
      plyCount: 3,
      turn: null,
      outcome: mate,
      offers: NO_OFFERS,
    });
    expect(log.at(-1)).toEqual({ type: 'end', player: null, data: mate });
  });

  test('with a claim logs the claim', () => {
    const draw = { winner: null, reason: 'fiftyMoves' } as const;
    const { log } = afterPly(game, 'first', played(draw, 'fiftyMoves'), NOW);
    expect(log.map(({ type, player }) => [type, player])).toEqual([
      ['claimDraw', 'first'],
      ['end', null],
    ]);
  });
});
