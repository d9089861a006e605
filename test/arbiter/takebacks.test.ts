import { NO_OFFERS } from '../../src/arbiter/offers.js';
import { startVacation } from '../../src/arbiter/clock-acts.js';
import type { Decision, GameState } from '../../src/arbiter/state.js';
import type { TimeControl } from '../../src/arbiter/time-control.js';
import type { Player } from '../../src/rules/ruleset.js';
import { type ActName, ACTS, acted, begin, daily, DAY, decided, HOUR, plies, ply, START } from './states.js';

const game = plies(2, begin(daily));
const NOW = game.turnStartedAt + HOUR;
const bank: TimeControl = { type: 'bank', initial: 7200, increment: 600, cap: 9000 };

const does = (state: GameState, player: Player, name: ActName, now = NOW): Decision =>
  decided(ACTS[name]({ state, player, now, ply: state.plyCount + 1 }));

const refused = NO_OFFERS;

describe('takebacks', () => {
  const bankGame = plies(3, begin(bank));
  const earlier = { turn: 'first' as const, bank: { first: 4200, second: 7200 } };

  test.each<[Player, number]>([
    ['first', 2],
    ['second', 1],
  ])('%s may request to go back to ply %d of 3, with the second to move', (player, back) => {
    const { state, log } = does(plies(3, begin(daily)), player, 'offerTakeback', START + 3 * HOUR);
    expect(state.offers.takeback).toEqual({ by: player, at: START + 3 * HOUR, ply: back });
    expect(log).toEqual([{ type: 'offerTakeback', player, data: { ply: back } }]);
  });

  test('restart the clock of the side to move in full, with the banks of that time', () => {
    const at = bankGame.turnStartedAt + HOUR;
    const offered = acted(
      bankGame,
      at,
      ['first', 'offerTakeback'],
      ['second', 'offerPause'],
      ['second', 'offerDraw'],
    );
    const { state, log } = decided(
      ACTS.acceptTakeback({ state: offered, player: 'second', now: at + 500, earlier }),
    );
    expect(log).toEqual([
      { type: 'acceptTakeback', player: 'second', data: { ply: 2 } },
      { type: 'declineDraw', player: 'first', data: { byTakeback: true } },
      { type: 'declinePause', player: 'first', data: { byTakeback: true } },
    ]);
    expect(state).toMatchObject({
      plyCount: 2,
      turn: 'first',
      turnStartedAt: at + 500,
      deadlineAt: at + 500 + 4_200_000,
      takebacks: [{ seq: bankGame.version + 1, ply: 2 }],
      offers: refused,
    });
    expect(state.clock.bank).toEqual(earlier.bank);
  });

  test('begin a new turn: earlier gifts and pauses no longer count, a vacation goes on', () => {
    const away = startVacation(game, 'second', { from: NOW, until: NOW + 3 * DAY }, NOW)!.state;
    const offered = acted(away, NOW, ['second', 'giveTime'], ['second', 'offerTakeback']);
    const taken = ACTS.acceptTakeback({
      state: offered,
      player: 'first',
      now: NOW,
      earlier: { turn: 'second', bank: null },
    });
    const { state } = decided(taken);
    expect(state.clock).toMatchObject({ given: 0, reminded: false });
    expect(state.deadlineAt).toBe(NOW + 4 * DAY);
  });

  test('cover only the player’s own plies in a turn of several plies', () => {
    const asks = (player: Player, lastOwnPly: number) =>
      ACTS.offerTakeback({ state: plies(3, begin(daily)), player, now: NOW, lastOwnPly });
    expect(decided(asks('first', 3)).state.offers.takeback).toMatchObject({ by: 'first', ply: 2 });
    expect(decided(asks('second', 2)).state.offers.takeback).toMatchObject({ by: 'second', ply: 1 });
    expect(asks('first', 0)).toMatchObject({ code: 'NOTHING_TO_TAKE_BACK' });
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
    const offered = acted(game, NOW, ['second', 'offerTakeback']);
    const { state, log } = does(offered, 'first', 'declineTakeback');
    expect([state.offers, log]).toEqual([NO_OFFERS, [{ type: 'declineTakeback', player: 'first' }]]);
    const moved = ply(offered, NOW);
    expect(moved.state.offers).toEqual(NO_OFFERS);
    expect(moved.log).toEqual([{ type: 'declineTakeback', player: 'first', data: { byMove: true } }]);
  });
});
