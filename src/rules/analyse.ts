import { squaresOfMove, type MoveSquares } from './board.js';
import {
  begin,
  find,
  play,
  position,
  resume,
  warnings,
  type Game,
  type Ply,
  type RecordedPly,
} from './play.js';
import { accept, refuse, type Refusal, type Result } from './result.js';
import {
  PLAYERS,
  type Claim,
  type NotedMove,
  type Options,
  type Outcome,
  type Player,
  type Ruleset,
} from './ruleset.js';
import { chosenSetup, parseSetup } from './setup.js';
import { shown } from './shown.js';

/** Analyses a position or a line of moves without a game. The caller supplies everything that is known. */

export interface AnalysisRequest {
  /** Complete (see parseOptions). */
  readonly options: Options;
  /** The set-up of a game that draws one; null for that of the options, else the dealing order. */
  readonly setup: string | null;
  /** The position text that the moves begin from; null for the start of the game. */
  readonly position: string | null;
  /** The letters that lie face-down in `position`, in any order; null where they are not known. */
  readonly faceDown: string | null;
  readonly moves: readonly RecordedPly[];
}

/** A legal move, and what its player should know before playing it. */
export interface LegalMove extends MoveSquares {
  readonly move: string;
  /** The letter of the piece that it captures; null for none and for one not known yet. */
  readonly captures: string | null;
  /** In the usual notation, with `?` for a piece that it would turn up. */
  readonly san: string;
  /** In the other notations of the game. */
  readonly notations: readonly NotedMove[];
  /** True if the opponent can capture the king after it. */
  readonly losing: boolean;
  /** The outcome that repeating the position by this move leads to or allows to claim; null if it repeats nothing. */
  readonly warning: Outcome | null;
}

/** A ply of the given line. */
export interface AnalysedPly
  extends MoveSquares, Pick<Ply, 'player' | 'move' | 'reveals' | 'captured' | 'san'> {
  readonly notations: readonly NotedMove[];
  /** The position text after it. */
  readonly position: string;
}

/** The game after the last of the given moves. */
export interface Analysis {
  readonly position: string;
  /** Null when the game is over. */
  readonly turn: Player | null;
  readonly check: boolean;
  readonly outcome: Outcome | null;
  readonly claimable: readonly Claim[];
  /** True if a player could still win by some sequence of legal moves. False for both after the end. */
  readonly canWin: Readonly<Record<Player, boolean>>;
  /** The letters that a turn-up may show; empty if nothing lies face-down. */
  readonly mayTurnUp: string;
  readonly legalMoves: readonly LegalMove[];
  readonly plies: readonly AnalysedPly[];
}

function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => (done ??= { value: work() }).value;
}

/**
 * The legal moves of a running game. All fields but `move` are computed when read; `game` and its history only for
 * warnings.
 */
export function legalMovesOf<P>(ruleset: Ruleset<P>, at: P, game: () => Game<P>): readonly LegalMove[] {
  const losing = once(() => new Set(ruleset.losing(at)));
  const warned = once(() => new Map(warnings(game()).map(({ move, outcome }) => [move, outcome])));
  return ruleset.legalMoves(at).map((move) => {
    const text = ruleset.text(move);
    return {
      move: text,
      ...squaresOfMove(text),
      get captures() {
        return ruleset.captured(at, move, null);
      },
      get san() {
        return ruleset.san(at, move, null);
      },
      get notations() {
        return ruleset.notations(at, move);
      },
      get losing() {
        return losing().has(move);
      },
      get warning() {
        return warned().get(text) ?? null;
      },
    };
  });
}

/** The draws that can be claimed in the current position. */
export const claimableIn = <P>({ ruleset, history, outcome }: Game<P>): readonly Claim[] =>
  outcome === null ? ruleset.claimable(history) : [];

/**
 * Analyses a line of moves. Refused with INVALID_POSITION, INVALID_SETUP, ILLEGAL_MOVE, INVALID_REVEAL or GAME_OVER;
 * the field has the index of the move, as in `moves.3.reveals`.
 */
export function analyse<P>(ruleset: Ruleset<P>, request: AnalysisRequest): Result<Analysis> {
  const opened = openingOf(ruleset, request);
  if (!opened.ok) return opened;
  let game = opened.value;
  const plies: AnalysedPly[] = [];
  for (const [index, { move, reveals }] of request.moves.entries()) {
    const next = play(game, move, reveals);
    if (!next.ok) return { ok: false, refusal: atIndex(index, next.refusal) };
    plies.push(analysedPly(game, next.value.ply));
    game = next.value.game;
  }
  return accept({ ...standing(game), plies });
}

/** The game that the moves begin from. Refused with INVALID_POSITION, INVALID_SETUP. */
export function openingOf<P>(
  ruleset: Ruleset<P>,
  { options, setup, position: fen, faceDown }: Omit<AnalysisRequest, 'moves'>,
): Result<Game<P>> {
  if (fen !== null && setup !== null) {
    return refuse(
      'INVALID_SETUP',
      'setup',
      'setup must be left out when a position is given, since the moves begin from the position.',
    );
  }
  if (faceDown !== null && (fen === null || ruleset.chance !== 'deal')) {
    return refuse('INVALID_POSITION', 'position.faceDown', noFaceDown(ruleset));
  }
  const unseen = faceDown === null ? {} : { unseen: faceDown };
  if (fen !== null) return resume(ruleset, options, { fen, plies: [], ...unseen });
  const chosen = chosenSetup(ruleset, options);
  if (setup === null) return accept(begin(ruleset, options));
  const parsed = parseSetup(ruleset, setup);
  if (!parsed.ok) return parsed;
  if (chosen === null || chosen === setup) return accept(begin(ruleset, options, setup));
  return refuse(
    'INVALID_SETUP',
    'setup',
    `setup (${shown(setup)}) differs from the set-up in the options (${shown(chosen)}). Leave one of them out.`,
  );
}

const noFaceDown = <P>({ chance, name }: Ruleset<P>): string =>
  chance === 'deal'
    ? 'faceDown requires a position. Send position as well, or leave faceDown out.'
    : `${name} has no face-down pieces. Leave faceDown out.`;

const atIndex = (index: number, refusal: Refusal): Refusal => ({
  ...refusal,
  field: `moves.${index}.${refusal.field ?? 'move'}`,
  message: `Move ${index + 1}: ${refusal.message}`,
});

function analysedPly<P>(before: Game<P>, ply: Ply): AnalysedPly {
  const { player, move, reveals, captured, san, fen } = ply;
  return {
    player,
    move,
    ...squaresOfMove(move),
    reveals,
    captured,
    san,
    position: fen,
    get notations() {
      const found = find(before, move);
      return found.ok ? before.ruleset.notations(position(before), found.value) : [];
    },
  };
}

function standing<P>(game: Game<P>): Omit<Analysis, 'plies'> {
  const { ruleset, outcome } = game;
  const at = position(game);
  const goesOn = outcome === null;
  const [first, second] = PLAYERS.map((player) => goesOn && ruleset.canWin(at, player));
  return {
    position: ruleset.fen(at),
    turn: goesOn ? ruleset.turn(at) : null,
    check: ruleset.check(at),
    outcome,
    claimable: claimableIn(game),
    canWin: { first: first!, second: second! },
    mayTurnUp: ruleset.mayTurnUp(at),
    legalMoves: goesOn ? legalMovesOf(ruleset, at, () => game) : [],
  };
}
