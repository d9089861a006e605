import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { commitment } from '../fairness/commitment.js';
import { deal, ROLES, sides, type Format, type Role, type Seeds } from '../fairness/deal.js';
import { dealRoot, prove, type Proof, type SealedDeal } from '../fairness/merkle.js';
import type { Transaction } from '../platform/database/prisma.service.js';
import { gather } from '../platform/gather.js';
import { identity } from '../rules/deal.js';
import { rulesetById } from '../rules/registry.js';
import type { Options, Player } from '../rules/ruleset.js';
import { chosenSetup } from '../rules/setup.js';
import { DealsStore } from './deals.store.js';

/** What a deal is derived from, beside the server's secret seed. */
export interface DealtGame {
  readonly id: string;
  readonly ruleset: string;
  readonly options: Options;
  readonly format: Format;
  readonly creator: Player;
  /** Null as long as the seed is awaited, when there is no deal yet; in format 2 also where it is left to the server. */
  readonly firstClientSeed: string | null;
  readonly secondClientSeed: string | null;
  /** In format 2 null where the seed is left to the server. */
  readonly clientSeedHash: string | null;
  readonly accepterSeedHash: string | null;
}

/** The client seed that a player has given, by his part in the challenge. */
export const seedOf = (
  {
    creator,
    firstClientSeed,
    secondClientSeed,
  }: Pick<DealtGame, 'creator' | 'firstClientSeed' | 'secondClientSeed'>,
  role: Role,
): string | null => ((role === 'creator') === (creator === 'first') ? firstClientSeed : secondClientSeed);

/** Whose client seeds are still to come. */
export const awaitedOf = (game: Omit<DealtGame, 'id' | 'ruleset' | 'options'>): readonly Role[] =>
  ROLES.filter((role) => {
    const hash = role === 'creator' ? game.clientSeedHash : game.accepterSeedHash;
    return seedOf(game, role) === null && (game.format === 1 || hash !== null);
  });

export interface TurnedUp {
  readonly piece: string;
  readonly proof: Proof;
}

/** Is a client seed still to come? */
export const isAwaited = (game: DealtGame): boolean => awaitedOf(game).length > 0;

/** The dealing code: the only caller of the store of seeds. A deal exists only while one of its methods runs. */
@Injectable()
export class DealsService {
  /** The seed in hex, once the game is over, or the challenge that became none; null before. */
  readonly publish = gather((gameIds: readonly string[]) => this.seedsOfEnded(gameIds));

  constructor(private readonly store: DealsStore) {}

  /** Draws and stores the secret seed of a game to come; returns the commitment to it. */
  async commit(tx: Transaction, gameId: string, at: Date): Promise<string> {
    const seed = randomBytes(32);
    await this.store.insert(tx, gameId, seed, at);
    return commitment(seed);
  }

  /** Who makes ply 1 where nobody wished for a side. */
  async drawSides(seeds: Pick<Seeds, 'format' | 'gameId' | 'creatorSeed' | 'accepterSeed'>): Promise<Role> {
    return sides({ ...seeds, serverSeed: await this.store.seed(seeds.gameId) });
  }

  /** The set-up of the opening: that of the options, else as the seeds draw it; null where none is drawn, or not yet. */
  async setup(game: DealtGame): Promise<string | null> {
    const ruleset = rulesetById(game.ruleset);
    if (ruleset?.chance !== 'setup') return null;
    const chosen = chosenSetup(ruleset, game.options);
    if (chosen !== null || isAwaited(game)) return chosen;
    return (await this.sealed(game)).deal;
  }

  /** The root over the deal, null where nothing lies face-down, or nothing is dealt yet. */
  async root(game: DealtGame): Promise<string | null> {
    const isDealt = rulesetById(game.ruleset)?.hidden && !isAwaited(game);
    return isDealt ? dealRoot(await this.sealed(game)) : null;
  }

  /** The piece on one square and its proof. To be called for a legal turn-up alone. */
  async turnUp(game: DealtGame, square: string): Promise<TurnedUp> {
    const sealed = await this.sealed(game);
    const piece = identity(rulesetById(game.ruleset)!, sealed.deal, square);
    if (piece === null) throw new Error(`The board of ${game.ruleset} has no square ${square}`);
    return { piece, proof: prove(sealed, square) };
  }

  /** The same for many, in the order of their ids; null as well where a seed was sealed with another secret. */
  async seedsOfEnded(gameIds: readonly string[], tx?: Transaction): Promise<(string | null)[]> {
    const seeds = await this.store.seedsOfEnded(gameIds, tx);
    return gameIds.map((id) => seeds.get(id)?.toString('hex') ?? null);
  }

  /** What the seeds give, with what proves it. */
  private async sealed(game: DealtGame): Promise<SealedDeal> {
    const ruleset = rulesetById(game.ruleset);
    const { id: gameId, format } = game;
    if (ruleset === undefined || isAwaited(game)) throw new Error(`Game ${gameId} has no deal yet`);
    const serverSeed = await this.store.seed(gameId);
    const text = deal(ruleset, {
      format,
      gameId,
      serverSeed,
      creatorSeed: seedOf(game, 'creator'),
      accepterSeed: seedOf(game, 'accepter'),
      creatorFirst: game.creator === 'first',
    });
    if (text === null) throw new Error(`${game.ruleset} has no deal`);
    return { format, gameId, serverSeed, board: ruleset.board, deal: text };
  }
}
