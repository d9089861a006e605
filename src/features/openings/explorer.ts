import { createHash } from 'node:crypto';
import { decodeMoves } from '../../engine/moves-text.js';
import { legalMovesOf, type LegalMove } from '../../rules/analyse.js';
import { begin, play, position, type Game } from '../../rules/play.js';
import type { AnyRuleset } from '../../rules/registry.js';
import { accept, type Result } from '../../rules/result.js';
import type { Options, Player } from '../../rules/ruleset.js';

/** The moves played in each position, over all finished games without face-down pieces. */

/** Games are counted up to the position after this many plies. */
export const DEPTH = 30;

/** Stands for a move where the game ended in the position. */
export const ENDED = '';

/** The columns needed of an ended game. */
export interface EndedGame {
  readonly id: string;
  readonly ruleset: string;
  readonly options: Options;
  readonly setup: string | null;
  /** The plies without those taken back, as one text. */
  readonly moves: string;
  readonly winner: Player | null;
}

export interface Results {
  readonly firstWon: number;
  readonly drawn: number;
  readonly secondWon: number;
}

/** A move played in a position, with the results of its games. */
export interface MoveCount extends Results {
  readonly move: string;
}

/** A move count with the key of its position. */
export interface PositionCount extends MoveCount {
  readonly position: string;
}

/**
 * The key of a position, 32 hex digits. It leaves out the move counters, so that transpositions meet; what is left is
 * what the rules count as the same position.
 */
export function positionKey(ruleset: string, fen: string): string {
  const counted = fen.split(' ').slice(0, -2).join(' ');
  return createHash('sha256').update(`${ruleset}\n${counted}`).digest('hex').slice(0, 32);
}

/** The positions of a game, each once, with the move played there the first time. */
export function visitsOf(ruleset: AnyRuleset, ended: EndedGame): ReadonlyMap<string, string> {
  const visits = new Map<string, string>();
  const visit = (game: Game<unknown>, move: string) => {
    const key = positionKey(ruleset.id, fenOf(game));
    if (!visits.has(key)) visits.set(key, move);
  };
  let game = begin<unknown>(ruleset, ended.options, ended.setup);
  const moves = decodeMoves(ended.moves).map(({ move }) => move);
  for (const move of moves.slice(0, DEPTH)) {
    visit(game, move);
    const next = play(game, move, null);
    if (!next.ok) throw new Error(`Game ${ended.id} is damaged: ${next.refusal.message}`);
    game = next.value.game;
  }
  visit(game, moves[DEPTH] ?? ENDED);
  return visits;
}

/** The position in which a game stands. */
export const fenOf = (game: Game<unknown>): string => game.ruleset.fen(position(game));

const resultOf = (winner: Player | null): Results => ({
  firstWon: winner === 'first' ? 1 : 0,
  drawn: winner === null ? 1 : 0,
  secondWon: winner === 'second' ? 1 : 0,
});

const NO_GAMES: Results = { firstWon: 0, drawn: 0, secondWon: 0 };

const sum = (a: Results, b: Results): Results => ({
  firstWon: a.firstWon + b.firstWon,
  drawn: a.drawn + b.drawn,
  secondWon: a.secondWon + b.secondWon,
});

/** The moves of a game by position, and its winner. */
export interface Visited {
  readonly visits: ReadonlyMap<string, string>;
  readonly winner: Player | null;
}

/** Adds up the games by position and move. */
export function countsOf(games: readonly Visited[]): readonly PositionCount[] {
  const byMove = new Map<string, PositionCount>();
  for (const { visits, winner } of games) {
    for (const [position, move] of visits) {
      const key = `${position} ${move}`;
      byMove.set(key, { position, move, ...sum(byMove.get(key) ?? NO_GAMES, resultOf(winner)) });
    }
  }
  return [...byMove.values()];
}

/** The game after these moves, or the refusal of the rules, whose field names the move by its index: `moves.3`. */
export function after(
  ruleset: AnyRuleset,
  options: Options,
  setup: string | null,
  moves: readonly string[],
): Result<Game<unknown>> {
  let game = begin<unknown>(ruleset, options, setup);
  for (const [index, move] of moves.entries()) {
    const next = play(game, move, null);
    if (!next.ok) {
      return {
        ok: false,
        refusal: {
          ...next.refusal,
          field: `moves.${index}`,
          message: `Move ${index + 1}: ${next.refusal.message}`,
        },
      };
    }
    game = next.value.game;
  }
  return accept(game);
}

export interface ExploredMove extends Results, Pick<LegalMove, 'move' | 'san' | 'notations'> {
  readonly games: number;
}

/** The counts of a position. */
export interface Explored extends Results {
  readonly position: string;
  readonly plyCount: number;
  readonly depth: number;
  readonly games: number;
  /** The number of games that ended in it. */
  readonly ended: number;
  readonly moves: readonly ExploredMove[];
}

const gamesOf = ({ firstWon, drawn, secondWon }: Results): number => firstWon + drawn + secondWon;

/** The counts of a game's current position, the most played move first. */
export function explored(game: Game<unknown>, plyCount: number, counts: readonly MoveCount[]): Explored {
  const { ruleset } = game;
  const at = position(game);
  const legal = new Map(legalMovesOf(ruleset, at, () => game).map((move) => [move.move, move]));
  const total = counts.reduce<Results>(sum, NO_GAMES);
  const end = counts.find(({ move }) => move === ENDED);
  const moves = counts.flatMap(({ move, ...results }) => {
    const known = legal.get(move);
    if (known === undefined) return [];
    return [{ move, san: known.san, notations: known.notations, games: gamesOf(results), ...results }];
  });
  return {
    position: fenOf(game),
    plyCount,
    depth: DEPTH,
    games: gamesOf(total),
    ...total,
    ended: end === undefined ? 0 : gamesOf(end),
    moves: moves.sort((a, b) => b.games - a.games || (a.move < b.move ? -1 : 1)),
  };
}
