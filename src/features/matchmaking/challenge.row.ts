import type { TimeControl } from '../../arbiter/time-control.js';
import type { Format } from '../../fairness/deal.js';
import type { Options, Player } from '../../rules/ruleset.js';

export const CHALLENGE_STATUSES = [
  'open',
  'accepted',
  'declined',
  'countered',
  'cancelled',
  'expired',
] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

/** To one user, to whoever has its link, to whoever fits. */
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

export const SIDE_WISHES = ['first', 'second', 'any'] as const;
export type SideWish = (typeof SIDE_WISHES)[number];

export interface ChallengeRow {
  readonly id: string;
  readonly kind: ChallengeKind;
  readonly creatorId: string;
  /** Null: nobody yet. */
  readonly opponentId: string | null;
  readonly status: ChallengeStatus;
  readonly ruleset: string;
  readonly options: Options;
  readonly timeControl: TimeControl;
  readonly rated: boolean;
  /** What the creator wishes to play. */
  readonly side: SideWish;
  readonly format: Format;
  readonly commitment: string;
  /** Null: not given, or not yet. */
  readonly creatorClientSeed: string | null;
  /** Announced with the opening. */
  readonly creatorClientSeedHash: string | null;
  /** When the seed was given; null before, and in format 1. */
  readonly creatorSeedAt: Date | null;
  /** Of the first and of the newest row of the chain before the acceptance; null in format 1. */
  readonly createHash: string | null;
  readonly headHash: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly answeredAt: Date | null;
  /** The game after which it offers another one. */
  readonly rematchOf: string | null;
  /** The ratings that the opponent may have; null: any. */
  readonly minRating: number | null;
  readonly maxRating: number | null;
  /** What two seeks must have in common, as one text; null for what is no seek. */
  readonly termsKey: string | null;
  /** The game that it became; of two seeks that were paired, both became one. */
  readonly gameId: string | null;
  readonly declineReason: DeclineReason | null;
  /** The challenge that it answers with other terms. */
  readonly counterTo: string | null;
}

/** What it offers, before the server has committed itself to a deal. */
export type ChallengeTerms = Omit<ChallengeRow, 'commitment' | 'createHash' | 'headHash'>;

/** What is said of a challenge that goes out. */
export const UNANSWERED = {
  status: 'open',
  answeredAt: null,
  gameId: null,
  declineReason: null,
} as const;

/** One whose time has run out is expired, whether the sweep has come by or not. */
export const statusAt = ({ status, expiresAt }: ChallengeRow, now: Date): ChallengeStatus =>
  status === 'open' && expiresAt <= now ? 'expired' : status;

/** The ids of those of them that are seeks. */
export const seekIdsOf = (rows: readonly ChallengeRow[]): readonly string[] =>
  rows.filter(({ kind }) => kind === 'seek').map(({ id }) => id);

/** The creator's seat, where he wished for one. */
export const wishedSeat = ({ side }: ChallengeRow): Player | null => (side === 'any' ? null : side);
