import { Injectable } from '@nestjs/common';
import { isOver } from '../../arbiter/state.js';
import type { Principal } from '../auth/principal.js';
import { seedOf } from '../../engine/deals.service.js';
import { unwrap } from '../../engine/refusals.js';
import { clientSeedHash, parseClientSeed, parseOldClientSeed } from '../../fairness/commitment.js';
import type { Role } from '../../fairness/deal.js';
import type { GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { DomainError } from '../../platform/errors.js';
import { retry, UNTIL_STILL } from '../../platform/retry.js';
import { Time } from '../../platform/time.js';
import { statusAt, type ChallengeRow } from './challenge.row.js';
import { ChallengesService, closed } from './challenges.service.js';
import { ChallengesStore } from './challenges.store.js';
import { ClientSeedsStore } from './client-seeds.store.js';
import { GameStart } from './game-start.js';

/** What came of a client seed: the challenge that it is for, and its game once there is one. */
export interface SeedGiven {
  readonly challenge: ChallengeRow;
  readonly game: GameRow | null;
}

const OTHER_THAN_ANNOUNCED = 'This is not the seed whose SHA-256 you have announced.';

const wrongSeed = (message: string): DomainError =>
  new DomainError('INVALID_SEED', message, { field: 'clientSeed' });

/** The players' parts in the shuffle, as they come after the server has committed itself. */
@Injectable()
export class ClientSeedsService {
  constructor(
    private readonly store: ChallengesStore,
    private readonly seeds: ClientSeedsStore,
    private readonly challenges: ChallengesService,
    private readonly openings: GameStart,
    private readonly games: GamesService,
    private readonly time: Time,
  ) {}

  /**
   * The viewer's client seed for a challenge or a seek of his, or for a game that waits for it. Given again it is the
   * same. Throws NOT_FOUND, FORBIDDEN, INVALID_SEED, CHALLENGE_CLOSED, GAME_OVER, ACCOUNT_CLOSED.
   */
  give(viewer: Principal, id: string, clientSeed: string): Promise<SeedGiven> {
    return retry(async () => {
      const challenge = await this.challenges.challenge(viewer, id);
      const part = partOf(challenge, viewer);
      const { gameId } = challenge;
      if (gameId === null) {
        const given = await this.giveBefore(challenge, clientSeed);
        return given && { challenge: given, game: null };
      }
      // Of two seeks that met, the maker of the one that is not the game has accepted the other.
      const game = await this.giveAfter(gameId, gameId === challenge.id ? part : otherThan(part), clientSeed);
      return game && { challenge, game };
    }, UNTIL_STILL);
  }

  /** The creator's seed before anybody has accepted; null when it is not open any more, or not as it was. */
  private async giveBefore(row: ChallengeRow, clientSeed: string): Promise<ChallengeRow | null> {
    const now = this.time.now();
    if (statusAt(row, now) !== 'open') throw closed(row, now);
    if (row.format === 1) {
      throw wrongSeed('This challenge was opened before format 2: its seed comes after the acceptance.');
    }
    const seed = unwrap(parseClientSeed(clientSeed));
    if (row.creatorClientSeed === seed) return row;
    if (row.creatorClientSeed !== null)
      throw wrongSeed('You have given another client seed already; it stays.');
    const hash = clientSeedHash(seed);
    const announced = row.creatorClientSeedHash;
    if (announced !== null && announced !== hash) throw wrongSeed(OTHER_THAN_ANNOUNCED);
    return this.store.giveSeed(row, seed, now, async (tx) => {
      if (announced === null) await this.seeds.use(tx, hash, row.id, now, 'clientSeed');
    });
  }

  /** An announced seed; the game starts when no other is awaited. Null when something else came in between. */
  private async giveAfter(gameId: string, by: Role, clientSeed: string): Promise<GameRow | null> {
    const [game, challenge] = await Promise.all([this.games.game(gameId), this.store.find(gameId)]);
    const seed = unwrap((game.format === 1 ? parseOldClientSeed : parseClientSeed)(clientSeed));
    if (seedOf(game, by) === seed) return game;
    const announced = by === 'creator' ? game.clientSeedHash : game.accepterSeedHash;
    if (announced === null) {
      throw wrongSeed('The game began without a client seed of yours: your part was left to the server.');
    }
    if (clientSeedHash(seed) !== announced) throw wrongSeed(OTHER_THAN_ANNOUNCED);
    if (isOver(game)) throw new DomainError('GAME_OVER', 'The game was aborted before the seed came.');
    const { row, happened } = await this.openings.goingOn(game, challenge!, by, seed);
    return (await this.games.goOn(game, row, happened)) ? this.games.game(gameId) : null;
  }
}

const otherThan = (role: Role): Role => (role === 'creator' ? 'accepter' : 'creator');

/** The part of the viewer in a challenge. Throws FORBIDDEN. */
function partOf({ creatorId, opponentId, gameId }: ChallengeRow, { userId }: Principal): Role {
  if (creatorId === userId) return 'creator';
  if (gameId !== null && opponentId === userId) return 'accepter';
  throw new DomainError(
    'FORBIDDEN',
    'Until somebody accepts, only the creator of a challenge gives a client seed; yours comes with the acceptance.',
  );
}
