import type { Player } from '../../src/rules/ruleset.js';
import type { Api } from './api.js';
import type { Person } from './people.js';
import type { Game } from './shown.js';
import { type Body, must } from './transport.js';

/** How tests begin games and play on. */

export const NO_CLOCK = { type: 'none' };

/** A chess game of Ann, who makes ply 1, and Ben; `terms` say what is different, and which seed she gives before he accepts. */
export async function begin(
  api: Api,
  ann: Person,
  ben: Person,
  { clientSeed, ...terms }: Body = {},
  accept: Body = {},
): Promise<Game> {
  const input = { ruleset: 'chess', timeControl: NO_CLOCK, side: 'first', opponent: ben.username, ...terms };
  const { id } = must(await api.createChallenge(ann, input));
  if (clientSeed !== undefined) must(await api.giveClientSeed(ann, id, clientSeed as string));
  return must(await api.acceptChallenge(ben, id, accept));
}

/** Plays moves one after the other, each by whose turn it is; the game after the last one. */
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
