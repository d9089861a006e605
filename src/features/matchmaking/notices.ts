import { awaitedOf } from '../../engine/deals.service.js';
import type { Notice, NotificationAddress } from '../notifications/notification.row.js';
import type { GameRow } from '../games/game.row.js';
import type { ChallengeRow, ChallengeTerms, DeclineReason } from './challenge.row.js';

/** Notifications about challenges; that one became a game is announced by the game. */

const typeOf = ({ rematchOf }: Pick<ChallengeRow, 'rematchOf'>) =>
  rematchOf === null ? 'challenge' : 'rematch';

/** The notification for the challenged user, none for a link; `from` is the creator's username. */
export function invitation(terms: ChallengeTerms, from: string): readonly Notice[] {
  const { id, opponentId, ruleset, rematchOf, counterTo, createdAt } = terms;
  if (opponentId === null) return [];
  const data = {
    challengeId: id,
    ruleset,
    from,
    ...(rematchOf === null ? {} : { rematchOf }),
    ...(counterTo === null ? {} : { counterTo }),
  };
  return [{ userId: opponentId, gameId: id, type: typeOf(terms), data, at: createdAt }];
}

/** The addresses of that notification. */
export const invited = (row: ChallengeRow): readonly NotificationAddress[] =>
  row.opponentId === null ? [] : [{ userId: row.opponentId, gameId: row.id, type: typeOf(row) }];

/** The notification for the creator of a declined challenge. */
export const rejection = ({ id, creatorId }: ChallengeRow, reason: DeclineReason, at: Date): Notice => ({
  userId: creatorId,
  gameId: id,
  type: 'challengeAnswered',
  data: { accepted: false, reason },
  at,
});

/** The notification for the user of two paired seeks who is not the creator of the game. */
export const pairing = (row: GameRow, userId: string): Notice => ({
  userId,
  gameId: row.id,
  type: 'gameStarted',
  data: { awaitingSeed: awaitedOf(row).includes('accepter') },
  at: row.lastActivityAt,
});
