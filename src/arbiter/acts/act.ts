import { accept, type Refusal, type RefusalCode, type Result } from '../../rules/result.js';
import type { Claim, MoveFormat, Player } from '../../rules/ruleset.js';
import type { OfferKind } from '../offers.js';
import { decide, type Decision, type LogEntry, type GameState } from '../state.js';
import { codesOf, sameVersion, type Condition } from './conditions.js';
import type { Fields, InputOf } from './input.js';
import type { Facts, Need, Situation } from './situation.js';

/** What an act of a player is, told once: mutation, route, event, notification and refusals follow from it. */

/** A move for the rules to judge. */
export interface MoveToPlay {
  /** As it came in. */
  readonly play: string;
  readonly format: MoveFormat | null;
  readonly offersDraw: boolean;
  /** The draw that is claimed with it. */
  readonly claim: Claim | null;
  /** Conditional moves that came with it, as they came in. */
  readonly plan: unknown;
}

/** An act that is allowed has nothing to change because it was done before, plays a move, or changes the state. */
export type Ruling = 'unchanged' | MoveToPlay | Decision;

export const isMove = (ruling: Ruling): ruling is MoveToPlay => ruling !== 'unchanged' && 'play' in ruling;
export const isDecision = (ruling: Ruling): ruling is Decision => ruling !== 'unchanged' && 'state' in ruling;

/** What the opponent is told of an act, with these of its event's data. */
export interface Telling<Notice extends string = string> {
  readonly notice: Notice;
  readonly with: readonly string[];
  /** It is of no interest any more once the one who is told has moved. */
  readonly untilMoved?: true;
}

/** What a player who may do an act may send with it. */
export interface Proposal {
  readonly ply?: number;
  readonly offerDraw?: true;
  readonly reason?: Claim;
  readonly move?: string | null;
}

/** What proposals are made of. */
export interface Proposing {
  readonly state: GameState;
  /** The claims that the rules allow whoever is to move. */
  readonly claims: () => readonly { readonly reason: Claim; readonly move: string | null }[];
}

/** What to try an act with. */
export interface Sampled {
  readonly state: GameState;
  readonly player: Player;
  /** Moves that the rules allow whoever is to move. */
  readonly legal: readonly string[];
}

interface Spec<Name extends string, F extends Fields, N extends Need, Notice extends string> {
  /** Of the mutation and, unless it logs none, of the event. */
  readonly name: Name;
  /** Of the route, behind the address of the game. */
  readonly path: string;
  readonly description: string;
  readonly input?: F;
  readonly needs?: readonly N[];
  /** In this order: the first that fails speaks. */
  readonly conditions: readonly Condition[];
  /** Was it done before? Then nothing is refused and nothing changes. */
  readonly done?: (situation: Situation & InputOf<F> & Pick<Facts, N>) => boolean;
  /** The act that it is as things stand. */
  readonly becomes?: (situation: Situation) => Act | null;
  readonly apply: (situation: Situation & InputOf<F> & Pick<Facts, N>) => Ruling;
  readonly offers?: OfferKind;
  readonly accepts?: OfferKind;
  readonly declines?: OfferKind;
  readonly tells?: Telling<Notice>;
  /** Does it make a ply: always, or where its input has a move? */
  readonly plays?: 'always' | 'withMove';
  /** Does it end the game by the player's own hand? */
  readonly ends?: true;
  /** Does its event say which deadline the turn has now? */
  readonly tellsDeadline?: true;
  /** The inputs that it makes sense with now; they are tried to tell a player what he may do. */
  readonly proposals?: (on: Proposing) => readonly Proposal[];
  /** Inputs that are right or wrong; one without any is always tried. */
  readonly samples?: (on: Sampled) => readonly Readonly<Record<string, unknown>>[];
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
  readonly tells: Telling<Notice> | null;
  readonly plays: 'always' | 'withMove' | null;
  readonly ends: boolean;
  readonly tellsDeadline: boolean;
  readonly proposals: (on: Proposing) => readonly Proposal[];
  readonly samples: (on: Sampled) => readonly Readonly<Record<string, unknown>>[];
}

/** An act; a version that has passed stands against it when nothing else does, unless it says so earlier itself. */
export function act<
  const Name extends string,
  const F extends Fields = Record<never, never>,
  N extends Need = never,
  const Notice extends string = never,
>(spec: Spec<Name, F, N, Notice>): Act<Name, Notice> {
  const { conditions, description } = spec;
  // Whoever calls it hands it what it asks for.
  const given = spec as unknown as Partial<Act<Name, Notice>> &
    Pick<Act<Name, Notice>, 'name' | 'path' | 'apply'>;
  return {
    ...UNSAID,
    ...given,
    description,
    conditions: conditions.includes(sameVersion) ? conditions : [...conditions, sameVersion],
  };
}

/** An act of which nothing more is said. */
const UNSAID = {
  input: {},
  needs: [],
  done: () => false,
  becomes: () => null,
  offers: null,
  accepts: null,
  declines: null,
  tells: null,
  plays: null,
  ends: false,
  tellsDeadline: false,
  proposals: () => [{}],
  samples: () => [{}],
} as const;

/** What the rules may refuse of a move, and of conditional moves that come with it. */
const OF_MOVES: readonly RefusalCode[] = ['ILLEGAL_MOVE', 'AMBIGUOUS_MOVE'];
export const OF_PLANS: readonly RefusalCode[] = ['INVALID_CONDITIONAL_MOVES', 'INVALID_REVEAL'];

/** The codes with which an act may be refused; one that it becomes, which answers an offer that stands, adds none. */
export const refusalsOf = ({ conditions, plays, input }: Act): readonly RefusalCode[] => [
  ...codesOf(conditions),
  ...(plays === null ? [] : OF_MOVES),
  ...(Object.values(input).some(({ kind }) => kind === 'tree') ? OF_PLANS : []),
];

/** What stands against an act, or null. */
export function refusalFor({ conditions }: Pick<Act, 'conditions'>, situation: Situation): Refusal | null {
  return conditions.reduce<Refusal | null>((refusal, condition) => refusal ?? condition(situation), null);
}

/** What an act makes of a situation. */
export function rule(given: Act, situation: Situation): Result<Ruling> {
  const asked = given.becomes(situation) ?? given;
  if (asked.done(situation)) return accept('unchanged');
  const refusal = refusalFor(asked, situation);
  return refusal === null ? accept(asked.apply(situation)) : { ok: false, refusal };
}

/** Would the act be accepted, and change something? A move is not looked at. */
export function isOpen(given: Act, situation: Situation): boolean {
  const asked = given.becomes(situation) ?? given;
  return !asked.done(situation) && refusalFor(asked, situation) === null;
}

/** What the log says of an act of a player. */
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
