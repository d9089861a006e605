import { act, refusalFor } from './act.js';
import {
  codesOf,
  conditionOf,
  nextPly,
  notDecided,
  playersTurn,
  playing,
  sameVersion,
} from './conditions.js';
import { offerDraw } from './draw.js';
import { moveField, moveFormatField, plyField } from './input.js';
import type { Situation } from './situation.js';

/** A draw offer with a move has the same conditions as one without. */
const mayOffer = conditionOf(
  codesOf(offerDraw.conditions),
  (situation: Situation & { readonly offerDraw?: boolean | null }) =>
    situation.offerDraw ? refusalFor(offerDraw, situation) : null,
);

export const makeMove = act({
  name: 'makeMove',
  path: 'moves',
  description: 'Play a move. Idempotent for the same ply and move.',
  input: {
    ply: plyField(
      'The number of the ply, plyCount + 1; the same move sent again for the same ply is played once.',
      1,
    ),
    move: moveField(
      'The move in coordinates (from square, to square, promotion letter, or one square whose piece is turned up), in ' +
        'SAN, or in Xiangqi in WXF or ICCS; at most 16 characters. AMBIGUOUS_MOVE lists the moves that it may mean.',
      { example: 'e2e4' },
    ),
    format: moveFormatField,
    offerDraw: {
      kind: 'flag',
      optional: true,
      description: 'True to offer a draw with the move; false by default.',
    },
    conditionalMoves: {
      kind: 'tree',
      optional: true,
      description:
        'Your answers to the moves that may follow; ignored if the move ends the game or you are still to move.',
    },
  },
  needs: ['isPlayed'],
  // The version first: how long the rest takes may depend on the opponent's conditional moves.
  conditions: [sameVersion, notDecided, ...playing, nextPly, playersTurn, mayOffer],
  done: ({ isPlayed }) => isPlayed,
  apply: ({ move, format, offerDraw, conditionalMoves }) => ({
    play: move,
    format: format ?? null,
    offersDraw: offerDraw === true,
    claim: null,
    plan: conditionalMoves ?? null,
  }),
  proposals: ({ state }) => [{ ply: state.plyCount + 1 }, { ply: state.plyCount + 1, offerDraw: true }],
  plays: 'always',
  samples: ({ state, legal }) => [
    ...legal.slice(0, 2).map((move) => ({ ply: state.plyCount + 1, move })),
    { ply: state.plyCount + 1, move: 'z9z9' },
    { ply: state.plyCount + 2, move: legal[0] ?? 'e2e4' },
    { ply: state.plyCount + 1, move: legal[0] ?? 'e2e4', offerDraw: true },
  ],
});
