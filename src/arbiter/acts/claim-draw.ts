import { CLAIMS } from '../../rules/ruleset.js';
import { claimed, drawn, endedBy, finish } from '../state.js';
import { act } from './act.js';
import { nextPly, notDecided, onMove, playing, sameVersion, type Condition } from './conditions.js';
import { moveField, moveFormatField } from './input.js';

/** With a move it is the game after it that the claim is about. */
const holds: Condition = ({ claimRefusal }) => claimRefusal ?? null;

/** A claim of what the rules find to hold. */
export const claimDraw = act({
  name: 'claimDraw',
  path: 'claim',
  description:
    'Claims a draw that the rules allow, as the game stands or with a move; a wrong claim costs nothing.',
  summary: 'Claims a draw that the rules allow, as the game stands or with a move',
  input: {
    reason: { kind: 'word', of: CLAIMS },
    move: moveField(
      'The move that brings about what is claimed, written as in makeMove; without it the claim is about the game as it stands.',
      { optional: true },
    ),
    format: moveFormatField,
  },
  needs: ['claimRefusal'],
  conditions: [notDecided, ...playing, nextPly, onMove, sameVersion, holds],
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
