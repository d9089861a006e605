import { scoreOf } from '../../src/formats/formats.js';
import type { Head, Score } from '../../src/formats/score.js';
import { opponent, type Outcome } from '../../src/rules/ruleset.js';
import { vectors, type GameLine } from '../support/vectors.js';

/** The games of the vectors as scores. */

/** A head with something of everything, and with what tags must escape. */
export const HEAD: Partial<Head> = {
  id: '01920000-0000-7000-8000-000000000001',
  event: 'The "Quiet" \\ Room',
  site: 'Halfmove',
  players: { first: 'Ada \\"L\\"', second: '李 白' },
  timeControl: { type: 'bank', initial: 259_200, increment: 3600, cap: 604_800, noVacation: true },
  startedAt: '2026-01-31T09:05:00Z',
  endedAt: '2026-02-28T23:59:59Z',
  tags: { Annotator: '[%clk] {no} (comment)', WhiteElo: '1500' },
};

/** What is still face-down at a start in the middle of a game. */
function faceDownOf({ start, deal }: GameLine): string | null {
  if (start === null || deal == null) return null;
  const rows = start
    .split(' ', 1)[0]!
    .replace(/[0-9]/g, (run) => '.'.repeat(Number(run)))
    .split('/');
  const cells = rows.reverse().join('');
  return [...deal].filter((_, square) => cells[square] === 'x').join('');
}

function outcomeOf({ end, outcome }: GameLine): Outcome | null {
  if (end?.type !== 'resignation') return outcome;
  return { winner: opponent(end.player), reason: 'resignation' };
}

/** The score of a line, three of four plies with their time, every third one with a clock, every fifth one automatic. */
export function scoreOfLine(line: GameLine, head: Partial<Head> = HEAD): Score {
  const plies = line.plies.map(({ move, reveals }, index) => ({
    move,
    reveals: reveals ?? null,
    timeUsed: index % 4 === 3 ? null : index * 601,
    clock: index % 3 === 0 ? 100_000 - index * 7 : null,
    automatic: index % 5 === 4,
  }));
  const { ruleset, options, setup, start } = line;
  const origin = { ruleset, options, setup: setup ?? null, start, faceDown: faceDownOf(line) };
  const score = scoreOf(origin, plies, outcomeOf(line), head);
  if (!score.ok) throw new Error(`${line.id}: ${score.refusal.message}`);
  return score.value;
}

export const scoresOf = (ruleset: string): readonly Score[] =>
  vectors<GameLine>(`games.${ruleset}.jsonl`).map((line) => scoreOfLine(line));
