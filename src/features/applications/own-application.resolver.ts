import { Args, Query, Resolver } from '@nestjs/graphql';
import { NeedsKind } from '../../platform/contract/access.js';
import { Cost, type SentArguments } from '../../platform/contract/cost.js';
import { PageArgs } from '../../platform/contract/page.inputs.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { OfApplication, type Principal } from '../auth/principal.js';
import { CreateGamesInput, OwnGamesArgs } from './made-games.inputs.js';
import { OwnGameConnection } from './made-games.model.js';
import { MadeGamesService } from './made-games.service.js';
import { CREATE_GAMES } from './made-games.verbs.js';
import { CreatePlayerTokenInput, OwnPlayerArgs, ErasePlayerInput, SavePlayerInput, SavePlayersInput } from './players.inputs.js'; // prettier-ignore
import { OwnPlayer, OwnPlayerConnection } from './players.model.js';
import { PlayersService } from './players.service.js';
import { CREATE_PLAYER_TOKEN, ERASE_PLAYER, SAVE_PLAYER, SAVE_PLAYERS } from './players.verbs.js';

/** How many there are in a list of the input, as far as that can be said before it is checked. */
const sent =
  (list: string) =>
  ({ input }: SentArguments): number => {
    const items = (input as Readonly<Record<string, unknown>> | undefined)?.[list];
    return Array.isArray(items) ? Math.max(1, items.length) : 1;
  };

/** What an application does as itself. */
@Resolver()
export class OwnApplicationResolver {
  constructor(
    private readonly players: PlayersService,
    private readonly games: MadeGamesService,
  ) {}

  @NeedsKind('application', 'application')
  @Query(() => OwnPlayerConnection, {
    description: 'The players of your application, the one made first first.',
  })
  ownPlayers(@OfApplication() application: Principal, @Args() page: PageArgs): Promise<OwnPlayerConnection> {
    return this.players.listed(application, page);
  }

  @NeedsKind('application', 'application')
  @Query(() => OwnPlayer, { description: 'A player of your application.' })
  ownPlayer(
    @OfApplication() application: Principal,
    @Args() { externalId }: OwnPlayerArgs,
  ): Promise<OwnPlayer> {
    return this.players.one(application, externalId);
  }

  @NeedsKind('application', 'application')
  @Query(() => OwnGameConnection, {
    description:
      'The games of your application, the one begun first first; those of its players with others included.',
  })
  ownGames(
    @OfApplication() application: Principal,
    @Args() { ids, ...page }: OwnGamesArgs,
  ): Promise<OwnGameConnection> {
    return this.games.listed(application, ids ?? null, page);
  }

  @MutationOf(SAVE_PLAYER)
  async savePlayer(
    @OfApplication() application: Principal,
    @InputArg() input: SavePlayerInput,
  ): Promise<PayloadOf<typeof SAVE_PLAYER>> {
    return { player: await this.players.save(application, input) };
  }

  @Cost({ rows: sent('players') })
  @MutationOf(SAVE_PLAYERS)
  async savePlayers(
    @OfApplication() application: Principal,
    @InputArg() { players }: SavePlayersInput,
  ): Promise<PayloadOf<typeof SAVE_PLAYERS>> {
    return { players: await this.players.saveAll(application, players) };
  }

  @MutationOf(CREATE_PLAYER_TOKEN)
  createPlayerToken(
    @OfApplication() application: Principal,
    @InputArg() { externalId, ...asked }: CreatePlayerTokenInput,
  ): Promise<PayloadOf<typeof CREATE_PLAYER_TOKEN>> {
    return this.players.token(application, externalId, asked);
  }

  @MutationOf(ERASE_PLAYER)
  async erasePlayer(
    @OfApplication() application: Principal,
    @InputArg() { externalId }: ErasePlayerInput,
  ): Promise<PayloadOf<typeof ERASE_PLAYER>> {
    return { erasedId: await this.players.erase(application, externalId) };
  }

  @Cost({ rows: sent('games') })
  @MutationOf(CREATE_GAMES)
  async createGames(
    @OfApplication() application: Principal,
    @InputArg() { games }: CreateGamesInput,
  ): Promise<PayloadOf<typeof CREATE_GAMES>> {
    const rows = await this.games.create(application, games);
    return { games: rows.map((row) => this.games.own(row)) };
  }
}
