import { find, position, type Game } from '../rules/play.js';
import { ambiguous, illegalWord, legalTexts, malformed, ownPieces } from './candidates.js';
import { withHyphens } from './ending.js';
import type { Found } from './fault.js';
import { plain, type Notation, type WrittenPly } from './notation.js';
import { isWxf } from './wxf.js';

/** Standard algebraic notation, strict as exported and lax as found in files. */

const LONGEST = 20;
/** Piece, origin file and rank, target square, promotion; x is a capture, not a file. */
const FORM = /^([A-Z]?)([a-w]?)([0-9]{0,2})[-x:]?([a-w][0-9]{1,2})[=/]?([A-Za-z]?)$/;
const CASTLING = /^[O0o](?:-?[O0o]){1,2}$/;
const PAWN = 'P';
const FORMS = 'Nf3, exd5, e8=Q or O-O';

interface Words {
  readonly piece: string;
  readonly file: string;
  readonly rank: string;
  readonly target: string;
  /** Lower case, `''` without one. */
  readonly promotion: string;
}

/** Strips marks of check, mate and evaluation, which the rules do not need. */
const stripped = (word: string): string => word.replace(/(?:e\.?p\.?)?[+#!?=]{0,8}$/, '');

function read(game: Game<unknown>, word: string, at: number): Found<WrittenPly> {
  if (word.length > LONGEST) return malformed(word, at, FORMS);
  const text = stripped(withHyphens(word)).replace(/\(([A-Z])\)$/, '$1');
  if (CASTLING.test(text)) return castling(game, word, text, at);
  const words = parse(text);
  if (words === null) return malformed(word, at, FORMS, isWxf(word) ? XIANGQI : '');
  const written = words.file + words.rank + words.target + words.promotion;
  if (words.piece === '' && words.rank !== '' && find(game, written).ok) return plain(written);
  return lookUp(game, word, words, at);
}

const XIANGQI =
  ' This looks like Xiangqi. Name its rule set when you send the text, or add a tag such as [Ruleset "xiangqi-tournament"].';

function parse(text: string): Words | null {
  const [, piece, file, rank, target, promotion] = FORM.exec(text) ?? [];
  if (target === undefined) return null;
  return { piece: piece!, file: file!, rank: rank!, target, promotion: promotion!.toLowerCase() };
}

function castling(game: Game<unknown>, word: string, text: string, at: number): Found<WrittenPly> {
  const wanted = `O${'-O'.repeat(text.replaceAll('-', '').length - 1)}`;
  const { ruleset } = game;
  const here = position(game);
  const kings = ownPieces(game, 'K');
  const move = legalTexts(game).find(
    (legal) =>
      kings.some((king) => legal.text.startsWith(king)) &&
      stripped(ruleset.san(here, legal.move, null)) === wanted,
  );
  if (move !== undefined) return plain(move.text);
  return illegalWord(game, word, at, castlings(game, kings[0] ?? '', wanted));
}

/** The coordinates of the castling that is meant. */
function castlings(game: Game<unknown>, king: string, wanted: string): readonly string[] {
  if (game.ruleset.chance === 'setup') return ownPieces(game, 'R').map((rook) => king + rook);
  const file = king.charCodeAt(0) + (wanted === 'O-O' ? 2 : -2);
  return king === '' ? [] : [king + String.fromCharCode(file) + king.slice(1)];
}

/** Finds the only legal move that fits, or the one written exactly this way. */
function lookUp(game: Game<unknown>, word: string, words: Words, at: number): Found<WrittenPly> {
  const { ruleset } = game;
  const here = position(game);
  const goal = words.target + words.promotion;
  const isHint = ({ text }: { readonly text: string }) => text.endsWith(goal) && comesFrom(words, text);
  const fitting = legalTexts(game)
    .filter(isHint)
    .map((legal) => ({ ...legal, san: stripped(ruleset.san(here, legal.move, null)) }))
    .filter(({ san, text }) => !san.startsWith('O') && isOfKind(words, san, text));
  const exact = fitting.filter(({ san }) => san === stripped(word));
  const [one, another] = exact.length > 0 ? exact : fitting;
  if (one === undefined) return illegalWord(game, word, at, attempts(game, words));
  if (another === undefined) return plain(one.text);
  return ambiguous(word, at, fitting);
}

const comesFrom = ({ file, rank }: Words, text: string): boolean =>
  text.startsWith(file) && (rank === '' || /^[a-z]([0-9]+?)[a-z]/.exec(text)?.[1] === rank);

/** A pawn move without a capture stays on its file. */
function isOfKind({ piece, file, target }: Words, san: string, text: string): boolean {
  const kind = /^[A-Z]/.exec(san)?.[0] ?? PAWN;
  if (kind !== (piece || PAWN)) return false;
  return kind !== PAWN || file !== '' || piece !== '' || text.startsWith(target.charAt(0));
}

/** The moves that the word may have meant, to explain why none is legal. */
function attempts(game: Game<unknown>, words: Words): readonly string[] {
  const { piece, file, rank, target, promotion } = words;
  const from = piece === '' && file === '' ? target.charAt(0) : file;
  return ownPieces(game, piece || PAWN)
    .filter((square) => square !== target && square.startsWith(from) && square.endsWith(rank))
    .map((square) => square + target + promotion);
}

export const sanNotation: Notation = { hasVariations: true, forms: FORMS, read };
