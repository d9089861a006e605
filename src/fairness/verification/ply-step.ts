import { rule } from '../../arbiter/acts/act.js';
import { claimDraw } from '../../arbiter/acts/claim-draw.js';
import { makeMove } from '../../arbiter/acts/make-move.js';
import { afterPly, timeUsed } from '../../arbiter/ply.js';
import { claimWith } from '../../rules/claims.js';
import { play, turnsUp, type Ply } from '../../rules/play.js';
import { CLAIMS, type Claim } from '../../rules/ruleset.js';
import { parseInstant } from '../instant.js';
import { typed, type Typed } from './beginning.js';
import type { PlyData, Row } from '../record.js';
import {
  differences,
  gameOf,
  isAtOnce,
  missed,
  refusedFault,
  situationAt,
  SKEW_MS,
  turnIn,
  type Fault,
  type Step,
  type ReplayState,
} from './replay-state.js';

/** Replays a version with a ply and what its player did with it. */

type PlyRow = Typed<PlyData>;

export function plyStep(replay: ReplayState, rows: readonly [Row, ...Row[]], seq: number): Step {
  const [row, ...others] = rows.filter(({ type }) => type === 'ply').map(typed<PlyData>) as [PlyRow, ...PlyRow[]]; // prettier-ignore
  const game = gameOf(replay);
  const { move, reveals } = row.data;
  const square = turnsUp(game, move);
  if (!square.ok) return stopped(row, square.refusal.message);
  const turnUp = square.value === null ? {} : { turnUp: { row, square: square.value } };
  const played = play(game, move, reveals);
  if (!played.ok) return { ...stopped(row, played.refusal.message), ...turnUp };
  const { player } = played.value.ply;
  if (replay.state.turn === null) return stopped(row, 'no player is to move');

  const events = rows.filter((other) => other.type !== 'ply');
  const manner = mannerOf(rows, row);
  const outcome = manner.claim === null ? played.value.game.outcome : ({ winner: null, reason: manner.claim } as const); // prettier-ignore
  const after = manner.claim === null ? played.value.game : { ...played.value.game, outcome };
  const at = parseInstant(row.at)!;
  const done = afterPly(replay.state, player, { ...manner, then: outcome ?? turnIn(after) }, at);
  const state = { ...done.state, version: seq };
  return {
    replay: {
      state,
      line: [...replay.line, { game: after, row, bank: state.clock.bank }],
      before: rows,
    },
    faults: [
      ...others.map((other) => ({ check: 'plies' as const, detail: `${name(other)}: its version already has a ply` })), // prettier-ignore
      ...plyFaults(replay, row, played.value.ply),
      ...allowed(replay, row, rows, manner.claim),
      ...timeFaults(replay, row, at),
      ...differences(events, { ...done, state }),
    ],
    ...turnUp,
  };
}

const name = ({ seq, data }: PlyRow): string => `ply ${data.ply} (seq ${seq}, ${JSON.stringify(data.move.slice(0, 10))})`; // prettier-ignore

const stopped = (row: PlyRow, why: string): Step => ({
  replay: null,
  faults: [{ check: 'plies', detail: `${name(row)}: ${why}` }],
});

interface Manner {
  readonly offersDraw: boolean;
  readonly claim: Claim | null;
}

/** The draw offer and the claim made with the ply. */
function mannerOf(rows: readonly Row[], { player }: PlyRow): Manner {
  const reason = rows.find(({ type }) => type === 'claimDraw')?.data['reason'];
  return {
    offersDraw: rows.some((row) => row.type === 'offerDraw' && row.player === player),
    claim: CLAIMS.find((claim) => claim === reason) ?? null,
  };
}

function plyFaults({ line }: ReplayState, row: PlyRow, ply: Ply): readonly Fault[] {
  const pairs = [
    ['ply', row.data.ply, line.length],
    ['player', row.player, ply.player],
    ['san', row.data.san, ply.san],
    ['position', row.data.position, ply.fen],
  ] as const;
  return pairs
    .filter(([, recorded, played]) => recorded !== played)
    .map(([field, recorded, played]) => ({
      check: 'plies',
      detail: `${name(row)}: ${field} is "${played}", not "${String(recorded).slice(0, 120)}"`,
    }));
}

/** The refusals of the arbiter. */
function allowed(
  replay: ReplayState,
  row: PlyRow,
  rows: readonly Row[],
  claim: Claim | null,
): readonly Fault[] {
  const { player } = row;
  if (player === null) return [];
  const { ply, move } = row.data;
  const situation = { ...situationAt(replay, row, player), claimRefusal: null };
  const offerDraw = mannerOf(rows, row).offersDraw;
  const ruled =
    claim === null
      ? rule(makeMove, { ...situation, ply, ...{ move, offerDraw } })
      : rule(claimDraw, { ...situation, ...{ move, reason: claim } });
  const claimed = claim === null ? null : claimWith(gameOf(replay), claim, move);
  const refusals = [ruled, claimed].flatMap((made) => (made === null || made.ok ? [] : [made.refusal]));
  return refusals.map((refusal) => refusedFault(name(row), refusal));
}

function timeFaults(replay: ReplayState, row: PlyRow, at: number): readonly Fault[] {
  const used = timeUsed(replay.state, at);
  const due = missed(replay, at);
  const faults = [
    ...(row.data.timeUsed === used ? [] : [`timeUsed is ${used}, not ${row.data.timeUsed}`]),
    ...(at < replay.state.turnStartedAt - SKEW_MS ? ['it comes before its turn began'] : []),
    ...(row.data.automatic && !isAtOnce(replay, row)
      ? ['a conditional move must have the time of the ply that it answers']
      : []),
    ...(due === null ? [] : [due]),
  ];
  return faults.map((fault) => ({ check: 'times', detail: `${name(row)}: ${fault}` }));
}
