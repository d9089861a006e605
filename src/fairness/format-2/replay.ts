import { NO_OFFERS } from '../../arbiter/offers.js';
import { withTurn, type GameState } from '../../arbiter/state.js';
import { newClock, seedDeadline, type TimeControl } from '../../arbiter/time-control.js';
import type { Absence } from '../../arbiter/clock.js';
import type { Game } from '../../rules/play.js';
import { PLAYERS, type Player } from '../../rules/ruleset.js';
import { parseInstant } from '../instant.js';
import { lastBefore, type Beginning } from './beginning.js';
import { actStep } from './act-step.js';
import { plyStep } from './ply-step.js';
import type { Row, StartData } from './record.js';
import { gameOf, type Fault, type Step, type Table, type TurnUp } from './table.js';

/**
 * Does everything again that the rows tell: the rules play the plies, the arbiter judges the acts and runs the clocks,
 * and each row is compared with what comes of it.
 */

export interface Replay {
  readonly faults: readonly Fault[];
  readonly turnUps: readonly TurnUp[];
  /** The game after the last row; null when a row could not be done again. */
  readonly final: Game<unknown> | null;
  /** How many plies stand at the end. */
  readonly standing: number;
  /** How many rows could be done again. */
  readonly rows: number;
}

export function replayRows(beginning: Beginning, opening: Game<unknown>, control: TimeControl): Replay {
  const { later } = beginning;
  const faults: Fault[] = [];
  const turnUps: TurnUp[] = [];
  let table: Table | null = openedTable(beginning, opening, control);
  let standing = 0;
  let rows = 0;
  for (const version of versionsOf(later)) {
    if (table === null) break;
    const step: Step = stepOf(table, version, beginning);
    faults.push(...step.faults);
    if (step.turnUp !== undefined) turnUps.push(step.turnUp);
    table = step.table;
    standing = table === null ? standing : table.line.length - 1;
    if (table !== null) rows += version.length;
  }
  return { faults, turnUps, final: table === null ? null : gameOf(table), standing, rows };
}

/** The rows of each version. */
function versionsOf(rows: readonly Row[]): readonly (readonly [Row, ...Row[]])[] {
  const versions: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const last = versions.at(-1);
    if (last?.[0].seq === row.seq) last.push(row);
    else versions.push([row]);
  }
  return versions;
}

function stepOf(table: Table, rows: readonly [Row, ...Row[]], beginning: Beginning): Step {
  const { seq } = rows[0];
  const step = rows.some(({ type }) => type === 'ply')
    ? plyStep(table, rows, seq)
    : actStep(table, rows, beginning);
  const jumps = seq !== table.state.version + 1;
  const fault = { check: 'chain' as const, detail: `seq ${seq}: version ${table.state.version + 1} is due` };
  const after = step.table === null ? null : { ...step.table, before: rows };
  return { ...step, table: after, faults: [...(jumps ? [fault] : []), ...step.faults] };
}

function openedTable(beginning: Beginning, game: Game<unknown>, control: TimeControl): Table {
  const { create, start } = beginning;
  const from = start ?? lastBefore(beginning);
  const at = parseInstant(from.at)!;
  const clock = newClock(control);
  const waiting: GameState = {
    status: 'pending',
    version: from.seq,
    plyCount: 0,
    turn: null,
    rated: create.data.rated,
    timeControl: control,
    turnStartedAt: at,
    clock,
    offers: NO_OFFERS,
    takebacks: [],
    outcome: null,
    deadlineAt: seedDeadline(control, at),
    wakeAt: null,
  };
  const state = start === null ? waiting : started(waiting, start.data, at);
  return { state, line: [{ game, row: null, bank: clock.bank }], before: [] };
}

/** Whoever is on vacation at the start has been so since before it. */
function started(waiting: GameState, { onVacationUntil }: StartData, at: number): GameState {
  const absence = (player: Player): Absence | null => {
    const until = onVacationUntil?.[player];
    return until == null ? null : { from: at, until: parseInstant(until)! };
  };
  const away = { first: absence(PLAYERS[0]), second: absence(PLAYERS[1]) };
  return withTurn({ ...waiting, status: 'active', clock: { ...waiting.clock, away } }, 'first', at);
}
