import { play, turnsUp, type Game, type Ply } from '../../rules/play.js';
import type { GameRecord, PlyRow, Takeback } from './record.js';

/** Replays the rows of a record by the rules, with takebacks. */

/** A row that turned a piece up, and where. */
export interface TurnUp {
  readonly row: PlyRow;
  readonly square: string;
}

export interface Replay {
  readonly faults: readonly string[];
  readonly turnUps: readonly TurnUp[];
  /** The game after the last row; null when a row could not be played. */
  readonly final: Game<unknown> | null;
  /** The number of plies at the end, without those taken back. */
  readonly standing: number;
}

/** The game after ply n at index n, with the row that led there. */
type Line = readonly { readonly game: Game<unknown>; readonly row: PlyRow | null }[];

/** What one row or takeback does; `line` is null when nothing after it can be judged. */
interface Step {
  readonly line: Line | null;
  readonly faults: readonly string[];
  readonly turnUp?: TurnUp;
}

export function replayRecord(start: Game<unknown>, record: GameRecord): Replay {
  const faults: string[] = [];
  const turnUps: TurnUp[] = [];
  let line: Line = [{ game: start, row: null }];
  for (const { act } of acts(record)) {
    const step = act(line);
    faults.push(...step.faults);
    if (step.turnUp !== undefined) turnUps.push(step.turnUp);
    if (step.line === null) return { faults, turnUps, final: null, standing: line.length - 1 };
    line = step.line;
  }
  return { faults, turnUps, final: line.at(-1)!.game, standing: line.length - 1 };
}

interface Act {
  readonly seq: number;
  readonly act: (line: Line) => Step;
}

/** Rows and takebacks in order; of two with the same number the row comes first. */
function acts({ plies, takebacks }: GameRecord): readonly Act[] {
  const rows = plies.map((row): Act => ({ seq: row.seq, act: (line) => playRow(line, row) }));
  const returns = (takebacks ?? []).map((back): Act => ({
    seq: back.seq,
    act: (line) => takeBack(line, back),
  }));
  return [...rows, ...returns].sort((a, b) => a.seq - b.seq);
}

function playRow(line: Line, row: PlyRow): Step {
  const { game } = line.at(-1)!;
  const square = turnsUp(game, row.move);
  if (!square.ok) return stopped(row, square.refusal.message);
  const turnUp = square.value === null ? {} : { turnUp: { row, square: square.value } };
  const played = play(game, row.move, row.reveals);
  if (!played.ok) return { ...stopped(row, played.refusal.message), ...turnUp };
  const faults = [...numberFault(line, row), ...differences(row, played.value.ply)];
  return { line: [...line, { game: played.value.game, row }], faults, ...turnUp };
}

const name = (row: PlyRow): string =>
  `ply ${row.ply} (seq ${row.seq}, ${JSON.stringify(row.move.slice(0, 10))})`;

const stopped = (row: PlyRow, why: string): Step => ({ line: null, faults: [`${name(row)}: ${why}`] });

const numberFault = (line: Line, row: PlyRow): readonly string[] =>
  row.ply === line.length ? [] : [`${name(row)} comes where ply ${line.length} is due`];

function differences(row: PlyRow, ply: Ply): readonly string[] {
  const pairs = [
    ['player', row.player, ply.player],
    ['san', row.san, ply.san],
    ['position', row.position, ply.fen],
  ] as const;
  return pairs
    .filter(([, recorded, played]) => recorded !== played)
    .map(
      ([field, recorded, played]) => `${name(row)}: ${field} is "${played}", not "${recorded.slice(0, 120)}"`,
    );
}

/** Source: the design of play, "Conduct": one ply or two, never across a ply that turned a piece up. */
function takeBack(line: Line, { seq, ply }: Takeback): Step {
  const taken = line.slice(ply + 1);
  const faults: string[] = [];
  if (line.at(-1)!.game.outcome !== null) faults.push('it comes after the end of the game');
  if (taken.length < 1 || taken.length > 2) faults.push(`it takes ${taken.length} plies back`);
  if (taken.some(({ row }) => row !== null && row.reveals !== null))
    faults.push('it undoes the turning up of a piece');
  return {
    line: line.slice(0, ply + 1),
    faults: faults.map((fault) => `takeback after seq ${seq}: ${fault}`),
  };
}
