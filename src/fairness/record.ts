import { EVENT_TYPES } from '../arbiter/acts/registry.js';
import { PLAYERS, REASONS, type Outcome, type Player } from '../rules/ruleset.js';
import type { ChainedRow } from './chain.js';
import { ROLES, type Role } from './deal.js';
import { parseInstant } from './instant.js';
import type { Proof } from './merkle.js';
import {
  countFrom,
  exact,
  flag,
  just,
  listOf,
  mapOf,
  matching,
  object,
  oneOf,
  optional,
  orNull,
  scalar,
  shapeOf,
  shortText,
  text,
  type Shape,
} from './shape.js';

/** The exported record of a game. Source: docs/fairness.md, "The chain", "The record". */

/** A row with what its hash does not cover. */
export interface Row extends ChainedRow {
  /** Only with a turned-up piece: the proof that it was dealt to its square. */
  readonly proof?: Proof | null;
}

/** The number of this form of records, which their first rows contain as well. */
export const FORMAT = 2;

export interface RecordedPlayer {
  readonly id: string;
  /** In no hash. */
  readonly username: string;
}

export interface GameRecord {
  readonly format: typeof FORMAT;
  readonly id: string;
  /** Null before the start. */
  readonly players: Readonly<Record<Player, RecordedPlayer>> | null;
  /** Null until the end. */
  readonly outcome: Outcome | null;
  /** Hex of 32 bytes; null until the end. */
  readonly serverSeed: string | null;
  readonly rows: readonly Row[];
}

const SIDE_WISHES = [...PLAYERS, 'any'] as const;
type SideWish = (typeof SIDE_WISHES)[number];

export interface CreateData {
  readonly format: typeof FORMAT;
  readonly kind: 'direct' | 'link' | 'seek';
  readonly creator: string;
  readonly opponent: string | null;
  readonly ruleset: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly timeControl: Readonly<Record<string, unknown>>;
  readonly rated: boolean;
  readonly side: SideWish;
  readonly minRating: number | null;
  readonly maxRating: number | null;
  readonly rematchOf: string | null;
  readonly counterTo: string | null;
  readonly expiresAt: string;
  readonly commitment: string;
  readonly clientSeedHash: string | null;
}

export interface SeedData {
  readonly by: Role;
  readonly clientSeedHash: string;
  readonly clientSeed: string | null;
}

export interface AcceptData {
  readonly accepter: string;
  readonly side: SideWish;
  readonly seek: string | null;
  readonly clientSeedHash: string | null;
  /** Null if none, or only its hash was announced. */
  readonly clientSeed: string | null;
  /** How many earlier games of the rule set each was first in; null if a chosen side decides. */
  readonly earlier: Readonly<Record<Role, number>> | null;
  /** The creator's provisional side, which the start may change if the seeds decide. */
  readonly creator: Player;
}

export interface StartData {
  readonly first: string;
  readonly second: string;
  readonly creator: Player;
  readonly sidesBy: 'wish' | 'balance' | 'seeds';
  readonly creatorSeed: string | null;
  readonly accepterSeed: string | null;
  readonly setup: string | null;
  readonly dealRoot: string | null;
  readonly onVacationUntil?: Readonly<Record<string, string>> | null;
}

export interface PlyData {
  readonly ply: number;
  readonly move: string;
  readonly reveals: string | null;
  readonly san: string;
  readonly position: string;
  readonly timeUsed: number;
  readonly automatic: boolean;
}

const hex32 = matching(/^[0-9a-f]{64}$/, '64 lower-case hex digits');
const clientSeed = matching(/^[0-9a-f]{32}$/, '32 lower-case hex digits');
const player = oneOf(PLAYERS);
const outcome = exact<Outcome>({ winner: orNull(player), reason: oneOf(REASONS) });

const UTC = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };
const utc = shapeOf(UTC, (value, at) =>
  typeof value === 'string' && parseInstant(value) !== null
    ? []
    : [`${at} must be a UTC time as 2026-01-31T09:05:00.000Z`],
);

const RATING = { type: 'integer', minimum: 0, maximum: 4000, nullable: true };
const rating = shapeOf(RATING, (value, at) =>
  value === null || (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 4000)
    ? []
    : [`${at} must be null or a whole number from 0 to 4000`],
);

