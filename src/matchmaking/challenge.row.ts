import type { TimeControl } from '../arbiter/time-control.js';
import type { Options, Player } from '../rules/ruleset.js';

export const CHALLENGE_STATUSES = ['open', 'accepted', 'declined', 'cancelled', 'expired'] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

export const SIDE_WISHES = ['first', 'second', 'any'] as const;
export type SideWish = (typeof SIDE_WISHES)[number];

export interface ChallengeRow {
  readonly id: string;
  readonly creatorId: string;
  /** Null: open to the first who has the link. */
  readonly opponentId: string | null;
  readonly status: ChallengeStatus;
  readonly ruleset: string;
  readonly options: Options;
  readonly timeControl: TimeControl;
  readonly rated: boolean;
  /** What the creator wishes to play. */
  readonly side: SideWish;
  readonly commitment: string;
  /** One of the two is null: the seed, or its hash in advance. */
  readonly creatorClientSeed: string | null;
  readonly creatorClientSeedHash: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly answeredAt: Date | null;
  /** The game after which it offers another one. */
  readonly rematchOf: string | null;
}

/** What it offers, before the server has committed itself to a deal. */
export type ChallengeTerms = Omit<ChallengeRow, 'commitment'>;

/** One whose time has run out is expired, whether the sweep has come by or not. */
export const statusAt = ({ status, expiresAt }: ChallengeRow, now: Date): ChallengeStatus =>
  status === 'open' && expiresAt <= now ? 'expired' : status;

/** The creator's seat, where he wished for one. */
export const wishedSeat = ({ side }: ChallengeRow): Player | null => (side === 'any' ? null : side);
