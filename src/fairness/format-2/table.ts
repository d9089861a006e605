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
import type { PlyData, Row } from './record.js';

/** The game as the rows have made it so far, and how a row is compared with what an act makes of it. */

/** A ply that stands, 0 being the opening. */
export interface Standing {
  readonly game: Game<unknown>;
  readonly row: Typed<PlyData> | null;
  readonly bank: Clock['bank'];
}

export interface Table {
  readonly state: GameState;
  /** The game after ply n at index n. */
  readonly line: readonly [Standing, ...Standing[]];
  /** The rows of the version before. */
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

/** What the rows of one version do. */
export interface Step {
  /** Null when nothing after it can be judged. */
  readonly table: Table | null;
  readonly faults: readonly Fault[];
  readonly turnUp?: TurnUp;
}

export const gameOf = ({ line }: Table): Game<unknown> => line.at(-1)!.game;

/** Who made this ply. */
const moverOf = ({ line }: Table, ply: number): Player | null => line[ply]?.row?.player ?? null;

/** An act of a player at a row, with all that acts ask for. */
export function situationAt(
  table: Table,
  { at }: Pick<Row, 'at'>,
  player: Player,
  reason?: unknown,
): Situation {
  const { state, line } = table;
  const { ruleset } = gameOf(table);
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
    lastOwnPly: [count, count - 1].find((ply) => ply > 0 && moverOf(table, ply) === player) ?? 0,
    canWin: ruleset.canWin(position(gameOf(table)), player),
    earlier: back === undefined ? null : { turn: turnIn(back.game), bank: back.bank },
    isPlayed: false,
    claimRefusal: claimRefusal(gameOf(table), reason),
  };
}

export const turnIn = (game: Game<unknown>): Player => game.ruleset.turn(position(game));

function claimRefusal(game: Game<unknown>, reason: unknown): Refusal | null {
  const claimed = CLAIMS.find((each) => each === reason);
  const made = claimed === undefined ? null : claim(game, claimed);
  return made === null || made.ok ? null : made.refusal;
}

export const canWinIn =
  (table: Table) =>
  (player: Player): boolean =>
    gameOf(table).ruleset.canWin(position(gameOf(table)), player);

/** What the clock should have done before somebody acted at `now`; reminders bind nobody. */
export function missed({ state }: Table, now: number): string | null {
  const next = due({ ...state, clock: { ...state.clock, reminded: true } }, now);
  if (next === null || next === 'flag') return null;
  return `${next.log[0]!.type} was due before it`;
}

/** `12 offerDraw`: the version and the type of a row, which name it well enough. */
export const nameOf = ({ seq, type }: Row): string => `seq ${seq}, ${type}`;

/** What the clock sets tells the deadline that it has set; of the acts each says so itself. */
const tellsDeadline = (type: string): boolean =>
  ['vacationStart', 'vacationEnd'].includes(type) || actOf(type as EventType)?.tellsDeadline === true;

/** An act as it was done again: what the log says of it, and the state that it leaves. */
export interface Done {
  readonly log: readonly LogEntry[];
  readonly state: GameState;
  readonly at: number;
}

/** Where the rows of one version, its ply left out, differ from what an act makes. Their order is the chain's matter. */
export function differences(rows: readonly Row[], done: Done): readonly Fault[] {
  const missing = done.log.filter(({ type }) => rows.every((row) => row.type !== type));
  const seq = `seq ${done.state.version}`;
  return [
    ...missing.map(({ type }) => ({ check: checkOf(type), detail: `${seq}: the row ${type} is missing` })),
    ...rows.flatMap((row, at) => {
      const isFirst = rows.findIndex(({ type }) => type === row.type) === at;
      const entry = isFirst ? done.log.find(({ type }) => type === row.type) : undefined;
      return entry === undefined
        ? [{ check: checkOf(row.type), detail: `${nameOf(row)}: it does not follow from what was done` }]
        : rowFaults(row, entry, done);
    }),
  ];
}

const checkOf = (type: string): Check => (type === 'end' ? 'outcome' : 'acts');

function rowFaults(row: Row, { type, player, data = {}, instants = {} }: LogEntry, done: Done): Fault[] {
  const told = tellsDeadline(type) ? { ...instants, deadlineAt: done.state.deadlineAt } : instants;
  const check = checkOf(type);
  const faults: Fault[] = [];
  if (row.player !== player) faults.push({ check, detail: `${nameOf(row)}: the player is ${player}` });
  if (parseInstant(row.at) !== done.at)
    faults.push({ check: 'times', detail: `${nameOf(row)}: it has another time than the clock gives` });
  if (!sameData(row, { ...data, ...told }, Object.keys(told)))
    faults.push({ check: type === 'end' ? check : 'acts', detail: `${nameOf(row)}: its data are other than the act makes` }); // prettier-ignore
  return faults;
}

/** A refusal of the arbiter, under the check that it belongs to. */
export const refusedFault = (what: string, { code, message }: Refusal): Fault => ({
  check: code === 'DEADLINE_PASSED' ? 'times' : 'acts',
  detail: `${what}: it would be refused. ${message}`,
});

/** Did it come with the ply before it, as what was planned does? */
export const isAtOnce = ({ before }: Table, { at }: Pick<Row, 'at'>): boolean =>
  before.some((row) => row.type === 'ply' && row.at === at);

/** The fields that are moments stand in rows as texts. */
const sameData = (row: Row, expected: object, moments: readonly string[]): boolean => {
  const read = Object.entries(row.data).map(([name, value]) => [
    name,
    moments.includes(name) && typeof value === 'string' ? (parseInstant(value) ?? value) : value,
  ]);
  return canonicalJson(Object.fromEntries(read)) === canonicalJson(expected);
};

/** Servers' clocks differ: a moment may lie so long before one that it came behind. */
export const SKEW_MS = 10_000;
