import type { Options, Ruleset } from '../ruleset.js';
import { explain } from './explain.js';
import { fen, parse } from './fen.js';
import { countLegalMoves, legalMoves } from './generate.js';
import { geometry } from './geometry.js';
import { san } from './notation.js';
import { outcome } from './outcome.js';
import { captured, play, turnsUp } from './play.js';
import { knownUnseen, same, sideOfPlayer, start, type Position } from './position.js';
import { compile, type Spec } from './spec.js';

export function facedown(spec: Spec): Ruleset<Position> {
  const lines = geometry(spec.board);
  const rules = (options: Options) => compile(spec, lines, options);
  return {
    id: spec.id,
    version: spec.version,
    name: spec.name,
    chinese: spec.chinese,
    source: spec.source,
    summary: spec.summary,
    sides: spec.sides,
    pieces: spec.pieces,
    board: spec.board,
    hidden: true,
    chance: 'deal',
    dealing: [spec.dealing],
    options: spec.options,
    claims: [],
    // To turn up first is a slight disadvantage.
    rematch: 'winnerStarts',
    start: (options) => start(rules(options)),
    parse: (text, options, unseen) => parse(rules(options), text, unseen),
    fen,
    turn: ({ turn }) => turn,
    sideOf: sideOfPlayer,
    quiet: ({ quiet }) => quiet,
    same,
    legalMoves,
    countLegalMoves,
    losing: () => [],
    text: (move) => lines.texts[move]!,
    turnsUp,
    play,
    captured,
    san,
    notations: () => [],
    check: () => false,
    outcome,
    claimable: () => [],
    canWin: () => true,
    unseen: knownUnseen,
    mayTurnUp: ({ unseen }) => unseen,
    explain,
  };
}
