import { position, type Game } from '../rules/play.js';
import { miss, type Miss } from './fault.js';
import { shown } from '../rules/shown.js';

/** What parsers of moves look up: the moves that a word may mean, and the pieces that it names. */

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

/** The squares of the own pieces of one kind, given by its upper-case letter. */
export function ownPieces(game: Game<unknown>, letter: string): readonly string[] {
  const isFirst = game.ruleset.turn(position(game)) === 'first';
  const own = isFirst ? letter : letter.toLowerCase();
  return pieces(game).filter((each) => each.letter === own).map(({ square }) => square); // prettier-ignore
}

/** Why none of these moves is legal; the most specific reason is reported. */
export function illegalWord(
  game: Game<unknown>,
  word: string,
  at: number,
  attempts: readonly string[],
): Miss {
  const reasons = attempts.map((text) => game.ruleset.explain(position(game), text));
  const telling = reasons.find(({ fault }) => fault !== 'cannotReach') ?? reasons[0];
  const why = telling === undefined ? '' : ` ${telling.message}`;
  const said = miss(at, `${shown(word)} is not a legal move here.${why}`);
  return { ...said, fault: telling?.fault ?? 'cannotReach' };
}

/** A word that is not a move in any position. `forms` are examples of valid ones. */
export const malformed = (word: string, at: number, forms: string, hint = ''): Miss => ({
  ...miss(at, `Expected a move, such as ${forms}, or a result; found ${shown(word)}.${hint}`),
  fault: 'malformed',
});

/** A word that may mean any of these moves, given in coordinates and in SAN. */
export function ambiguous(
  word: string,
  at: number,
  moves: readonly { readonly text: string; readonly san: string }[],
): Miss {
  const names = moves.map(({ san }) => san).join(' or ');
  const said = miss(at, `${shown(word)} can mean more than one move here: ${names}.`);
  return { ...said, candidates: moves.map(({ text }) => text) };
}

/** The legal moves of a game as numbers and texts. */
export function legalTexts(game: Game<unknown>): readonly { readonly move: number; readonly text: string }[] {
  const { ruleset } = game;
  return ruleset.legalMoves(position(game)).map((move) => ({ move, text: ruleset.text(move) }));
}
