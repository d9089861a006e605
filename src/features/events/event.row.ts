import { EVENT_MEANINGS, EVENT_TYPES } from '../../arbiter/acts/registry.js';
import type { Landmark } from '../../platform/events/landmark.js';
import type { Scope } from '../../platform/contract/scopes.js';
import type { Player } from '../../rules/ruleset.js';
import { KIND_SCOPES, type ChangeKind } from '../changes/change.row.js';

/** What a version of a game consists of. */
const ENTRIES = ['ply', ...EVENT_TYPES] as const;

/** The events of a game, in their order within one version: its plies, its log and its rating changes. */
export const OF_GAMES = [...ENTRIES, 'ratingChanged'] as const;

/** Other events of a user; the triggers of prisma/migrations write these values. */
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
  'playerLeft',
  'userBlocked',
  'userUnblocked',
] as const;

export const USER_EVENT_TYPES = [...OF_GAMES, ...OF_USERS] as const;
export type EventType = (typeof USER_EVENT_TYPES)[number];

/** The description of each type. */
export const EVENT_DESCRIPTIONS: Readonly<Record<EventType, string>> = {
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
  playerLeft: 'A player of an application became a person and left it.',
  userBlocked: 'You blocked a user.',
  userUnblocked: 'You unblocked a user.',
};

/** What each event is about, whose scope reads it. */
const ABOUT: Readonly<Record<EventType, ChangeKind>> = {
  ...(Object.fromEntries(ENTRIES.map((type) => [type, 'game'])) as Record<(typeof ENTRIES)[number], 'game'>),
  ratingChanged: 'rating',
  challengeCreated: 'challenge',
  challengeAccepted: 'challenge',
  challengeDeclined: 'challenge',
  challengeCountered: 'challenge',
  challengeCancelled: 'challenge',
  challengeExpired: 'challenge',
  challengeSeedGiven: 'challenge',
  seedAwaited: 'game',
  messageSent: 'messages',
  conditionalPlayed: 'game',
  conditionalDropped: 'game',
  seatChanged: 'seat',
  gamesImported: 'import',
  importDeleted: 'import',
  vacationPlanned: 'vacation',
  vacationChanged: 'vacation',
  vacationCancelled: 'vacation',
  profileChanged: 'profile',
  playerLeft: 'profile',
  userBlocked: 'block',
  userUnblocked: 'block',
};

export const scopeOfEvent = (type: EventType): Scope => KIND_SCOPES[ABOUT[type]];

/** Whose events are read, and which of them. */
export interface EventsReader {
  readonly of: 'user' | 'application' | 'everybody';
  readonly id: string;
  readonly types: readonly EventType[];
}

/** The types that a token with these scopes reads. */
export const typesFor = (scopes: readonly Scope[]): readonly EventType[] =>
  USER_EVENT_TYPES.filter((type) => scopes.includes(scopeOfEvent(type)));

/** The types that an application reads: what concerns one player alone is stored without it. */
export const APPLICATION_EVENT_TYPES: readonly EventType[] = [
  ...OF_GAMES,
  'seedAwaited',
  'messageSent',
  'playerLeft',
];

/** An event. */
export interface EventRow {
  readonly type: EventType;
  readonly gameId: string | null;
  /** The version of the game after the event. */
  readonly version: number | null;
  readonly player: Player | null;
  /** The id of anything else that it is about. */
  readonly subject: string | null;
  readonly at: Date;
}

/** The position of a reader of a user's events: after `part` events of one row of the log. */
export interface Place extends Landmark {
  readonly part: number;
}

/** The position of a reader of a game's events: after `part` events of one version. */
export interface GamePlace {
  readonly version: number;
  readonly part: number;
  /** The hash of the row of the chain there: the same version may come again with other moves. */
  readonly hash: string;
}

/** The part after all events of a row or a version. */
export const WHOLE = Number.MAX_SAFE_INTEGER;

/** An event with the position after it. */
export interface Placed<At> {
  readonly event: EventRow;
  readonly place: At;
  /** When it was stored. */
  readonly storedAt: Date;
}

/** Events in order, and whether the event that they follow is still there. */
export interface Read<At> {
  readonly events: readonly Placed<At>[];
  readonly stands: boolean;
}
