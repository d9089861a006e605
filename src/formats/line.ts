import { play, type Game } from '../rules/play.js';
import type { Outcome } from '../rules/ruleset.js';
import { endingOf, type Ending, type SaidEnd, type WantedEnd } from './ending.js';
import { found, miss, refused, type Found, type Miss } from './fault.js';
import type { Opening } from './opening.js';
import { LIMITS, type Head, type ReadGame, type ScorePly } from './score.js';

/** A game that is being read: every ply goes through the rules. */
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

  /** Plays a ply; answers with what is wrong with it, or null. */
  play(move: string, reveals: string | null, at: number): Miss | null {
    if (this.played.length >= LIMITS.plies) {
      return miss(at, `A game has at most ${LIMITS.plies} plies.`);
    }
    const played = play(this.game, move, reveals);
    if (!played.ok) return refused(at, played.refusal);
    const { player, captured, san } = played.value.ply;
    this.game = played.value.game;
    this.played.push({ player, move, reveals, captured, san, timeUsed: null, clock: null, automatic: false });
    return null;
  }

  /** Says more of the last ply. */
  note(more: Partial<Pick<ScorePly, 'timeUsed' | 'clock' | 'automatic'>>): void {
    const last = this.played.pop();
    if (last !== undefined) this.played.push({ ...last, ...more });
  }

  ending(said: SaidEnd, wanted: WantedEnd): Ending {
    return endingOf(this.game, said, wanted);
  }

  read({ origin, ruleset }: Opening, head: Head, outcome: Outcome | null): Found<ReadGame> {
    const score = { ...origin, ...head, plies: this.played, outcome };
    return found({ score, position: ruleset.fen(this.game.history.positions.at(-1)) });
  }
}
