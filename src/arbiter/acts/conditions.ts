import type { Refusal, RefusalCode } from '../../rules/result.js';
import { opponent } from '../../rules/ruleset.js';
import { OFFER_NAMES, type OfferKind } from '../offers.js';
import { isOver, isOverdue } from '../state.js';
import type { Situation } from './situation.js';

/** The conditions of acts. Each act lists its own; the first that fails gives the refusal. */

export interface Condition {
  (situation: Situation): Refusal | null;
  /** The codes of its refusals. */
  readonly codes: readonly RefusalCode[];
}

/** A condition with the refusal if it does not hold. */
export const condition = (
  code: RefusalCode,
  holds: (situation: Situation) => boolean,
  message: string | ((situation: Situation) => string),
): Condition =>
  conditionOf([code], (situation) =>
    holds(situation) ? null : { code, message: typeof message === 'string' ? message : message(situation) },
  );

/** A condition that makes its own refusal, with one of these codes. */
export const conditionOf = (
  codes: readonly RefusalCode[],
  judge: (situation: Situation) => Refusal | null,
): Condition => Object.assign((situation: Situation) => judge(situation), { codes });

/** The codes of all these conditions. */
export const codesOf = (conditions: readonly Condition[]): readonly RefusalCode[] => [
  ...new Set(conditions.flatMap(({ codes }) => codes)),
];

/** A player who names a version has not seen what happened since. */
export const sameVersion = conditionOf(['STALE_VERSION'], ({ state, version }) =>
  version == null || version === state.version
    ? null
    : {
        code: 'STALE_VERSION',
        field: 'version',
        message: staleVersion(state.version, version),
        currentVersion: state.version,
      },
);

const staleVersion = (now: number, asked: number): string =>
  asked > now
    ? `The game is at version ${now}, which is before the version ${asked} in your request. Read the game and send its version.`
    : `The game has changed: it is at version ${now}, and your request was for version ${asked}. Read the game, then decide again.`;

/** Checked first: a ply that is already played is decided, whatever happened to the game since. */
export const notDecided = conditionOf(['STALE_PLY'], (situation) =>
  situation.ply === undefined || situation.ply > situation.state.plyCount ? null : stalePly(situation),
);

export const notOver = condition(
  'GAME_OVER',
  ({ state }) => !isOver(state),
  'The game is over. Read its outcome, or offer a rematch.',
);

export const beforeDeadline = condition(
  'DEADLINE_PASSED',
  ({ state, now }) => !isOverdue(state, now),
  'The deadline for this turn has passed. Read the game to see how it ended.',
);

const started = condition(
  'GAME_PENDING',
  ({ state }) => state.status !== 'pending',
  'The game has not started: it is waiting for a client seed. If you announced one, send it with giveClientSeed; otherwise wait, or abort the game.',
);

const notPaused = condition(
  'GAME_PAUSED',
  ({ state }) => state.status !== 'paused',
  'The game is paused. To play on, end the pause with 24 hours’ notice (unpause).',
);

export const nextPly = conditionOf(['STALE_PLY'], (situation) =>
  situation.ply === undefined || situation.ply === situation.state.plyCount + 1 ? null : stalePly(situation),
);

export const playersTurn = condition(
  'NOT_YOUR_TURN',
  ({ state, player }) => player === state.turn,
  'It is your opponent’s turn. Wait for their move.',
);

export const opponentsTurn = condition(
  'YOUR_TURN',
  ({ state, player }) => player !== state.turn,
  'It is your turn, and this is possible only while your opponent is to move. Play your move first.',
);

export const offered = (kind: OfferKind): Condition =>
  condition(
    'NO_OFFER',
    ({ state: { offers }, player }) => offers[kind]?.by === opponent(player),
    `Your opponent has no open ${OFFER_NAMES[kind]}. Read the game to see what is open.`,
  );

export const running = [notOver, beforeDeadline, started];
export const playing = [...running, notPaused];

/** The conditions of planning conditional moves, which is not an act since it must leave no trace for others. */
export const planning = [...running, opponentsTurn];

function stalePly({ state, ply }: Situation): Refusal {
  const { plyCount } = state;
  const message = isOver(state)
    ? `The game ended with ply ${plyCount}, and your request was for ply ${ply}. Read the game to see its outcome.`
    : `The next ply is ${plyCount + 1}, but your request was for ply ${ply}. Read the game, then decide again.`;
  return { code: 'STALE_PLY', field: 'ply', message };
}
