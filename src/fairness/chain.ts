import commonJs from 'canonicalize';
import type { Options, Player } from '../rules/ruleset.js';
import { sha256 } from './digest.js';

/**
 * The hash chain of a game: each ply's hash covers its content and the hash before it, the first one the game's
 * terms, so the newest hash stands for the whole game. Source: the design of play, "One act, one commit".
 */

// The package exports the function itself (CommonJS) while its types promise a `default` member.
const canonicalJson = commonJs as unknown as (value: unknown) => string;

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

const hashOf = (content: unknown): string => sha256(canonicalJson(content)).toString('hex');

// Both pick their fields one by one: a caller's row may carry more, and that must not enter the hash.

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
