import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { asNode, readNodeId, type Node } from '../../platform/contract/node.js';
import { isUuid } from '../../platform/contract/page.js';
import { Game } from '../games/games.model.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import { ImportedGame } from '../imports/imports.model.js';
import { ImportsService } from '../imports/imports.service.js';
import { ImportsView } from '../imports/imports.view.js';
import { Challenge } from '../matchmaking/challenges.model.js';
import { ChallengesService } from '../matchmaking/challenges.service.js';
import { ChallengesView } from '../matchmaking/challenges.view.js';
import { poolById } from '../ratings/pools.js';
import { RatingPool } from '../ratings/ratings.model.js';
import { Ruleset } from '../rulesets/catalogue.model.js';
import { CatalogueService } from '../rulesets/catalogue.service.js';
import { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';

/** Who asks; throws if the token is bad, so it is asked only for what depends on the viewer. */
type Asking = () => Principal | null;
/** Reads a thing as the query of its type does; nothing for an unknown id. */
type Read = (id: string, asking: Asking) => object | null | undefined | Promise<object | null>;

/** Things of any type by their node ids. */
@Injectable()
export class NodesView {
  private readonly reads: ReadonlyMap<string, Read> = new Map<string, Read>([
    [Challenge.name, (id, asking) => this.challenge(id, asking())],
    [Game.name, (id) => this.game(id)],
    [ImportedGame.name, (id) => this.importedGame(id)],
    [RatingPool.name, poolById],
    [Ruleset.name, (id) => this.catalogue.found(id)],
    [User.name, (id) => (isUuid(id) ? this.users.found(id) : null)],
  ]);

  constructor(
    private readonly challenges: ChallengesService,
    private readonly challengesView: ChallengesView,
    private readonly games: GamesService,
    private readonly gamesView: GamesView,
    private readonly imports: ImportsService,
    private readonly importsView: ImportsView,
    private readonly catalogue: CatalogueService,
    private readonly users: UsersService,
  ) {}

  /** Null for a text that is no node id, and for an id that the query of its type does not find. */
  async found(nodeId: string, asking: Asking): Promise<Node | null> {
    const { type, id } = readNodeId(nodeId) ?? { type: '', id: '' };
    const thing = await this.reads.get(type)?.(id, asking);
    return thing == null ? null : asNode(type, thing);
  }

  private async challenge(id: string, viewer: Principal | null): Promise<Challenge | null> {
    const row = await this.challenges.found(viewer, id);
    return row && this.challengesView.challenge(row, viewer);
  }

  private async game(id: string): Promise<Game | null> {
    const row = await this.games.found(id);
    return row && this.gamesView.game(row);
  }

  private async importedGame(id: string): Promise<ImportedGame | null> {
    const row = isUuid(id) ? await this.imports.found(id) : null;
    return row && this.importsView.game(row);
  }
}
