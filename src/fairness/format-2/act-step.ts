import { isDecision, rule, type Act } from '../../arbiter/acts/act.js';
import { ACTS } from '../../arbiter/acts/registry.js';
import { adjudicate, comeBack, due, flag, goAway, withheld } from '../../arbiter/clock-acts.js';
import { isOver, type Decision, type GameState, type LogEntry } from '../../arbiter/state.js';
import { opponent } from '../../rules/ruleset.js';
import { parseInstant } from '../instant.js';
import { awaited, type Beginning } from './beginning.js';
import type { Row } from './record.js';
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
  type Table,
} from './table.js';

/** A version without a ply: the act of a player, of the clock, or of whoever runs the server, done again. */

type Rows = readonly [Row, ...Row[]];

/** The row that tells what was done is the one from which most of the others follow. */
export function actStep(table: Table, rows: Rows, beginning: Beginning): Step {
  const steps = rows.filter(isCause).map((row) => attempt(table, rows, row, beginning));
  const [best] = steps.sort((a, b) => a.faults.length - b.faults.length);
  return (
    best ?? stopped({ check: 'acts', detail: `${nameOf(rows[0])}: there is no act from which it follows` })
  );
}

const stopped = (fault: Fault): Step => ({ table: null, faults: [fault] });

/** What a ply or a takeback lets lapse, and the end, follow from something else. */
const isCause = ({ type, data }: Row): boolean =>
  type !== 'end' && data['byMove'] === undefined && data['byTakeback'] === undefined;

function attempt(table: Table, rows: Rows, row: Row, beginning: Beginning): Step {
  const done = again(table, row, beginning);
  if ('check' in done) return stopped(done);
  const state = { ...done.state, version: row.seq };
  const marked = { ...done, log: automatic(done.log, row), state };
  const line =
    done.returnsTo === undefined
      ? table.line
      : (table.line.slice(0, done.returnsTo + 1) as [...Table['line']]);
  return {
    table: { state, line, before: rows },
    faults: [...differences(rows, marked), ...automaticFaults(table, row)],
  };
}

/** What a plan did for its owner says so. */
const automatic = (log: readonly LogEntry[], { data }: Row): readonly LogEntry[] =>
  data['automatic'] === true
    ? log.map((entry, at) => (at === 0 ? { ...entry, data: { ...entry.data, automatic: true } } : entry))
    : log;

function automaticFaults(table: Table, row: Row): readonly Fault[] {
  if (row.data['automatic'] !== true || isAtOnce(table, row)) return [];
  return [{ check: 'times', detail: `${nameOf(row)}: what was planned answers a ply at once` }];
}

/** What the row tells, done again; or why it cannot have been. */
function again(table: Table, row: Row, beginning: Beginning): Decision | Fault {
  const act = ACTS.find(({ name }) => name === row.type);
  if (act !== undefined) return acted(table, row, act);
  const clock = CLOCK.get(row.type);
  const done = clock?.(table, row, beginning) ?? 'there is nothing of the kind that could have happened here';
  return typeof done === 'string' ? { check: 'times', detail: `${nameOf(row)}: ${done}` } : done;
}

function acted(table: Table, row: Row, act: Act): Decision | Fault {
  const name = nameOf(row);
  if (row.player === null) return { check: 'acts', detail: `${name}: it has no player` };
  const fault = lateFault(table, row);
  if (fault !== null) return { check: 'acts', detail: `${name}: ${fault}` };
  const { plyCount } = table.state;
  const input = { ...('ply' in act.input ? { ply: plyCount + 1 } : {}), reason: row.data['reason'] };
  const ruled = rule(act, { ...situationAt(table, row, row.player, input.reason), ...input });
  if (!ruled.ok) return refusedFault(name, ruled.refusal);
  return isDecision(ruled.value) ? ruled.value : { check: 'acts', detail: `${name}: that was done already` };
}

function lateFault(table: Table, row: Row): string | null {
  const at = parseInstant(row.at)!;
  return at < table.state.turnStartedAt - SKEW_MS ? 'it comes before its turn began' : missed(table, at);
}

/** A decision of the clock, or why it makes none. */
type ClockAct = (table: Table, row: Row, beginning: Beginning) => Decision | string | null;

/** What is due next by the time of the row. */
const next: ClockAct = ({ state }, { at }) => {
  const found = due(state, parseInstant(at)!);
  return found === 'flag' ? 'the turn had run out before' : found;
};

const CLOCK: ReadonlyMap<string, ClockAct> = new Map<string, ClockAct>([
  ['resume', next],
  // How often somebody is reminded binds nobody.
  ['reminder', (table, row, beginning) => next({ ...table, state: unreminded(table.state) }, row, beginning)],
  ['vacationStart', ({ state }, row) => vacation(state, row)],
  ['vacationEnd', ({ state }, row) => returned(state, row)],
  ['flag', (table, _row, beginning) => ranOut(table, beginning)],
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

/** That a player is on vacation is the server's word; what it does to the clock follows. */
function vacation(state: GameState, { player, data, at }: Row): Decision | string | null {
  const [from, until] = [data['from'], data['until']].map((text) =>
    typeof text === 'string' ? parseInstant(text) : null,
  );
  if (player === null || from == null || until == null) return 'it has no player, or no moments';
  return goAway(state, player, { from, until }, parseInstant(at)!);
}

function returned(state: GameState, { player, data, at: text }: Row): Decision | string | null {
  const at = parseInstant(text)!;
  const until = player === null ? undefined : state.clock.away[player]?.until;
  if (player === null || until === undefined) return 'nobody is on vacation';
  const usedUp = data['usedUp'] === true;
  if (usedUp ? at !== until : at > until) return 'the vacation has another end';
  return comeBack(state, player, at, usedUp);
}

function ranOut(table: Table, beginning: Beginning): Decision | string | null {
  const { state } = table;
  const { turn, deadlineAt } = state;
  if (isOver(state)) return null;
  if (turn === null) return inVain(state, beginning);
  if (deadlineAt === null) return 'there is no deadline';
  const early = missed(table, deadlineAt + 1);
  return early ?? flag(state, turn, canWinIn(table));
}

/** A game that has waited for client seeds in vain. */
function inVain(state: GameState, beginning: Beginning): Decision {
  const { creator } = beginning.accept.data;
  const late = awaited(beginning);
  return withheld(state, late.map((role) => ({ role, player: role === 'creator' ? creator : opponent(creator) }))); // prettier-ignore
}
