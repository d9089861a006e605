import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { identity } from '../../src/rules/deal.js';
import { parseOptions } from '../../src/rules/options.js';
import { perft } from '../../src/rules/perft.js';
import { begin, find, legalMoves, play, position, resume, turnsUp } from '../../src/rules/play.js';
import type { Game, Ply } from '../../src/rules/play.js';
import { rulesetById, type AnyRuleset } from '../../src/rules/registry.js';
import { accept, type Result } from '../../src/rules/result.js';
import { opponent, type Claim, type Outcome, type Player } from '../../src/rules/ruleset.js';

/** The test vectors of shared/vectors, replayed through the public face of the rules. Format: their README.md. */

/** How a game begins, as all kinds of lines say it. */
export interface Opening {
  readonly ruleset: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly setup?: string | null;
  readonly deal?: string | null;
}

export interface PlyLine {
  readonly move: string;
  readonly player: Player;
  readonly san: string;
  readonly fen: string;
  readonly legal?: readonly string[];
  readonly legalCount?: number;
  readonly legalSha256?: string;
  readonly reveals?: string | null;
  readonly captured?: string;
  readonly check?: boolean;
  readonly claimable?: readonly Claim[];
}

export type End =
  | { readonly type: 'claim'; readonly player: Player; readonly reason: Claim }
  | { readonly type: 'resignation' | 'timeout'; readonly player: Player }
  | { readonly type: 'agreement' };

export interface GameLine extends Opening {
  readonly id: string;
  readonly start: string | null;
  readonly plies: readonly PlyLine[];
  readonly end: End | null;
  readonly outcome: Outcome | null;
  readonly final: string;
  readonly shown?: unknown;
}

export interface PerftLine extends Opening {
  readonly fen: string | null;
  readonly moves: readonly string[];
  readonly depth: number;
  readonly nodes: number;
}

export interface InvalidLine extends Opening {
  readonly kind: 'fen' | 'move' | 'options' | 'deal' | 'setup';
  readonly text?: string;
  readonly value?: unknown;
  readonly fen?: string | null;
  readonly why: string;
}

/** Where the rules say something else than a line. `ply` counts from 1; it is null for the line as a whole. */
export interface Difference {
  readonly ply: number | null;
  readonly field: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** The lines of a file in test/vectors whose rule set is registered. */
export function vectors<Line extends Opening>(file: string): readonly Line[] {
  const text = readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8');
  const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line) as Line); // prettier-ignore
  return lines.filter(({ ruleset }) => rulesetById(ruleset) !== undefined);
}

/** Replays a game and compares everything that its line says. */
export function checkGame(line: GameLine): readonly Difference[] {
  const opened = open(line, line.start);
  if (!opened.ok) return [difference(null, 'start', line.start, opened.refusal.message)];
  let game = opened.value;
  const differences: Difference[] = [];
  const captured: string[] = [];
  for (const [index, expected] of line.plies.entries()) {
    const moves = [...legalMoves(game)].sort();
    const played = play(game, expected.move, reveal(game, line, expected.move));
    if (!played.ok)
      return [...differences, difference(index + 1, 'move', expected.move, played.refusal.message)];
    game = played.value.game;
    captured.push(played.value.ply.captured ?? '');
    const isLast = index + 1 === line.plies.length;
    const over = isLast && line.end === null && line.outcome !== null;
    const told = compare({ ...tellExpected(expected, line), over }, { ...tell(expected, played.value.ply, moves, game, line), over: game.outcome !== null }); // prettier-ignore
    differences.push(...told.map((found) => ({ ...found, ply: index + 1 })));
  }
  const { outcome, final, shown } = line;
  const end = {
    outcome: ended(game, line.end),
    final: fenOf(game),
    ...(shown ? { shown: show(game, captured) } : {}),
  };
  return [...differences, ...compare({ outcome, final, ...(shown ? { shown } : {}) }, end)];
}

/** Counts the moves of a line. */
export function checkPerft(line: PerftLine): readonly Difference[] {
  let opened = open(line, line.fen);
  for (const move of line.moves) {
    if (!opened.ok) break;
    const played = play(opened.value, move, reveal(opened.value, line, move));
    opened = played.ok ? accept(played.value.game) : played;
  }
  if (!opened.ok) return [difference(null, 'fen', line.fen, opened.refusal.message)];
  const { value: game } = opened;
  const lies = (square: string): string | null => dealt(game.ruleset, line, square);
  return compare({ nodes: line.nodes }, { nodes: perft(game.ruleset, position(game), line.depth, lies) });
}

/** Parsers of the texts that the rules alone do not read. */
export interface Parsers {
  readonly deal?: (ruleset: AnyRuleset, text: string) => Result<unknown>;
  readonly setup?: (ruleset: AnyRuleset, text: string) => Result<unknown>;
}

