import { act, refusalFor } from './act.js';
import { nextPly, notDecided, onMove, playing, sameVersion, type Condition } from './conditions.js';
import { offerDraw } from './draw.js';
import { moveField, moveFormatField, plyField } from './input.js';
import type { Situation } from './situation.js';

/** A draw that is offered with a move may be refused for what stands against offering one. */
const mayOffer: Condition = (situation: Situation & { readonly offerDraw?: boolean | null }) =>
  situation.offerDraw ? refusalFor(offerDraw, situation) : null;

export const makeMove = act({
  name: 'makeMove',
  path: 'moves',
  description: 'Plays a move.',
  input: {
    ply: plyField('plyCount + 1. The same move sent again for the same ply is safe.', 1),
    move: moveField(
      'From square, to square, promotion letter; one square turns up. Also in SAN, and in Xiangqi in WXF or ICCS: what ' +
        'may be more than one move is refused as AMBIGUOUS_MOVE, which lists them. It is stored in the first form.',
      { example: 'e2e4' },
    ),
    format: moveFormatField,
    offerDraw: { kind: 'flag', optional: true, description: 'Offers a draw with the move.' },
    conditionalMoves: {
      kind: 'tree',
      optional: true,
      description:
        'What you will answer to the moves that may follow; of no effect when the move ends the game or leaves you on move.',
    },
  },
  needs: ['isPlayed'],
  // The version first: how long the rest takes may depend on what the opponent has planned.
  conditions: [sameVersion, notDecided, ...playing, nextPly, onMove, mayOffer],
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
