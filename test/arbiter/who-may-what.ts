import { startVacation } from '../../src/arbiter/clock-acts.js';
import { finish, type GameState } from '../../src/arbiter/state.js';
import type { TimeControl } from '../../src/arbiter/time-control.js';
import { acted, begin, daily, DAY, HOUR, pending, plies, START, untimed } from './states.js';

/**
 * Who may do what in which state of a game, written from docs/playing.md ("Time", "How a game ends", "Takebacks").
 * A line names acts, then the answer to the first player, then to the second: `done`, `unchanged` or the code of the
 * refusal. A move and a gift of time are about the next ply.
 */
export interface Case {
  readonly state: GameState;
  readonly now: number;
  readonly lastTurnUp?: number;
  readonly answers: string;
}

const NOW = START + 3 * HOUR;
const slow: TimeControl = { type: 'perMove', seconds: 60 * 86_400 };
const full: TimeControl = { type: 'bank', initial: 86_400, increment: 3600, cap: 86_400 };

const game = plies(2, begin(daily));
const fresh = begin(daily);
const away = { from: NOW, until: NOW + 3 * DAY };
const paused = acted(game, NOW, ['first', 'offerPause'], ['second', 'acceptPause']);

const situated = (state: GameState, answers: string, more: Partial<Case> = {}): Case => ({
  state,
  now: NOW,
  answers,
  ...more,
});

const everything = (answer: string): string => `
  move resign abort offerDraw acceptDraw declineDraw claimDraw ${answer} | ${answer}
  offerTakeback acceptTakeback declineTakeback giveTime ${answer} | ${answer}
  offerPause acceptPause declinePause unpause claimAbandoned conditionalMoves ${answer} | ${answer}
  requestTime acceptTimeRequest declineTimeRequest ${answer} | ${answer}`;

const everythingBut = (acts: string, first: string, second: string): string => {
  const rest = acts.split(' ').reduce((line, act) => line.replace(` ${act} `, ' '), everything('GAME_OVER'));
  return `${rest}
${acts} ${first} | ${second}`;
};

/** After ply 2, the first player to move, nothing open. */
const PLAIN = `
  move claimDraw            done         | NOT_YOUR_TURN
  resign                    done         | done
  abort                     TOO_LATE_TO_ABORT | TOO_LATE_TO_ABORT
  offerDraw                 done         | done
  acceptDraw declineDraw    NO_OFFER     | NO_OFFER
  offerTakeback             done         | done
  acceptTakeback declineTakeback NO_OFFER | NO_OFFER
  giveTime conditionalMoves YOUR_TURN    | done
  requestTime               done         | NOT_YOUR_TURN
  acceptTimeRequest declineTimeRequest NO_OFFER | NO_OFFER
  offerPause                done         | done
  acceptPause declinePause  NO_OFFER     | NO_OFFER
  unpause                   GAME_NOT_PAUSED | GAME_NOT_PAUSED
  claimAbandoned            NOT_ABANDONED | NOT_ABANDONED`;

const FRESH = `
  move claimDraw            done         | NOT_YOUR_TURN
  resign abort              done         | done
  offerDraw                 TOO_EARLY_TO_OFFER | TOO_EARLY_TO_OFFER
  acceptDraw declineDraw    NO_OFFER     | NO_OFFER
  offerTakeback             NOTHING_TO_TAKE_BACK | NOTHING_TO_TAKE_BACK
  acceptTakeback declineTakeback NO_OFFER | NO_OFFER
  giveTime conditionalMoves YOUR_TURN    | done
  requestTime               done         | NOT_YOUR_TURN
  acceptTimeRequest declineTimeRequest NO_OFFER | NO_OFFER
  offerPause                done         | done
  acceptPause declinePause  NO_OFFER     | NO_OFFER
  unpause                   GAME_NOT_PAUSED | GAME_NOT_PAUSED
  claimAbandoned            NOT_ABANDONED | NOT_ABANDONED`;

const PAUSED = `
  move claimDraw giveTime requestTime acceptTimeRequest GAME_PAUSED | GAME_PAUSED
  declineTimeRequest        NO_OFFER     | NO_OFFER
  resign                    done         | done
  abort                     TOO_LATE_TO_ABORT | TOO_LATE_TO_ABORT
  offerDraw                 done         | done
  acceptDraw declineDraw    NO_OFFER     | NO_OFFER
  offerTakeback acceptTakeback GAME_PAUSED | GAME_PAUSED
  declineTakeback           NO_OFFER     | NO_OFFER
  offerPause acceptPause declinePause claimAbandoned GAME_PAUSED | GAME_PAUSED
  unpause                   done         | done
  conditionalMoves          YOUR_TURN    | done`;

