import { Injectable } from '@nestjs/common';
import { DealsService, seedOf } from '../../engine/deals.service.js';
import type { Role } from '../../fairness/deal.js';
import { seatOfRole, userOf, type GameRow, type SidesBy } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { opponent, type Player } from '../../rules/ruleset.js';
import type { NewEvent } from '../games/transition.js';
import { wishedSeat, type ChallengeRow } from './challenge.row.js';
import {
  acceptance,
  creatorSeedOf,
  hashOfSeed,
  seedGiven,
  versionOf,
  type GivenSeed,
  type Joining,
  type Seating,
} from './opening-rows.js';

/** Where the creator sits, and what has decided it, or is going to. */
interface Seat {
  readonly creator: Player;
  readonly sidesBy: SidesBy;
}

/** What the wishes and earlier games decide; null: nothing. The counts are those that were compared. */
interface Decided {
  readonly seat: Seat | null;
  readonly earlier: Seating['earlier'];
}

/** A game that is to be stored, and what has happened until then. */
export interface Draft {
  readonly row: GameRow;
  readonly happened: readonly NewEvent[];
}

/** From a challenge and two players to a game: who sits where, and what the seeds make of it. */
@Injectable()
export class GameStart {
  constructor(
    private readonly games: GamesService,
    private readonly deals: DealsService,
  ) {}

  /** The game of a challenge: to be stored in the transaction that closes the challenge. */
  async draft(row: ChallengeRow, joining: Joining): Promise<Draft> {
    const seeds = { creator: creatorSeedOf(row), accepter: joining.seed };
    const { seat: decided, earlier } = await this.decided(row, joining);
    const seat = decided ?? (await this.drawnSeat(row, seeds));
    const game = await this.rowOf(row, joining.userId, seeds, seat, versionOf(row) + 1);
    const seating = { creator: seat.creator, earlier };
    return { row: game, happened: acceptance(row, joining, seating, game.lastActivityAt) };
  }

  /** A game that waits, as it goes on with a client seed that has come. */
  async goingOn(waiting: GameRow, row: ChallengeRow, by: Role, clientSeed: string): Promise<Draft> {
    const given = (role: Role): GivenSeed => ({
      clientSeed: role === by ? clientSeed : seedOf(waiting, role),
      clientSeedHash: role === 'creator' ? waiting.clientSeedHash : waiting.accepterSeedHash,
    });
    const seeds = { creator: given('creator'), accepter: given('accepter') };
    const { creator, sidesDrawn } = waiting;
    // What a wish or earlier games have decided stays, whatever was played meanwhile.
    const seat = sidesDrawn
      ? await this.drawnSeat(row, seeds)
      : { creator, sidesBy: waiting.sidesBy ?? 'wish' };
    const accepterId = userOf(waiting, seatOfRole(waiting, 'accepter'));
    const seq = waiting.version + 1;
    const game = await this.rowOf(row, accepterId, seeds, seat, seq);
    const happened = row.format === 1 ? [] : [seedGiven(row.id, seq, by, clientSeed, game.lastActivityAt)];
    return { row: game, happened };
  }

  /** By the wishes, else for the player who had the first side less often; no seat where neither decides. */
  private async decided(row: ChallengeRow, { userId, side }: Joining): Promise<Decided> {
    const wished = wishedSeat(row) ?? (side === 'any' ? null : opponent(side));
    if (wished !== null) return { seat: { creator: wished, sidesBy: 'wish' }, earlier: null };
    const times = await this.games.timesFirst([row.creatorId, userId], row.ruleset);
    const earlier = { creator: times.get(row.creatorId)!, accepter: times.get(userId)! };
    if (earlier.creator === earlier.accepter) return { seat: null, earlier };
    const creator = earlier.creator < earlier.accepter ? 'first' : 'second';
    return { seat: { creator, sidesBy: 'balance' }, earlier };
  }

  /** As long as a seed is awaited nothing can be drawn, and the creator sits first for the time being. */
  private async drawnSeat({ id, format }: ChallengeRow, seeds: Parts): Promise<Seat> {
    if (Object.values(seeds).some(isAwaited)) return { creator: 'first', sidesBy: 'seeds' };
    const [creatorSeed, accepterSeed] = [seeds.creator.clientSeed, seeds.accepter.clientSeed];
    const first = await this.deals.drawSides({ format, gameId: id, creatorSeed, accepterSeed });
    return { creator: first === 'creator' ? 'first' : 'second', sidesBy: 'seeds' };
  }

  private rowOf(
    row: ChallengeRow,
    accepterId: string,
    { creator, accepter }: Parts,
    seat: Seat,
    version: number,
  ): Promise<GameRow> {
    const { id, ruleset, options, timeControl, rated, commitment, format, createHash } = row;
    const isFirst = seat.creator === 'first';
    const terms = {
      id,
      ruleset,
      options,
      timeControl,
      rated,
      commitment,
      format,
      createHash,
      creator: seat.creator,
      sidesDrawn: seat.sidesBy === 'seeds',
      sidesBy: format === 1 ? null : seat.sidesBy,
      firstId: isFirst ? row.creatorId : accepterId,
      secondId: isFirst ? accepterId : row.creatorId,
      firstClientSeed: isFirst ? creator.clientSeed : accepter.clientSeed,
      secondClientSeed: isFirst ? accepter.clientSeed : creator.clientSeed,
      clientSeedHash: format === 1 ? row.creatorClientSeedHash : hashOfSeed(creator),
      accepterSeedHash: format === 1 ? null : hashOfSeed(accepter),
    };
    return this.games.draft(terms, version);
  }
}

/** What each of the two gives to the shuffle. */
type Parts = Readonly<Record<Role, GivenSeed>>;

const isAwaited = ({ clientSeed, clientSeedHash }: GivenSeed): boolean =>
  clientSeed === null && clientSeedHash !== null;
