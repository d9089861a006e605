import { awaitedOf } from '../../engine/deals.service.js';
import type { Notice, NotificationAddress } from '../notifications/notification.row.js';
import type { GameRow } from '../games/game.row.js';
import type { ChallengeRow, ChallengeTerms, DeclineReason } from './challenge.row.js';

/** What the two sides of a challenge have to know of. That it became a game, the game itself tells. */

const typeOf = ({ rematchOf }: Pick<ChallengeRow, 'rematchOf'>) =>
  rematchOf === null ? 'challenge' : 'rematch';

/** The news for the challenged; `from` is the creator's username. Nobody in particular has that of a link. */
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

/** Where that news stands. */
export const invited = (row: ChallengeRow): readonly NotificationAddress[] =>
  row.opponentId === null ? [] : [{ userId: row.opponentId, gameId: row.id, type: typeOf(row) }];

/** The news for the creator of a challenge that was declined. */
export const rejection = ({ id, creatorId }: ChallengeRow, reason: DeclineReason, at: Date): Notice => ({
  userId: creatorId,
  gameId: id,
  type: 'challengeAnswered',
  data: { accepted: false, reason },
  at,
});

/** The news for the one of two paired seekers who is not the creator of the game. */
export const pairing = (row: GameRow, userId: string): Notice => ({
  userId,
  gameId: row.id,
  type: 'gameStarted',
  data: { awaitingSeed: awaitedOf(row).includes('accepter') },
  at: row.lastActivityAt,
});
