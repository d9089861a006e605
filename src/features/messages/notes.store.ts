import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { PLAYERS, type Player } from '../../rules/ruleset.js';

export interface SeatKey {
  readonly gameId: string;
  readonly player: Player;
}

/** What a player keeps at his seat of a game. */
export interface Seat {
  readonly note: string;
  /** Does he refuse the messages of his opponent? */
  readonly muted: boolean;
}

export interface SeatRow extends SeatKey, Seat {}

const KEPT = { note: true, muted: true } as const;

@Injectable()
export class NotesStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The seats at which something was kept. */
  async seats(keys: readonly SeatKey[]): Promise<readonly SeatRow[]> {
    const at = (player: Player) => keys.filter((key) => key.player === player).map(({ gameId }) => gameId);
    const rows = await this.prisma.db.gameSeat.findMany({
      where: { OR: PLAYERS.map((player) => ({ player, gameId: { in: [...new Set(at(player))] } })) },
    });
    return rows as SeatRow[];
  }

  keep({ gameId, player }: SeatKey, given: Partial<Seat>): Promise<Seat> {
    return this.prisma.db.gameSeat.upsert({
      where: { gameId_player: { gameId, player } },
      create: { gameId, player, note: '', muted: false, ...given },
      update: given,
      select: KEPT,
    });
  }
}
