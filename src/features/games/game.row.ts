import type { Principal } from '../auth/principal.js';
import type { AnyPlayer } from '../users/users.model.js';
import type { Plan } from '../../arbiter/conditional-moves.js';
import type { Clock } from '../../arbiter/clock.js';
import type { Situation } from '../../arbiter/acts/situation.js';
import type { EventType } from '../../arbiter/acts/registry.js';
import { NO_OFFERS, type Offers } from '../../arbiter/offers.js';
import type { Status, GameState, Takeback } from '../../arbiter/state.js';
import type { TimeControl } from '../../arbiter/time-control.js';
import { awaitedOf, seedOf, type DealtGame } from '../../engine/deals.service.js';
import type { Role } from '../../fairness/deal.js';
import { clientSeedHash } from '../../fairness/commitment.js';
import type { StoredGame } from '../../engine/stored-game.js';
import type { Proof } from '../../fairness/merkle.js';
import { opponent, type Outcome, type Player, type Reason } from '../../rules/ruleset.js';
import type { UnratedReason } from './unrated.js';

/** The rows of a game in memory. */

/** What decided the sides: a player's wish, who had the first side less often, or the seeds. */
export type SidesBy = 'wish' | 'balance' | 'seeds';

export interface GameRow extends StoredGame {
  readonly timeControl: TimeControl;
  readonly rated: boolean;
  readonly firstId: string;
  readonly secondId: string;
  readonly status: Status;
  readonly version: number;
  readonly plyCount: number;
  readonly turn: Player | null;
  readonly termsHash: string;
  /** The hash of the newest row of the chain. */
  readonly headHash: string;
  readonly commitment: string;
  readonly dealRoot: string | null;
  /** What decided the sides. */
  readonly sidesBy: SidesBy;
  readonly turnStartedAt: Date;
  readonly deadlineAt: Date | null;
  readonly clock: Clock;
  readonly offers: Offers;
  readonly takebacks: readonly Takeback[];
  /** When the clock next has something to do other than running out. */
  readonly wakeAt: Date | null;
  /** The id of the state of both players' conditional moves, new with each change; every commit checks it. */
  readonly plans: string;
  /** Conditional moves, secret to their owner. */
  readonly firstPlan: Plan | null;
  readonly secondPlan: Plan | null;
  readonly winner: Player | null;
  readonly reason: Reason | null;
  /** Why the game was not rated; null if it was, or if it is still running. */
  readonly unrated: UnratedReason | null;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
  /** The application that reads the game and its messages: that of its players who have one. */
  readonly applicationId: string | null;
  /** The application's own name for a game that it made. */
  readonly externalId: string | null;
}

export interface PlyRow {
  readonly gameId: string;
  readonly seq: number;
  readonly ply: number;
  readonly player: Player;
  readonly move: string;
  readonly reveals: string | null;
  readonly captured: string | null;
  readonly san: string;
  readonly position: string;
  /** Whole seconds. */
  readonly timeUsed: number;
  /** Whole seconds in the player's bank after the ply; null without a bank. */
  readonly clock: number | null;
  readonly automatic: boolean;
  readonly playedAt: Date;
  readonly previousHash: string;
  readonly hash: string;
  readonly proof: Proof | null;
}

export interface EventRow {
  readonly gameId: string;
  readonly seq: number;
  readonly type: EventType;
  readonly player: Player | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
  /** Its place in the chain; null in the first row. */
  readonly previousHash: string | null;
  readonly hash: string;
}

