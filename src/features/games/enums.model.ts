import { STATUSES } from '../../arbiter/state.js';
import { FORMATS } from '../../formats/formats.js';
import { enumOf } from '../../platform/contract/model.js';
import { CLAIMS, MOVE_FORMATS, PLAYERS, REASONS } from '../../rules/ruleset.js';
import { SIDE_WORDS, meaningOfSide } from './given-seat.js';
import { UNRATED_REASONS } from './unrated.js';

/** Enums that several models share. */

export const SeatEnum = enumOf(PLAYERS, {
  name: 'Seat',
  description: 'A seat of a game.',
  values: { first: 'The player who makes ply 1.', second: 'The player who makes ply 2.' },
});
export const SideEnum = enumOf(SIDE_WORDS, {
  name: 'Side',
  description:
    'A seat by its colour, where the rule set has fixed ones; the names of seats are understood as well.',
  values: Object.fromEntries(SIDE_WORDS.map((word) => [word, meaningOfSide(word)])),
});
export const ReasonEnum = enumOf(REASONS, {
  name: 'Reason',
  description: 'A reason why a game ended.',
  values: {
    checkmate: 'The side to move is in check and has no legal move.',
    kingCaptured: 'The king (general) was captured.',
    noLegalMove: 'The side to move has no legal move and loses.',
    allPiecesCaptured: 'All pieces of a side were captured.',
    stalemate: 'The side to move has no legal move and is not in check; a draw.',
    threefoldRepetition:
      'The position occurred three times; a draw, by claim in the chess family, without a claim in other games.',
    fivefoldRepetition: 'The position occurred five times; a draw without a claim.',
    fiftyMoves: 'Fifty moves of each side without a capture or a pawn move; a draw by claim.',
    seventyFiveMoves:
      'Seventy-five moves of each side without a capture or a pawn move; a draw without a claim.',
    quietLimit:
      'The number of plies without a capture (or a turn-up) reached the limit of the rule set; a draw.',
    insufficientMaterial: 'Neither side has the material to win; a draw.',
    perpetualCheck: 'The position was repeated by perpetual check; the player who gave it loses.',
    perpetualChase: 'The position was repeated by chasing one piece; the player who chased loses.',
    perpetualAttack: 'The position was repeated by attacking one piece; the player who attacked loses.',
    resignation: 'A player resigned.',
    agreement: 'The players agreed on a draw.',
    timeout: 'A turn ran out of time, or was claimed as abandoned; a draw if the opponent has no way to win.',
    aborted: 'The game was aborted; no result.',
  },
});
export const ClaimEnum = enumOf(CLAIMS, {
  name: 'Claim',
  description: 'A draw that a player may claim.',
  values: {
    threefoldRepetition: 'A draw because the position occurs for the third time.',
    fiftyMoves: 'A draw after fifty moves of each side without a capture or a pawn move.',
  },
});
export const MoveFormatEnum = enumOf(MOVE_FORMATS, {
  name: 'MoveFormat',
  description: 'A notation of a move.',
  values: {
    coordinates: 'Coordinates as moves are stored, such as e2e4, e7e8q, h3e3 or c5; in all games.',
    san: 'Standard algebraic notation, such as Nf3, O-O, a1xa2 or a1(?); in all games but Xiangqi.',
    wxf: 'WXF, such as C2=5 or +R-2; in Xiangqi.',
    iccs: 'ICCS with ranks from 0, such as H2-E2; in Xiangqi.',
    ucci: 'UCCI with ranks from 0, such as h2e2; in Xiangqi.',
  },
});
export const GameFormatEnum = enumOf(FORMATS, {
  name: 'GameFormat',
  description: 'A format of a text with games (docs/formats.md).',
  values: {
    pgn: 'PGN, for the games of the chess family.',
    wxf: 'PGN with moves in WXF, for Xiangqi.',
    iccs: 'PGN with moves in ICCS, for Xiangqi.',
    ucci: 'A position line of UCCI, for Xiangqi.',
    text: 'Tags and moves with the pieces that they turned up, for face-down games.',
    json: 'JSON, for all games.',
  },
});
export const StatusEnum = enumOf(STATUSES, {
  name: 'GameStatus',
  description: 'A status of a game.',
  values: {
    pending: 'Created, and waiting for an announced client seed; not started.',
    active: 'In progress.',
    paused: 'In progress, with the clocks stopped by agreement.',
    finished: 'Over, with a result.',
    aborted: 'Over, without a result.',
  },
});
export const UnratedEnum = enumOf(UNRATED_REASONS, {
  name: 'Unrated',
  description: 'A reason why a game was not rated, the first that applies.',
  values: {
    casual: 'The game was casual.',
    aborted: 'The game was aborted.',
    tooShort:
      'Fewer than 2 plies were played. A game counts all the same if its first player turned up a piece and resigned before ply 2.',
    customSetup: 'The players chose the set-up instead of having it drawn.',
  },
});
