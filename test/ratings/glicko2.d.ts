/** The other library, as far as the tests use it. */
declare module 'glicko2' {
  interface Player {
    getRating(): number;
    getRd(): number;
    getVol(): number;
  }

  class Glicko2 {
    constructor(settings: { readonly tau: number });
    makePlayer(rating: number, deviation: number, volatility: number): Player;
    /** Matches as [first, second, score of the first]. */
    updateRatings(matches: readonly (readonly [Player, Player, number])[]): void;
  }
}
