/** What others import: the elements, and what their events tell. src/elements.ts is checked against it. */

export type Seat = 'first' | 'second';

export interface Outcome {
  /** Null in a draw. */
  readonly winner: Seat | null;
  readonly reason: string;
}

/** Where a game stands; the API tells everything else of it. */
export interface GameState {
  readonly id: string;
  readonly version: number;
  readonly plyCount: number;
  readonly turn: Seat | null;
  readonly outcome: Outcome | null;
}

/**
 * `<halfmove-board ruleset="xiangqi" fen="...">`: a position of a rule set, to look at. Attributes: `ruleset`; `fen`, by
 * default the start; `last-move`, such as `e2e4`; `orientation` (`first`, `second`); `pieces` (`chinese`, `western`);
 * `base` (the URL of the server), `lang` and `theme` (`light`, `dark`; by default as the page around it).
 */
export declare class HalfmoveBoard extends HTMLElement {}

/**
 * `<halfmove-game game="ID" token="...">`: a whole game, to play by whom the token is of, or to watch without one.
 * Attributes: `game`, `token` (taken off at once), `base`, `lang` and `theme`.
 */
export declare class HalfmoveGame extends HTMLElement {
  /** The game as it was read last; null before. */
  get state(): GameState | null;
  /** Gives the token of a player or guest: a first one, a fresh one, or that of somebody else. */
  setToken(token: string): void;
}

/** What the events of `<halfmove-game>` tell in `detail`. */
export interface HalfmoveGameEvents {
  'halfmove-move': CustomEvent<{
    readonly gameId: string;
    readonly ply: number;
    readonly player: Seat;
    readonly move: string;
    readonly san: string;
  }>;
  'halfmove-end': CustomEvent<{ readonly gameId: string; readonly outcome: Outcome }>;
  /** The rematch that is shown from now on. */
  'halfmove-next': CustomEvent<{ readonly gameId: string }>;
  /** A fresh token is needed: give it by `setToken`. */
  'halfmove-token': CustomEvent<{ readonly gameId: string | null }>;
}

declare global {
  interface HTMLElementTagNameMap {
    'halfmove-board': HalfmoveBoard;
    'halfmove-game': HalfmoveGame;
  }
}
