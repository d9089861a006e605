import { OFFER_WORDS } from '../../arbiter/offers.js';
import type { RunningGame } from '../games/urgency.js';
import { userOf } from '../games/game.row.js';
import { opponent } from '../../rules/ruleset.js';
import type { ChallengeRow } from './challenge.row.js';

/** Items that await a user's answer, of every kind. */

export const INBOX_KINDS = ['challenge', 'rematch', ...Object.values(OFFER_WORDS)] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** The sort key, newest first. */
export interface InboxKey {
  readonly at: Date;
  /** The id of the game or the challenge. */
  readonly id: string;
  readonly kind: InboxKind;
}

export interface InboxEntry extends InboxKey {
  readonly fromId: string;
  readonly expiresAt: Date | null;
  /** The ply after which play would continue; null unless it is a takeback. */
  readonly ply: number | null;
}

export const isChallenge = ({ kind }: InboxKey): boolean => kind === 'challenge' || kind === 'rematch';

export const challengeEntry = (challenge: ChallengeRow): InboxEntry => ({
  at: challenge.createdAt,
  id: challenge.id,
  kind: challenge.rematchOf === null ? 'challenge' : 'rematch',
  fromId: challenge.creatorId,
  expiresAt: challenge.expiresAt,
  ply: null,
});

/** The opponent's open offers in a game. */
export const offerEntries = (game: RunningGame): readonly InboxEntry[] =>
  game.toAnswer.map((offer) => ({
    at: new Date(game.offers[offer]!.at),
    id: game.id,
    kind: OFFER_WORDS[offer],
    fromId: userOf(game, opponent(game.player)),
    // An offer lapses with the game.
    expiresAt: game.deadlineAt,
    ply: offer === 'takeback' ? game.offers.takeback!.ply : null,
  }));

export const newestFirst = (a: InboxKey, b: InboxKey): number =>
  b.at.getTime() - a.at.getTime() || descending(a.id, b.id) || descending(a.kind, b.kind);

const descending = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1);
