import { actOf, type EventType } from '../../arbiter/acts/registry.js';
import type { Situation } from '../../arbiter/acts/situation.js';
import type { Clock } from '../../arbiter/clock.js';
import { due } from '../../arbiter/clock-acts.js';
import type { GameState, LogEntry } from '../../arbiter/state.js';
import type { Check } from '../finding.js';
import { canonicalJson } from '../json.js';
import { parseInstant } from '../instant.js';
import { position, type Game } from '../../rules/play.js';
import type { Refusal } from '../../rules/result.js';
import { CLAIMS, type Player } from '../../rules/ruleset.js';
import { claim } from '../../rules/claims.js';
import type { Typed } from './beginning.js';
import type { PlyData, Row } from '../record.js';

/** The state of a replay, and the comparison of rows with the results of acts. */

/** The game after a ply, 0 being the opening. */
export interface Standing {
  readonly game: Game<unknown>;
  readonly row: Typed<PlyData> | null;
  readonly bank: Clock['bank'];
}

export interface ReplayState {
  readonly state: GameState;
  /** The game after ply n at index n. */
  readonly line: readonly [Standing, ...Standing[]];
  /** The rows of the previous version. */
  readonly before: readonly Row[];
}

export interface Fault {
  readonly check: Check;
  readonly detail: string;
}

/** A row that turned a piece up, and where. */
export interface TurnUp {
  readonly row: Typed<PlyData>;
  readonly square: string;
}

/** The effect of the rows of one version. */
export interface Step {
  /** Null when nothing after it can be judged. */
  readonly replay: ReplayState | null;
  readonly faults: readonly Fault[];
  readonly turnUp?: TurnUp;
}

export const gameOf = ({ line }: ReplayState): Game<unknown> => line.at(-1)!.game;

/** Who made this ply. */
const moverOf = ({ line }: ReplayState, ply: number): Player | null => line[ply]?.row?.player ?? null;

/** The situation of a player at a row, with all facts that acts need. */
export function situationAt(
  replay: ReplayState,
  { at }: Pick<Row, 'at'>,
  player: Player,
  reason?: unknown,
): Situation {
  const { state, line } = replay;
  const { ruleset } = gameOf(replay);
  const count = line.length - 1;
  const offered = state.offers.takeback?.ply;
  const back = offered === undefined ? undefined : line[offered];
  return {
    state,
    player,
    now: parseInstant(at)!,
    lastTurnUp: Math.max(
      0,
      line.findLastIndex(({ row: ply }) => ply !== null && ply.data.reveals !== null),
    ),
    lastOwnPly: [count, count - 1].find((ply) => ply > 0 && moverOf(replay, ply) === player) ?? 0,
    canWin: ruleset.canWin(position(gameOf(replay)), player),
    earlier: back === undefined ? null : { turn: turnIn(back.game), bank: back.bank },
    isPlayed: false,
    claimRefusal: claimRefusal(gameOf(replay), reason),
  };
}

export const turnIn = (game: Game<unknown>): Player => game.ruleset.turn(position(game));

function claimRefusal(game: Game<unknown>, reason: unknown): Refusal | null {
  const claimed = CLAIMS.find((each) => each === reason);
  const made = claimed === undefined ? null : claim(game, claimed);
  return made === null || made.ok ? null : made.refusal;
}

export const canWinIn =
  (replay: ReplayState) =>
  (player: Player): boolean =>
    gameOf(replay).ruleset.canWin(position(gameOf(replay)), player);

/** What the clock should have done before `now`, ignoring reminders; or null. */
export function missed({ state }: ReplayState, now: number): string | null {
  const next = due({ ...state, clock: { ...state.clock, reminded: true } }, now);
  if (next === null || next === 'flag') return null;
  return `${next.log[0]!.type} was due before it`;
}

/** A row in messages, by its version and type. */
export const nameOf = ({ seq, type }: Row): string => `seq ${seq}, ${type}`;

/** True if rows of this type record the deadline. */
const logsDeadline = (type: string): boolean =>
  ['vacationStart', 'vacationEnd'].includes(type) || actOf(type as EventType)?.logsDeadline === true;

/** The result of repeating an act. */
export interface Done {
  readonly log: readonly LogEntry[];
  readonly state: GameState;
  readonly at: number;
}

/**
 * The differences between the rows of one version, without its ply, and the result of an act. The chain covers their
 * order.
 */
export function differences(rows: readonly Row[], done: Done): readonly Fault[] {
  const missing = done.log.filter(({ type }) => rows.every((row) => row.type !== type));
  const seq = `seq ${done.state.version}`;
  return [
    ...missing.map(({ type }) => ({ check: checkOf(type), detail: `${seq}: the row ${type} is missing` })),
    ...rows.flatMap((row, at) => {
      const isFirst = rows.findIndex(({ type }) => type === row.type) === at;
      const entry = isFirst ? done.log.find(({ type }) => type === row.type) : undefined;
      return entry === undefined
        ? [
            {
              check: checkOf(row.type),
              detail: `${nameOf(row)}: it does not follow from the other rows of its version`,
            },
          ]
        : rowFaults(row, entry, done);
    }),
  ];
}

const checkOf = (type: string): Check => (type === 'end' ? 'outcome' : 'acts');

function rowFaults(row: Row, { type, player, data = {}, instants = {} }: LogEntry, done: Done): Fault[] {
  const told = logsDeadline(type) ? { ...instants, deadlineAt: done.state.deadlineAt } : instants;
  const check = checkOf(type);
  const faults: Fault[] = [];
  if (row.player !== player) faults.push({ check, detail: `${nameOf(row)}: the player must be ${player}` });
  if (parseInstant(row.at) !== done.at)
    faults.push({ check: 'times', detail: `${nameOf(row)}: its time is not the one that the clock gives` });
  if (!sameData(row, { ...data, ...told }, Object.keys(told)))
    faults.push({ check: type === 'end' ? check : 'acts', detail: `${nameOf(row)}: its data differ from those that the act makes` }); // prettier-ignore
  return faults;
}

/** A refusal of the arbiter as a fault of the right check. */
export const refusedFault = (what: string, { code, message }: Refusal): Fault => ({
  check: code === 'DEADLINE_PASSED' ? 'times' : 'acts',
  detail: `${what}: it would be refused: ${message}`,
});

/** True if it has the time of a ply of the previous version, as conditional moves do. */
export const isAtOnce = ({ before }: ReplayState, { at }: Pick<Row, 'at'>): boolean =>
  before.some((row) => row.type === 'ply' && row.at === at);

/** Compares data; rows store instants as texts. */
const sameData = (row: Row, expected: object, moments: readonly string[]): boolean => {
  const read = Object.entries(row.data).map(([name, value]) => [
    name,
    moments.includes(name) && typeof value === 'string' ? (parseInstant(value) ?? value) : value,
  ]);
  return canonicalJson(Object.fromEntries(read)) === canonicalJson(expected);
};

/** How much earlier than the previous row a time may be, since clocks of servers differ. */
export const SKEW_MS = 10_000;
