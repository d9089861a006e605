import { PLAYERS, REASONS, type Options, type Outcome, type Player } from '../../rules/ruleset.js';
import type { PlyContent, TimeControlTerms } from '../chain.js';
import type { Proof } from '../merkle.js';
import {
  countFrom,
  flag,
  listOf,
  mapOf,
  matching,
  object,
  oneOf,
  optional,
  orNull,
  scalar,
  text,
} from '../shape.js';

/** The exported record of a game: all that is needed to check it without the server. */

export const STATUSES = ['pending', 'active', 'paused', 'finished', 'aborted'] as const;
export type Status = (typeof STATUSES)[number];

export interface RecordedPlayer {
  readonly id: string;
  readonly username: string;
}

/** A stored ply of the record. The game's id, part of the hashed content, is the record's. */
export interface PlyRow extends Omit<PlyContent, 'game'> {
  readonly previousHash: string;
  readonly hash: string;
  /** With `reveals`: that the piece is the one dealt to its square. */
  readonly proof?: Proof | null;
  /** Whole seconds in the bank of the mover after it; in no hash. */
  readonly clock?: number | null;
}

/** A takeback: the rows up to `seq` were played before it, and play returned to the position after ply `ply`. */
export interface Takeback {
  readonly seq: number;
  readonly ply: number;
}

export interface GameRecord {
  readonly id: string;
  /** Id of the rule set. */
  readonly ruleset: string;
  readonly options: Options;
  /** The opening as it was set up (`NQRBK/qbnrk`), null in rule sets without. */
  readonly setup: string | null;
  /** The deal text, if the record spells it out; only after the end. */
  readonly deal?: string | null;
  readonly players: Readonly<Record<Player, RecordedPlayer>>;
  /** Who made the seek or challenge: whose seed `clientSeedHash` announced. */
  readonly creator?: Player | null;
  /** True when the seeds decided who makes ply 1, rather than a wish or earlier games. */
  readonly sidesDrawn?: boolean | null;
  readonly timeControl: TimeControlTerms;
  readonly commitment: string;
  readonly dealRoot: string | null;
  /** Null while the game waits for this seed. */
  readonly clientSeeds: Readonly<Record<Player, string | null>>;
  /** The hash of the creator's seed, if the seed itself was given only after the acceptance. */
  readonly clientSeedHash?: string | null;
  /** Hex of 32 bytes; null while the game runs. */
  readonly serverSeed: string | null;
  readonly termsHash: string;
  readonly plies: readonly PlyRow[];
  readonly takebacks?: readonly Takeback[] | null;
  readonly outcome: Outcome | null;
  readonly status: Status;
}

const hex32 = matching(/^[0-9a-f]{64}$/, '64 lower-case hex digits');
const utc = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a UTC time as 2026-01-31T09:05:00.000Z');
const player = oneOf(PLAYERS);

const person = object<RecordedPlayer>({ id: text, username: text });

const row = object<PlyRow>({
  seq: countFrom(0),
  ply: countFrom(1),
  player,
  move: text,
  reveals: orNull(text),
  san: text,
  position: text,
  timeUsed: countFrom(0),
  automatic: flag,
  playedAt: utc,
  previousHash: hex32,
  hash: hex32,
  proof: optional(object<Proof>({ salt: hex32, path: listOf(hex32) })),
  clock: optional(countFrom(0)),
});

const record = object<GameRecord>({
  id: text,
  ruleset: text,
  options: mapOf(scalar),
  setup: orNull(text),
  deal: optional(text),
  players: object<GameRecord['players']>({ first: person, second: person }),
  creator: optional(player),
  sidesDrawn: optional(flag),
  timeControl: mapOf(orNull(scalar)),
  commitment: hex32,
  dealRoot: orNull(hex32),
  clientSeeds: object<GameRecord['clientSeeds']>({ first: orNull(text), second: orNull(text) }),
  clientSeedHash: optional(hex32),
  serverSeed: orNull(hex32),
  termsHash: hex32,
  plies: listOf(row),
  takebacks: optional(listOf(object<Takeback>({ seq: countFrom(0), ply: countFrom(0) }))),
  outcome: orNull(object<Outcome>({ winner: orNull(player), reason: oneOf(REASONS) })),
  status: oneOf(STATUSES),
});

export const RECORD_SCHEMA = record.schema;

export type ParsedRecord =
  | { readonly ok: true; readonly record: GameRecord }
  | { readonly ok: false; readonly faults: readonly string[] };

/** The error that the server sends instead of a record (RFC 9457). */
const problem = object<{ status: number; code: string; detail: string }>({
  status: countFrom(400),
  code: text,
  detail: text,
});

/** Reads untrusted JSON as a record, or says which fields are wrong. */
export function parseRecord(given: unknown): ParsedRecord {
  if (problem(given, 'record').length === 0) {
    const { status, code, detail } = given as { status: number; code: string; detail: string };
    const said = `${status} ${code}: ${detail.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)}`;
    return { ok: false, faults: [`this is not a record but an error of the server (${said})`] };
  }
  const faults = record(given, 'record');
  return faults.length === 0 ? { ok: true, record: given as GameRecord } : { ok: false, faults };
}
