import { randomBytes } from 'node:crypto';
import { DealsStore } from '../../src/engine/deals.store.js';
import { deal, type Seeds } from '../../src/fairness/deal.js';
import { identity } from '../../src/rules/deal.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { Api } from './api.js';
import type { Person } from './people.js';
import { NO_CLOCK } from './play.js';
import type { TestServer } from './server.js';
import type { Game } from './api-types.js';
import type { Body } from './transport.js';

/** Games with a chosen deal. */

/** A random client seed, like those of clients. */
export const newSeed = (): string => randomBytes(16).toString('hex');

/**
 * Everything that determines the deal of a game. The server seed is known once the game has
 * ended, or can be given.
 */
export function seedsOf(
  { id: gameId, fairness: { creator, clientSeeds, serverSeed } }: Game,
  secret: Uint8Array = Buffer.from(serverSeed!, 'hex'),
): Seeds {
  const [creatorSeed, accepterSeed] =
    creator === 'first' ? [clientSeeds.first, clientSeeds.second] : [clientSeeds.second, clientSeeds.first];
  return { gameId, serverSeed: secret, creatorSeed, accepterSeed };
}

export interface GameWithDeal {
  readonly game: Game;
  /** The piece on a square. */
  readonly at: (square: string) => string;
}

/**
 * A game of Ann and Ben with a suitable deal. Ben tries client seeds until it is found, which requires the
 * server seed.
 */
export async function gameWithDeal(
  server: TestServer,
  { ann, ben }: { readonly ann: Person; readonly ben: Person },
  api: Api,
  id: string,
  fits: (at: GameWithDeal['at']) => boolean,
  options: Body = {},
): Promise<GameWithDeal> {
  const ruleset = rulesetById(id)!;
  const terms = { ruleset: id, options, opponent: ben.username, seat: 'first', timeControl: NO_CLOCK };
  const gameId = (await api.createChallenge(ann, terms)).data.id;
  const serverSeed = await server.app.get(DealsStore).seed(gameId);
  for (;;) {
    const clientSeed = newSeed();
    const text = deal(ruleset, {
      gameId,
      serverSeed,
      creatorSeed: null,
      accepterSeed: clientSeed,
    })!;
    const at = (square: string) => identity(ruleset, text, square)!;
    if (!fits(at)) continue;
    return { game: (await api.acceptChallenge(ben, gameId, { clientSeed })).data, at };
  }
}

/** Squares with their possible pieces, as `a1=KR b1=p`. */
export const lie = (wanted: string) => {
  const places = wanted.split(' ').map((one) => one.split('=') as [string, string]);
  return (at: GameWithDeal['at']) => places.every(([square, letters]) => letters.includes(at(square)));
};
