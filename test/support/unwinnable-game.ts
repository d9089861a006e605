import { begin, play, position } from '../../src/rules/play.js';
import { rulesetById } from '../../src/rules/registry.js';
import { opponent, type Player } from '../../src/rules/ruleset.js';
import { type GameLine, vectors } from './vectors.js';

/** A chess game up to the point where the opponent of the player to move can no longer win. */
export function unwinnableGame(): { readonly moves: readonly string[]; readonly loser: Player } {
  const line = vectors<GameLine>('games.chess.jsonl').find(({ id }) => id === 'chess-088')!;
  let game = begin(rulesetById('chess')!, {});
  for (const [index, { move }] of line.plies.entries()) {
    const { ruleset } = game;
    const loser = ruleset.turn(position(game));
    if (!ruleset.canWin(position(game), opponent(loser))) {
      return { moves: line.plies.slice(0, index).map((ply) => ply.move), loser };
    }
    const played = play(game, move, null);
    if (played.ok) game = played.value.game;
  }
  throw new Error('Both players could win until the end');
}
