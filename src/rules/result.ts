/** What the pure cores answer with: a value, or a refusal that says why. Nothing in them throws on input. */

export const REFUSAL_CODES = [
  'ILLEGAL_MOVE',
  'INVALID_POSITION',
  'INVALID_OPTIONS',
  'INVALID_DEAL',
  'INVALID_SETUP',
  'INVALID_REVEAL',
  'INVALID_SEED',
  'INVALID_CONDITIONAL_MOVES',
  'GAME_OVER',
  'CLAIM_NOT_MET',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

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
  /** The part of the input that is wrong, as `position.castling` or `options.quietLimit`. */
  readonly field: string;
  /** What is wrong and what would be right, in one sentence for people. */
  readonly message: string;
  /** Only with ILLEGAL_MOVE. */
  readonly fault?: MoveFault;
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export const accept = <T>(value: T): Result<T> => ({ ok: true, value });

export const refuse = (code: RefusalCode, field: string, message: string): Result<never> => ({
  ok: false,
  refusal: { code, field, message },
});

export const illegal = (fault: MoveFault, message: string): Refusal => ({
  code: 'ILLEGAL_MOVE',
  field: 'move',
  message,
  fault,
});
