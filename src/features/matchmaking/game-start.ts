import { Injectable } from '@nestjs/common';
import { DealsService } from '../../engine/deals.service.js';
import type { GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { opponent, type Player } from '../../rules/ruleset.js';
import { wishedSeat, type ChallengeRow, type SideWish } from './challenge.row.js';

/** Who joins the creator of a challenge. */
export interface Joining {
  readonly userId: string;
  readonly clientSeed: string;
  /** What he wishes to play himself; of a seek alone. */
  readonly side: SideWish;
}

/** Where the creator sits, and whether that was drawn, or is going to be. */
interface Seat {
  readonly creator: Player;
  readonly sidesDrawn: boolean;
}

/** From a challenge and two players to a game: who sits where, and what the seeds make of it. */
@Injectable()
export class GameStart {
  constructor(
    private readonly games: GamesService,
    private readonly deals: DealsService,
  ) {}

  /** The row of the game of a challenge: to be stored in the transaction that closes the challenge. */
  async draft(row: ChallengeRow, joining: Joining): Promise<GameRow> {
    const seat =
      (await this.decidedSeat(row, joining)) ??
      (await this.drawnSeat(row.id, row.creatorClientSeed, joining.clientSeed));
    return this.rowOf(row, joining, row.creatorClientSeed, seat);
  }

  /** The row of a game that waits, as it begins with the seed of its creator. */
  async begun(waiting: GameRow, row: ChallengeRow, clientSeed: string): Promise<GameRow> {
    const joined = waiting.firstId === row.creatorId ? waiting.secondId : waiting.firstId;
    const theirs = waiting.firstClientSeed ?? waiting.secondClientSeed ?? '';
    const { creator, sidesDrawn } = waiting;
    // What a wish or earlier games have decided stays, whatever was played meanwhile.
    const seat = sidesDrawn ? await this.drawnSeat(row.id, clientSeed, theirs) : { creator, sidesDrawn };
    return this.rowOf(row, { userId: joined, clientSeed: theirs }, clientSeed, seat);
  }

  /** By the wishes, else for the player who had the first side less often; null where neither decides. */
  private async decidedSeat(row: ChallengeRow, { userId, side }: Joining): Promise<Seat | null> {
    const wished = wishedSeat(row) ?? (side === 'any' ? null : opponent(side));
    if (wished !== null) return { creator: wished, sidesDrawn: false };
    const times = await this.games.timesFirst([row.creatorId, userId], row.ruleset);
    const more = times.get(row.creatorId)! - times.get(userId)!;
    if (more === 0) return null;
    return { creator: more < 0 ? 'first' : opponent('first'), sidesDrawn: false };
  }

  /** As long as the creator's seed is awaited nothing can be drawn, and he sits first for the time being. */
  private async drawnSeat(id: string, creatorSeed: string | null, theirs: string): Promise<Seat> {
    if (creatorSeed === null) return { creator: 'first', sidesDrawn: true };
    const first = await this.deals.drawSides(id, creatorSeed, theirs);
    return { creator: first === 'creator' ? 'first' : opponent('first'), sidesDrawn: true };
  }

  private rowOf(
    row: ChallengeRow,
    joining: Omit<Joining, 'side'>,
    creatorSeed: string | null,
    seat: Seat,
  ): Promise<GameRow> {
    const { id, ruleset, options, timeControl, rated, commitment } = row;
    const isFirst = seat.creator === 'first';
    return this.games.draft({
      id,
      ruleset,
      options,
      timeControl,
      rated,
      commitment,
      ...seat,
      firstId: isFirst ? row.creatorId : joining.userId,
      secondId: isFirst ? joining.userId : row.creatorId,
      firstClientSeed: isFirst ? creatorSeed : joining.clientSeed,
      secondClientSeed: isFirst ? joining.clientSeed : creatorSeed,
      clientSeedHash: row.creatorClientSeedHash,
    });
  }
}
