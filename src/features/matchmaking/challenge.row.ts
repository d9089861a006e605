import type { TimeControl } from '../../arbiter/time-control.js';
import type { Options, Player } from '../../rules/ruleset.js';
import type { SeatWish } from '../games/given-seat.js';

export const CHALLENGE_STATUSES = [
  'open',
  'accepted',
  'declined',
  'countered',
  'cancelled',
  'expired',
] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

/** Addressed to one user, open to anyone with the link, or listed in the lobby. */
export const CHALLENGE_KINDS = ['direct', 'link', 'seek'] as const;
export type ChallengeKind = (typeof CHALLENGE_KINDS)[number];

export const DECLINE_REASONS = [
  'later',
  'timeControl',
  'rated',
  'casual',
  'ruleset',
  'options',
  'generic',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

export interface ChallengeRow {
  readonly id: string;
  readonly kind: ChallengeKind;
  readonly creatorId: string;
  /** Null while there is none. */
  readonly opponentId: string | null;
  readonly status: ChallengeStatus;
  readonly ruleset: string;
  readonly options: Options;
  readonly timeControl: TimeControl;
  readonly rated: boolean;
  /** The seat that the creator wishes to play. */
  readonly side: SeatWish;
  readonly commitment: string;
  /** Null if not given, or not yet. */
  readonly creatorClientSeed: string | null;
  /** Announced when the challenge was created. */
  readonly creatorClientSeedHash: string | null;
  /** When the seed was given; null before. */
  readonly creatorSeedAt: Date | null;
  /** The hashes of the first and of the last row of the chain before the acceptance. */
  readonly createHash: string;
  readonly headHash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly answeredAt: Date | null;
  /** The game whose rematch it offers. */
  readonly rematchOf: string | null;
  /** True if no guest may accept it. */
  readonly personsOnly: boolean;
  /** The range of ratings that the opponent may have; null for no limit. */
  readonly minRating: number | null;
  readonly maxRating: number | null;
  /** The terms that two seeks must share to be paired, as one text; null unless it is a seek. */
  readonly termsKey: string | null;
  /** The game that it became; two paired seeks became the same one. */
  readonly gameId: string | null;
  readonly declineReason: DeclineReason | null;
  /** The challenge to which it is a counter-offer. */
  readonly counterTo: string | null;
}

/** A challenge before the server has committed itself to a deal. */
export type ChallengeTerms = Omit<ChallengeRow, 'commitment' | 'createHash' | 'headHash'>;

/** The state of a new challenge. */
export const UNANSWERED = {
  status: 'open',
  answeredAt: null,
  gameId: null,
  declineReason: null,
} as const;

/** The status now: an open challenge past its time is expired, even before the sweep has marked it. */
export const statusAt = ({ status, expiresAt }: ChallengeRow, now: Date): ChallengeStatus =>
  status === 'open' && expiresAt <= now ? 'expired' : status;

/** The seat that the creator wished for; null for either. */
export const wishedSeat = ({ side }: ChallengeRow): Player | null => (side === 'any' ? null : side);
