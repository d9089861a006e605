import { createHash } from 'node:crypto';
import request from 'supertest';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { Options } from '../../src/rules/ruleset.js';
import type { Http } from './accounts.js';
import type { Answer, Body, Refusal } from './play.js';

/** What is asked of the explorer over both transports, and what it should answer, counted by hand. */

export interface Counted {
  readonly games: number;
  readonly firstWon: number;
  readonly drawn: number;
  readonly secondWon: number;
}

export interface Explored extends Counted {
  readonly position: string;
  readonly plyCount: number;
  readonly depth: number;
  readonly ended: number;
  readonly moves: readonly (Counted & {
    readonly move: string;
    readonly san: string;
    readonly notations: Body;
  })[];
}

export type Explore = (line: Body) => Promise<Answer<Explored>>;

const answer = (body: Refusal & { detail?: string }, text: string): Answer<never> => {
  const { code, field, fault } = body;
  const refusal = {
    code,
    ...(field === undefined ? {} : { field }),
    ...(fault === undefined ? {} : { fault }),
  };
  return { data: undefined as never, refusal, message: body.detail ?? '', text };
};

export const restExplorer =
  (http: Http): Explore =>
  async ({ ruleset, moves, ...more }) => {
    const line =
      moves === undefined ? more : { ...more, moves: Array.isArray(moves) ? moves.join(',') : moves };
    const { status, body, text } = await request(http)
      .get(`/v1/rulesets/${String(ruleset)}/explorer`)
      .query(line);
    return status < 400 ? { data: body as Explored, text } : answer(body as Refusal, text);
  };

const COUNTS = 'games firstWon drawn secondWon';
const QUERY = `query ($ruleset: String!, $setup: String, $moves: [String!]) {
  explorer(ruleset: $ruleset, setup: $setup, moves: $moves) {
    position plyCount depth ${COUNTS} ended moves { move san notations ${COUNTS} } } }`;

export const graphqlExplorer =
  (http: Http): Explore =>
  async (variables) => {
    const { body, text } = await request(http).post('/graphql').send({ query: QUERY, variables });
    const { data, errors } = body as {
      data?: { explorer: Explored };
      errors?: readonly { extensions: Refusal; message: string }[];
    };
    if (errors !== undefined) return answer({ ...errors[0]!.extensions, detail: errors[0]!.message }, text);
    return { data: data!.explorer, text };
  };

export const EXPLORERS: readonly (readonly [string, (http: Http) => Explore])[] = [
  ['GraphQL', graphqlExplorer],
  ['REST', restExplorer],
];

/** Of a move in a position: won by the first player, drawn, won by the second one. */
export type Table = Readonly<Record<string, readonly [number, number, number]>>;

interface Played {
  readonly ruleset: string;
  readonly winner: string | null;
  /** Before each ply that stands, and after the last one. */
  readonly fens: readonly string[];
  readonly moves: readonly string[];
}

/** What the explorer must have counted of these games: each position once a game, down to 30 plies. */
export function countedByHand(games: readonly Played[]): Table {
  const table: Record<string, [number, number, number]> = {};
  for (const { ruleset, winner, fens, moves } of games) {
    const seen = new Set<string>();
    for (const [depth, fen] of fens.slice(0, 31).entries()) {
      const text = `${ruleset}\n${fen.split(' ').slice(0, 4).join(' ')}`;
      if (seen.has(text)) continue;
      seen.add(text);
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
      const row = (table[`${hash} ${moves[depth] ?? ''}`] ??= [0, 0, 0]);
      row[winner === 'first' ? 0 : winner === null ? 1 : 2]++;
    }
  }
  return table;
}

/** The same of all stored games that do not wait to be counted, from the plies that stand in each. */
export async function countedInStore(db: PrismaClient): Promise<Table> {
  const games = await db.game.findMany({
    where: { status: 'finished', unexplored: null },
    include: { plies: { orderBy: { seq: 'asc' } } },
  });
  const open = games.filter(({ ruleset }) => !rulesetById(ruleset)!.hidden);
  return countedByHand(
    open.map(({ ruleset: id, options, setup, winner, plies, plyCount }) => {
      const ruleset = rulesetById(id)!;
      // Of two plies with one number the newer stands.
      const standing = [...new Map(plies.map((ply) => [ply.ply, ply])).values()].filter(
        ({ ply }) => ply <= plyCount,
      );
      const start = ruleset.fen(ruleset.start(options as Options, setup));
      const fens = [start, ...standing.map(({ position }) => position)];
      return { ruleset: id, winner, fens, moves: standing.map(({ move }) => move) };
    }),
  );
}

/** What is stored of it. */
export async function storedTable(db: PrismaClient): Promise<Table> {
  const rows = await db.openingMove.findMany();
  return Object.fromEntries(
    rows.map(({ position, move, firstWon, drawn, secondWon }) => [
      `${position.replaceAll('-', '')} ${move}`,
      [firstWon, drawn, secondWon],
    ]),
  );
}
