import { ResolveField, Resolver } from '@nestjs/graphql';
import { RatingPoint } from '../ratings/ratings.model.js';
import { Game } from './games.model.js';
import { GamesService } from './games.service.js';
import { GamesView } from './games.view.js';

@Resolver(() => RatingPoint)
export class RatingPointsResolver {
  constructor(
    private readonly games: GamesService,
    private readonly view: GamesView,
  ) {}

  @ResolveField(() => Game, { description: 'The game that changed the rating.' })
  async game({ gameId }: RatingPoint): Promise<Game> {
    return this.view.game(await this.games.one(gameId));
  }
}
