import type { Options, Player } from '../rules/ruleset.js';
import { hexOf, sha256 } from './digest.js';
import { canonicalJson } from './json.js';

/**
 * The hash chain of a game: each hash covers the row and the hash before it, so the newest one stands for the whole
 * game. In format 1 only plies are rows, after a hash of the terms. See docs/fairness.md, "The chain", "Format 1".
 */

/** The content of a row of the chain of format 2. */
export interface RowContent {
  /** The version of the game that it belongs to. */
  readonly seq: number;
  readonly type: string;
  readonly player: Player | null;
  /** JSON values alone. */
  readonly data: Readonly<Record<string, unknown>>;
  /** UTC, as `2026-01-31T09:05:00.000Z`. */
  readonly at: string;
}

/** A row with its place in the chain; `previousHash` is null in the first one. */
export interface ChainedRow extends RowContent {
  readonly previousHash: string | null;
  readonly hash: string;
}

/** The hash of a row of format 2. Lower-case hex SHA-256 over canonical JSON (RFC 8785). */
export const rowHash = (
  game: string,
  { seq, type, player, data, at }: RowContent,
  previousHash: string | null,
): string => hashOf({ game, seq, type, player, data, at, previousHash });

/** The row appended after the one with this hash. */
export const chained = <Row extends RowContent>(
  game: string,
  row: Row,
  previousHash: string | null,
): Row & ChainedRow => ({ ...row, previousHash, hash: rowHash(game, row, previousHash) });

/** A time control as the API shows it: a flat object, durations in whole seconds. */
export type TimeControlTerms = Readonly<Record<string, string | number | boolean | null>>;

/** What both players agreed to before ply 1. */
export interface Terms {
  /** Id of the game. */
  readonly game: string;
  /** Id of the rule set. */
  readonly ruleset: string;
  /** Complete, with their defaults. */
  readonly options: Options;
  /** User ids. */
  readonly players: Readonly<Record<Player, string>>;
  readonly timeControl: TimeControlTerms;
  /** Lower-case hex SHA-256 of the server seed. */
  readonly commitment: string;
}

/** The public content of a stored ply. */
export interface PlyContent {
  /** Id of the game. */
  readonly game: string;
  /** Rises from row to row, also after a takeback. */
  readonly seq: number;
  /** From 1; a number comes again after a takeback. */
  readonly ply: number;
  readonly player: Player;
  readonly move: string;
  /** Letter of the piece that the ply turned up, else null. */
  readonly reveals: string | null;
  readonly san: string;
  /** The position after it. */
  readonly position: string;
  /** Whole seconds. */
  readonly timeUsed: number;
  /** Played by a conditional move? */
  readonly automatic: boolean;
  /** UTC, as `2026-01-31T09:05:00.000Z`. */
  readonly playedAt: string;
}

const hashOf = (content: unknown): string => hexOf(sha256(canonicalJson(content)));

// Both pick their fields one by one, since further fields of a caller's row must not enter the hash.

/** The `previousHash` of a game's first row. Lower-case hex SHA-256 over canonical JSON (RFC 8785). */
export const termsHash = ({ game, ruleset, options, players, timeControl, commitment }: Terms): string =>
  hashOf({
    game,
    ruleset,
    options,
    players: { first: players.first, second: players.second },
    timeControl,
    commitment,
  });

/** The hash of a row. Lower-case hex SHA-256 over canonical JSON (RFC 8785). */
export const plyHash = (previousHash: string, row: PlyContent): string =>
  hashOf({
    game: row.game,
    seq: row.seq,
    ply: row.ply,
    player: row.player,
    move: row.move,
    reveals: row.reveals,
    san: row.san,
    position: row.position,
    timeUsed: row.timeUsed,
    automatic: row.automatic,
    playedAt: row.playedAt,
    previousHash,
  });
