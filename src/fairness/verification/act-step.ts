import { isDecision, rule, type Act } from '../../arbiter/acts/act.js';
import { ACTS } from '../../arbiter/acts/registry.js';
import { adjudicate, finishVacation, due, flag, startVacation, withheld } from '../../arbiter/clock-acts.js';
import { isOver, type Decision, type GameState, type LogEntry } from '../../arbiter/state.js';
import { opponent } from '../../rules/ruleset.js';
import { parseInstant } from '../instant.js';
import { awaited, type Beginning } from './beginning.js';
import type { Row } from '../record.js';
import {
  canWinIn,
  differences,
  isAtOnce,
  missed,
  nameOf,
  refusedFault,
  situationAt,
  SKEW_MS,
  type Fault,
  type Step,
  type ReplayState,
} from './replay-state.js';

/** Replays a version without a ply: an act of a player, of the clock or of the operator. */

type Rows = readonly [Row, ...Row[]];

/** The cause is the row from which most of the other rows follow. */
export function actStep(replay: ReplayState, rows: Rows, beginning: Beginning): Step {
  const steps = rows.filter(isCause).map((row) => attempt(replay, rows, row, beginning));
  const [best] = steps.sort((a, b) => a.faults.length - b.faults.length);
  return best ?? stopped({ check: 'acts', detail: `${nameOf(rows[0])}: it does not follow from any act` });
}

const stopped = (fault: Fault): Step => ({ replay: null, faults: [fault] });

/** Lapsed offers and the end of the game are effects of another row. */
const isCause = ({ type, data }: Row): boolean =>
  type !== 'end' && data['byMove'] === undefined && data['byTakeback'] === undefined;

function attempt(replay: ReplayState, rows: Rows, row: Row, beginning: Beginning): Step {
  const done = again(replay, row, beginning);
  if ('check' in done) return stopped(done);
  const state = { ...done.state, version: row.seq };
  const marked = { ...done, log: automatic(done.log, row), state };
  const line =
    done.returnsTo === undefined
      ? replay.line
      : (replay.line.slice(0, done.returnsTo + 1) as [...ReplayState['line']]);
  return {
    replay: { state, line, before: rows },
    faults: [...differences(rows, marked), ...automaticFaults(replay, row)],
  };
}

/** Marks an act done by conditional moves. */
const automatic = (log: readonly LogEntry[], { data }: Row): readonly LogEntry[] =>
  data['automatic'] === true
    ? log.map((entry, at) => (at === 0 ? { ...entry, data: { ...entry.data, automatic: true } } : entry))
    : log;

function automaticFaults(replay: ReplayState, row: Row): readonly Fault[] {
  if (row.data['automatic'] !== true || isAtOnce(replay, row)) return [];
  return [
    {
      check: 'times',
      detail: `${nameOf(row)}: a conditional answer must have the time of the ply that it answers`,
    },
  ];
}

/** Repeats what the row records, or says why it cannot have happened. */
function again(replay: ReplayState, row: Row, beginning: Beginning): Decision | Fault {
  const act = ACTS.find(({ name }) => name === row.type);
  if (act !== undefined) return acted(replay, row, act);
  const clock = CLOCK.get(row.type);
  const done = clock?.(replay, row, beginning) ?? 'nothing like this could have happened here';
  return typeof done === 'string' ? { check: 'times', detail: `${nameOf(row)}: ${done}` } : done;
}

function acted(replay: ReplayState, row: Row, act: Act): Decision | Fault {
  const name = nameOf(row);
  if (row.player === null) return { check: 'acts', detail: `${name}: it has no player` };
  const fault = lateFault(replay, row);
  if (fault !== null) return { check: 'acts', detail: `${name}: ${fault}` };
  const { plyCount } = replay.state;
  const input = { ...('ply' in act.input ? { ply: plyCount + 1 } : {}), reason: row.data['reason'] };
  const ruled = rule(act, { ...situationAt(replay, row, row.player, input.reason), ...input });
  if (!ruled.ok) return refusedFault(name, ruled.refusal);
  return isDecision(ruled.value)
    ? ruled.value
    : { check: 'acts', detail: `${name}: it had already been done` };
}

function lateFault(replay: ReplayState, row: Row): string | null {
  const at = parseInstant(row.at)!;
  return at < replay.state.turnStartedAt - SKEW_MS ? 'it comes before its turn began' : missed(replay, at);
}

/** A decision of the clock, or why it makes none. */
type ClockAct = (replay: ReplayState, row: Row, beginning: Beginning) => Decision | string | null;

/** What the clock had to do next by the time of the row. */
const next: ClockAct = ({ state }, { at }) => {
  const found = due(state, parseInstant(at)!);
  return found === 'flag' ? 'the deadline had passed before it' : found;
};

const CLOCK: ReadonlyMap<string, ClockAct> = new Map<string, ClockAct>([
  ['resume', next],
  // Reminders have no effect on the game, so repeated ones are allowed.
  [
    'reminder',
    (replay, row, beginning) => next({ ...replay, state: unreminded(replay.state) }, row, beginning),
  ],
  ['vacationStart', ({ state }, row) => vacation(state, row)],
  ['vacationEnd', ({ state }, row) => returned(state, row)],
  ['flag', (replay, _row, beginning) => ranOut(replay, beginning)],
  [
    'adjudicate',
    ({ state }, { data, at }) =>
      typeof data['why'] === 'string' ? adjudicate(state, data['why'], parseInstant(at)!) : null,
  ],
]);

const unreminded = (state: GameState): GameState => ({
  ...state,
  clock: { ...state.clock, reminded: false },
});

/** The record cannot prove a vacation, only its effect on the clock. */
function vacation(state: GameState, { player, data, at }: Row): Decision | string | null {
  const [from, until] = [data['from'], data['until']].map((text) =>
    typeof text === 'string' ? parseInstant(text) : null,
  );
  if (player === null || from == null || until == null) return 'it has no player or no times';
  return startVacation(state, player, { from, until }, parseInstant(at)!);
}

function returned(state: GameState, { player, data, at: text }: Row): Decision | string | null {
  const at = parseInstant(text)!;
  const until = player === null ? undefined : state.clock.away[player]?.until;
  if (player === null || until === undefined) return 'nobody is on vacation';
  const usedUp = data['usedUp'] === true;
  if (usedUp ? at !== until : at > until) return 'the vacation ends at another time';
  return finishVacation(state, player, at, usedUp);
}

function ranOut(replay: ReplayState, beginning: Beginning): Decision | string | null {
  const { state } = replay;
  const { turn, deadlineAt } = state;
  if (isOver(state)) return null;
  if (turn === null) return inVain(state, beginning);
  if (deadlineAt === null) return 'there is no deadline';
  const early = missed(replay, deadlineAt + 1);
  return early ?? flag(state, turn, canWinIn(replay));
}

/** The end of a game whose client seeds did not come. */
function inVain(state: GameState, beginning: Beginning): Decision {
  const { creator } = beginning.accept.data;
  const late = awaited(beginning);
  return withheld(state, late.map((role) => ({ role, player: role === 'creator' ? creator : opponent(creator) }))); // prettier-ignore
}
