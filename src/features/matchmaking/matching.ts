import { Injectable } from '@nestjs/common';
import { BlocksService } from '../blocks/blocks.service.js';
import { DomainError } from '../../platform/errors.js';
import { RatingsService } from '../ratings/ratings.service.js';
import type { User } from '../users/users.model.js';
import type { ChallengeRow } from './challenge.row.js';
import { MatchingStore, shownRating } from './matching.store.js';

/** Who may turn to whom. */
@Injectable()
export class Matching {
  constructor(
    private readonly blocks: BlocksService,
    private readonly ratings: RatingsService,
    private readonly store: MatchingStore,
  ) {}

  /** May this user challenge that one? Throws BLOCKED, CHALLENGES_REFUSED. */
  async demandChallenge(userId: string, opponent: User, ruleset: string): Promise<void> {
    await this.blocks.demandWelcome(userId, opponent.id);
    const { challengesFrom: from, challengesWithin: within } = opponent;
    if (from === 'everybody') return;
    if (from === 'nobody') {
      throw new DomainError('CHALLENGES_REFUSED', 'This player takes no challenges.', { field: 'opponent' });
    }
    const standings = await this.ratings.of([userId, opponent.id], ruleset);
    const ratingOf = (id: string) => shownRating(standings.get(id)!.rating);
    const [own, theirs] = [ratingOf(userId), ratingOf(opponent.id)];
    if (Math.abs(own - theirs) <= within!) return;
    throw new DomainError(
      'CHALLENGES_REFUSED',
      `This player takes challenges of those rated within ${within} of ${theirs} alone: you have ${own}.`,
      { field: 'opponent' },
    );
  }

  /** May this user take the challenge? Throws BLOCKED, RATING_OUT_OF_RANGE. */
  async demandTaker(userId: string, challenge: ChallengeRow): Promise<void> {
    const { creatorId, minRating, maxRating } = challenge;
    await this.blocks.demandWelcome(userId, creatorId);
    if (minRating === null && maxRating === null) return;
    const { rating, isWanted } = await this.store.ratingFor(challenge, userId);
    if (isWanted) return;
    const wanted = [
      ...(minRating === null ? [] : [`of at least ${minRating}`]),
      ...(maxRating === null ? [] : [`of at most ${maxRating}`]),
    ];
    throw new DomainError(
      'RATING_OUT_OF_RANGE',
      `An opponent with a rating ${wanted.join(' and ')} is wanted: you have ${rating}.`,
    );
  }
}
