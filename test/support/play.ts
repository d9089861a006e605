import type { Player } from '../../src/rules/ruleset.js';
import type { Api } from './api.js';
import type { Person } from './people.js';
import type { Game } from './api-types.js';
import { type Body, must } from './transport.js';

/** Starts and continues games. */

export const NO_CLOCK = { type: 'none' };

/**
 * A chess game of Ann, who makes ply 1, and Ben. `terms` override the defaults, including the seed that Ann
 * gives before Ben accepts.
 */
export async function begin(
  api: Api,
  ann: Person,
  ben: Person,
  { clientSeed, ...terms }: Body = {},
  accept: Body = {},
): Promise<Game> {
  const input = { ruleset: 'chess', timeControl: NO_CLOCK, seat: 'first', opponent: ben.username, ...terms };
  const { id } = must(await api.createChallenge(ann, input));
  if (clientSeed !== undefined) must(await api.giveClientSeed(ann, id, clientSeed as string));
  return must(await api.acceptChallenge(ben, id, accept));
}

/** Plays moves one after the other as the player to move; returns the game after the last one. */
export async function playMoves(
  api: Api,
  game: Game,
  moves: readonly string[],
  players: Record<Player, Person>,
): Promise<Game> {
  let at = game;
  for (const move of moves) {
    at = must(await api.makeMove(players[at.turn!], at.id, at.plyCount + 1, move));
  }
  return at;
}