/** What happened to a player's conditional moves, secret to their owner. */
export interface PlanNews {
  readonly player: Player;
  readonly type: 'conditionalPlayed' | 'conditionalDropped';
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** One or more steps of a game, to be committed together against the version that they were judged on. */
export interface Transition {
  readonly before: GameRow;
  /** The row to store; each step adds one to its version. */
  readonly after: GameRow;
  readonly plies: readonly PlyRow[];
  readonly events: readonly EventRow[];
  /** Notifications that do not follow from the other parts. */
  readonly planNews: readonly PlanNews[];
  /** True for a transition by the clock, the only kind that may be stored after a deadline. */
  readonly byClock: boolean;
}

export const playerOf = (row: Pick<GameRow, 'firstId' | 'secondId'>, userId: string): Player | null => {
  if (row.firstId === userId) return 'first';
  return row.secondId === userId ? 'second' : null;
};

export const userOf = (
  { firstId, secondId }: Pick<GameRow, 'firstId' | 'secondId'>,
  player: Player,
): string => (player === 'first' ? firstId : secondId);

/** A value for each player. */
export type Seated<T> = Readonly<Record<Player, T>>;

export const seatOfRole = ({ creator }: Pick<GameRow, 'creator'>, role: Role): Player =>
  role === 'creator' ? creator : opponent(creator);

export const roleOf = (row: Pick<GameRow, 'creator'>, player: Player): Role =>
  row.creator === player ? 'creator' : 'accepter';

export const SEED_STATES = ['sealed', 'given', 'leftToServer'] as const;
export type SeedState = (typeof SEED_STATES)[number];

/** The state of a player's client seed. */
export function seedStateOf(row: Omit<DealtGame, 'id' | 'ruleset' | 'options'>, role: Role): SeedState {
  if (awaitedOf(row).includes(role)) return 'sealed';
  return seedOf(row, role) === null ? 'leftToServer' : 'given';
}

/** The hash of a player's client seed, announced or given; null if left to the server. */
export function seedHashOf(row: GameRow, role: Role): string | null {
  const given = seedOf(row, role);
  if (given !== null) return clientSeedHash(given);
  return role === 'creator' ? row.clientSeedHash : row.accepterSeedHash;
}

/** The viewer's seat; null if not a player or not signed in. */
export const seatOf = (
  row: Pick<GameRow, 'firstId' | 'secondId'>,
  viewer: Principal | null,
): Player | null => (viewer === null ? null : playerOf(row, viewer.userId));

export const planOf = ({ firstPlan, secondPlan }: GameRow, player: Player): Plan | null =>
  player === 'first' ? firstPlan : secondPlan;

/** The column that holds a player's plan. */
export const withPlan = (
  player: Player,
  plan: Plan | null,
): Pick<GameRow, 'firstPlan'> | Pick<GameRow, 'secondPlan'> =>
  player === 'first' ? { firstPlan: plan } : { secondPlan: plan };

export const outcomeOf = ({ winner, reason }: Pick<GameRow, 'winner' | 'reason'>): Outcome | null =>
  reason === null ? null : { winner, reason };

/** A game as shown: with what its clock has done by now. */
export interface ShownGame extends GameRow {
  /** What the clock has done but is not stored yet; absent if nothing. */
  readonly unstored?: Transition;
  /** For the answer to an act: what is known from storing it and need not be read. */
  readonly known?: { readonly players: readonly AnyPlayer[]; readonly lastPly: PlyRow | undefined };
}

export const storedRow = (row: ShownGame): GameRow => row.unstored?.before ?? row;

/** The row as the arbiter sees it. */
export const stateOf = (row: GameRow): GameState => ({
  status: row.status,
  version: row.version,
  plyCount: row.plyCount,
  turn: row.turn,
  rated: row.rated,
  timeControl: row.timeControl,
  turnStartedAt: row.turnStartedAt.getTime(),
  clock: row.clock,
  // A row stored before a kind of offer was added lacks it.
  offers: { ...NO_OFFERS, ...row.offers },
  takebacks: row.takebacks,
  outcome: outcomeOf(row),
  deadlineAt: row.deadlineAt?.getTime() ?? null,
  wakeAt: row.wakeAt?.getTime() ?? null,
});

/** A player and their game as the arbiter sees them. */
export const situationOf = ({
  row,
  player,
  now,
}: {
  readonly row: GameRow;
  readonly player: Player;
  readonly now: Date;
}): Situation => ({ state: stateOf(row), player, now: now.getTime() });

type ArbiterColumns = Pick<
  GameRow,
  | 'status'
  | 'plyCount'
  | 'turn'
  | 'turnStartedAt'
  | 'clock'
  | 'offers'
  | 'takebacks'
  | 'deadlineAt'
  | 'wakeAt'
  | 'winner'
  | 'reason'
>;

/** The columns that the arbiter determines. */
export const arbiterColumns = (state: GameState): ArbiterColumns => ({
  status: state.status,
  plyCount: state.plyCount,
  turn: state.turn,
  turnStartedAt: new Date(state.turnStartedAt),
  clock: state.clock,
  offers: state.offers,
  takebacks: state.takebacks,
  deadlineAt: dateOf(state.deadlineAt),
  wakeAt: dateOf(state.wakeAt),
  winner: state.outcome?.winner ?? null,
  reason: state.outcome?.reason ?? null,
});

const dateOf = (instant: number | null): Date | null => (instant === null ? null : new Date(instant));
