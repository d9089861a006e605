import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/process/config.module.js';
import { cacheBytes } from '../../platform/process/cache-sizes.js';
import type { Config } from '../../config.js';
import { Cursors } from '../../platform/contract/cursors.js';
import { JsonText } from '../../platform/http/json-text.js';
import {
  pageOf,
  type Connection,
  type PageRequest,
  type Range,
  MAX_PAGE_SIZE,
} from '../../platform/contract/page.js';
import { squaresOfMove } from '../../rules/board.js';
import type { GameRow, PlyRow, ShownGame } from './game.row.js';
import { GamesService } from './games.service.js';
import { KeptOfGames } from './kept-of-games.js';
import { KnownGames } from './known-games.js';
import type { Ply, PlyConnection } from './plies.model.js';

/** What a ply takes in memory, as an object or as JSON. */
const BYTES_OF_A_PLY = 600;

/** A ply in the form that was asked for. */
interface ShownPly<Node> {
  readonly seq: number;
  readonly node: Node;
}

interface PlyForm<Node> {
  readonly name: string;
  readonly of: (ply: Ply) => Node;
}

const AS_IT_IS: PlyForm<Ply> = { name: 'object', of: (ply) => ply };
const AS_TEXT: PlyForm<JsonText<Ply>> = { name: 'text', of: (ply) => new JsonText(JSON.stringify(ply)) };

/** A page with the number of all items. */
type Counted<Node> = Connection<Node> & Pick<PlyConnection, 'totalCount'>;

interface PliesRequest extends PageRequest {
  readonly takenBack?: boolean;
}

/** Builds the responses about plies, for both transports. They are kept while the row of their game is unchanged. */
@Injectable()
export class PliesView {
  private readonly kept: KeptOfGames<readonly ShownPly<unknown>[]>;

  constructor(
    knownGames: KnownGames,
    private readonly games: GamesService,
    private readonly cursors: Cursors,
    @Inject(CONFIG) config: Pick<Config, 'cacheMb'>,
  ) {
    this.kept = new KeptOfGames(
      knownGames,
      cacheBytes(config, 'plies'),
      (plies) => BYTES_OF_A_PLY * plies.length,
    );
  }

  /** A page of the plies of a game, from either end; `takenBack` includes those taken back. */
  page(row: ShownGame, page: PliesRequest): Promise<PlyConnection> {
    return this.pageIn(row, page, AS_IT_IS);
  }

  /** The same with each ply as JSON. */
  texts(row: ShownGame, page: PliesRequest): Promise<Counted<JsonText<Ply>>> {
    return this.pageIn(row, page, AS_TEXT);
  }

  private async pageIn<Node>(
    row: ShownGame,
    { takenBack = false, ...page }: PliesRequest,
    form: PlyForm<Node>,
  ): Promise<Counted<Node>> {
    const plies = await pageOf(page, {
      cursors: this.cursors.of<number>('plies', row.id),
      size: MAX_PAGE_SIZE,
      read: (range) => this.shown(row, takenBack, range, form),
      key: ({ seq }) => seq,
      node: ({ node }) => node,
    });
    return { ...plies, totalCount: takenBack ? await this.games.countPlies(row) : row.plyCount };
  }

  private async shown<Node>(
    row: ShownGame,
    all: boolean,
    range: Range<number>,
    { name, of }: PlyForm<Node>,
  ): Promise<readonly ShownPly<Node>[]> {
    const { after, before, limit, fromEnd } = range;
    const key = JSON.stringify([name, all, after, before, limit, fromEnd]);
    const read = async () => {
      const plies = await this.games.plies(row, all, range);
      return plies.map((ply) => ({ seq: ply.seq, node: of(plyOf(row, ply)) }));
    };
    // The name of the form stands for the type.
    return (await this.kept.get(row, key, read)) as readonly ShownPly<Node>[];
  }

  /** The last ply that was not taken back; null before ply 1. */
  async last(row: ShownGame): Promise<Ply | null> {
    if (row.plyCount === 0) return null;
    const { known } = row;
    if (known?.lastPly !== undefined) return plyOf(row, known.lastPly);
    return (await this.shown(row, false, { limit: 1, fromEnd: true }, AS_IT_IS)).at(-1)?.node ?? null;
  }
}

/** Names each field, as copying the rest of a row takes three times as long. */
export function plyOf({ takebacks }: GameRow, ply: PlyRow): Ply {
  const { from, to, promotion } = squaresOfMove(ply.move);
  return {
    seq: ply.seq,
    ply: ply.ply,
    player: ply.player,
    move: ply.move,
    reveals: ply.reveals,
    captured: ply.captured,
    san: ply.san,
    position: ply.position,
    timeUsed: ply.timeUsed,
    clock: ply.clock,
    automatic: ply.automatic,
    playedAt: ply.playedAt,
    previousHash: ply.previousHash,
    hash: ply.hash,
    proof: ply.proof,
    from,
    to,
    promotion,
    takenBack: takebacks.some((back) => ply.seq < back.seq && ply.ply > back.ply),
  };
}
