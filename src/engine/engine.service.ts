import { Injectable } from '@nestjs/common';
import { readPlan } from '../arbiter/flat-plans.js';
import type { Plan } from '../arbiter/plans.js';
import type { Proof } from '../fairness/merkle.js';
import { usualFen } from '../formats/head.js';
import { isStored, lineNotation, moveFormatsOf, ranksFromZero, readMove } from '../formats/move.js';
import { pliesIn } from '../formats/tagged.js';
import { badInput, demand, DomainError } from '../platform/errors.js';
import {
  analyse,
  claimableIn,
  legalMovesOf,
  openingOf,
  type Analysis,
  type AnalysisRequest,
  type LegalMove,
} from '../rules/analyse.js';
import { placed } from '../rules/board.js';
import * as claims from '../rules/claims.js';
import { parseOptions } from '../rules/options.js';
import * as rules from '../rules/play.js';
import { rulesetById, rulesets, type AnyRuleset } from '../rules/registry.js';
import type { Refusal, Result } from '../rules/result.js';
import {
  PLAYERS,
  type Claim,
  type MoveFormat,
  type Options,
  type Outcome,
  type Player,
} from '../rules/ruleset.js';
import { parseSetup, setupNumber, setupOf } from '../rules/setup.js';
import { standingOf, type Standing } from '../rules/standing.js';
import { DealsService, type DealtGame } from './deals.service.js';
import { decodeMoves, encodePly, type BriefPly } from './moves-text.js';
import { verifyPlan, verifyPlanAfter } from './plans.js';
import { errorOf, unwrap } from './refusals.js';

/** What the rules need of a stored game. */
export interface StoredGame extends DealtGame {
  /** The opening as it was set up, null in rule sets without one and as long as it is not drawn. */
  readonly setup: string | null;
  readonly position: string;
  /** The last position that nothing before it can repeat, and the number of plies played up to it. */
  readonly anchorPosition: string;
  readonly anchorPly: number;
  readonly moves: string;
}

/** A ply that the rules allow, and the game after it. */
export interface Judged {
  readonly ply: rules.Ply;
  readonly proof: Proof | null;
  readonly outcome: Outcome | null;
  /** Null when the game is over. */
  readonly turn: Player | null;
  /** Has the ply become the new anchor? */
  readonly anchors: boolean;
}

/** A game as it stood after one of its plies, with the text of the plies up to it. */
export interface Rewound extends Standing {
  readonly moves: string;
}

/** A line of moves to be judged without a game; options and position as they came in. */
export interface Line extends Omit<AnalysisRequest, 'options'> {
  readonly ruleset: string;
  readonly options: unknown;
  /** The moves as a text, in place of `moves`. */
  readonly text: LineText | null;
}

export interface LineText {
  readonly text: string;
  readonly format: MoveFormat | null;
  readonly most: number;
}

/** An opening of a game that draws one, by its published number. */
export interface NumberedSetup {
  readonly number: number;
  readonly setup: string;
  /** The position text before ply 1. */
  readonly position: string;
}

/** What everybody may see beside the position text. */
export interface Observation {
  readonly check: boolean;
  /** Letters of the captured pieces in order; upper case belongs to the first named side. */
  readonly captured: string;
  /** Letters still face-down by elimination, in the order of the dealing list. */
  readonly faceDown: string;
  /** What stands where, from a1 on; `x` is a face-down piece. */
  readonly squares: readonly { readonly square: string; readonly letter: string }[];
  /** The name of the side that each player has; null until it is known. */
  readonly sides: Readonly<Record<Player, string | null>>;
}

/** The rules, with what only the dealing code knows, behind one injectable face; their refusals become DomainErrors here. */
@Injectable()
export class EngineService {
  constructor(private readonly deals: DealsService) {}

  catalogue(): readonly AnyRuleset[] {
    return rulesets();
  }

