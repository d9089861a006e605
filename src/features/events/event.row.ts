import { EVENT_MEANINGS, EVENT_TYPES } from '../../arbiter/acts/registry.js';
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

/** What has happened by each of them. */
export const HAPPENING_MEANINGS: Readonly<Record<Happening, string>> = {
  ply: 'A ply was played.',
  ...EVENT_MEANINGS,
  ratingChanged: 'The game changed the rating of a player.',
  challengeCreated: 'A challenge or a seek was created.',
  challengeAccepted: 'A challenge was accepted.',
  challengeDeclined: 'A challenge was declined.',
  challengeCountered: 'A challenge was answered by a counter-challenge.',
  challengeCancelled: 'A challenge was cancelled by its creator.',
  challengeExpired: 'A challenge expired.',
  challengeSeedGiven: 'The creator of a challenge gave the client seed.',
  seedAwaited: 'A game was created that waits for an announced client seed.',
  messageSent: 'A message was sent in a game.',
  conditionalPlayed: 'A conditional move of yours was played.',
  conditionalDropped: 'Conditional moves of yours were dropped.',
  seatChanged: 'Your note on a game or your mute of the opponent changed.',
  gamesImported: 'You imported games.',
  importDeleted: 'You deleted an imported game.',
  vacationPlanned: 'You planned a vacation or started one.',
  vacationChanged: 'You ended a vacation early.',
  vacationCancelled: 'You called off a planned vacation.',
  profileChanged: 'Your profile changed.',
  userBlocked: 'You blocked a user.',
  userUnblocked: 'You unblocked a user.',
};

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