/** The clock of whose turn it is holds all that it can. */
const FULL = 'requestTime TIME_CEILING | NOT_YOUR_TURN';

/** Lines in place of those of the same acts. */
function but(answers: string, ...lines: readonly string[]): string {
  const acts = new Set(lines.flatMap((line) => line.split('|')[0]!.trim().split(/\s+/).slice(0, -1)));
  const kept = answers.split('\n').map((line) => line.split(/\s+/).filter((word) => !acts.has(word)));
  return [...kept.map((words) => words.join(' ')), ...lines].join('\n');
}

const drawOf = (by: 'first' | 'second') => acted(game, NOW, [by, 'offerDraw']);
const takebackOf = (by: 'first' | 'second') => acted(game, NOW, [by, 'offerTakeback']);
const pauseOf = (by: 'first' | 'second') => acted(game, NOW, [by, 'offerPause']);
const over = (winner: 'first' | null, reason: 'timeout' | 'threefoldRepetition') =>
  finish(game, { winner, reason }, [], NOW).state;

export const STATES: Readonly<Record<string, Case>> = {
  pending: situated(pending(daily), but(everything('GAME_PENDING'), 'abort done | done')),
  'pending for too long': situated(pending(daily), everything('DEADLINE_PASSED'), { now: START + DAY + 1 }),
  fresh: situated(fresh, FRESH),
  'after ply 1': situated(
    plies(1, fresh),
    but(
      FRESH,
      'move claimDraw            NOT_YOUR_TURN | done',
      'giveTime conditionalMoves done | YOUR_TURN',
      'requestTime               NOT_YOUR_TURN | done',
      'offerTakeback             done | NOTHING_TO_TAKE_BACK',
    ),
  ),
  'after ply 2': situated(game, PLAIN),
  'draw offered by first': situated(
    drawOf('first'),
    but(PLAIN, 'offerDraw unchanged | done', 'acceptDraw declineDraw NO_OFFER | done'),
  ),
  'draw offered by second': situated(
    drawOf('second'),
    but(PLAIN, 'offerDraw done | unchanged', 'acceptDraw declineDraw done | NO_OFFER'),
  ),
  'draw offer of first refused': situated(
    acted(drawOf('first'), NOW, ['second', 'declineDraw']),
    but(PLAIN, 'offerDraw OFFER_TOO_SOON | done'),
  ),
  'draw offer of second refused by moving': situated(
    acted(drawOf('second'), NOW, ['first', 'move'], ['second', 'move']),
    but(PLAIN, 'offerDraw done | OFFER_TOO_SOON'),
  ),
  'takeback offered by first': situated(
    takebackOf('first'),
    but(PLAIN, 'offerTakeback unchanged | done', 'acceptTakeback declineTakeback NO_OFFER | done'),
  ),
  'takeback offered by second': situated(
    takebackOf('second'),
    but(PLAIN, 'offerTakeback done | unchanged', 'acceptTakeback declineTakeback done | NO_OFFER'),
  ),
  'pause offered by first': situated(
    pauseOf('first'),
    but(PLAIN, 'offerPause unchanged | done', 'acceptPause declinePause NO_OFFER | done'),
  ),
  'pause offered by second': situated(
    pauseOf('second'),
    but(PLAIN, 'offerPause done | unchanged', 'acceptPause declinePause done | NO_OFFER'),
  ),
  'time asked for': situated(
    acted(game, NOW, ['first', 'requestTime']),
    but(
      PLAIN,
      'requestTime unchanged | NOT_YOUR_TURN',
      'acceptTimeRequest declineTimeRequest NO_OFFER | done',
    ),
  ),
  paused: situated(paused, PAUSED),
  'paused before ply 2': situated(
    acted(fresh, NOW, ['first', 'offerPause'], ['second', 'offerPause']),
    but(PAUSED, 'abort done | done', 'offerDraw TOO_EARLY_TO_OFFER | TOO_EARLY_TO_OFFER'),
  ),
  'paused, first gave notice': situated(
    acted(paused, NOW, ['first', 'unpause']),
    but(PAUSED, 'unpause unchanged | done'),
  ),
  'paused, second gave notice': situated(
    acted(paused, NOW, ['second', 'unpause']),
    but(PAUSED, 'unpause done | unchanged'),
  ),
  'first on vacation': situated(startVacation(game, 'first', away, NOW)!.state, PLAIN),
  'second on vacation': situated(startVacation(game, 'second', away, NOW)!.state, PLAIN),
  'time given': situated(
    acted(game, NOW, ['second', 'giveTime']),
    but(PLAIN, 'giveTime YOUR_TURN | unchanged', FULL),
  ),
  'at the ceiling': situated(plies(2, begin(slow)), but(PLAIN, 'giveTime YOUR_TURN | TIME_CEILING', FULL)),
  'bank at its cap': situated(plies(2, begin(full)), but(PLAIN, 'giveTime YOUR_TURN | TIME_CEILING', FULL), {
    now: START + 2 * HOUR,
  }),
  overdue: situated(game, everything('DEADLINE_PASSED'), { now: game.deadlineAt! + 1 }),
  'overdue before ply 2': situated(fresh, everything('DEADLINE_PASSED'), { now: fresh.deadlineAt! + 1 }),
  'at the deadline': situated(game, PLAIN, { now: game.deadlineAt! }),
  'untimed, fresh': situated(begin(untimed), but(FRESH, 'giveTime requestTime NO_CLOCK | NO_CLOCK')),
  'untimed, after ply 2': situated(
    plies(2, begin(untimed)),
    but(PLAIN, 'giveTime requestTime NO_CLOCK | NO_CLOCK', 'claimAbandoned YOUR_TURN | NOT_ABANDONED'),
  ),
  'untimed, fresh for 30 days': situated(
    begin(untimed),
    but(FRESH, 'giveTime requestTime NO_CLOCK | NO_CLOCK', 'claimAbandoned done | done'),
    { now: START + 30 * DAY },
  ),
  'untimed, after ply 2 for 30 days': situated(
    plies(2, begin(untimed)),
    but(PLAIN, 'giveTime requestTime NO_CLOCK | NO_CLOCK', 'claimAbandoned YOUR_TURN | done'),
    { now: START + 2 * HOUR + 30 * DAY },
  ),
  rated: situated({ ...game, rated: true }, but(PLAIN, 'offerTakeback RATED_GAME | RATED_GAME')),
  'ply 1 turned a piece up': situated(
    plies(1, fresh),
    but(
      FRESH,
      'move claimDraw            NOT_YOUR_TURN | done',
      'abort                     TOO_LATE_TO_ABORT | done',
      'giveTime conditionalMoves done | YOUR_TURN',
      'requestTime               NOT_YOUR_TURN | done',
      'offerTakeback             PIECE_TURNED_UP | NOTHING_TO_TAKE_BACK',
    ),
    { lastTurnUp: 1 },
  ),
  'ply 2 turned a piece up': situated(game, but(PLAIN, 'offerTakeback PIECE_TURNED_UP | PIECE_TURNED_UP'), {
    lastTurnUp: 2,
  }),
  'ply 2 turned a piece up, after ply 3': situated(
    plies(3, fresh),
    but(
      PLAIN,
      'move claimDraw            NOT_YOUR_TURN | done',
      'giveTime conditionalMoves done | YOUR_TURN',
      'requestTime               NOT_YOUR_TURN | done',
      'offerTakeback             done | PIECE_TURNED_UP',
    ),
    { lastTurnUp: 2 },
  ),
  'first resigned': situated(
    acted(game, NOW, ['first', 'resign']),
    everythingBut('resign', 'unchanged', 'GAME_OVER'),
  ),
  'second resigned': situated(
    acted(game, NOW, ['second', 'resign']),
    everythingBut('resign', 'GAME_OVER', 'unchanged'),
  ),
  'drawn by agreement': situated(
    acted(drawOf('first'), NOW, ['second', 'acceptDraw']),
    everythingBut('acceptDraw offerDraw', 'unchanged', 'unchanged'),
  ),
  aborted: situated(acted(fresh, NOW, ['first', 'abort']), everythingBut('abort', 'unchanged', 'unchanged')),
  'out of time': situated(over('first', 'timeout'), everything('GAME_OVER')),
  'drawn by a claim': situated(
    over(null, 'threefoldRepetition'),
    everythingBut('claimDraw', 'unchanged', 'unchanged'),
  ),
};
