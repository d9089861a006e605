import { play, type Game } from '../rules/play.js';
import type { Outcome } from '../rules/ruleset.js';
import { endingOf, type Ending, type StatedEnd, type ExpectedEnd } from './ending.js';
import { found, miss, refused, type Found, type Miss } from './fault.js';
import type { Opening } from './opening.js';
import { LIMITS, type Head, type ReadGame, type ScorePly } from './score.js';

/** A game being parsed; every ply is played by the rules. */
export class Line {
  private readonly played: ScorePly[] = [];

  constructor(private game: Game<unknown>) {}

  /** The game after the plies so far. */
  get present(): Game<unknown> {
    return this.game;
  }

  get plies(): readonly ScorePly[] {
    return this.played;
  }

  get last(): ScorePly | undefined {
    return this.played.at(-1);
  }

  /** Plays a ply. Returns a fault or null. */
  play(move: string, reveals: string | null, at: number): Miss | null {
    if (this.played.length >= LIMITS.plies) {
      return miss(at, `A game must have at most ${LIMITS.plies} plies; this one has more.`, {
        limit: LIMITS.plies,
      });
    }
    const played = play(this.game, move, reveals);
    if (!played.ok) return refused(at, played.refusal);
    const { player, captured, san } = played.value.ply;
    this.game = played.value.game;
    this.played.push({ player, move, reveals, captured, san, timeUsed: null, clock: null, automatic: false });
    return null;
  }

  /** Adds to the last ply. */
  note(more: Partial<Pick<ScorePly, 'timeUsed' | 'clock' | 'automatic'>>): void {
    const last = this.played.pop();
    if (last !== undefined) this.played.push({ ...last, ...more });
  }

  ending(said: StatedEnd, wanted: ExpectedEnd): Ending {
    return endingOf(this.game, said, wanted);
  }

  read({ origin, ruleset }: Opening, head: Head, outcome: Outcome | null): Found<ReadGame> {
    const score = { ...origin, ...head, plies: this.played, outcome };
    return found({ score, position: ruleset.fen(this.game.history.positions.at(-1)) });
  }
}
