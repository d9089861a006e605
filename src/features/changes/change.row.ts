/** The kinds of things of a user that change, in the order of their names. `messages` and `seat` have the id of a game. */
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

/** Where a reader stands: everything up to here has been seen. */
export interface ChangePosition {
  /** The number of the transaction, in digits. */
  readonly xid: string;
  readonly kind: string;
  readonly id: string;
}

/** The newest change of one thing of a user. */
export interface ChangeRow extends ChangePosition {
  readonly kind: ChangeKind;
  /** A tombstone: what was there is gone. */
  readonly deleted: boolean;
  readonly at: Date;
}

/** Before the first change. */
export const BEGINNING: ChangePosition = { xid: '0', kind: '', id: '' };
