import { CLAIMS, type Options, type Ruleset } from '../ruleset.js';
import type { Board, CastlingRules } from './castling-rules.js';
import { canWin, claimable, outcome } from './draws.js';
import { explain } from './explain.js';
import { parseFen, printFen, startOf } from './fen.js';
import { findMove } from './find.js';
import { countLegalMoves, legalMoves } from './generate.js';
import { geometryOf, type Size } from './geometry.js';
import { moveTexts } from './move.js';
import { EMPTY, pieceLetter } from './pieces.js';
import { capturedOn, play, playTexts } from './play.js';
import { playerOf, samePosition, type ChessPosition } from './position.js';
import { san } from './san.js';

/** The description of a rule set of this family. */
export interface OrthodoxSpec extends Pick<
  Ruleset<ChessPosition>,
  'id' | 'version' | 'name' | 'chinese' | 'source' | 'summary' | 'pieces' | 'chance' | 'dealing' | 'options'
> {
  readonly size: Size;
  readonly castling: CastlingRules;
  /** The first rows of White and of Black, as letters from file a; see Ruleset.start. */
  readonly rows: (options: Options, setup: string | null) => readonly [white: string, black: string];
}

export function orthodox(spec: OrthodoxSpec): Ruleset<ChessPosition> {
  const { size, castling, rows, ...described } = spec;
  const board: Board = { ...geometryOf(size), castling };
  return {
    ...described,
    sides: ['white', 'black'],
    board: size,
    hidden: false,
    claims: CLAIMS,
    rematch: 'sidesSwap',

    start: (options, setup) => startOf(board, ...rows(options, setup)),
    parse: (fen) => parseFen(board, fen),
    fen: printFen,
    turn: ({ side }) => playerOf(side),
    quiet: ({ quiet }) => quiet,
    same: samePosition,
    legalMoves,
    countLegalMoves,
    losing: () => [],
    text: moveTexts(size),
    find: findMove,
    playTexts: (start, texts) => playTexts(start, texts, findMove),
    turnsUp: () => null,
    play,
    captured: (position, move) => pieceLetter(position.cells[capturedOn(position, move)] ?? EMPTY) || null,
    san,
    notations: () => [],
    check: ({ check }) => check,
    outcome,
    claimable,
    canWin,
    unseen: () => null,
    mayTurnUp: () => '',
    explain,
  };
}
