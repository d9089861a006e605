import { Injectable } from '@nestjs/common';
import { readPlan } from '../arbiter/flat-conditional-moves.js';
import type { Plan } from '../arbiter/conditional-moves.js';
import type { Proof } from '../fairness/merkle.js';
import { normalizedFen } from '../formats/head.js';
import { isStored, lineNotation, moveFormatsOf, ranksFromZero, readMove } from '../formats/move.js';
import { pliesIn } from '../formats/tagged-parser.js';
import { badInput, orThrow, DomainError } from '../platform/errors/errors.js';
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
import type { Claim, MoveFormat, Options, Outcome, Player } from '../rules/ruleset.js';
import { parseSetup, setupNumber, setupOf } from '../rules/setup.js';
import { shown } from '../rules/shown.js';
import { standingOf, type Standing } from '../rules/standing.js';
import { DealsService } from './deals.service.js';
import { decodeMoves } from './moves-text.js';
import { verifyPlan, verifyPlanAfter } from './conditional-moves.js';
import { unwrap } from './refusals.js';
import { intact, movesUpTo, remaining, type StoredGame } from './stored-game.js';

/** A legal ply, and the game after it. */
export interface Judged {
  readonly ply: rules.Ply;
  readonly proof: Proof | null;
  readonly outcome: Outcome | null;
  /** Null when the game is over. */
  readonly turn: Player | null;
  /** True if the position after the ply is the new anchor. */
  readonly anchors: boolean;
}

/** A game after one of its plies, with the text of the plies up to it. */
export interface Rewound extends Standing {
  readonly moves: string;
}

/** A line of moves to analyse without a game; options and position are not parsed yet. */
export interface Line extends Omit<AnalysisRequest, 'options'> {
  readonly ruleset: string;
  readonly options: unknown;
  /** The moves as one text, instead of `moves`. */
  readonly text: LineText | null;
}

export interface LineText {
  readonly text: string;
  readonly format: MoveFormat | null;
  readonly most: number;
}

/** A set-up with its published number. */
export interface NumberedSetup {
  readonly number: number;
  readonly setup: string;
  /** The position text before ply 1. */
  readonly position: string;
}

/** What everyone may see besides the position text. */
export interface Observation {
  readonly check: boolean;
  /** Letters of the captured pieces in order; upper case belongs to the first named side. */
  readonly captured: string;
  /** Letters still face-down by elimination, in the order of the dealing list. */
  readonly faceDown: string;
  /** The pieces and their squares from a1 on; `x` is a face-down piece. */
  readonly squares: readonly { readonly square: string; readonly letter: string }[];
}

/** The rules and the deals as one injectable service. Refusals of the rules become DomainErrors here. */
@Injectable()
export class EngineService {
  constructor(private readonly deals: DealsService) {}

  catalogue(): readonly AnyRuleset[] {
    return rulesets();
  }

  /** Throws INVALID_RULESET. */
  ruleset(id: string): AnyRuleset {
    const known = () =>
      rulesets()
        .map((ruleset) => ruleset.id)
        .join(', ');
    return orThrow(
      rulesetById(id),
      () =>
        new DomainError('INVALID_RULESET', `There is no rule set ${shown(id)}. Use one of ${known()}.`, {
          field: 'ruleset',
        }),
    );
  }

  /** The complete options of a game; throws INVALID_OPTIONS. */
  options(rulesetId: string, given: unknown): Options {
    return unwrap(parseOptions(this.ruleset(rulesetId), given));
  }

  /** The position text before ply 1; `setup` is null if none is drawn, or not yet. */
  opening(rulesetId: string, options: Options, setup: string | null): string {
    const ruleset = this.ruleset(rulesetId);
    return ruleset.fen(ruleset.start(options, setup));
  }

  /** The set-up with a number or a text; throws INVALID_SETUP. */
  setup(rulesetId: string, asked: number | string): NumberedSetup {
    const ruleset = this.ruleset(rulesetId);
    const isText = typeof asked === 'string';
    const read = isText ? parseSetup(ruleset, asked) : setupOf(ruleset, asked);
    const setup = unwrap(at(isText ? 'text' : 'number', read));
    const position = this.opening(rulesetId, this.options(rulesetId, {}), setup);
    return { number: setupNumber(ruleset, setup), setup, position };
  }

