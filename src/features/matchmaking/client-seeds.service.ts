import { Injectable } from '@nestjs/common';
import { isOver } from '../../arbiter/state.js';
import type { Principal } from '../auth/principal.js';
import { seedOf } from '../../engine/deals.service.js';
import { unwrap } from '../../engine/refusals.js';
import { clientSeedHash, parseClientSeed } from '../../fairness/commitment.js';
import type { Role } from '../../fairness/deal.js';
import type { GameRow } from '../games/game.row.js';
import { GameOpener } from '../games/game-opener.js';
import { GamesService } from '../games/games.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import { retry, UNTIL_STILL } from '../../platform/process/retry.js';
import { Time } from '../../platform/process/time.js';
import { statusAt, type ChallengeRow } from './challenge.row.js';
import { ChallengesService, closed } from './challenges.service.js';
import { ChallengesStore } from './challenges.store.js';
import { ClientSeedsStore } from './client-seeds.store.js';
import { GameStart } from './game-start.js';

/** The challenge that a client seed was given for, and its game once there is one. */
export interface SeedGiven {
  readonly challenge: ChallengeRow;
  readonly game: GameRow | null;
}

const notAnnounced = (hash: string): DomainError =>
  wrongSeed(
    `The SHA-256 of this client seed is not the announced ${hash}. Send the seed that you announced.`,
  );

const wrongSeed = (message: string): DomainError =>
  new DomainError('INVALID_SEED', message, { field: 'clientSeed' });

/** Takes the players' client seeds, after the server has committed itself. */
@Injectable()
export class ClientSeedsService {
  constructor(
    private readonly store: ChallengesStore,
    private readonly seeds: ClientSeedsStore,
    private readonly challenges: ChallengesService,
    private readonly openings: GameStart,
    private readonly games: GamesService,
    private readonly opener: GameOpener,
    private readonly time: Time,
  ) {}

  /**
   * Stores the viewer's client seed for their own challenge or seek, or for a game that waits for it. Idempotent for the
   * same seed. Throws NOT_FOUND, FORBIDDEN, INVALID_SEED, CHALLENGE_CLOSED, GAME_OVER, ACCOUNT_CLOSED.
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
      // Of two paired seeks, the creator of the one whose id the game does not have counts as accepter.
      const game = await this.giveAfter(gameId, gameId === challenge.id ? part : otherThan(part), clientSeed);
      return game && { challenge, game };
    }, UNTIL_STILL);
  }

  /** Stores the creator's seed before the acceptance; null if the challenge is no longer open or has changed. */
  private async giveBefore(row: ChallengeRow, clientSeed: string): Promise<ChallengeRow | null> {
    const now = this.time.now();
    if (statusAt(row, now) !== 'open') throw closed(row, now);
    const seed = unwrap(parseClientSeed(clientSeed));
    if (row.creatorClientSeed === seed) return row;
    if (row.creatorClientSeed !== null) {
      throw wrongSeed(
        'You have already given another client seed for this challenge, which cannot be changed.',
      );
    }
    const hash = clientSeedHash(seed);
    const announced = row.creatorClientSeedHash;
    if (announced !== null && announced !== hash) throw notAnnounced(announced);
    return this.store.giveSeed(row, seed, now, async (tx) => {
      if (announced === null) await this.seeds.use(tx, hash, row.id, now, 'clientSeed');
    });
  }

  /** Stores an announced seed; the game starts once no other is awaited. Null if the game has changed. */
  private async giveAfter(gameId: string, by: Role, clientSeed: string): Promise<GameRow | null> {
    const [game, challenge] = await Promise.all([this.games.game(gameId), this.store.find(gameId)]);
    const seed = unwrap(parseClientSeed(clientSeed));
    if (seedOf(game, by) === seed) return game;
    const announced = by === 'creator' ? game.clientSeedHash : game.accepterSeedHash;
    if (announced === null) {
      throw wrongSeed('You announced no client seed for this game, so you cannot give one now.');
    }
    if (clientSeedHash(seed) !== announced) throw notAnnounced(announced);
    if (isOver(game)) {
      throw new DomainError('GAME_OVER', 'The game is over: it was aborted before you gave the client seed.');
    }
    const { row, happened } = await this.openings.withSeed(game, challenge!, by, seed);
    return (await this.opener.goOn(game, row, happened)) ? this.games.game(gameId) : null;
  }
}

const otherThan = (role: Role): Role => (role === 'creator' ? 'accepter' : 'creator');

/** The viewer's role in a challenge. Throws FORBIDDEN. */
function partOf({ creatorId, opponentId, gameId }: ChallengeRow, { userId }: Principal): Role {
  if (creatorId === userId) return 'creator';
  if (gameId !== null && opponentId === userId) return 'accepter';
  throw new DomainError(
    'FORBIDDEN',
    'You cannot give a client seed for this challenge: until it is accepted, only its creator can. Send yours as clientSeed when you accept it.',
  );
}
