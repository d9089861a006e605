import { z } from 'zod';
import { CLAIMS, PLAYERS, REASONS } from '../../rules/ruleset.js';

/**
 * The lines of vector files: games, move counts (perft), deals, invalid inputs. Fields for people (`tags`, `why`) are
 * ignored; they may be missing, like values that are null or empty. Unknown fields are ignored.
 */

const player = z.enum(PLAYERS);
const count = z.int().min(0);
const options = z.record(z.string(), z.unknown()).default({});
const textOrNull = z.string().nullable().default(null);

const ply = z
  .object({
    move: z.string(),
    player,
    san: z.string(),
    fen: z.string(),
    legal: z.array(z.string()).optional(),
    legalCount: count.optional(),
    legalSha256: z.string().optional(),
    reveals: z.string().nullable().optional(),
    captured: z.string().nullable().optional(),
    check: z.boolean().optional(),
    claimable: z.array(z.enum(CLAIMS)).optional(),
    losing: z.array(z.string()).optional(),
  })
  .refine(
    ({ legal, legalCount, legalSha256 }) => legal ?? (legalCount !== undefined && legalSha256 !== undefined),
    'legal is missing, or legalCount and legalSha256 instead',
  );

const END_TYPES = 'claim, resignation, agreement or timeout';

const end = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('claim'), player, reason: z.enum(CLAIMS) }),
    z.object({ type: z.literal('resignation'), player }),
    z.object({ type: z.literal('agreement') }),
    z.object({ type: z.literal('timeout'), player }),
  ],
  { error: `it must be ${END_TYPES}` },
);

const shown = z.object({
  captured: z.record(z.string(), z.string()),
  faceDown: z.record(z.string(), count),
});

const game = z.object({
  id: z.string(),
  ruleset: z.string(),
  options,
  setup: textOrNull,
  deal: textOrNull,
  start: textOrNull,
  tags: z.unknown().optional(),
  plies: z.array(ply),
  end: end.nullable().default(null),
  outcome: z
    .object({ winner: player.nullable(), reason: z.enum(REASONS) })
    .nullable()
    .default(null),
  final: z.string(),
  shown: shown.optional(),
});

const perft = z.object({
  ruleset: z.string(),
  options,
  setup: textOrNull,
  deal: textOrNull,
  fen: textOrNull,
  moves: z.array(z.string()).default([]),
  depth: count,
  nodes: count,
});

const drawn = { ruleset: z.string(), gameId: z.string(), serverSeed: z.string(), commitment: z.string() };
const texts = { deal: textOrNull, setup: textOrNull };

/** A deal, with who makes ply 1 and the salt of one square. */
const deal = z
  .object({
    ...drawn,
    ...texts,
    creatorSeed: z.string().nullable(),
    accepterSeed: z.string().nullable(),
    creatorFirst: z.boolean(),
    square: z.string(),
    salt: z.string(),
  })
  .refine((line) => line.deal ?? line.setup, 'deal or setup is missing');

const INVALID_KINDS = 'fen, move, options, deal or setup';
const bad = { ruleset: z.string(), options, why: z.unknown().optional() };

const invalid = z.discriminatedUnion(
  'kind',
  [
    z.object({ ...bad, kind: z.literal('fen'), text: z.string() }),
    z.object({
      ...bad,
      kind: z.literal('move'),
      text: z.string(),
      fen: textOrNull,
      setup: textOrNull,
      deal: textOrNull,
    }),
    z.object({ ...bad, kind: z.literal('options'), value: z.unknown() }),
    z.object({ ...bad, kind: z.literal('deal'), text: z.string() }),
    z.object({ ...bad, kind: z.literal('setup'), text: z.string() }),
  ],
  { error: `it must be ${INVALID_KINDS}` },
);

export type PlyLine = z.infer<typeof ply>;
export type End = z.infer<typeof end>;
export type GameLine = z.infer<typeof game>;
export type PerftLine = z.infer<typeof perft>;
export type DealLine = z.infer<typeof deal>;
export type InvalidLine = z.infer<typeof invalid>;

/** The start of a game, in the fields that all lines with a game share. */
export interface Opening {
  readonly ruleset: string;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly setup?: string | null | undefined;
  readonly deal?: string | null | undefined;
}

export type Line =
  | { readonly type: 'game'; readonly line: GameLine }
  | { readonly type: 'perft'; readonly line: PerftLine }
  | { readonly type: 'deal'; readonly line: DealLine }
  | { readonly type: 'invalid'; readonly line: InvalidLine };

/** Each kind of line with fields that only it has, its schema, and the names of its files. */
const KINDS = [
  { type: 'game', own: ['plies', 'final'], schema: game, file: /^games\b/ },
  { type: 'perft', own: ['nodes', 'depth'], schema: perft, file: /^perft\b/ },
  { type: 'deal', own: ['commitment', 'serverSeed'], schema: deal, file: /^deals\b/ },
  { type: 'invalid', own: ['kind', 'why'], schema: invalid, file: /^invalid\b/ },
] as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: Record<string, unknown>, file: string): (typeof KINDS)[number] | undefined =>
  KINDS.find(({ own }) => own.some((field) => Object.hasOwn(value, field))) ??
  KINDS.find((kind) => kind.file.test(file));

const textOf = (issue: z.core.$ZodIssue): string =>
  [issue.path.map(String).join('.'), issue.message].filter((text) => text !== '').join(': ');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a line of a vector file, whose kind follows from its fields or else from the name of the file (without folder).
 * Returns the line, or a message that says what is wrong.
 */
export function readLine(text: string, file: string): Line | string {
  const value = parsed(text);
  if (value === undefined) return 'it is not JSON';
  if (!isObject(value)) return 'it is not a JSON object';
  const kind = kindOf(value, file);
  if (kind === undefined) return 'its kind is unknown: it must be a game, perft, deal or invalid input';
  const read = kind.schema.safeParse(value);
  if (!read.success) return `the ${kind.type} line is malformed: ${read.error.issues.map(textOf).join('; ')}`;
  return { type: kind.type, line: read.data } as Line;
}
