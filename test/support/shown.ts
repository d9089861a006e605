import { byKind, type OfferKind } from '../../src/arbiter/offers.js';
import type { Options, Outcome, Player } from '../../src/rules/ruleset.js';

/** What the API shows, as JSON: moments are texts. */

export type SeedState = 'sealed' | 'given' | 'leftToServer';

export interface SeedGiven {
  readonly challenge: Challenge;
  readonly game: Game | null;
}

export interface User {
  readonly id: string;
  readonly username: string;
}

export interface TimeControl {
  readonly type: string;
  readonly seconds: number | null;
  readonly initial: number | null;
  readonly increment: number | null;
  readonly cap: number | null;
  readonly noVacation: boolean;
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

export interface Game {
  readonly id: string;
  readonly ruleset: string;
  readonly options: Options;
  readonly setup: string | null;
  readonly setupNumber: number | null;
  readonly timeControl: TimeControl;
  readonly status: 'pending' | 'active' | 'paused' | 'finished' | 'aborted';
  readonly version: number;
  readonly plyCount: number;
  readonly lastMove: {
    readonly ply: number;
    readonly move: string;
    readonly reveals: string | null;
    readonly captured: string | null;
  } | null;
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
  readonly termsHash: string | null;
  readonly headHash: string | null;
  readonly commitment: string;
  readonly dealRoot: string | null;
  readonly clientSeeds: Readonly<Record<Player, string | null>>;
  readonly creatorSeed: SeedState;
  readonly accepterSeed: SeedState;
  readonly receipt: string | null;
  readonly clientSeedHash: string | null;
  readonly awaitingSeed: boolean;
  readonly creator: Player;
  readonly lastActivityAt: string;
  readonly endedAt: string | null;
  readonly players: Readonly<Record<Player, User>>;
  readonly observation: {
    readonly check: boolean;
    readonly captured: string;
    readonly faceDown: readonly { readonly piece: string; readonly count: number }[];
  };
  readonly serverSeed: string | null;
  readonly you: Player | null;
}

export interface LegalMove {
  readonly move: string;
  readonly san: string;
  readonly notations: Readonly<Record<string, string>>;
  readonly losing: boolean;
  readonly warning: Outcome | null;
}

export interface Ply {
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
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
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
  /** Null in format 1. */
  readonly previousHash: string | null;
  readonly hash: string | null;
}

export interface Challenge {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly creator: User;
  readonly opponent: User | null;
  readonly linkToken: string | null;
  readonly rated: boolean;
  readonly ruleset: string;
  readonly options: Options;
  readonly timeControl: TimeControl;
  readonly side: string;
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

/** What a game shows of offers where there are none, and none were refused. */
export const NOTHING_OFFERED: Game['offers'] = { ...byKind(() => null), firstMustMove: 0, secondMustMove: 0 };
