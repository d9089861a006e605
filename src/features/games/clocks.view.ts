import { abandonedAt, explain, leftAt, type Segment } from '../../arbiter/clock.js';
import { byKind, type Offer } from '../../arbiter/offers.js';
import { resumesAt, turnOf, type GameState } from '../../arbiter/state.js';
import type { TimeControl } from '../../arbiter/time-control.js';
import { PLAYERS, type Player } from '../../rules/ruleset.js';
import type * as model from './clocks.model.js';
import { stateOf, type GameRow, type ShownGame } from './game.row.js';

/** Builds the responses about clocks and offers. */

/** As its input: REST shows the one form that it has. */
export const timeControlOf = ({ type, ...parts }: TimeControl): model.TimeControl =>
  ({ [type]: { noVacation: false, ...parts } }) as unknown as model.TimeControl;

/** The times and offers of a game, each computed when it is read. */
export class Times {
  private known: GameState | undefined;

  constructor(
    readonly row: ShownGame,
    private readonly now: Date,
  ) {}

  private get state(): GameState {
    return (this.known ??= stateOf(this.row));
  }

  get deadline(): model.Deadline {
    return deadlineOf(this.state);
  }

  get clocks(): model.Clocks {
    return { first: clockOf(this.state, 'first', this.now), second: clockOf(this.state, 'second', this.now) };
  }

  get offers(): model.Offers {
    return offersOf(this.state);
  }

  get resumesAt(): Date | null {
    return dateOf(resumesAt(this.state));
  }
}

/** Whether the clock of each player runs now. */
export const runningClocks = (row: GameRow, now: Date): readonly boolean[] =>
  PLAYERS.map((player) => isRunning(stateOf(row), player, now.getTime()));

function deadlineOf(state: GameState): model.Deadline {
  const goesOn = state.turn !== null;
  const untimed = goesOn && state.timeControl.type === 'none';
  return {
    at: dateOf(state.deadlineAt),
    explain: goesOn ? explain(turnOf(state)).map(segmentOf) : [],
    abandonableAt: untimed ? dateOf(abandonedAt(turnOf(state))) : null,
  };
}

const segmentOf = ({ kind, from, until, seconds }: Segment): model.DeadlineSegment => ({
  kind,
  from: dateOf(from),
  until: dateOf(until),
  seconds,
});

function clockOf(state: GameState, player: Player, now: Date): model.PlayerClock {
  const away = state.clock.away[player];
  const instant = now.getTime();
  const isToMove = state.turn === player;
  return {
    remaining: isToMove ? leftAt(turnOf(state), instant) : nextAllowance(state, player),
    running: isRunning(state, player, instant),
    onVacationUntil: dateOf(away?.until ?? null),
  };
}

const isRunning = (state: GameState, player: Player, now: number): boolean =>
  state.turn === player && state.deadlineAt !== null && !isStopped(state, now);

/** Whether a pause or a vacation stops the clock at this time. */
const isStopped = ({ clock, turnStartedAt }: GameState, now: number): boolean =>
  clock.stops.some(({ from, until }) => {
    const second = (now - turnStartedAt) / 1000;
    return from <= second && (until === null || second < until);
  });

/** The time for the next turn of a player who is not to move; null while nobody is to move. */
function nextAllowance({ turn, timeControl, clock }: GameState, player: Player): number | null {
  if (turn === null) return null;
  return clock.bank?.[player] ?? (timeControl.type === 'perMove' ? timeControl.seconds : null);
}

const offersOf = ({ offers }: GameState): model.Offers => ({
  ...byKind((kind) => offerOf(offers[kind])),
  firstMustMove: offers.refused.first,
  secondMustMove: offers.refused.second,
});

const offerOf = (offer: (Offer & { readonly ply?: number }) | null): model.Offer | null =>
  offer && { by: offer.by, at: new Date(offer.at), ply: offer.ply ?? null };

const dateOf = (instant: number | null): Date | null => (instant === null ? null : new Date(instant));
