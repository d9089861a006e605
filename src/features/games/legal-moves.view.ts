import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/process/config.module.js';
import { cacheBytes } from '../../platform/process/cache-sizes.js';
import type { Config } from '../../config.js';
import { JsonText } from '../../platform/http/json-text.js';
import { wholeList } from '../../platform/contract/paginated.js';
import type { Player } from '../../rules/ruleset.js';
import type { Principal } from '../auth/principal.js';
import { seatOf, type ShownGame } from './game.row.js';
import type { LegalMove, LegalMovePage } from './games.model.js';
import { GamesService } from './games.service.js';
import { KeptOfGames } from './kept-of-games.js';
import { KnownGames } from './known-games.js';

/** What a move takes in memory, as an object and as JSON. */
const BYTES_OF_A_MOVE = 400;

/** Legal moves, and as the page that REST shows. */
class Listed {
  private written: string | null = null;

  constructor(readonly moves: readonly LegalMove[]) {}

  get text(): string {
    return (this.written ??= JSON.stringify(wholeList(this.moves)));
  }
}

/** The legal moves of games, kept for each seat while the game stays as it is. */
@Injectable()
export class LegalMovesView {
  private readonly kept: KeptOfGames<Listed>;

  constructor(
    known: KnownGames,
    private readonly games: GamesService,
    @Inject(CONFIG) config: Pick<Config, 'cacheMb'>,
  ) {
    this.kept = new KeptOfGames(
      known,
      cacheBytes(config, 'legalMoves'),
      ({ moves }) => BYTES_OF_A_MOVE * moves.length,
    );
  }

  /** Those that the player in this seat may play now. */
  async moves(row: ShownGame, seat: Player): Promise<readonly LegalMove[]> {
    return (await this.listed(row, seat)).moves;
  }

  /** Those that this viewer may play now, as a page. */
  async text(row: ShownGame, viewer: Principal | null): Promise<JsonText<LegalMovePage>> {
    return new JsonText((await this.listed(row, seatOf(row, viewer))).text);
  }

  private listed(row: ShownGame, seat: Player | null): Promise<Listed> {
    return this.kept.get(row, `${seat}`, () => new Listed(this.games.legalMoves(row, seat)));
  }
}
