import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { PLAYERS, type Player } from '../../rules/ruleset.js';

export interface SeatKey {
  readonly gameId: string;
  readonly player: Player;
}

/** The note and mute of a player in a game. */
export interface Seat {
  readonly note: string;
  /** Whether the player has muted the opponent. */
  readonly muted: boolean;
}

export interface SeatRow extends SeatKey, Seat {}

const KEPT = { note: true, muted: true } as const;

@Injectable()
export class NotesStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Reads and writes notes and mutes. */
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
