import { DealsStore } from '../../src/engine/deals.store.js';
import { deal } from '../../src/fairness/deal.js';
import { identity } from '../../src/rules/deal.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { Api } from './api.js';
import type { Person } from './people.js';
import { NO_CLOCK } from './play.js';
import type { TestServer } from './server.js';
import type { Game } from './shown.js';
import type { Body } from './transport.js';

/** Games whose deal is what a test needs. */

export interface Dealt {
  readonly game: Game;
  /** What lies on a square. */
  readonly at: (square: string) => string;
}

/** A game of Ann and Ben whose deal fits: Ben tries client seeds until it does. Only a cheat at the server can. */
export async function dealt(
  server: TestServer,
  { ann, ben }: { readonly ann: Person; readonly ben: Person },
  api: Api,
  id: string,
  fits: (at: Dealt['at']) => boolean,
  options: Body = {},
): Promise<Dealt> {
  const ruleset = rulesetById(id)!;
  const terms = { ruleset: id, options, opponent: ben.username, side: 'first', clientSeed: 'first', timeControl: NO_CLOCK }; // prettier-ignore
  const gameId = (await api.createChallenge(ann, terms)).data.id;
  const serverSeed = await server.app.get(DealsStore).seed(gameId);
  for (let tried = 10_000; ; tried += 1) {
    const text = deal(ruleset, {
      gameId,
      serverSeed,
      firstClientSeed: 'first',
      secondClientSeed: `${tried}`,
    })!;
    const at = (square: string) => identity(ruleset, text, square)!;
    if (!fits(at)) continue;
    return { game: (await api.acceptChallenge(ben, gameId, { clientSeed: `${tried}` })).data, at };
  }
}

/** Squares with what may lie there, as `a1=KR b1=p`. */
export const lie = (wanted: string) => {
  const places = wanted.split(' ').map((one) => one.split('=') as [string, string]);
  return (at: Dealt['at']) => places.every(([square, letters]) => letters.includes(at(square)));
};
