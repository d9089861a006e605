import { byKind, type OfferKind } from '../../src/arbiter/offers.js';
import type { Options, Outcome, Player } from '../../src/rules/ruleset.js';

/** The types of what the API returns as JSON, with times as texts. */

export type SeedState = 'sealed' | 'given' | 'leftToServer';

/** A challenge with the game that it has become. */
export interface Opened {
  readonly challenge: Challenge;
  readonly game: Game | null;
}

export interface User {
  readonly id: string;
  readonly username: string;
}

/** Exactly one of these. */
export interface TimeControl {
  readonly perMove?: { readonly seconds: number; readonly noVacation: boolean };
  readonly bank?: Readonly<Record<'initial' | 'increment' | 'cap', number>> & {
    readonly noVacation: boolean;
  };
  readonly none?: { readonly noVacation: boolean };
}

export interface Offer {
  readonly by: Player;
  readonly at: string;
  readonly ply: number | null;
}

export interface PlayerClock {
  readonly remaining: number | null;
  readonly running: boolean;
  readonly onVacationUntil: string | null;
}

export interface Segment {
  readonly kind: string;
  readonly from: string | null;
  readonly until: string | null;
  readonly seconds: number | null;
}

export interface RatingChange {
  readonly before: number;
  readonly after: number;
  readonly change: number;
  readonly deviationBefore: number;
  readonly deviationAfter: number;
}

export interface RulesetName {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

export interface RatingPool {
  readonly id: string;
  readonly ruleset: RulesetName;
}

export interface Game {
  readonly id: string;
  readonly url: string;
  readonly boardUrl: string;
  readonly ruleset: RulesetName;
  readonly options: Options;
  readonly setup: string | null;
  readonly setupNumber: number | null;
  readonly timeControl: TimeControl;
  readonly status: 'pending' | 'active' | 'paused' | 'finished' | 'aborted';
  readonly version: number;
  readonly plyCount: number;
  readonly lastMove: Ply | null;
  readonly turn: Player | null;
  readonly position: string;
  readonly outcome: Outcome | null;
  readonly turnStartedAt: string;
  readonly deadlineAt: string | null;
  readonly rated: boolean;
  readonly unrated: string | null;
  readonly ratingChanges: Readonly<Record<Player, RatingChange>> | null;
  readonly deadline: {
    readonly at: string | null;
    readonly explain: readonly Segment[];
    readonly abandonableAt: string | null;
  };
  readonly clocks: Readonly<Record<Player, PlayerClock>>;
  readonly resumesAt: string | null;
  readonly takebacks: readonly { readonly seq: number; readonly ply: number }[];
  readonly offers: Readonly<Record<OfferKind, Offer | null>> & {
    readonly firstMustMove: number;
    readonly secondMustMove: number;
  };
  readonly fairness: Fairness;
  readonly lastActivityAt: string;
  readonly endedAt: string | null;
  readonly players: readonly { readonly seat: Player; readonly player: User; readonly side: string | null }[];
  readonly board: {
    readonly files: number;
    readonly ranks: number;
    readonly squares: readonly {
      readonly square: string;
      readonly piece: string | null;
      readonly faceDown: boolean;
    }[];
    readonly captured: readonly string[];
    readonly faceDown: readonly { readonly piece: string; readonly count: number }[];
    readonly check: boolean;
  };
  readonly viewer: { readonly seat: Player; readonly acts: readonly AllowedAct[] } | null;
}

export interface Fairness {
  readonly commitment: string;
  readonly dealRoot: string | null;
  readonly clientSeeds: Readonly<Record<Player, string | null>>;
  readonly clientSeedHash: string | null;
  readonly creator: Player;
  readonly creatorSeed: SeedState;
  readonly accepterSeed: SeedState;
  readonly awaitingSeed: boolean;
  readonly termsHash: string | null;
  readonly headHash: string | null;
  readonly receipt: string | null;
  readonly serverSeed: string | null;
}

export interface AllowedAct {
  readonly act: string;
  readonly terms: {
    readonly ply: number | null;
    readonly offerDraw: boolean | null;
    readonly claims: readonly { readonly reason: string; readonly move: string | null }[] | null;
  } | null;
}

export interface Notation {
  readonly name: string;
  readonly text: string;
}

interface Way {
  readonly from: string | null;
  readonly to: string | null;
  readonly promotion: string | null;
}

export interface LegalMove extends Way {
  readonly move: string;
  readonly captures: string | null;
  readonly san: string;
  readonly notations: readonly Notation[];
  readonly losing: boolean;
  readonly warning: Outcome | null;
}

export interface Ply extends Way {
  readonly seq: number;
  readonly ply: number;
  readonly player: Player;
  readonly move: string;
  readonly reveals: string | null;
  readonly captured: string | null;
  readonly san: string;
  readonly position: string;
  readonly timeUsed: number;
  readonly clock: number | null;
  readonly automatic: boolean;
  readonly takenBack: boolean;
  readonly playedAt: string;
  readonly previousHash: string;
  readonly hash: string;
  readonly proof: { readonly salt: string; readonly path: readonly string[] } | null;
}

export interface Edges<Node> {
  /** REST has no cursors for single items. */
  readonly edges: readonly { readonly cursor?: string; readonly node: Node }[];
  /** REST has a cursor only if there is a page on that side; forward-only lists have no other. */
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean | undefined;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export interface Plies extends Edges<Ply> {
  readonly totalCount: number;
}

export interface Event {
  readonly seq: number;
  readonly type: string;
  readonly player: Player | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
  /** Null in the first entry. */
  readonly previousHash: string | null;
  readonly hash: string;
}

export interface Challenge {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly creator: User;
  readonly opponent: User | null;
  readonly linkToken: string | null;
  readonly url: string | null;
  readonly rated: boolean;
  readonly ruleset: RulesetName;
  readonly options: Options;
  readonly timeControl: TimeControl;
  readonly seat: string;
  readonly receipt: string | null;
  readonly commitment: string;
  readonly clientSeedHash: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly answeredAt: string | null;
  readonly rematchOf: string | null;
  readonly creatorRating: { readonly rating: number; readonly provisional: boolean };
  readonly ratingRange: { readonly min: number | null; readonly max: number | null };
  readonly gameId: string | null;
  readonly declineReason: string | null;
  readonly counterTo: string | null;
}

/** The player in this seat. */
export const playerAt = ({ players }: Pick<Game, 'players'>, seat: Player): User =>
  players.find((each) => each.seat === seat)!.player;

/** The offers of a game without open or refused offers. */
export const NOTHING_OFFERED: Game['offers'] = { ...byKind(() => null), firstMustMove: 0, secondMustMove: 0 };
