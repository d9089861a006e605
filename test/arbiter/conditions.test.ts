import type { Situation } from '../../src/arbiter/acts/situation.js';
import { REFUSAL_CODES } from '../../src/rules/result.js';
import { PLAYERS, type Player } from '../../src/rules/ruleset.js';
import { deepFreeze } from '../support/deep-freeze.js';
import { type ActName, ACTS, begin, daily, isDecision, plies, type Ruling } from './states.js';
import { STATES, type Case } from './who-may-what.js';

const ABOUT_A_PLY: readonly ActName[] = ['move', 'giveTime'];
const NAMES = Object.keys(ACTS) as ActName[];

const ruled = (ruling: Ruling): string =>
  ruling === 'unchanged' ? ruling : isDecision(ruling) ? 'done' : ruling.code;

function situation({ state, now, lastTurnUp }: Case, player: Player, act: ActName): Situation {
  const { plyCount } = state;
  // One of the last two plies is the player's own, if the game has two plies.
  const lastOwnPly = Math.max(0, plyCount % 2 === (player === 'first' ? 1 : 0) ? plyCount : plyCount - 1);
  return {
    state,
    player,
    now,
    ...(lastTurnUp === undefined ? {} : { lastTurnUp, lastOwnPly }),
    ...(ABOUT_A_PLY.includes(act) ? { ply: plyCount + 1 } : {}),
  };
}

/** The lines of a state as `act first | second`; fails when an act is listed twice. */
function rows(answers: string): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const line of answers.split('\n')) {
    const words = line.trim().split(/\s+/);
    const [first, bar, second] = words.slice(-3);
    for (const act of words.slice(0, -3)) {
      expect([act, bar, map.has(act)]).toEqual([act, '|', false]);
      map.set(act, `${first} | ${second}`);
    }
  }
  return map;
}

describe('who may do what in which state', () => {
  test.each(Object.entries(STATES))('%s', (_name, state) => {
    const expected = Object.fromEntries(rows(state.answers));
    deepFreeze(state.state);
    const answers = NAMES.map((act) => {
      const [first, second] = PLAYERS.map((player) => ruled(ACTS[act](situation(state, player, act))));
      return [act, `${first} | ${second}`] as const;
    });
    expect(Object.fromEntries(answers)).toEqual(expected);
  });

  test('lists every act in every state', () => {
    for (const [name, { answers }] of Object.entries(STATES)) {
      expect([name, ...[...rows(answers).keys()].sort()]).toEqual([name, ...[...NAMES].sort()]);
    }
  });

  test('gives a refusal a code and a message, and no decision', () => {
    const codes = new Set<string>();
    for (const state of Object.values(STATES)) {
      for (const act of NAMES) {
        for (const player of PLAYERS) {
          const ruling = ACTS[act](situation(state, player, act));
          if (ruling === 'unchanged' || isDecision(ruling)) continue;
          expect(Object.keys(ruling).sort()).toEqual(['code', 'message']);
          expect(ruling.message).toMatch(/^\p{Lu}.*\.$/u);
          codes.add(ruling.code);
        }
      }
    }
    // The ply and version are always current in these states; see below.
    expect([...codes, 'STALE_PLY', 'STALE_VERSION'].sort()).toEqual([...REFUSAL_CODES.acts].sort());
  });
});

describe('an act with a ply', () => {
  const game = plies(2, begin(daily));
  const { deadlineAt: last } = game;
  const ended = STATES['first resigned']!.state;

  test.each(ABOUT_A_PLY)('%s for a stored ply is stale, whatever the state of the game', (act) => {
    for (const [state, now] of [
      [game, last! - 1],
      [game, last! + 1],
      [ended, last! + 1],
    ] as const) {
      for (const player of PLAYERS) {
        expect(ruled(ACTS[act]({ state, player, now, ply: 2 }))).toBe('STALE_PLY');
      }
    }
  });

  test.each(ABOUT_A_PLY)('%s for a future ply is stale unless the game is over', (act) => {
    const ask = (state: typeof game, now: number) =>
      ruled(ACTS[act]({ state, player: 'first', now, ply: 4 }));
    expect(ask(game, last! - 1)).toBe('STALE_PLY');
    expect(ask(game, last! + 1)).toBe('DEADLINE_PASSED');
    expect(ask(ended, last! + 1)).toBe('GAME_OVER');
  });
});

describe('an act with an outdated version', () => {
  const game = plies(2, begin(daily));
  const asked = { state: game, player: game.turn!, now: game.turnStartedAt, version: game.version - 1 };

  test('is refused as stale if no other refusal applies', () => {
    expect(ruled(ACTS.offerPause(asked))).toBe('STALE_VERSION');
    expect(ruled(ACTS.offerPause({ ...asked, version: game.version }))).toBe('done');
    expect(ruled(ACTS.acceptPause(asked))).toBe('NO_OFFER');
  });

  test('is refused as stale before any other refusal if it is a move', () => {
    expect(ruled(ACTS.move({ ...asked, ply: 1 }))).toBe('STALE_VERSION');
    expect(ruled(ACTS.move({ ...asked, ply: 1, isPlayed: true }))).toBe('unchanged');
  });
});
