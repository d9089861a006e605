import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Quotas } from '../../platform/limits/quotas.js';
import { isOver } from '../../arbiter/state.js';
import type { Principal } from '../auth/principal.js';
import { BlocksService } from '../blocks/blocks.service.js';
import { EngineService } from '../../engine/engine.service.js';
import { outcomeOf, playerOf, userOf, type GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import { batch } from '../../platform/gathering/batch.js';
import { Time } from '../../platform/process/time.js';
import { retry, UNTIL_STILL } from '../../platform/process/retry.js';
import { firstOfRematch } from '../../rules/rematch.js';
import { opponent, type Player } from '../../rules/ruleset.js';
import { UsersService } from '../users/users.service.js';
import { statusAt, UNANSWERED, type ChallengeRow, type ChallengeTerms } from './challenge.row.js';
import { ChallengesService } from './challenges.service.js';
import { ChallengesStore } from './challenges.store.js';
import { Invitations } from './invitations.js';
import { announced, openFrom, type CreatorSeed, type GivenHash } from './terms.js';

export interface RematchRequest extends GivenHash {
  readonly gameId: string;
}

/** Offers another game on the same terms, between the same two players. */
@Injectable()
export class RematchesService {
  private readonly loader = batch((gameIds: readonly string[]) => this.standingIn(gameIds));

  constructor(
    private readonly store: ChallengesStore,
    private readonly challenges: ChallengesService,
    private readonly invitations: Invitations,
    private readonly games: GamesService,
    private readonly engine: EngineService,
    private readonly blocks: BlocksService,
    private readonly users: UsersService,
    private readonly time: Time,
  ) {}

  /**
   * Offers a rematch of a game that is over, or accepts the opponent's offer. Repeated, it returns the same rematch.
   * Throws NOT_FOUND, NOT_YOUR_GAME, GAME_RUNNING, REMATCH_DECLINED, BLOCKED, ACCOUNT_CLOSED, LIMIT_REACHED, INVALID_SEED.
   */
  async offer(viewer: Principal, { gameId, ...seed }: RematchRequest, quotas: Quotas): Promise<ChallengeRow> {
    const { game, player } = await this.ended(viewer, gameId);
    const own = announced(seed);
    return retry(async () => {
      const row = (await this.standing(game, player)) ?? (await this.propose(game, player, own, quotas));
      // Null, here and below, if the opponent acted in between: retry on what they did.
      if (row === null) return row;
      if (row.creatorId !== viewer.userId) return this.take(viewer, row, own);
      demandSameHash(row, own);
      return row;
    }, UNTIL_STILL);
  }

  /** The open or accepted rematch of a game, for its players; null for other viewers and without one. */
  ofGame(game: GameRow, viewer: Principal | null): Promise<ChallengeRow | null> {
    const mayAsk = viewer !== null && isOver(game) && playerOf(game, viewer.userId) !== null;
    return mayAsk ? this.loader(game.id) : Promise.resolve(null);
  }

  /** As ofGame, but throws NOT_FOUND instead of returning null. */
  async rematch(viewer: Principal, gameId: string): Promise<ChallengeRow> {
    return orThrow(
      await this.ofGame(await this.games.game(gameId), viewer),
      () =>
        new DomainError('NOT_FOUND', `No rematch of the game ${gameId} was offered to you or by you.`, { field: 'gameId' }), // prettier-ignore
    );
  }

  private async ended(viewer: Principal, gameId: string): Promise<{ game: GameRow; player: Player }> {
    const game = await this.games.settle(gameId);
    const player = orThrow(
      playerOf(game, viewer.userId),
      () => new DomainError('NOT_YOUR_GAME', 'You are not a player in this game, so you cannot offer a rematch.'), // prettier-ignore
    );
    if (isOver(game)) return { game, player };
    throw new DomainError('GAME_RUNNING', 'The game is still running. Offer a rematch when it is over.');
  }

  /**
   * The open or accepted rematch; null if there is none. Throws REMATCH_DECLINED if the player's offer was declined, or
   * ACCOUNT_CLOSED.
   */
  private async standing(game: GameRow, player: Player): Promise<ChallengeRow | null> {
    const rows = await this.store.rematchesOf([game.id]);
    // An expired rematch that is not marked yet would prevent another one.
    if (rows.some((row) => row.status !== statusAt(row, this.time.now()))) await this.challenges.expire();
    const standing = standingAmong(rows, this.time.now());
    if (standing !== null || !isDeclined(rows, userOf(game, player))) return standing;
    // Closing an account also declines what it was offered: say so instead.
    await this.users.assertOpen(userOf(game, opponent(player)));
    throw new DomainError(
      'REMATCH_DECLINED',
      'Your opponent declined your offer of a rematch of this game. Wait for their offer, or challenge them.',
    );
  }

  private async standingIn(gameIds: readonly string[]): Promise<(ChallengeRow | null)[]> {
    const rows = await this.store.rematchesOf(gameIds);
    const now = this.time.now();
    return gameIds.map((id) =>
      standingAmong(
        rows.filter(({ rematchOf }) => rematchOf === id),
        now,
      ),
    );
  }

  /** Null if another rematch of the game was offered in between. */
  private async propose(
    game: GameRow,
    player: Player,
    seed: CreatorSeed,
    quotas: Quotas,
  ): Promise<ChallengeRow | null> {
    const [creatorId, opponentId] = [userOf(game, player), userOf(game, opponent(player))];
    await this.blocks.assertNotBlocked(creatorId, opponentId);
    const terms = this.terms(game, player, seed);
    return this.invitations.send(terms, quotas, async (tx) => {
      const rows = await this.store.holdRematches(tx, game.id);
      const isFree = rows.every(({ status }) => status !== 'open' && status !== 'accepted');
      if (!isFree || isDeclined(rows, creatorId)) return false;
      await this.blocks.lockUnblocked(tx, creatorId, opponentId);
      return true;
    });
  }

  private terms(game: GameRow, player: Player, seed: CreatorSeed): ChallengeTerms {
    const first = firstOfRematch(this.engine.ruleset(game.ruleset), outcomeOf(game));
    return {
      id: uuid(),
      kind: 'direct',
      creatorId: userOf(game, player),
      opponentId: userOf(game, opponent(player)),
      ...UNANSWERED,
      ruleset: game.ruleset,
      options: game.options,
      timeControl: game.timeControl,
      rated: game.rated,
      side: first === player ? 'first' : 'second',
      ...seed,
      ...openFrom(this.time.now()),
      rematchOf: game.id,
      personsOnly: false,
      minRating: null,
      maxRating: null,
      termsKey: null,
      counterTo: null,
    };
  }

  /** Accepts the opponent's offer, also repeatedly; null if it was closed in between. */
  private async take(
    viewer: Principal,
    { id }: ChallengeRow,
    seed: CreatorSeed,
  ): Promise<ChallengeRow | null> {
    const { creatorClientSeedHash: clientSeedHash } = seed;
    try {
      await this.challenges.take(viewer, { id }, { clientSeed: null, clientSeedHash });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'CHALLENGE_CLOSED') return null;
      throw error;
    }
    return this.challenges.challenge(viewer, id);
  }
}

function standingAmong(rows: readonly ChallengeRow[], now: Date): ChallengeRow | null {
  const accepted = rows.find(({ status }) => status === 'accepted');
  return accepted ?? rows.find((row) => statusAt(row, now) === 'open') ?? null;
}

/** True if an offer by this user was declined. */
const isDeclined = (rows: readonly ChallengeRow[], userId: string): boolean =>
  rows.some(({ status, creatorId }) => status === 'declined' && creatorId === userId);

/** A repeated offer must announce the same seed, or none. Throws INVALID_SEED. */
function demandSameHash(row: ChallengeRow, own: CreatorSeed): void {
  const [hash, standing] = [own.creatorClientSeedHash, row.creatorClientSeedHash];
  if (hash === null || hash === standing) return;
  const message =
    standing === null
      ? 'You offered this rematch without clientSeedHash, which cannot be changed. Leave it out, and give the seed itself with giveClientSeed.'
      : `You offered this rematch with the clientSeedHash ${standing}, which cannot be changed. Send that one, or leave it out.`;
  throw new DomainError('INVALID_SEED', message, { field: 'clientSeedHash' });
}
