import { CLAIMS } from '../../rules/ruleset.js';
import { claimed, drawn, endedBy, finish } from '../state.js';
import { act } from './act.js';
import { conditionOf, onMove, playing, sameVersion } from './conditions.js';
import { moveField, moveFormatField } from './input.js';

/** With a move it is the game after it that the claim is about. */
const holds = conditionOf(['CLAIM_NOT_MET'], ({ claimRefusal }) => claimRefusal ?? null);

/** A claim of what the rules find to hold. */
export const claimDraw = act({
  name: 'claimDraw',
  path: 'claim',
  description:
    'Claim a draw that the rules allow, in the current position or with a move. A wrong claim costs nothing.',
  input: {
    reason: { kind: 'word', of: CLAIMS, description: 'The draw to claim.' },
    move: moveField(
      'The move that brings about the draw, written as in makeMove; the draw must hold as the game stands if left out.',
      { optional: true },
    ),
    format: moveFormatField,
  },
  needs: ['claimRefusal'],
  conditions: [...playing, onMove, sameVersion, holds],
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
