import { CLAIMS } from '../../rules/ruleset.js';
import { claimed, drawn, endedBy, finish } from '../state.js';
import { act } from './act.js';
import { conditionOf, playersTurn, playing, sameVersion } from './conditions.js';
import { moveField, moveFormatField } from './input.js';

/** Only for claims without a move: a claim with a move is about the position after it. */
const holds = conditionOf(['CLAIM_NOT_MET'], ({ claimRefusal }) => claimRefusal ?? null);

export const claimDraw = act({
  name: 'claimDraw',
  path: 'claim',
  description:
    'Claim a draw that the rules allow, in the current position or with a move. A wrong claim costs nothing.',
  input: {
    reason: { kind: 'word', of: CLAIMS, description: 'The draw to claim.' },
    move: moveField(
      'The move that brings about the draw, written as in makeMove; if left out, the draw must hold in the current position.',
      { optional: true },
    ),
    format: moveFormatField,
  },
  needs: ['claimRefusal'],
  conditions: [...playing, playersTurn, sameVersion, holds],
  done: ({ state, reason }) => endedBy(state, reason),
  apply: ({ state, player, now, reason, move, format }) =>
    move == null
      ? finish(state, drawn(reason), [claimed(player, reason)], now)
      : { play: move, format: format ?? null, offersDraw: false, claim: reason, plan: null },
  plays: 'withMove',
  ends: true,
  proposals: ({ claims }) => claims(),
  samples: ({ legal }) =>
    CLAIMS.flatMap((reason) => [{ reason }, ...legal.slice(0, 1).map((move) => ({ reason, move }))]),
});