  /** Throws INVALID_RULESET when there is none with this id. */
  ruleset(id: string): AnyRuleset {
    const known = () =>
      rulesets()
        .map((ruleset) => ruleset.id)
        .join(', ');
    return demand(
      rulesetById(id),
      () => new DomainError('INVALID_RULESET', `The rule set is one of ${known()}.`, { field: 'ruleset' }),
    );
  }

  /** The complete options of a game; throws INVALID_OPTIONS. */
  options(rulesetId: string, given: unknown): Options {
    return unwrap(parseOptions(this.ruleset(rulesetId), given));
  }

  /** The position text before ply 1; `setup` is null as long as it is not drawn, and where none is. */
  opening(rulesetId: string, options: Options, setup: string | null): string {
    const ruleset = this.ruleset(rulesetId);
    return ruleset.fen(ruleset.start(options, setup));
  }

  /** The set-up of a number, or that of a text; throws INVALID_SETUP. */
  setup(rulesetId: string, asked: number | string): NumberedSetup {
    const ruleset = this.ruleset(rulesetId);
    const isText = typeof asked === 'string';
    const read = isText ? parseSetup(ruleset, asked) : setupOf(ruleset, asked);
    const setup = unwrap(at(isText ? 'text' : 'number', read));
    const position = this.opening(rulesetId, this.options(rulesetId, {}), setup);
    return { number: setupNumber(ruleset, setup), setup, position };
  }

  /** The published number of a game's set-up, null where none is drawn. */
  setupNumber({ ruleset, setup }: Pick<StoredGame, 'ruleset' | 'setup'>): number | null {
    return setup === null ? null : setupNumber(this.ruleset(ruleset), setup);
  }

  /**
   * Judges a line of moves. Throws what the rules refuse, with the index of the move in the field; INVALID_GAME_TEXT with
   * its place; BAD_INPUT for a format that the game does not have.
   */
  analyse({ ruleset: id, options, position, text, ...given }: Line): Analysis {
    const ruleset = this.ruleset(id);
    // Where pieces lie face-down a position has fields of its own.
    const fen = position === null || ruleset.hidden ? position : usualFen(position, id);
    const line = { ...given, options: this.options(id, options), position: fen };
    const moves = text === null ? line.moves : this.movesIn(ruleset, line, text);
    return unwrap(analyse<unknown>(ruleset, { ...line, moves }));
  }

  private movesIn(
    ruleset: AnyRuleset,
    line: AnalysisRequest,
    { text, format, most }: LineText,
  ): AnalysisRequest['moves'] {
    const game = unwrap(openingOf<unknown>(ruleset, line));
    return unwrap(pliesIn(game, text, lineNotation(ruleset, formatIn(ruleset, format)), most));
  }

  /**
   * The move that a text of a player means, as it is stored; one that is stored so comes back untried. Throws
   * ILLEGAL_MOVE, AMBIGUOUS_MOVE, and BAD_INPUT for a format that the game does not have.
   */
  moveIn(stored: StoredGame, text: string, asked: MoveFormat | null): string {
    const ruleset = this.ruleset(stored.ruleset);
    const format = formatIn(ruleset, asked);
    if (isStored(ruleset, text, format)) return text;
    return unwrap(readMove(this.resume(stored), text, format));
  }

  /** The same of a move for a ply that may be stored already, read where it was played; null where it is none there. */
  moveAt(stored: StoredGame, ply: number, text: string, asked: MoveFormat | null): string | null {
    const ruleset = this.ruleset(stored.ruleset);
    const format = formatIn(ruleset, asked);
    if (isStored(ruleset, text, format)) return text;
    const read = readMove(this.resumeAt(stored, ply - 1), text, format);
    return read.ok ? read.value : null;
  }

  /** Judges a move; throws ILLEGAL_MOVE with the reason. What it turns up is asked for only if it is legal. */
  async judge(stored: StoredGame, move: string): Promise<Judged> {
    const game = this.resume(stored);
    const square = game.ruleset.hidden ? unwrap(rules.turnsUp(game, move)) : null;
    const turnedUp = square === null ? null : await this.deals.turnUp(stored, square);
    const played = rules.play(game, move, turnedUp?.piece ?? null);
    return judged(unwrap(advised(game, move, played)), turnedUp?.proof ?? null);
  }

