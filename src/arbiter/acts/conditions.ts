import type { Refusal, RefusalCode } from '../../rules/result.js';
import { opponent } from '../../rules/ruleset.js';
import type { OfferKind } from '../offers.js';
import { isOver, isOverdue, type GameState } from '../state.js';
import type { Situation } from './situation.js';

/** What may stand against acts: each names its own in a row, and the first that fails speaks. */

export type Condition = (situation: Situation) => Refusal | null;

/** A refusal where this does not hold. */
export const unless = (holds: boolean, code: RefusalCode, message: string): Refusal | null =>
  holds ? null : { code, message };

/** Nothing that came between was seen by whoever names a version. */
export const sameVersion: Condition = ({ state, version }) =>
  unless(
    version == null || version === state.version,
    'STALE_VERSION',
    'The game has changed meanwhile. Read it and decide again.',
  );

export const notDecided: Condition = ({ state, ply }) =>
  // First: what was asked for is already decided, however the game has gone on.
  unless(ply === undefined || ply > state.plyCount, 'STALE_PLY', staleWords(state));

export const goesOn: Condition = ({ state }) => unless(!isOver(state), 'GAME_OVER', 'The game is over.');

export const inTime: Condition = ({ state, now }) =>
  unless(!isOverdue(state, now), 'DEADLINE_PASSED', 'The time for this turn is over.');

const begun: Condition = ({ state }) =>
  unless(
    state.status !== 'pending',
    'GAME_PENDING',
    'The game waits for a client seed that was announced (giveClientSeed); it begins with that.',
  );

const notPaused: Condition = ({ state }) =>
  unless(
    state.status !== 'paused',
    'GAME_PAUSED',
    'The game is paused. Either player may end the pause with a day’s notice (unpause).',
  );

export const nextPly: Condition = ({ state, ply }) =>
  unless(ply === undefined || ply === state.plyCount + 1, 'STALE_PLY', staleWords(state));

export const onMove: Condition = ({ state, player }) =>
  unless(player === state.turn, 'NOT_YOUR_TURN', 'It is your opponent who is to move.');

export const notOnMove: Condition = ({ state, player }) =>
  unless(player !== state.turn, 'YOUR_TURN', 'It is you who is to move: this is for the player who waits.');

export const offered =
  (kind: OfferKind, what: string): Condition =>
  ({ state: { offers }, player }) =>
    unless(offers[kind]?.by === opponent(player), 'NO_OFFER', `Your opponent has offered no ${what}.`);

export const running = [goesOn, inTime, begun];
export const playing = [...running, notPaused];

/** Conditional moves are no act, as nobody may notice them; these are what stands against planning them. */
export const planning = [...running, notOnMove];

const staleWords = (state: GameState): string =>
  isOver(state)
    ? `The game ended with ply ${state.plyCount}.`
    : `The next ply is number ${state.plyCount + 1}. Read the game and decide again.`;
