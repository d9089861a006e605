import { occurrences, present } from './repetition.js';
import { accept, refuse, type Result } from './result.js';
import type { Claim, History, Move, Options, Outcome, Player, Ruleset } from './ruleset.js';
import { shown } from './shown.js';

/** The only place where a move becomes a position. */

/** A game as far as the rules need it to judge the next ply. */
export interface Game<P> {
  readonly ruleset: Ruleset<P>;
  readonly options: Options;
  readonly history: History<P>;
  readonly outcome: Outcome | null;
}

/** A ply in text form, as it is stored: enough to play it again. */
export interface RecordedPly {
  readonly move: string;
  /** Letter of the piece that the ply turned up, else null. */
  readonly reveals: string | null;
}

/** What one ply did. */
export interface Ply extends RecordedPly {
  readonly player: Player;
  readonly captured: string | null;
  readonly san: string;
  /** The position after it. */
  readonly fen: string;
  /** Is the side to move after it in check? */
  readonly check: boolean;
  /** The draws that hold after it; empty when it ended the game. */
  readonly claimable: readonly Claim[];
}

/** A ply, and the game after it. */
export interface Played<P> {
  readonly game: Game<P>;
  readonly ply: Ply;
}

/** Where a game is resumed: the position after the last irreversible ply, and the plies since. */
export interface Anchor {
  readonly fen: string;
  readonly plies: readonly RecordedPly[];
  /** The letters face-down in `fen`, if known. */
  readonly unseen?: string;
}

export const position = <P>(game: Game<P>): P => present(game.history);

/** The game before ply 1; `setup` is the parsed set-up that was drawn (see Ruleset.start). */
export function begin<P>(ruleset: Ruleset<P>, options: Options, setup: string | null = null): Game<P> {
  return {
    ruleset,
    options,
    history: { positions: [ruleset.start(options, setup)], moves: [] },
    outcome: null,
  };
}

/**
 * The game resumed from an anchor. Its plies were judged when they were played, so only the last position is checked
 * for an end.
 */
export function resume<P>(ruleset: Ruleset<P>, options: Options, anchor: Anchor): Result<Game<P>> {
  const parsed = ruleset.parse(anchor.fen, options, anchor.unseen);
  if (!parsed.ok) return parsed;
  const played = historyAfter(ruleset, parsed.value, anchor.plies);
  if (!played.ok) return played;
  const history = played.value;
  return accept({ ruleset, options, history, outcome: ruleset.outcome(history) });
}

/** The history after these plies. */
function historyAfter<P>(ruleset: Ruleset<P>, start: P, plies: readonly RecordedPly[]): Result<History<P>> {
  const isOpen = plies.length > 0 && plies.every(({ reveals }) => reveals === null);
  const played = isOpen ? ruleset.playTexts?.(start, plies.map(({ move }) => move)) : null; // prettier-ignore
  return played == null ? playEach(ruleset, start, plies) : accept(played);
}

/** Like playTexts, ply by ply, which also finds what is wrong with one. */
function playEach<P>(ruleset: Ruleset<P>, start: P, plies: readonly RecordedPly[]): Result<History<P>> {
  let positions = [start];
  let moves: Move[] = [];
  let at = start;
  for (const { move: text, reveals } of plies) {
    const judged = judge(ruleset, at, text, reveals);
    if (!judged.ok) return judged;
    at = ruleset.play(at, judged.value, reveals);
    const isFresh = ruleset.quiet(at) === 0;
    if (isFresh) [positions, moves] = [[], []];
    else moves.push(judged.value);
    positions.push(at);
  }
  return accept({ positions, moves });
}

/** Plays recorded plies in order; refuses with the first that is illegal. */
export function replay<P>(game: Game<P>, plies: readonly RecordedPly[]): Result<Game<P>> {
  let now = game;
  for (const { move, reveals } of plies) {
    const next = play(now, move, reveals);
    if (!next.ok) return next;
    now = next.value.game;
  }
  return accept(now);
}

/** The legal moves as text, none when the game is over. */
export const legalMoves = <P>(game: Game<P>): readonly string[] =>
  game.outcome === null ? game.ruleset.legalMoves(position(game)).map((move) => game.ruleset.text(move)) : [];

/** A legal move that repeats the position, and what that leads to. */
export interface Warning {
  readonly move: string;
  /**
   * The outcome of the repetition or the draw that can be claimed; or the opponent's win by a reply, since a
   * perpetual check is often completed by the reply.
   */
  readonly outcome: Outcome;
}

/** The warnings about moves that repeat the position. */
export function warnings<P>(game: Game<P>): readonly Warning[] {
  if (game.outcome !== null) return [];
  const { ruleset, history } = game;
  return continuations(ruleset, history).flatMap(({ move, after }) => {
    const outcome = repetition(ruleset, after) ?? losesByReply(ruleset, after);
    return outcome === null ? [] : [{ move: ruleset.text(move), outcome }];
  });
}

interface Continuation<P> {
  readonly move: Move;
  readonly after: History<P>;
}

/** The legal moves that turn up nothing, with the history after each. */
function continuations<P>(ruleset: Ruleset<P>, history: History<P>): readonly Continuation<P>[] {
  const at = present(history);
  const moves = ruleset.legalMoves(at).filter((move) => ruleset.turnsUp(at, move) === null);
  return moves.map((move) => ({
    move,
    after: extend(ruleset, history, move, ruleset.play(at, move, null)),
  }));
}

