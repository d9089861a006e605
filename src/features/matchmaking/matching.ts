import { Injectable } from '@nestjs/common';
import { BlocksService } from '../blocks/blocks.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import { RatingsService } from '../ratings/ratings.service.js';
import { poolOfPlayer } from '../ratings/pools.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import type { ChallengeRow } from './challenge.row.js';
import { shownRating } from './matching.store.js';

/** Checks whether a user may challenge another or accept a challenge. */
@Injectable()
export class Matching {
  constructor(
    private readonly blocks: BlocksService,
    private readonly ratings: RatingsService,
    private readonly users: UsersService,
  ) {}

  /** Throws BLOCKED or CHALLENGES_REFUSED if the user may not challenge the opponent. */
  async demandChallenge(userId: string, opponent: User, ruleset: string): Promise<void> {
    await this.blocks.assertNotBlocked(userId, opponent.id);
    const { challengesFrom: from, challengesWithin: within } = opponent;
    if (from === 'everybody') return;
    if (from === 'nobody') {
      const message = `The user ${opponent.username} does not accept challenges. Challenge another user, or create a seek.`;
      throw new DomainError('CHALLENGES_REFUSED', message, { field: 'opponent' });
    }
    const standings = await this.ratings.of([userId, opponent.id], ruleset);
    const ratingOf = (id: string) => shownRating(standings.get(id)!.rating);
    const [own, theirs] = [ratingOf(userId), ratingOf(opponent.id)];
    const [min, max] = [theirs - within!, theirs + within!];
    if (own >= min && own <= max) return;
    const message = `${opponent.username} accepts challenges only from ratings between ${min} and ${max}; yours is ${own}. Challenge another user, or create a seek.`;
    throw new DomainError('CHALLENGES_REFUSED', message, { field: 'opponent', min, max });
  }

  /** Throws BLOCKED or RATING_OUT_OF_RANGE if the user may not accept the challenge. */
  async demandTaker(userId: string, challenge: ChallengeRow): Promise<void> {
    const { creatorId, minRating, maxRating } = challenge;
    await this.blocks.assertNotBlocked(userId, creatorId);
    if (minRating === null && maxRating === null) return;
    const pool = poolOfPlayer(challenge.ruleset, await this.users.one(userId));
    const rating = shownRating((await this.ratings.of([userId], pool)).get(userId)!.rating);
    if (rating >= (minRating ?? rating) && rating <= (maxRating ?? rating)) return;
    const bounds = [
      ...(minRating === null ? [] : [`at least ${minRating}`]),
      ...(maxRating === null ? [] : [`at most ${maxRating}`]),
    ];
    throw new DomainError(
      'RATING_OUT_OF_RANGE',
      `Your rating in this pool is ${rating}; the creator asks for ${bounds.join(' and ')}. Choose another challenge or seek.`,
      {
        ...(minRating === null ? {} : { min: minRating }),
        ...(maxRating === null ? {} : { max: maxRating }),
      },
    );
  }
}