  /** What stands against the claim of a draw in the game as it stands, as CLAIM_NOT_MET, which says what is missing; or null. */
  claimRefusal(stored: StoredGame, claimed: Claim): Refusal | null {
    const read = claims.claim(this.resume(stored), claimed);
    return read.ok ? null : read.refusal;
  }

  /** Judges a move that ends the game by the claim made with it; throws ILLEGAL_MOVE, and CLAIM_NOT_MET as above. */
  claimWith(stored: StoredGame, claimed: Claim, move: string): Judged {
    const game = this.resume(stored);
    return judged(unwrap(advised(game, move, claims.claimWith(game, claimed, move))), null);
  }

  /** The game as it stood after the ply with this number, 0 being the opening: where a takeback returns to. */
  rewind(stored: StoredGame, ply: number): Rewound {
    const game = this.resumeAt(stored, ply);
    return { ...standingOf(game, ply), moves: movesUpTo(stored, ply) };
  }

  private resumeAt(stored: StoredGame, ply: number): rules.Game<unknown> {
    const anchor = ply < stored.anchorPly ? this.firstAnchor(stored) : {};
    return this.resume({ ...stored, ...anchor, moves: movesUpTo(stored, ply) });
  }

  /** The number of this player's last ply, when it is one of the last two; else 0. */
  lastPlyOf(stored: StoredGame, player: Player): number {
    const count = decodeMoves(stored.moves).length;
    // Whose turn it was before a ply played it.
    const own = [count, count - 1].find((ply) => ply > 0 && this.rewind(stored, ply - 1).turn === player);
    return own ?? 0;
  }

  /** The number of the last ply that turned a piece up, 0 when none did. */
  lastTurnUp({ moves }: StoredGame): number {
    return decodeMoves(moves).findLastIndex(({ reveals }) => reveals !== null) + 1;
  }

  /** Conditional moves with what could be found out about them; throws what makes no sense, by its path. */
  plan(stored: StoredGame, owner: Player, given: unknown): Plan {
    return unwrap(verifyPlan(this.resume(stored), owner, unwrap(readPlan(given))));
  }

  /** The same for those that come with a move; null when nothing can follow it. Nothing that it would turn up is asked for. */
  planAfter(stored: StoredGame, owner: Player, move: string, given: unknown): Plan | null {
    const parsed = unwrap(inMove(readPlan(given)));
    const plan = unwrap(inMove(verifyPlanAfter(this.resume(stored), owner, move, parsed)));
    return plan.length === 0 ? null : plan;
  }

  /** The legal moves of a game that is not over; its history is read only for what is asked of it. */
  legalMoves(stored: StoredGame): readonly LegalMove[] {
    const { ruleset, at } = this.at(stored);
    return legalMovesOf(ruleset, at, () => this.resume(stored));
  }

  /** The draws that may be claimed in a game that is not over. */
  claimable(stored: StoredGame): readonly Claim[] {
    return claimableIn(this.resume(stored));
  }

  /** The claims of a draw that would be accepted from whoever is to move; none in most games, without a look at them. */
  openClaims(stored: StoredGame): readonly claims.OpenClaim[] {
    return this.ruleset(stored.ruleset).claims.length === 0 ? [] : claims.openClaims(this.resume(stored));
  }

  observe(stored: StoredGame): Observation {
    const { ruleset, at } = this.at(stored);
    const captured = decodeMoves(stored.moves).map((ply) => ply.captured ?? '');
    return {
      check: ruleset.check(at),
      captured: captured.join(''),
      faceDown: ruleset.unseen(at) ?? '',
      squares: placed(ruleset.board, stored.position.split(' ', 1)[0]!),
      sides: { first: sideOf(ruleset, at, 'first'), second: sideOf(ruleset, at, 'second') },
    };
  }