  /** The published number of a game's set-up; null if it has none. */
  setupNumber({ ruleset, setup }: Pick<StoredGame, 'ruleset' | 'setup'>): number | null {
    return setup === null ? null : setupNumber(this.ruleset(ruleset), setup);
  }

  /**
   * Analyses a line of moves. Throws what the rules refuse, with the index of the move in the field;
   * INVALID_GAME_TEXT with line and column; BAD_INPUT for a format that the game does not have.
   */
  analyse({ ruleset: id, options, position, text, ...given }: Line): Analysis {
    const ruleset = this.ruleset(id);
    // Positions with face-down pieces are not FEN.
    const fen = position === null || ruleset.hidden ? position : normalizedFen(position, id);
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
   * The move that a player's text means, in coordinates. Coordinates are returned unchecked. Throws ILLEGAL_MOVE,
   * AMBIGUOUS_MOVE, and BAD_INPUT for a format that the game does not have.
   */
  moveIn(stored: StoredGame, text: string, asked: MoveFormat | null): string {
    const ruleset = this.ruleset(stored.ruleset);
    const format = formatIn(ruleset, asked);
    if (isStored(ruleset, text, format)) return text;
    return unwrap(readMove(this.resume(stored), text, format));
  }

  /**
   * Like moveIn for a ply that may already be stored, read in the position before it; null if it is not a move there.
   */
  moveAt(stored: StoredGame, ply: number, text: string, asked: MoveFormat | null): string | null {
    const ruleset = this.ruleset(stored.ruleset);
    const format = formatIn(ruleset, asked);
    if (isStored(ruleset, text, format)) return text;
    const read = readMove(this.resumeAt(stored, ply - 1), text, format);
    return read.ok ? read.value : null;
  }

  /** Plays a move; throws ILLEGAL_MOVE with the reason. The dealt piece is read only if the move is legal. */
  async judge(stored: StoredGame, move: string): Promise<Judged> {
    const game = this.resume(stored);
    const square = game.ruleset.hidden ? unwrap(rules.turnsUp(game, move)) : null;
    const turnedUp = square === null ? null : await this.deals.turnUp(stored, square);
    const played = rules.play(game, move, turnedUp?.piece ?? null);
    return judged(unwrap(advised(game, move, played)), turnedUp?.proof ?? null);
  }

  /** Why a draw cannot be claimed in the current position (CLAIM_NOT_MET), or null. */
  claimRefusal(stored: StoredGame, claimed: Claim): Refusal | null {
    const read = claims.claim(this.resume(stored), claimed);
    return read.ok ? null : read.refusal;
  }

  /** Plays a move that ends the game by the draw claimed with it; throws ILLEGAL_MOVE, CLAIM_NOT_MET. */
  claimWith(stored: StoredGame, claimed: Claim, move: string): Judged {
    const game = this.resume(stored);
    return judged(unwrap(advised(game, move, claims.claimWith(game, claimed, move))), null);
  }

  /** The game after a ply, 0 being the opening, to which a takeback returns. */
  rewind(stored: StoredGame, ply: number): Rewound {
    const game = this.resumeAt(stored, ply);
    return { ...standingOf(game, ply), moves: movesUpTo(stored, ply) };
  }

  private resumeAt(stored: StoredGame, ply: number): rules.Game<unknown> {
    const anchor = ply < stored.anchorPly ? this.firstAnchor(stored) : {};
    return this.resume({ ...stored, ...anchor, moves: movesUpTo(stored, ply) });
  }

  /** The number of this player's last ply if it is one of the last two, else 0. */
  lastPlyOf(stored: StoredGame, player: Player): number {
    const count = decodeMoves(stored.moves).length;
    // The player to move before a ply is the one who made it.
    const own = [count, count - 1].find((ply) => ply > 0 && this.rewind(stored, ply - 1).turn === player);
    return own ?? 0;
  }

  /** The number of the last ply that turned up a piece, or 0. */
  lastTurnUp({ moves }: StoredGame): number {
    return decodeMoves(moves).findLastIndex(({ reveals }) => reveals !== null) + 1;
  }

  /** Parses and checks conditional moves; throws with the path of the fault. */
  plan(stored: StoredGame, owner: Player, given: unknown): Plan {
    return unwrap(verifyPlan(this.resume(stored), owner, unwrap(readPlan(given))));
  }

  /**
   * Like plan, for those sent with a move; null if nothing can follow it. The piece that it would turn up is not
   * read.
   */
  planAfter(stored: StoredGame, owner: Player, move: string, given: unknown): Plan | null {
    const parsed = unwrap(inMove(readPlan(given)));
    const plan = unwrap(inMove(verifyPlanAfter(this.resume(stored), owner, move, parsed)));
    return plan.length === 0 ? null : plan;
  }

  /** The legal moves of a running game. Its history is read only if a selected field needs it. */
  legalMoves(stored: StoredGame): readonly LegalMove[] {
    const { ruleset, at } = this.at(stored);
    return legalMovesOf(ruleset, at, () => this.resume(stored));
  }

  /** The draws that may be claimed in a game that is not over. */
  claimable(stored: StoredGame): readonly Claim[] {
    return claimableIn(this.resume(stored));
  }

  /** The claims open to the side to move. The history is read only if there may be some. */
  openClaims(stored: StoredGame): readonly claims.OpenClaim[] {
    const { ruleset, at } = this.at(stored);
    return claims.mayBeClaimed(ruleset, at) ? claims.openClaims(this.resume(stored)) : [];
  }

  observe(stored: StoredGame): Observation {
    const { ruleset, at } = this.at(stored);
    const captured = decodeMoves(stored.moves).map((ply) => ply.captured ?? '');
    return {
      check: ruleset.check(at),
      captured: captured.join(''),
      faceDown: ruleset.unseen(at) ?? '',
      squares: placed(ruleset.board, stored.position.split(' ', 1)[0]!),
    };
  }

  /** The name of the side that each player has; null until it is known. */
  sides(stored: StoredGame): Readonly<Record<Player, string | null>> {
    const ruleset = this.ruleset(stored.ruleset);
    if (ruleset.sideOf === undefined) return { first: ruleset.sides[0], second: ruleset.sides[1] };
    const { at } = this.at(stored);
    return { first: sideOf(ruleset, at, 'first'), second: sideOf(ruleset, at, 'second') };
  }

  canWin(stored: StoredGame, player: Player): boolean {
    const { ruleset, at } = this.at(stored);
    return ruleset.canWin(at, player);
  }

  /** The current position without its history, which is enough for most questions. */
  private at(stored: StoredGame): { readonly ruleset: AnyRuleset; readonly at: unknown } {
    const ruleset = this.ruleset(stored.ruleset);
    const unseen = ruleset.hidden ? remaining(ruleset, decodeMoves(stored.moves)) : '';
    return { ruleset, at: intact(stored, ruleset.parse(stored.position, stored.options, unseen)) };
  }

  /** The opening is an anchor of every game, since nothing comes before it. */
  private firstAnchor({ ruleset, options, setup }: StoredGame) {
    return { anchorPosition: this.opening(ruleset, options, setup), anchorPly: 0 };
  }

  /** The game with the history that repetition needs. */
  private resume(stored: StoredGame): rules.Game<unknown> {
    const plies = decodeMoves(stored.moves);
    const ruleset = this.ruleset(stored.ruleset);
    const unseen = remaining(ruleset, plies.slice(0, stored.anchorPly));
    const anchor = { fen: stored.anchorPosition, plies: plies.slice(stored.anchorPly), unseen };
    return intact(stored, rules.resume<unknown>(ruleset, stored.options, anchor));
  }
}

function sideOf(ruleset: AnyRuleset, at: unknown, player: Player): string | null {
  const side = ruleset.sideOf!(at, player);
  return side === null ? null : ruleset.sides[side];
}

/** The format, checked for this rule set. Throws BAD_INPUT. */
function formatIn(ruleset: AnyRuleset, format: MoveFormat | null): MoveFormat | null {
  if (format === null || moveFormatsOf(ruleset).includes(format)) return format;
  const known = moveFormatsOf(ruleset).join(', ');
  throw badInput('format', `Moves of ${ruleset.id} cannot be written as ${format}. Use one of ${known}.`);
}

/** Adds to the refusal of an illegal move what the player may have meant. */
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

/** Replaces the field of a refusal. */
const at = <T>(field: string, read: Result<T>): Result<T> =>
  read.ok ? read : { ok: false, refusal: { ...read.refusal, field } };

/** Replaces the field of a refusal by that of the input of a move. */
const inMove = <T>(read: Result<T>): Result<T> =>
  read.ok ? read : at(read.refusal.field!.replace(/^tree/, 'conditionalMoves'), read);