/** What became of an invalid line: its refusal, the value that was wrongly accepted, or null without a parser. */
export function readInvalid(line: InvalidLine, parsers: Parsers = {}): Result<unknown> | null {
  const ruleset = rulesetById(line.ruleset)!;
  const text = line.text ?? '';
  switch (line.kind) {
    case 'options':
      return parseOptions(ruleset, line.value);
    case 'fen':
      return open(line, text);
    case 'move': {
      const opened = open(line, line.fen ?? null);
      return opened.ok ? find(opened.value, text) : null;
    }
    default:
      return parsers[line.kind]?.(ruleset, text) ?? null;
  }
}

/** The game at the beginning of a line; the letters of the deal that lie face-down in `start` are its unseen ones. */
function open(line: Opening, start: string | null): Result<Game<unknown>> {
  const ruleset = rulesetById(line.ruleset)!;
  const options = parseOptions(ruleset, line.setup ? { ...line.options, setup: line.setup } : line.options);
  if (!options.ok) return options;
  if (start === null) return accept(begin(ruleset, options.value));
  const unseen = line.deal ? { unseen: faceDown(start, line.deal) } : {};
  return resume(ruleset, options.value, { fen: start, plies: [], ...unseen });
}

/** The letters of the deal on the squares that the text shows face-down. */
function faceDown(start: string, deal: string): string {
  const rows = start.replace(/ .*/, '').replace(/[0-9]/g, (run) => '.'.repeat(Number(run))).split('/'); // prettier-ignore
  const cells = rows.reverse().join('');
  return [...deal].filter((_, square) => cells[square] === 'x').join('');
}

const dealt = (ruleset: AnyRuleset, { deal }: Opening, square: string): string | null =>
  deal ? identity(ruleset, deal, square) : null;

function reveal(game: Game<unknown>, line: Opening, move: string): string | null {
  const square = turnsUp(game, move);
  return square.ok && square.value !== null ? dealt(game.ruleset, line, square.value) : null;
}

const fenOf = (game: Game<unknown>): string => game.ruleset.fen(position(game));

/** What a line says of a ply, with what is absent filled in. */
function tellExpected(line: PlyLine, { deal }: Opening): Record<string, unknown> {
  const { player, san, fen, legal, legalCount, legalSha256, check, claimable, reveals, captured } = line;
  return {
    ...(legal ? { legal } : { legalCount, legalSha256 }),
    ...(deal ? { reveals: reveals ?? null, captured: captured ?? null } : {}),
    ...{ player, san, fen, reparsed: fen, check: check ?? false, claimable: claimable ?? [] },
  };
}

/** What the rules say of it. */
function tell(
  line: PlyLine,
  { player, san, fen, check, claimable, reveals, captured }: Ply,
  legal: readonly string[],
  game: Game<unknown>,
  { deal }: Opening,
): Record<string, unknown> {
  const legalSha256 = createHash('sha256').update(legal.join(' ')).digest('hex');
  return {
    ...(line.legal ? { legal } : { legalCount: legal.length, legalSha256 }),
    ...(deal ? { reveals, captured } : {}),
    ...{ player, san, fen, reparsed: reparsed(game), check, claimable },
  };
}

/** The position printed, read and printed again. */
function reparsed({ ruleset, options, history }: Game<unknown>): string {
  const at = history.positions.at(-1);
  const again = ruleset.parse(ruleset.fen(at), options, ruleset.unseen(at) ?? undefined);
  return again.ok ? ruleset.fen(again.value) : again.refusal.message;
}

/** The outcome once `end` has happened; null where it cannot. */
function ended(game: Game<unknown>, end: End | null): Outcome | null {
  if (end === null || game.outcome !== null) return game.outcome;
  const { ruleset, history } = game;
  switch (end.type) {
    case 'claim':
      return ruleset.claimable(history).includes(end.reason) ? { winner: null, reason: end.reason } : null;
    case 'agreement':
      return { winner: null, reason: 'agreement' };
    case 'resignation':
      return { winner: opponent(end.player), reason: 'resignation' };
    case 'timeout': {
      const rival = opponent(end.player);
      return { winner: ruleset.canWin(position(game), rival) ? rival : null, reason: 'timeout' };
    }
  }
}

/** What stands beside the board: the captured pieces of each side, and how many of a kind are face-down. */
function show(game: Game<unknown>, captured: readonly string[]): unknown {
  const [upper, lower] = game.ruleset.sides.map((side) => side.charAt(0)) as [string, string];
  const letters = captured.join('');
  const faceDown: Record<string, number> = {};
  for (const letter of game.ruleset.unseen(position(game)) ?? '')
    faceDown[letter] = (faceDown[letter] ?? 0) + 1;
  return {
    captured: { [upper]: letters.replace(/[a-z]/g, ''), [lower]: letters.replace(/[A-Z]/g, '') },
    faceDown,
  };
}

const difference = (ply: number | null, field: string, expected: unknown, got: unknown): Difference => ({
  ply,
  field,
  expected,
  got,
});

/** The fields in which two accounts differ. */
function compare(expected: Record<string, unknown>, got: Record<string, unknown>): readonly Difference[] {
  return Object.keys(expected)
    .filter((field) => !isDeepStrictEqual(expected[field], got[field]))
    .map((field) => difference(null, field, expected[field], got[field]));
}