/** The win of the opponent whose reply would complete a repetition, or null. */
function losesByReply<P>(ruleset: Ruleset<P>, history: History<P>): Outcome | null {
  if (occurrences((a, b) => ruleset.same(a, b), history) < 2 || ruleset.outcome(history) !== null)
    return null;
  const opponent = ruleset.turn(present(history));
  const brought = continuations(ruleset, history).map(({ after }) => repetition(ruleset, after));
  return brought.find((outcome) => outcome?.winner === opponent) ?? null;
}

function repetition<P>(ruleset: Ruleset<P>, history: History<P>): Outcome | null {
  if (occurrences((a, b) => ruleset.same(a, b), history) < 3) return null;
  // Another rule may end the game first, such as 75 moves; the player is warned of what the move really leads to.
  const outcome = ruleset.outcome(history);
  if (outcome !== null) return outcome;
  const claimable = ruleset.claimable(history).includes('threefoldRepetition');
  return claimable ? { winner: null, reason: 'threefoldRepetition' } : null;
}

/** The legal move with this text. Refused with ILLEGAL_MOVE, which says why, or GAME_OVER. */
export function find<P>({ ruleset, history, outcome }: Game<P>, text: string): Result<Move> {
  return outcome === null ? look(ruleset, present(history), text) : over;
}

const over = refuse('GAME_OVER', 'move', 'The game is over.');

function look<P>(ruleset: Ruleset<P>, at: P, text: string): Result<Move> {
  const move = findMove(ruleset, at, text);
  return move === null ? { ok: false, refusal: ruleset.explain(at, text) } : accept(move);
}

const findMove = <P>(ruleset: Ruleset<P>, at: P, text: string): Move | null =>
  ruleset.find === undefined
    ? (ruleset.legalMoves(at).find((legal) => ruleset.text(legal) === text) ?? null)
    : ruleset.find(at, text);

/** The legal move with this text; also refused if it cannot reveal this piece. */
function judge<P>(ruleset: Ruleset<P>, at: P, text: string, reveal: string | null): Result<Move> {
  const found = look(ruleset, at, text);
  if (!found.ok) return found;
  const wrong = revealFault(ruleset, at, found.value, reveal);
  return wrong === null ? found : refuse('INVALID_REVEAL', 'reveals', wrong);
}

/** The square whose piece this move turns up, or null. */
export function turnsUp<P>(game: Game<P>, text: string): Result<string | null> {
  const found = find(game, text);
  return found.ok ? accept(game.ruleset.turnsUp(position(game), found.value)) : found;
}

/**
 * Plays one move given as text. `reveal` is the letter of the piece that it turns up, or null; else refused with
 * INVALID_REVEAL.
 */
export function play<P>(game: Game<P>, text: string, reveal: string | null): Result<Played<P>> {
  const advanced = advance(game, text, reveal);
  if (!advanced.ok) return advanced;
  const { game: next, before, move } = advanced.value;
  const { ruleset, history } = next;
  const outcome = ruleset.outcome(history);
  const after = present(history);
  const ply: Ply = {
    move: text,
    reveals: reveal,
    player: ruleset.turn(before),
    captured: ruleset.captured(before, move, reveal),
    san: ruleset.san(before, move, reveal),
    fen: ruleset.fen(after),
    check: ruleset.check(after),
    claimable: outcome === null ? ruleset.claimable(history) : [],
  };
  return accept({ game: { ...next, outcome }, ply });
}

/** A game after one ply, not yet checked for an end, and the position before it. */
interface Advanced<P> {
  readonly game: Game<P>;
  readonly before: P;
  readonly move: Move;
}

function advance<P>(game: Game<P>, text: string, reveal: string | null): Result<Advanced<P>> {
  if (game.outcome !== null) return over;
  const { ruleset } = game;
  const before = position(game);
  const judged = judge(ruleset, before, text, reveal);
  if (!judged.ok) return judged;
  const move = judged.value;
  const history = extend(ruleset, game.history, move, ruleset.play(before, move, reveal));
  return accept({ game: { ...game, history }, before, move });
}

function extend<P>(ruleset: Ruleset<P>, history: History<P>, move: Move, after: P): History<P> {
  if (ruleset.quiet(after) === 0) return { positions: [after], moves: [] };
  return { positions: [...history.positions, after], moves: [...history.moves, move] };
}

function revealFault<P>(ruleset: Ruleset<P>, at: P, move: Move, reveal: string | null): string | null {
  const square = ruleset.turnsUp(at, move);
  if (square === null)
    return reveal === null ? null : 'This move turns up no piece. Leave out what it reveals.';
  if (reveal === null) return `This move turns up the piece on ${square}. Say which piece it reveals.`;
  const letters = [...new Set(ruleset.mayTurnUp(at))].join('');
  return reveal.length === 1 && letters.includes(reveal) ? null : notFaceDown(reveal, letters);
}

/** Why a move cannot turn up this piece. `letters` are those that it can, which is public. */
export const notFaceDown = (reveal: string, letters: string): string =>
  letters === ''
    ? `This move cannot reveal ${shown(reveal)}: no piece is face-down any more.`
    : `This move cannot reveal ${shown(reveal)}. Name one of the letters ${letters}.`;
