import { Injectable } from '@nestjs/common';
import type { Facts, Need } from '../../arbiter/acts/situation.js';
import { EngineService } from '../../engine/engine.service.js';
import { decodeMoves } from '../../engine/moves-text.js';
import type { Claim, MoveFormat, Player } from '../../rules/ruleset.js';
import type { GameRow } from './game.row.js';
import { GamesStore } from './games.store.js';
import type { Seat } from './referee.js';

/** The part of an act's input that facts depend on. */
interface Asked extends Readonly<Record<string, unknown>> {
  readonly ply?: number;
  readonly move?: string | null;
  readonly format?: MoveFormat | null;
  readonly reason?: Claim;
}

type Find<N extends Need> = (seat: Seat, asked: Asked) => Facts[N] | Promise<Facts[N]>;

/** Looks up what acts need to know of the board and the log; each act declares its `needs`. */
@Injectable()
export class FactFinder {
  constructor(
    private readonly engine: EngineService,
    private readonly store: GamesStore,
  ) {}

  /** It takes two positions to find, and a remembered row stays the same object while it is unchanged. */
  private readonly lastPlies = new WeakMap<GameRow, Partial<Record<Player, number>>>();

  private readonly finders: { readonly [N in Need]: Find<N> } = {
    lastTurnUp: ({ row }) => this.engine.lastTurnUp(row),
    lastOwnPly: ({ row, player }) => this.lastOwnPly(row, player),
    canWin: ({ row, player }) => this.engine.canWin(row, player),
    earlier: ({ row }) => this.earlier(row),
    isPlayed: (seat, asked) => this.isPlayed(seat, asked),
    claimRefusal: ({ row }, { move, reason }) =>
      move == null && row.status === 'active' ? this.engine.claimRefusal(row, reason!) : null,
  };

  async find(needs: readonly Need[], seat: Seat, asked: Asked): Promise<Partial<Facts>> {
    const found = needs.map(async (need) => [need, await this.finders[need](seat, asked)] as const);
    return Object.fromEntries(await Promise.all(found));
  }

  private lastOwnPly(row: GameRow, player: Player): number {
    const known = this.lastPlies.get(row) ?? {};
    const ply = (known[player] ??= this.engine.lastPlyOf(row, player));
    this.lastPlies.set(row, known);
    return ply;
  }

  private async isPlayed({ row, player }: Seat, { ply, move, format }: Asked): Promise<boolean> {
    if (ply! > row.plyCount) return false;
    const asked = this.engine.moveAt(row, ply!, move!, format ?? null);
    if (decodeMoves(row.moves)[ply! - 1]?.move !== asked) return false;
    return (await this.store.playerOf(row.id, ply!)) === player;
  }

  private async earlier(row: GameRow): Promise<Facts['earlier']> {
    const { takeback } = row.offers;
    if (takeback === null) return null;
    const { turn } = this.engine.rewind(row, takeback.ply);
    return { turn, bank: await this.bankAfter(row, takeback.ply) };
  }

  /** What both time banks held after this ply; null without banks. */
  private async bankAfter(row: GameRow, ply: number) {
    if (row.timeControl.type !== 'bank') return null;
    const { initial } = row.timeControl;
    return { first: initial, second: initial, ...(await this.store.banksAfter(row, ply)) };
  }
}
