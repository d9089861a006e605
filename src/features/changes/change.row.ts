import type { Scope } from '../../platform/contract/scopes.js';

/** The kinds of changed things, by name. */
export const CHANGE_KINDS = [
  'block',
  'challenge',
  'game',
  'import',
  'messages',
  'notification',
  'profile',
  'rating',
  'seat',
  'vacation',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export const KIND_MEANINGS: Readonly<Record<ChangeKind, string>> = {
  block: 'A user whom you block; the id is that of the user.',
  challenge: 'A challenge or a seek; the id is its own.',
  game: 'A game that you play; the id is its own.',
  import: 'A game that you imported; the id is its own.',
  messages: 'The messages in a game; the id is that of the game.',
  notification: 'A notification; the id is its own. That it is your turn is told by the change of the game.',
  profile: 'Your profile; the id is yours.',
  rating: 'One of your ratings; the id is that of the pool.',
  seat: 'Your note on a game and your mute of the opponent; the id is that of the game.',
  vacation: 'A vacation; the id is its own.',
};

/** The scope that reads each kind, also as events tell of it: a token without it gets neither. */
export const KIND_SCOPES: Readonly<Record<ChangeKind, Scope>> = {
  block: 'profile:read',
  challenge: 'challenges:read',
  game: 'games:read',
  import: 'imports',
  messages: 'messages:read',
  notification: 'notifications',
  profile: 'profile:read',
  rating: 'games:read',
  seat: 'messages:read',
  vacation: 'games:read',
};

/** Whose changes are read, and which of them. */
export interface ChangesReader {
  readonly userId: string;
  readonly kinds: readonly ChangeKind[];
}

/** The kinds that a token with these scopes reads. */
export const kindsFor = (scopes: readonly Scope[]): readonly ChangeKind[] =>
  CHANGE_KINDS.filter((kind) => scopes.includes(KIND_SCOPES[kind]));

/** The position of a reader. */
export interface ChangePosition {
  /** The number of the transaction, as decimal digits. */
  readonly xid: string;
  readonly kind: string;
  readonly id: string;
}

/** The latest change of one thing of a user. */
export interface ChangeRow extends ChangePosition {
  readonly kind: ChangeKind;
  /** 64 random bits, which come again with no other change. */
  readonly mark: bigint;
  /** True for a tombstone: the thing was deleted. */
  readonly deleted: boolean;
  readonly at: Date;
}

/** The change that a reader was told last. */
export type Told = ChangePosition & Pick<ChangeRow, 'mark' | 'deleted'>;

/** Before the first change. */
export const BEGINNING: Told = { xid: '0', kind: '', id: '', mark: 0n, deleted: false };
