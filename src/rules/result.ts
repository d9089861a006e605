/** The result of all pure cores: a value or a refusal. They never throw on input. */

/**
 * The codes of refusals, by subject. engine/refusals.ts compiles only if all are codes of platform/error-codes.ts.
 */
export const REFUSAL_CODES = {
  play: [
    'ILLEGAL_MOVE',
    'AMBIGUOUS_MOVE',
    'INVALID_POSITION',
    'INVALID_OPTIONS',
    'INVALID_DEAL',
    'INVALID_SETUP',
    'INVALID_REVEAL',
    'INVALID_SEED',
    'INVALID_CONDITIONAL_MOVES',
    'CLAIM_NOT_MET',
  ],
  acts: [
    'GAME_OVER',
    'GAME_PENDING',
    'GAME_PAUSED',
    'GAME_NOT_PAUSED',
    'DEADLINE_PASSED',
    'STALE_PLY',
    'STALE_VERSION',
    'NOT_YOUR_TURN',
    'YOUR_TURN',
    'TOO_LATE_TO_ABORT',
    'TOO_EARLY_TO_OFFER',
    'OFFER_TOO_SOON',
    'NO_OFFER',
    'RATED_GAME',
    'NOTHING_TO_TAKE_BACK',
    'PIECE_TURNED_UP',
    'NO_CLOCK',
    'TIME_CEILING',
    'NOT_ABANDONED',
  ],
  timeControls: ['INVALID_TIME_CONTROL'],
  vacations: ['INVALID_VACATION', 'VACATION_OVERLAPS', 'VACATION_USED_UP', 'LIMIT_REACHED'],
  texts: ['INVALID_GAME_TEXT'],
} as const;
export type RefusalCode = (typeof REFUSAL_CODES)[keyof typeof REFUSAL_CODES][number];

/** Why a move is illegal, for programs; `message` says the same in words. */
export const MOVE_FAULTS = [
  'malformed',
  'offBoard',
  'emptySquare',
  'notYours',
  'faceDown',
  'ownPiece',
  'cannotReach',
  'blocked',
  'cannotCapture',
  'promotion',
  'castling',
  'leavesKingInCheck',
  'onlyTurnUp',
  'alreadyFaceUp',
  'chain',
] as const;
export type MoveFault = (typeof MOVE_FAULTS)[number];

export interface Refusal {
  readonly code: RefusalCode;
  /** What is wrong with the request, what would be right and what to do now, for people. */
  readonly message: string;
  /** The part of the input that is wrong, such as `position.castling` or `options.quietLimit`; absent if none is. */
  readonly field?: string;
  /** Only with ILLEGAL_MOVE. */
  readonly fault?: MoveFault;
  /** Only for an ambiguous move: the moves that it may mean, in coordinates. */
  readonly candidates?: readonly string[];
  /** Only with STALE_VERSION. */
  readonly currentVersion?: number;
  /** The smallest and the largest value that the field may have, or its shortest and longest length. */
  readonly min?: number;
  readonly max?: number;
  /** How many of something there may be at once. */
  readonly limit?: number;
  /** Where a text is wrong, counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export const accept = <T>(value: T): Result<T> => ({ ok: true, value });

/** The limits that a refusal carries for programs. */
export type Bounds = Pick<Refusal, 'min' | 'max' | 'limit'>;

export const refuse = (
  code: RefusalCode,
  field: string,
  message: string,
  bounds: Bounds = {},
): Result<never> => ({ ok: false, refusal: { code, field, message, ...bounds } });

/** Makes a list from each item in order, or returns the first refusal. */
export function each<T, U>(items: readonly T[], make: (item: T, index: number) => Result<U>): Result<U[]> {
  const made: U[] = [];
  for (const [index, item] of items.entries()) {
    const one = make(item, index);
    if (!one.ok) return one;
    made.push(one.value);
  }
  return accept(made);
}

export const illegal = (fault: MoveFault, message: string): Refusal => ({
  code: 'ILLEGAL_MOVE',
  field: 'move',
  message,
  fault,
});
