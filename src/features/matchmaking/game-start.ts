import { Injectable } from '@nestjs/common';
import { DealsService, seedOf } from '../../engine/deals.service.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import type { Role } from '../../fairness/deal.js';
import { seatOfRole, userOf, type GameRow, type SidesBy } from '../games/game.row.js';
import { GameOpener } from '../games/game-opener.js';
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

/** The creator's seat, and what decides it. */
interface Seat {
  readonly creator: Player;
  readonly sidesBy: SidesBy;
}

/** The seat by wishes or earlier games, null if they do not decide, with the counts compared. */
interface Decided {
  readonly seat: Seat | null;
  readonly earlier: Seating['earlier'];
}

/** A game to store, with the events before it. */
export interface Draft {
  readonly row: GameRow;
  readonly happened: readonly NewEvent[];
}

/** Makes the game of a challenge: assigns the seats and draws by the seeds. */
@Injectable()
export class GameStart {
  constructor(
    private readonly opener: GameOpener,
    private readonly deals: DealsService,
  ) {}

  /** The game of a challenge, to be stored in the transaction that closes it. */
  async draft(row: ChallengeRow, joining: Joining, tx?: Transaction): Promise<Draft> {
    const seeds = { creator: creatorSeedOf(row), accepter: joining.seed };
    const { seat: decided, earlier } = await this.decided(row, joining);
    const seat = decided ?? (await this.drawnSeat(row, seeds));
    const game = await this.rowOf(row, joining.userId, seeds, seat, versionOf(row) + 1, tx);
    const seating = { creator: seat.creator, earlier };
    return { row: game, happened: acceptance(row, joining, seating, game.lastActivityAt) };
  }

  /** A pending game after one of its awaited client seeds was given. */
  async withSeed(waiting: GameRow, row: ChallengeRow, by: Role, clientSeed: string): Promise<Draft> {
    const given = (role: Role): GivenSeed => ({
      clientSeed: role === by ? clientSeed : seedOf(waiting, role),
      clientSeedHash: role === 'creator' ? waiting.clientSeedHash : waiting.accepterSeedHash,
    });
    const seeds = { creator: given('creator'), accepter: given('accepter') };
    const { creator, sidesBy } = waiting;
    // Keep seats that a wish or earlier games decided, even if more games were played since.
    const seat = sidesBy === 'seeds' ? await this.drawnSeat(row, seeds) : { creator, sidesBy };
    const accepterId = userOf(waiting, seatOfRole(waiting, 'accepter'));
    const seq = waiting.version + 1;
    const game = await this.rowOf(row, accepterId, seeds, seat, seq);
    return { row: game, happened: [seedGiven(row.id, seq, by, clientSeed, game.lastActivityAt)] };
  }

  /** By the wishes, else in favour of the player who had the first side less often; null if neither decides. */
  private async decided(row: ChallengeRow, { userId, side }: Joining): Promise<Decided> {
    const wished = wishedSeat(row) ?? (side === 'any' ? null : opponent(side));
    if (wished !== null) return { seat: { creator: wished, sidesBy: 'wish' }, earlier: null };
    const times = await this.opener.timesFirst([row.creatorId, userId], row.ruleset);
    const earlier = { creator: times.get(row.creatorId)!, accepter: times.get(userId)! };
    if (earlier.creator === earlier.accepter) return { seat: null, earlier };
    const creator = earlier.creator < earlier.accepter ? 'first' : 'second';
    return { seat: { creator, sidesBy: 'balance' }, earlier };
  }

  /** Drawn by the seeds; provisionally first while a seed is awaited. */
  private async drawnSeat({ id }: ChallengeRow, seeds: Parts): Promise<Seat> {
    if (Object.values(seeds).some(isAwaited)) return { creator: 'first', sidesBy: 'seeds' };
    const [creatorSeed, accepterSeed] = [seeds.creator.clientSeed, seeds.accepter.clientSeed];
    const first = await this.deals.drawSides({ gameId: id, creatorSeed, accepterSeed });
    return { creator: first === 'creator' ? 'first' : 'second', sidesBy: 'seeds' };
  }

  private rowOf(
    row: ChallengeRow,
    accepterId: string,
    { creator, accepter }: Parts,
    seat: Seat,
    version: number,
    tx?: Transaction,
  ): Promise<GameRow> {
    const { id, ruleset, options, timeControl, rated, commitment, createHash } = row;
    const isFirst = seat.creator === 'first';
    const terms = {
      id,
      ruleset,
      options,
      timeControl,
      rated,
      commitment,
      createHash,
      creator: seat.creator,
      sidesBy: seat.sidesBy,
      firstId: isFirst ? row.creatorId : accepterId,
      secondId: isFirst ? accepterId : row.creatorId,
      firstClientSeed: isFirst ? creator.clientSeed : accepter.clientSeed,
      secondClientSeed: isFirst ? accepter.clientSeed : creator.clientSeed,
      clientSeedHash: hashOfSeed(creator),
      accepterSeedHash: hashOfSeed(accepter),
    };
    return this.opener.draft(terms, version, tx);
  }
}

/** Each player's client seed. */
type Parts = Readonly<Record<Role, GivenSeed>>;

const isAwaited = ({ clientSeed, clientSeedHash }: GivenSeed): boolean =>
  clientSeed === null && clientSeedHash !== null;