/** The data of rows that are not acts. */
const DATA: ReadonlyMap<string, Shape> = new Map([
  [
    'create',
    exact<CreateData>({
      format: just(FORMAT),
      kind: oneOf(['direct', 'link', 'seek']),
      creator: shortText,
      opponent: orNull(shortText),
      ruleset: shortText,
      options: mapOf(scalar),
      timeControl: mapOf(scalar),
      rated: flag,
      side: oneOf(SIDE_WISHES),
      minRating: rating,
      maxRating: rating,
      rematchOf: orNull(shortText),
      counterTo: orNull(shortText),
      expiresAt: utc,
      commitment: hex32,
      clientSeedHash: orNull(hex32),
    }),
  ],
  ['seed', exact<SeedData>({ by: oneOf(ROLES), clientSeedHash: hex32, clientSeed: orNull(clientSeed) })],
  [
    'accept',
    exact<AcceptData>({
      accepter: shortText,
      side: oneOf(SIDE_WISHES),
      seek: orNull(shortText),
      clientSeedHash: orNull(hex32),
      clientSeed: orNull(clientSeed),
      earlier: orNull(exact<Record<Role, number>>({ creator: countFrom(0), accepter: countFrom(0) })),
      creator: player,
    }),
  ],
  [
    'start',
    exact<StartData>({
      first: shortText,
      second: shortText,
      creator: player,
      sidesBy: oneOf(['wish', 'balance', 'seeds']),
      creatorSeed: orNull(clientSeed),
      accepterSeed: orNull(clientSeed),
      setup: orNull(shortText),
      dealRoot: orNull(hex32),
      onVacationUntil: optional(exactPlayers(utc)),
    }),
  ],
  ['end', outcome],
  [
    'ply',
    exact<PlyData>({
      ply: countFrom(1),
      move: shortText,
      reveals: orNull(shortText),
      san: shortText,
      position: shortText,
      timeUsed: countFrom(0),
      automatic: flag,
    }),
  ],
]);

/** For either player, both or none. */
function exactPlayers(shape: Shape): Shape {
  return exact<Partial<Record<Player, unknown>>>({ first: optional(shape), second: optional(shape) });
}

const TYPES: readonly string[] = ['ply', 'create', 'seed', ...EVENT_TYPES];

const proof = exact<Proof>({ salt: hex32, path: listOf(hex32) });

/** The options of a game, a time control and vacations are objects of their own. */
const parts = mapOf(orNull(scalar));
const texts = listOf(shortText);

const NUMBERS = [{ type: 'number' }, { type: 'boolean' }];
const DATUM = { anyOf: [shortText.schema, ...NUMBERS, texts.schema, parts.schema] };
const datum = shapeOf(DATUM, (value, at) => {
  if (typeof value === 'string') return shortText(value, at);
  if (Array.isArray(value)) return texts(value, at);
  return typeof value === 'object' ? parts(value, at) : scalar(value, at);
});

/** A row of one of these types. */
const rowOf = (types: readonly string[], data: Shape): Shape =>
  exact<Row>({
    seq: countFrom(0),
    type: oneOf(types),
    player: orNull(player),
    data,
    at: utc,
    previousHash: orNull(hex32),
    hash: hex32,
    proof: optional(proof),
  });

// The data of acts are checked by repeating the act.
const anyRow = rowOf([...new Set(TYPES)], mapOf(orNull(datum)));

const ROW = {
  oneOf: [
    ...[...DATA].map(([type, data]) => rowOf([type], data).schema),
    rowOf(EVENT_TYPES.filter((type) => !DATA.has(type)), mapOf(orNull(datum))).schema, // prettier-ignore
  ],
};

const row = shapeOf(ROW, (value, at) => {
  const faults = anyRow(value, at);
  if (faults.length > 0) return faults;
  const { type, data, proof: given } = value as Row;
  const shape = DATA.get(type);
  const stray = given != null && (type !== 'ply' || data['reveals'] === null);
  return [
    ...(shape === undefined ? [] : shape(data, `${at}.data`)),
    ...(stray ? [`${at} must not have a proof: it turned nothing up`] : []),
  ];
});

const person = exact<RecordedPlayer>({ id: shortText, username: shortText });

const record = exact<GameRecord>({
  format: just(FORMAT),
  id: matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'an id in lower case'),
  players: orNull(exact<NonNullable<GameRecord['players']>>({ first: person, second: person })),
  outcome: orNull(outcome),
  serverSeed: orNull(hex32),
  rows: listOf(row),
});

export const RECORD_SCHEMA = record.schema;

/** The error that the server sends instead of a record (RFC 9457). */
interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

const problem = object<Problem>({ status: countFrom(400), code: text, detail: text });

/** What is wrong with the form of untrusted JSON; if nothing, it is a `GameRecord`. */
export function formFaults(given: unknown): readonly string[] {
  if (problem(given, 'record').length > 0) return record(given, 'record');
  const { status, code, detail } = given as Problem;
  const said = `${status} ${code}: ${detail.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)}`;
  return [`this is not a record but an error of the server (${said})`];
}
