import { accept, type Refusal, type RefusalCode, type Result } from '../../rules/result.js';
import type { Claim, MoveFormat, Player } from '../../rules/ruleset.js';
import type { Clock } from '../clock.js';
import type { OfferKind } from '../offers.js';
import { decide, type Decision, type LogEntry, type GameState } from '../state.js';
import { codesOf, sameVersion, type Condition } from './conditions.js';
import type { Fields, InputOf } from './input.js';
import type { Facts, Need, Situation } from './situation.js';

/**
 * The definition of an act of a player. Its mutation, route, event, notification and refusals are derived from it.
 */

/** A move for the rules to judge. */
export interface MoveToPlay {
  /** As the player wrote it. */
  readonly play: string;
  readonly format: MoveFormat | null;
  readonly offersDraw: boolean;
  /** The draw claimed with the move. */
  readonly claim: Claim | null;
  /** The conditional moves sent with it, not yet parsed. */
  readonly plan: unknown;
}

/** What an allowed act leads to: no change because it was done before, a move, or a change of the state. */
export type Ruling = 'unchanged' | MoveToPlay | Decision;

export const isMove = (ruling: Ruling): ruling is MoveToPlay => ruling !== 'unchanged' && 'play' in ruling;
export const isDecision = (ruling: Ruling): ruling is Decision => ruling !== 'unchanged' && 'state' in ruling;

/** The notification that the opponent gets of an act, with these fields of its event's data. */
export interface OpponentNotice<Notice extends string = string> {
  readonly notice: Notice;
  readonly with: readonly string[];
  /** Of a notification that is obsolete once its recipient has moved: whether the turn can have one. */
  readonly untilMoved?: (clock: Clock) => boolean;
}

/** An input with which the act is possible now, shown to clients. */
export interface Proposal {
  readonly ply?: number;
  readonly offerDraw?: true;
  readonly reason?: Claim;
  readonly move?: string | null;
}

export interface ProposalContext {
  readonly state: GameState;
  /** The claims open to the side to move. */
  readonly claims: () => readonly { readonly reason: Claim; readonly move: string | null }[];
}

/** The state from which a test makes inputs for an act. */
export interface SampleContext {
  readonly state: GameState;
  readonly player: Player;
  /** Legal moves of the side to move. */
  readonly legal: readonly string[];
}

interface Spec<Name extends string, F extends Fields, N extends Need, Notice extends string> {
  /** The name of the mutation and of the event, if it logs one. */
  readonly name: Name;
  /** The path of the route, after that of the game. */
  readonly path: string;
  readonly description: string;
  readonly input?: F;
  readonly needs?: readonly N[];
  /** Checked in this order; the first that fails gives the refusal. */
  readonly conditions: readonly Condition[];
  /** True if it was done before: then nothing is refused and nothing changes. */
  readonly done?: (situation: Situation & InputOf<F> & Pick<Facts, N>) => boolean;
  /** The act that this one stands for in the situation, such as accepting instead of offering. */
  readonly becomes?: (situation: Situation) => Act | null;
  readonly apply: (situation: Situation & InputOf<F> & Pick<Facts, N>) => Ruling;
  readonly offers?: OfferKind;
  readonly accepts?: OfferKind;
  readonly declines?: OfferKind;
  readonly notifies?: OpponentNotice<Notice>;
  /** Whether it makes a ply: always, or only if its input has a move. */
  readonly plays?: 'always' | 'withMove';
  /** True if it ends the game. */
  readonly ends?: true;
  /** True if its event records the new deadline of the turn. */
  readonly logsDeadline?: true;
  /** Inputs to try, to find out what a player may do now. */
  readonly proposals?: (on: ProposalContext) => readonly Proposal[];
  /** Right and wrong inputs for tests. */
  readonly samples?: (on: SampleContext) => readonly Readonly<Record<string, unknown>>[];
}

