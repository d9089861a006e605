import { abandonedAt } from '../clock.js';
import { drawn, finish, timeoutFor, turnOf, type GameState } from '../state.js';
import { act, logged } from './act.js';
import { condition, conditionOf, opponentsTurn, playing } from './conditions.js';

const noClock = condition(
  'NOT_ABANDONED',
  ({ state }) => state.timeControl.type === 'none',
  'This game has a time control, so it ends on time by itself. Wait for the deadline.',
);

const abandoned = condition(
  'NOT_ABANDONED',
  ({ state, now }) => {
    const at = abandonedAt(turnOf(state));
    return at !== null && now >= at;
  },
  'This game is not abandoned yet: 30 days must pass without a move. Try again at abandonableAt.',
);

/** A player who is to move must not gain by their own absence. */
const waiting = conditionOf(opponentsTurn.codes, (situation) =>
  situation.state.plyCount < 2 ? null : opponentsTurn(situation),
);

/** Without a time control only this act ends a game by timeout; an aborted game needs no second abort. */
const wasAbandoned = ({ outcome, timeControl }: GameState): boolean =>
  timeControl.type === 'none' && (outcome?.reason === 'timeout' || outcome?.reason === 'aborted');

/** Aborts a game before ply 2; later the opponent of the absent player wins, or draws if they could never win. */
export const claimAbandoned = act({
  name: 'claimAbandoned',
  path: 'abandoned',
  description: 'End a game without a time control in which nobody has moved for 30 days.',
  needs: ['canWin'],
  conditions: [...playing, noClock, waiting, abandoned],
  done: ({ state }) => wasAbandoned(state),
  apply: ({ state, player, now, canWin }) => {
    const outcome = state.plyCount < 2 ? drawn('aborted') : timeoutFor(player, canWin);
    return finish(state, outcome, [logged('claimAbandoned', player)], now);
  },
  ends: true,
});
