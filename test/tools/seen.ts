/** What the page has seen, once the game is over. */
export interface Seen {
  readonly plies: readonly number[];
  /** The moves that had to be sent again, as the server was away. */
  readonly repeats: number;
}
