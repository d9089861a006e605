import { createHash } from 'node:crypto';
import { legalMoves, play, position, turnsUp, type Game, type Ply } from '../../rules/play.js';
import { opponent, type Outcome, type Player } from '../../rules/ruleset.js';
import { compare, difference, type Difference } from './difference.js';
import type { End, GameLine, Opening, PlyLine } from './format.js';
import { dealt, open } from './opening.js';

/** A game during its replay, with the pieces captured so far. */
interface Replayed {
  readonly game: Game<unknown>;
  readonly captured: string;
  /** The last ply, null before the first. */
  readonly last: Ply | null;
}

/** Replays a game and compares everything in its line. */
export function checkGame(line: GameLine): readonly Difference[] {
  const opened = open(line, line.start);
  if (!opened.ok) {
    return [
      difference(null, opened.refusal.field ?? 'line', 'a game that can begin', opened.refusal.message),
    ];
  }
  let replayed: Replayed = { game: opened.value, captured: '', last: null };
  const differences: Difference[] = [];
  for (const [index, expected] of line.plies.entries()) {
    const step = checkPly(line, replayed, expected, index + 1);
    differences.push(...step.differences);
    if (step.after === null) return differences;
    replayed = step.after;
  }
  return [...differences, ...checkEnd(line, replayed)];
}

/** Checks a ply and plays it; `after` is null if the game cannot continue. */
function checkPly(
  line: GameLine,
  before: Replayed,
  expected: PlyLine,
  number: number,
): { readonly differences: readonly Difference[]; readonly after: Replayed | null } {
  const { game } = before;
  if (game.outcome !== null) {
    return { differences: [difference(number - 1 || null, 'outcome', null, game.outcome)], after: null };
  }
  const moves = [...legalMoves(game)].sort();
  const played = play(game, expected.move, reveal(game, line, expected.move));
  if (!played.ok) {
    const refused = difference(number, 'move', expected.move, played.refusal.message);
    return { differences: [...compare(number, saidOfMoves(expected), foundOfMoves(game, moves)), refused], after: null }; // prettier-ignore
  }
  const { game: next, ply } = played.value;
  const said = { ...saidOfMoves(expected), ...saidOf(expected, game) };
  const found = { ...foundOfMoves(game, moves), ...foundOf(ply, next) };
  const captured = before.captured + (ply.captured ?? '');
  return { differences: compare(number, said, found), after: { game: next, captured, last: ply } };
}

function reveal(game: Game<unknown>, line: Opening, move: string): string | null {
  const square = turnsUp(game, move);
  return square.ok && square.value !== null ? dealt(game.ruleset, line, square.value) : null;
}

/** The moves before a ply, as the line has them. */
const saidOfMoves = ({
  legal,
  legalCount,
  legalSha256,
  losing = [],
}: PlyLine): Readonly<Record<string, unknown>> => ({
  ...(legal === undefined ? {} : { legal }),
  ...(legalCount === undefined ? {} : { legalCount }),
  ...(legalSha256 === undefined ? {} : { legalSha256 }),
  losing,
});

/** The moves before a ply, by the rules. */
function foundOfMoves(
  { ruleset, history }: Game<unknown>,
  legal: readonly string[],
): Readonly<Record<string, unknown>> {
  const losing = ruleset.losing(history.positions.at(-1)).map((move) => ruleset.text(move));
  const legalSha256 = createHash('sha256').update(legal.join(' ')).digest('hex');
  return { legal, legalCount: legal.length, legalSha256, losing: losing.sort() };
}

/** A ply as the line has it, with defaults. Lines of games without face-down pieces may leave out captures. */
function saidOf(line: PlyLine, { ruleset }: Game<unknown>): Readonly<Record<string, unknown>> {
  const { player, san, fen, reveals = null, captured = null, check = false, claimable = [] } = line;
  const capture = ruleset.hidden || captured !== null ? { captured } : {};
  return { player, san, fen, reveals, ...capture, check, claimable, 'fen read back': fen };
}

/** A ply by the rules. */
const foundOf = (ply: Ply, after: Game<unknown>): Readonly<Record<string, unknown>> => ({
  ...ply,
  'fen read back': readBack(after, ply.fen),
});

/** The FEN printed again after parsing, with and without the face-down pieces. */
function readBack({ ruleset, options, history }: Game<unknown>, fen: string): string {
  const unseen = ruleset.unseen(history.positions.at(-1));
  const known = ruleset.parse(fen, options, unseen ?? undefined);
  if (!known.ok) return known.refusal.message;
  const alone = unseen === null ? known : ruleset.parse(fen, options);
  if (!alone.ok) return alone.refusal.message;
  const [first, second] = [ruleset.fen(known.value), ruleset.fen(alone.value)];
  return first === fen ? second : first;
}

/** Compares the end of the game with the line. */
function checkEnd(line: GameLine, { game, captured, last }: Replayed): readonly Difference[] {
  const { outcome, final, shown } = line;
  if (line.end !== null && game.outcome !== null) {
    return [difference(line.plies.length || null, 'outcome', null, game.outcome)];
  }
  const expected = shown === undefined && !game.ruleset.hidden ? {} : { shown };
  return compare(
    null,
    { outcome, final, ...expected },
    {
      outcome: line.end === null ? game.outcome : ended(game, line.end, last?.player ?? null),
      final: game.ruleset.fen(position(game)),
      shown: show(game, captured),
    },
  );
}

/** The outcome of a running game after `end`; null if that cannot happen. */
function ended(game: Game<unknown>, end: End, last: Player | null): Outcome | null {
  const { ruleset, history } = game;
  switch (end.type) {
    case 'claim': {
      const mayClaim = end.player === last || end.player === ruleset.turn(position(game));
      const holds = ruleset.claimable(history).includes(end.reason);
      return mayClaim && holds ? { winner: null, reason: end.reason } : null;
    }
    case 'agreement':
      return { winner: null, reason: 'agreement' };
    case 'resignation':
      return { winner: opponent(end.player), reason: 'resignation' };
    case 'timeout': {
      const other = opponent(end.player);
      return { winner: ruleset.canWin(position(game), other) ? other : null, reason: 'timeout' };
    }
  }
}

/** The captured pieces of each side, and the numbers of face-down pieces by kind. */
function show({ ruleset, history }: Game<unknown>, captured: string): unknown {
  const [upper, lower] = ruleset.sides.map((side) => side.charAt(0)) as [string, string];
  const faceDown: Record<string, number> = {};
  for (const letter of ruleset.unseen(history.positions.at(-1)) ?? '') {
    faceDown[letter] = (faceDown[letter] ?? 0) + 1;
  }
  return {
    captured: { [upper]: captured.replace(/[a-z]/g, ''), [lower]: captured.replace(/[A-Z]/g, '') },
    faceDown,
  };
}
