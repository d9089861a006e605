import type { Refusal, RefusalCode } from '../../rules/result.js';
import { opponent } from '../../rules/ruleset.js';
import type { OfferKind } from '../offers.js';
import { isOver, isOverdue } from '../state.js';
import type { Situation } from './situation.js';

/** What may stand against acts: each names its own in a row, and the first that fails speaks. */

export interface Condition {
  (situation: Situation): Refusal | null;
  /** The codes of its refusals. */
  readonly codes: readonly RefusalCode[];
}

/** What must hold, and the refusal where it does not. */
export const condition = (
  code: RefusalCode,
  holds: (situation: Situation) => boolean,
  message: string | ((situation: Situation) => string),
): Condition =>
  conditionOf([code], (situation) =>
    holds(situation) ? null : { code, message: typeof message === 'string' ? message : message(situation) },
  );

/** The same of what is judged elsewhere, and refused with one of these codes. */
export const conditionOf = (
  codes: readonly RefusalCode[],
  judge: (situation: Situation) => Refusal | null,
): Condition => Object.assign((situation: Situation) => judge(situation), { codes });

/** All codes of a row. */
export const codesOf = (conditions: readonly Condition[]): readonly RefusalCode[] => [
  ...new Set(conditions.flatMap(({ codes }) => codes)),
];

/** Nothing that came between was seen by whoever names a version. */
export const sameVersion = conditionOf(['STALE_VERSION'], ({ state, version }) =>
  version == null || version === state.version
    ? null
    : {
        code: 'STALE_VERSION',
        message: `The game has changed: it is at version ${state.version}, the request names ${version}. Read it and decide again.`,
        currentVersion: state.version,
      },
);

/** First: what was asked for is already decided, however the game has gone on. */
export const notDecided = condition(
  'STALE_PLY',
  ({ state, ply }) => ply === undefined || ply > state.plyCount,
  staleWords,
);

export const goesOn = condition('GAME_OVER', ({ state }) => !isOver(state), 'The game is over.');

export const inTime = condition(
  'DEADLINE_PASSED',
  ({ state, now }) => !isOverdue(state, now),
  'The time for this turn is over.',
);

const begun = condition(
  'GAME_PENDING',
  ({ state }) => state.status !== 'pending',
  'The game waits for a client seed that was announced (giveClientSeed); it begins with that.',
);

const notPaused = condition(
  'GAME_PAUSED',
  ({ state }) => state.status !== 'paused',
  'The game is paused. Either player may end the pause with a day’s notice (unpause).',
);

export const nextPly = condition(
  'STALE_PLY',
  ({ state, ply }) => ply === undefined || ply === state.plyCount + 1,
  staleWords,
);

export const onMove = condition(
  'NOT_YOUR_TURN',
  ({ state, player }) => player === state.turn,
  'It is your opponent who is to move.',
);

export const notOnMove = condition(
  'YOUR_TURN',
  ({ state, player }) => player !== state.turn,
  'It is you who is to move: this is for the player who waits.',
);

export const offered = (kind: OfferKind, what: string): Condition =>
  condition(
    'NO_OFFER',
    ({ state: { offers }, player }) => offers[kind]?.by === opponent(player),
    `Your opponent has offered no ${what}.`,
  );

export const running = [goesOn, inTime, begun];
export const playing = [...running, notPaused];

/** Conditional moves are no act, as nobody may notice them; these are what stands against planning them. */
export const planning = [...running, notOnMove];

function staleWords({ state }: Situation): string {
  return isOver(state)
    ? `The game ended with ply ${state.plyCount}.`
    : `The next ply is number ${state.plyCount + 1}. Read the game and decide again.`;
}