  canWin(stored: StoredGame, player: Player): boolean {
    const { ruleset, at } = this.at(stored);
    return ruleset.canWin(at, player);
  }

  /** The position as it stands, which is all that most questions are about. */
  private at(stored: StoredGame): { readonly ruleset: AnyRuleset; readonly at: unknown } {
    const ruleset = this.ruleset(stored.ruleset);
    const unseen = remaining(ruleset, decodeMoves(stored.moves));
    return { ruleset, at: intact(stored, ruleset.parse(stored.position, stored.options, unseen)) };
  }

  /** Nothing comes before the opening, so it is an anchor of every game. */
  private firstAnchor({ ruleset, options, setup }: StoredGame) {
    return { anchorPosition: this.opening(ruleset, options, setup), anchorPly: 0 };
  }

  /** The game with what its repetitions are judged by. */
  private resume(stored: StoredGame): rules.Game<unknown> {
    const plies = decodeMoves(stored.moves);
    const ruleset = this.ruleset(stored.ruleset);
    const unseen = remaining(ruleset, plies.slice(0, stored.anchorPly));
    const anchor = { fen: stored.anchorPosition, plies: plies.slice(stored.anchorPly), unseen };
    return intact(stored, rules.resume<unknown>(ruleset, stored.options, anchor));
  }
}

function sideOf(ruleset: AnyRuleset, at: unknown, player: Player): string | null {
  const side = ruleset.sideOf === undefined ? PLAYERS.indexOf(player) : ruleset.sideOf(at, player);
  return side === null ? null : ruleset.sides[side]!;
}

function movesUpTo({ id, moves }: StoredGame, ply: number): string {
  const plies = decodeMoves(moves);
  if (ply !== 0 && !(ply - 1 in plies)) throw new RangeError(`Game ${id} has no ply ${ply}`);
  return plies.slice(0, ply).map(encodePly).join(' ');
}

/** The same, where the games of this rule set have it. Throws BAD_INPUT. */
function formatIn(ruleset: AnyRuleset, format: MoveFormat | null): MoveFormat | null {
  if (format === null || moveFormatsOf(ruleset).includes(format)) return format;
  const known = moveFormatsOf(ruleset).join(', ');
  throw badInput('format', `Moves of ${ruleset.id} cannot be written as ${format}; use one of ${known}.`);
}

/** The same answer; the refusal of an illegal move says what its sender may have meant. */
const advised = <T>(game: rules.Game<unknown>, move: string, read: Result<T>): Result<T> =>
  read.ok || read.refusal.code !== 'ILLEGAL_MOVE'
    ? read
    : { ok: false, refusal: { ...read.refusal, message: read.refusal.message + ranksFromZero(game, move) } };

const judged = ({ game, ply }: rules.Played<unknown>, proof: Proof | null): Judged => ({
  ply,
  proof,
  outcome: game.outcome,
  turn: game.outcome === null ? game.ruleset.turn(rules.position(game)) : null,
  anchors: game.history.positions.length === 1,
});

/** The same answer, a refusal with another name for what is wrong. */
const at = <T>(field: string, read: Result<T>): Result<T> =>
  read.ok ? read : { ok: false, refusal: { ...read.refusal, field } };

/** The same answer; a refusal names the tree by the field in which a move carries it. */
const inMove = <T>(read: Result<T>): Result<T> =>
  read.ok ? read : at(read.refusal.field!.replace(/^tree/, 'conditionalMoves'), read);

function intact<T>(stored: StoredGame, read: Result<T>): T {
  if (!read.ok) throw new Error(`Game ${stored.id} is damaged`, { cause: errorOf(read.refusal) });
  return read.value;
}

/** What is still face-down of the full set after these plies. */
function remaining(ruleset: AnyRuleset, plies: readonly BriefPly[]): string {
  return plies.reduce(
    (letters, { reveals }) => (reveals === null ? letters : letters.replace(reveals, '')),
    ruleset.hidden ? ruleset.dealing.join('') : '',
  );
}
