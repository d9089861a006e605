import { readFileSync, readdirSync } from 'node:fs';
import type { Diagram as Drawn } from '../../src/boards/diagram.js';
import { parseOptions } from '../../src/rules/options.js';
import { position, resume, type Game } from '../../src/rules/play.js';
import { rulesetById, type AnyRuleset } from '../../src/rules/registry.js';
import type { Outcome, Player } from '../../src/rules/ruleset.js';
import { must } from './random-games.js';

/** The pages of docs/rules and the diagrams on them. */

const FOLDER = 'docs/rules';

/** A picture, see docs/rules/README.md for what its marks mean, and what else is true of its position. */
export interface Diagram extends Drawn {
  /** The square of the king in check. */
  readonly check?: string;
  readonly outcome?: Outcome;
  /** The result of these moves from another diagram. */
  readonly after?: { readonly diagram: string; readonly moves: readonly string[] };
}

export const readDiagrams = (): ReadonlyMap<string, Diagram> =>
  new Map(Object.entries(JSON.parse(readFileSync(`${FOLDER}/diagrams.json`, 'utf8'))));

export const imageNames = (): readonly string[] => readdirSync(`${FOLDER}/img`).sort();

export const readImage = (name: string): string => readFileSync(`${FOLDER}/img/${name}`, 'utf8');

/** The pages by file name. */
export const readPages = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name, readFileSync(`${FOLDER}/${name}`, 'utf8')]),
  );

/** The texts in backticks, in order. */
export const quoted = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

/** The names of the diagrams shown on a line. */
export const imagesOn = (line: string): readonly string[] =>
  [...line.matchAll(/\]\(img\/([^)]+)\.svg\)/g)].map((match) => match[1]!);

/** The trimmed rows of the table whose header begins with these cells. */
export function tables(page: string, head: string): readonly (readonly (readonly string[])[])[] {
  const blocks = page.split('\n\n').filter((block) => block.startsWith(`| ${head} |`));
  return blocks.map((block) => block.trim().split('\n').map(cellsOf));
}

export const cellsOf = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** A game that starts at a diagram. */
export function gameAt(diagram: Diagram, options: object = {}): Game<unknown> {
  const ruleset = rulesetById(diagram.ruleset)!;
  const complete = must(parseOptions(ruleset, { ...diagram.options, ...options }));
  return must(resume<unknown>(ruleset, complete, { fen: diagram.position, plies: [] }));
}

export const legalOf = ({ ruleset, history }: Game<unknown>): readonly string[] => {
  const at = history.positions.at(-1);
  return ruleset
    .legalMoves(at)
    .map((move) => ruleset.text(move))
    .sort();
};

export const fenOf = (game: Game<unknown>): string => game.ruleset.fen(position(game));

/** The text and reveal of the legal move written like this, as squares or in notation. */
export function findWritten(game: Game<unknown>, written: string): readonly [string, string | null] {
  const { ruleset } = game;
  const at = position(game);
  const shown = /\(([A-Za-z])\)/.exec(written)?.[1] ?? null;
  for (const move of ruleset.legalMoves(at)) {
    const reveal = ruleset.turnsUp(at, move) === null ? null : shown;
    if (ruleset.text(move) === written || ruleset.san(at, move, reveal) === written) {
      return [ruleset.text(move), reveal];
    }
  }
  throw new Error(`${written} is not a legal move at ${ruleset.fen(at)}.`);
}

/** The name of a side, as `Red`, in the position of a text. */
export function playerOf(ruleset: AnyRuleset, fen: string, side: string): Player {
  const first = ruleset.hidden ? fen.split(' ')[2] : ruleset.sides[0].charAt(0);
  return side.toLowerCase().startsWith(String(first)) ? 'first' : 'second';
}
