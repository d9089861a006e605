import type { DealsService } from '../../src/engine/deals.service.js';
import { EngineService } from '../../src/engine/engine.service.js';
import type { StoredGame } from '../../src/engine/stored-game.js';
import { encodeMoves } from '../../src/engine/moves-text.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, play, position, type Game, type Ply } from '../../src/rules/play.js';
import type { AnyRuleset } from '../../src/rules/registry.js';
import { must, type RandomGame } from '../support/random-games.js';

/** Rows of games without a database, and an engine that deals nothing. */

const noDeals: Partial<DealsService> = {
  turnUp: () => Promise.reject(new Error('Nothing is dealt here')),
};
export const engine = new EngineService(noDeals as DealsService);

/** What is played, as far as a row needs it; `states[i]` is the game before `plies[i]`. */
type PlayedOut = Pick<RandomGame, 'ruleset' | 'options' | 'setup' | 'plies' | 'states'>;

/** The row of a game after its first `count` plies. */
export function storedAt({ ruleset, options, setup, plies, states }: PlayedOut, count: number): StoredGame {
  const played = plies.slice(0, count);
  const { history } = states[count]!;
  return {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    ruleset: ruleset.id,
    options,
    creator: 'first',
    firstClientSeed: null,
    secondClientSeed: null,
    clientSeedHash: null,
    accepterSeedHash: null,
    setup,
    position: ruleset.fen(position(states[count]!)),
    anchorPosition: ruleset.fen(history.positions[0]),
    anchorPly: count - history.moves.length,
    moves: encodeMoves(played),
  };
}

/** The row of a game with these moves, none of which turns anything up. */
export function storedAfter(
  ruleset: AnyRuleset,
  moves: readonly string[],
  setup: string | null = null,
): StoredGame {
  const options = must(parseOptions(ruleset, {}));
  const states: Game<unknown>[] = [begin(ruleset, options, setup)];
  const plies: Ply[] = [];
  for (const move of moves) {
    const { game, ply } = must(play(states.at(-1)!, move, null));
    states.push(game);
    plies.push(ply);
  }
  return storedAt({ ruleset, options, setup, plies, states }, plies.length);
}
