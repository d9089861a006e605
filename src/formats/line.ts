import { play, type Game } from '../rules/play.js';
import type { Outcome } from '../rules/ruleset.js';
import { endingOf, type Ending, type SaidEnd, type WantedEnd } from './ending.js';
import { found, miss, refused, type Found, type Miss } from './fault.js';
import type { Opening } from './opening.js';
import { LIMITS, type Head, type ReadGame, type ScorePly } from './score.js';

/** A game that is being read: every ply goes through the rules. */
export class Line {
  private game: Game<unknown>;
  private readonly plies: ScorePly[] = [];

  constructor(private readonly opening: Opening) {
    this.game = opening.game;
  }

  /** The game after the plies so far. */
  get present(): Game<unknown> {
    return this.game;
  }

  get last(): ScorePly | undefined {
    return this.plies.at(-1);
  }

  /** Plays a ply; answers with what is wrong with it, or null. */
  play(move: string, reveals: string | null, at: number): Miss | null {
    if (this.plies.length >= LIMITS.plies) {
      return miss(at, `A game has at most ${LIMITS.plies} plies.`);
    }
    const played = play(this.game, move, reveals);
    if (!played.ok) return refused(at, played.refusal);
    const { player, captured, san } = played.value.ply;
    this.game = played.value.game;
    this.plies.push({ player, move, reveals, captured, san, clock: null, automatic: false });
    return null;
  }

  /** Says more of the last ply. */
  note(more: Partial<Pick<ScorePly, 'clock' | 'automatic'>>): void {
    const last = this.plies.pop();
    if (last !== undefined) this.plies.push({ ...last, ...more });
  }

  ending(said: SaidEnd, wanted: WantedEnd): Ending {
    return endingOf(this.game, said, wanted);
  }

  read(head: Head, outcome: Outcome | null): Found<ReadGame> {
    const score = { ...this.opening.origin, ...head, plies: this.plies, outcome };
    return found({ score, position: this.opening.ruleset.fen(this.game.history.positions.at(-1)) });
  }
}
