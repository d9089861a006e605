import { position, type Game } from '../rules/play.js';
import { miss, shown, type Miss } from './fault.js';

/** What the readers of move texts look up: the moves that a word may mean, and the pieces that it names. */

/** A square that a piece stands on. */
export interface Standing {
  readonly square: string;
  /** As in position texts. */
  readonly letter: string;
}

/** The pieces of a position, from its text. */
export function pieces(game: Game<unknown>): readonly Standing[] {
  const [board = ''] = game.ruleset.fen(position(game)).split(' ', 1);
  const found: Standing[] = [];
  for (const [index, row] of board.split('/').reverse().entries()) {
    let file = 0;
    for (const character of row) {
      const empty = Number(character);
      if (Number.isNaN(empty)) {
        found.push({ square: `${String.fromCharCode(97 + file)}${index + 1}`, letter: character });
        file++;
      } else file += empty;
    }
  }
  return found;
}

/** Those of the player to move of one kind, by its letter in upper case. */
export function ownPieces(game: Game<unknown>, letter: string): readonly string[] {
  const isFirst = game.ruleset.turn(position(game)) === 'first';
  const own = isFirst ? letter : letter.toLowerCase();
  return pieces(game).filter((each) => each.letter === own).map(({ square }) => square); // prettier-ignore
}

/** Why none of these moves is legal, in the words of the rules, the most telling first. */
export function illegalWord(
  game: Game<unknown>,
  word: string,
  at: number,
  attempts: readonly string[],
): Miss {
  const reasons = attempts.map((text) => game.ruleset.explain(position(game), text));
  const telling = reasons.find(({ fault }) => fault !== 'cannotReach') ?? reasons[0];
  const why = telling === undefined ? '' : ` ${telling.message}`;
  const said = miss(at, `${shown(word)} is no legal move here.${why}`);
  return { ...said, fault: telling?.fault ?? 'cannotReach' };
}

/** A word that is no move in any position. `forms` are examples of what would be one. */
export const malformed = (word: string, at: number, forms: string, hint = ''): Miss => ({
  ...miss(at, `Expected a move, as ${forms}, or a result; found ${shown(word)}.${hint}`),
  fault: 'malformed',
});

/** A word that may be each of these moves: as they are stored, and as people write them. */
export function ambiguous(
  word: string,
  at: number,
  moves: readonly { readonly text: string; readonly san: string }[],
): Miss {
  const names = moves.map(({ san }) => san).join(' or ');
  const said = miss(at, `${shown(word)} may be more than one move here: ${names}.`);
  return { ...said, candidates: moves.map(({ text }) => text) };
}

/** The legal moves of a game, as texts beside their numbers. */
export function legalTexts(game: Game<unknown>): readonly { readonly move: number; readonly text: string }[] {
  const { ruleset } = game;
  return ruleset.legalMoves(position(game)).map((move) => ({ move, text: ruleset.text(move) }));
}
