import { Injectable } from '@nestjs/common';
import { JsonText } from '../../platform/json-text.js';
import { wholeList } from '../../platform/paginated.js';
import type { Principal } from '../auth/principal.js';
import { seatOf, type ShownGame } from './game.row.js';
import type { LegalMovePage } from './games.model.js';
import { GamesService } from './games.service.js';
import { KeptOfGames } from './kept-of-games.js';
import { KnownGames } from './known-games.js';

const MOST_BYTES = 8 * 1024 * 1024;

/** The legal moves of games as REST shows them, kept for each seat while the game stays as it is. */
@Injectable()
export class LegalMovesView {
  private readonly kept: KeptOfGames<string>;

  constructor(
    known: KnownGames,
    private readonly games: GamesService,
  ) {
    this.kept = new KeptOfGames(known, MOST_BYTES, ({ length }) => length);
  }

  /** Those that this viewer may play now, as a page. */
  async text(row: ShownGame, viewer: Principal | null): Promise<JsonText<LegalMovePage>> {
    const seat = seatOf(row, viewer);
    const make = () => JSON.stringify(wholeList(this.games.legalMoves(row, seat)));
    return new JsonText(await this.kept.get(row, `${seat}`, make));
  }
}
