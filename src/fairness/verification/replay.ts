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
import type { Row, StartData } from '../record.js';
import { gameOf, type Fault, type Step, type ReplayState, type TurnUp } from './replay-state.js';

/**
 * Replays all rows: the rules play the plies, the arbiter judges the acts and runs the clocks, and each row is
 * compared with the result.
 */

export interface Replay {
  readonly faults: readonly Fault[];
  readonly turnUps: readonly TurnUp[];
  /** The game after the last row; null if a row could not be replayed. */
  readonly final: Game<unknown> | null;
  /** The number of plies at the end, without those taken back. */
  readonly standing: number;
  /** The number of rows that could be replayed. */
  readonly rows: number;
}

export function replayRows(beginning: Beginning, opening: Game<unknown>, control: TimeControl): Replay {
  const { later } = beginning;
  const faults: Fault[] = [];
  const turnUps: TurnUp[] = [];
  let replay: ReplayState | null = openedState(beginning, opening, control);
  let standing = 0;
  let rows = 0;
  for (const version of versionsOf(later)) {
    if (replay === null) break;
    const step: Step = stepOf(replay, version, beginning);
    faults.push(...step.faults);
    if (step.turnUp !== undefined) turnUps.push(step.turnUp);
    replay = step.replay;
    standing = replay === null ? standing : replay.line.length - 1;
    if (replay !== null) rows += version.length;
  }
  return { faults, turnUps, final: replay === null ? null : gameOf(replay), standing, rows };
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

function stepOf(replay: ReplayState, rows: readonly [Row, ...Row[]], beginning: Beginning): Step {
  const { seq } = rows[0];
  const step = rows.some(({ type }) => type === 'ply')
    ? plyStep(replay, rows, seq)
    : actStep(replay, rows, beginning);
  const jumps = seq !== replay.state.version + 1;
  const fault = { check: 'chain' as const, detail: `seq ${seq}: version ${replay.state.version + 1} is due` };
  const after = step.replay === null ? null : { ...step.replay, before: rows };
  return { ...step, replay: after, faults: [...(jumps ? [fault] : []), ...step.faults] };
}

function openedState(beginning: Beginning, game: Game<unknown>, control: TimeControl): ReplayState {
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

/** A player who is on vacation at the start has been so since before it. */
function started(waiting: GameState, { onVacationUntil }: StartData, at: number): GameState {
  const absence = (player: Player): Absence | null => {
    const until = onVacationUntil?.[player];
    return until == null ? null : { from: at, until: parseInstant(until)! };
  };
  const away = { first: absence(PLAYERS[0]), second: absence(PLAYERS[1]) };
  return withTurn({ ...waiting, status: 'active', clock: { ...waiting.clock, away } }, 'first', at);
}