export interface Act<Name extends string = string, Notice extends string = string> {
  readonly name: Name;
  readonly path: string;
  readonly description: string;
  readonly input: Fields;
  readonly needs: readonly Need[];
  readonly conditions: readonly Condition[];
  readonly done: (situation: Situation) => boolean;
  readonly becomes: (situation: Situation) => Act | null;
  readonly apply: (situation: Situation) => Ruling;
  readonly offers: OfferKind | null;
  readonly accepts: OfferKind | null;
  readonly declines: OfferKind | null;
  readonly notifies: OpponentNotice<Notice> | null;
  readonly plays: 'always' | 'withMove' | null;
  readonly ends: boolean;
  readonly logsDeadline: boolean;
  readonly proposals: (on: ProposalContext) => readonly Proposal[];
  readonly samples: (on: SampleContext) => readonly Readonly<Record<string, unknown>>[];
}

/** Makes an act. A stale version is checked last, unless the act lists that condition itself. */
export function act<
  const Name extends string,
  const F extends Fields = Record<never, never>,
  N extends Need = never,
  const Notice extends string = never,
>(spec: Spec<Name, F, N, Notice>): Act<Name, Notice> {
  const { conditions, description } = spec;
  // Safe: callers supply the facts that an act needs.
  const given = spec as unknown as Partial<Act<Name, Notice>> &
    Pick<Act<Name, Notice>, 'name' | 'path' | 'apply'>;
  return {
    ...UNSAID,
    ...given,
    description,
    conditions: conditions.includes(sameVersion) ? conditions : [...conditions, sameVersion],
  };
}

/** The defaults of an act. */
const UNSAID = {
  input: {},
  needs: [],
  done: () => false,
  becomes: () => null,
  offers: null,
  accepts: null,
  declines: null,
  notifies: null,
  plays: null,
  ends: false,
  logsDeadline: false,
  proposals: () => [{}],
  samples: () => [{}],
} as const;

/** The codes with which the rules refuse a move, and conditional moves sent with it. */
const OF_MOVES: readonly RefusalCode[] = ['ILLEGAL_MOVE', 'AMBIGUOUS_MOVE'];
export const OF_PLANS: readonly RefusalCode[] = ['INVALID_CONDITIONAL_MOVES', 'INVALID_REVEAL'];

/**
 * The codes with which an act may be refused. The act that it becomes adds none: the offer that it answers is open.
 */
export const refusalsOf = ({ conditions, plays, input }: Act): readonly RefusalCode[] => [
  ...codesOf(conditions),
  ...(plays === null ? [] : OF_MOVES),
  ...(Object.values(input).some(({ kind }) => kind === 'tree') ? OF_PLANS : []),
];

/** The first condition that fails, or null. */
export function refusalFor({ conditions }: Pick<Act, 'conditions'>, situation: Situation): Refusal | null {
  for (const condition of conditions) {
    const refusal = condition(situation);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Applies an act to a situation. */
export function rule(given: Act, situation: Situation): Result<Ruling> {
  const asked = given.becomes(situation) ?? given;
  if (asked.done(situation)) return accept('unchanged');
  const refusal = refusalFor(asked, situation);
  return refusal === null ? accept(asked.apply(situation)) : { ok: false, refusal };
}

/** True if the act would be accepted and change something. The legality of a move is not checked. */
export function isOpen(given: Act, situation: Situation): boolean {
  const asked = given.becomes(situation) ?? given;
  return !asked.done(situation) && refusalFor(asked, situation) === null;
}

/** The log entry of an act. */
export const logged = (type: string, player: Player, more: Partial<LogEntry> = {}): LogEntry => ({
  type,
  player,
  ...more,
});

/** The player makes an offer of this kind. */
export const offering =
  (kind: Exclude<OfferKind, 'takeback'>, type: string) =>
  ({ state, player, now }: Situation): Decision =>
    decide(
      state,
      { offers: { ...state.offers, [kind]: { by: player, at: now } } },
      [logged(type, player)],
      now,
    );

/** The player declines the offer of this kind. */
export const declining =
  (kind: OfferKind, type: string) =>
  ({ state, player, now }: Situation): Decision =>
    decide(state, { offers: { ...state.offers, [kind]: null } }, [logged(type, player)], now);
