import { EVENT_TYPES } from '../../arbiter/acts/registry.js';
import type { Player } from '../../rules/ruleset.js';

/** What happens in a game, in the order of those of one version: its plies, its log, and what it did to ratings. */
export const OF_GAMES = ['ply', ...EVENT_TYPES, 'ratingChanged'] as const;

/** What happens to a user beside; the triggers of prisma/migrations write these words. */
const OF_USERS = [
  'challengeCreated',
  'challengeAccepted',
  'challengeDeclined',
  'challengeCountered',
  'challengeCancelled',
  'challengeExpired',
  'challengeSeedGiven',
  'seedAwaited',
  'messageSent',
  'conditionalPlayed',
  'conditionalDropped',
  'seatChanged',
  'gamesImported',
  'importDeleted',
  'vacationPlanned',
  'vacationChanged',
  'vacationCancelled',
  'profileChanged',
  'userBlocked',
  'userUnblocked',
] as const;

export const HAPPENINGS = [...OF_GAMES, ...OF_USERS] as const;
export type Happening = (typeof HAPPENINGS)[number];

/** Something that has happened. */
export interface EventRow {
  readonly type: Happening;
  readonly gameId: string | null;
  /** Of the game, after it. */
  readonly version: number | null;
  readonly player: Player | null;
  /** What else it is about. */
  readonly subject: string | null;
  readonly at: Date;
}

/** Where a reader of the events of a user stands: behind this many of what stands at one place of the log. */
export interface Place {
  readonly tide: bigint;
  readonly id: bigint;
  readonly part: number;
}

/** Where a reader of the events of a game stands: behind this many of those of one version. */
export interface GamePlace {
  readonly version: number;
  readonly part: number;
}

/** An event, and the place behind it. */
export interface Placed<At> {
  readonly event: EventRow;
  readonly place: At;
  /** When it was stored. */
  readonly storedAt: Date;
}
