import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { commitment } from '../fairness/commitment.js';
import { deal, ROLES, sides, type Role, type Seeds } from '../fairness/deal.js';
import { dealRoot, prove, type Proof, type SealedDeal } from '../fairness/merkle.js';
import type { Transaction } from '../platform/database/prisma.service.js';
import { batch } from '../platform/gathering/batch.js';
import { identity } from '../rules/deal.js';
import { rulesetById } from '../rules/registry.js';
import type { Options, Player } from '../rules/ruleset.js';
import { chosenSetup } from '../rules/setup.js';
import { DealsStore } from './deals.store.js';

/** What a deal is derived from, besides the server's secret seed. */
export interface DealtGame {
  readonly id: string;
  readonly ruleset: string;
  readonly options: Options;
  readonly creator: Player;
  /** Null if it is left to the server, or while the game waits for it and there is no deal yet. */
  readonly firstClientSeed: string | null;
  readonly secondClientSeed: string | null;
  /** Null if the seed is left to the server. */
  readonly clientSeedHash: string | null;
  readonly accepterSeedHash: string | null;
}

/** The client seed given by the creator or the accepter. */
export const seedOf = (
  {
    creator,
    firstClientSeed,
    secondClientSeed,
  }: Pick<DealtGame, 'creator' | 'firstClientSeed' | 'secondClientSeed'>,
  role: Role,
): string | null => ((role === 'creator') === (creator === 'first') ? firstClientSeed : secondClientSeed);

/** The roles whose client seeds the game is waiting for. */
export const awaitedOf = (game: Omit<DealtGame, 'id' | 'ruleset' | 'options'>): readonly Role[] =>
  ROLES.filter((role) => {
    const hash = role === 'creator' ? game.clientSeedHash : game.accepterSeedHash;
    return seedOf(game, role) === null && hash !== null;
  });

export interface TurnedUp {
  readonly piece: string;
  readonly proof: Proof;
}

export const isAwaited = (game: DealtGame): boolean => awaitedOf(game).length > 0;

/** The only code that reads the secret seeds. A deal exists in memory only while one of these methods runs. */
@Injectable()
export class DealsService {
  /** The seed in hex after the end of the game, or of a challenge that did not become one; null before. */
  readonly publish = batch((gameIds: readonly string[]) => this.seedsOfEnded(gameIds));

  constructor(private readonly store: DealsStore) {}

  /** Draws and stores the secret seed of a future game. Returns the commitment to it. */
  async commit(tx: Transaction, gameId: string, at: Date): Promise<string> {
    const seed = randomBytes(32);
    await this.store.insert(tx, gameId, seed, at);
    return commitment(seed);
  }

  /** The role that makes ply 1, if no player chose a side. */
  async drawSides(seeds: Pick<Seeds, 'gameId' | 'creatorSeed' | 'accepterSeed'>): Promise<Role> {
    return sides({ ...seeds, serverSeed: await this.store.seed(seeds.gameId) });
  }

  /**
   * The set-up of the opening: that of the options, else the one drawn; null if none is drawn, or not yet. Reads the seed in
   * a transaction if that has stored it.
   */
  async setup(game: DealtGame, tx?: Transaction): Promise<string | null> {
    const ruleset = rulesetById(game.ruleset);
    if (ruleset?.chance !== 'setup') return null;
    const chosen = chosenSetup(ruleset, game.options);
    if (chosen !== null || isAwaited(game)) return chosen;
    return (await this.sealed(game, tx)).deal;
  }

  /** The Merkle root of the deal, in the same way; null if nothing lies face-down, or nothing is dealt yet. */
  async root(game: DealtGame, tx?: Transaction): Promise<string | null> {
    const isDealt = rulesetById(game.ruleset)?.hidden && !isAwaited(game);
    return isDealt ? dealRoot(await this.sealed(game, tx)) : null;
  }

  /** The piece on one square and its proof. Call this only for a legal turn-up. */
  async turnUp(game: DealtGame, square: string): Promise<TurnedUp> {
    const sealed = await this.sealed(game);
    const piece = identity(rulesetById(game.ruleset)!, sealed.deal, square);
    if (piece === null) throw new Error(`The board of ${game.ruleset} has no square ${square}`);
    return { piece, proof: prove(sealed, square) };
  }

  /** `publish` for many games in this order; also null if a seed was sealed with another secret. */
  async seedsOfEnded(gameIds: readonly string[], tx?: Transaction): Promise<(string | null)[]> {
    const seeds = await this.store.seedsOfEnded(gameIds, tx);
    return gameIds.map((id) => seeds.get(id)?.toString('hex') ?? null);
  }

  /** The deal with the data that prove it. */
  private async sealed(game: DealtGame, tx?: Transaction): Promise<SealedDeal> {
    const ruleset = rulesetById(game.ruleset);
    const { id: gameId } = game;
    if (ruleset === undefined || isAwaited(game)) throw new Error(`Game ${gameId} has no deal yet`);
    const serverSeed = await this.store.seed(gameId, tx);
    const text = deal(ruleset, {
      gameId,
      serverSeed,
      creatorSeed: seedOf(game, 'creator'),
      accepterSeed: seedOf(game, 'accepter'),
    });
    if (text === null) throw new Error(`${game.ruleset} has no deal`);
    return { gameId, serverSeed, board: ruleset.board, deal: text };
  }
}
