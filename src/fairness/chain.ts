import type { Player } from '../rules/ruleset.js';
import { hexOf, sha256 } from './digest.js';
import { canonicalJson } from './json.js';

/**
 * The hash chain of a game: each hash covers the row and the hash before it, so the newest one stands for the whole
 * game. See docs/fairness.md, "The chain".
 */

/** The content of a row of the chain. */
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

/** The hash of a row. Lower-case hex SHA-256 over canonical JSON (RFC 8785). */
export const rowHash = (
  game: string,
  { seq, type, player, data, at }: RowContent,
  previousHash: string | null,
): string => hexOf(sha256(canonicalJson({ game, seq, type, player, data, at, previousHash })));

/** The row appended after the one with this hash. */
export const chained = <Row extends RowContent>(
  game: string,
  row: Row,
  previousHash: string | null,
): Row & ChainedRow => ({ ...row, previousHash, hash: rowHash(game, row, previousHash) });
