import { createHash } from 'node:crypto';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { Options } from '../../src/rules/ruleset.js';

/** The expected contents of the opening explorer, counted independently. */

/** Counts of a move in a position: won by the first player, drawn, won by the second player. */
export type Table = Readonly<Record<string, readonly [number, number, number]>>;

interface Played {
  readonly ruleset: string;
  readonly winner: string | null;
  /** The positions before each ply that was not taken back, and after the last one. */
  readonly fens: readonly string[];
  readonly moves: readonly string[];
}

/** The expected counts of these games: each position once per game, up to 30 plies. */
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

/** The expected counts of all stored games that have been counted already. */
export async function countedInStore(db: PrismaClient): Promise<Table> {
  const games = await db.game.findMany({
    where: { status: 'finished', unexplored: null },
    include: { plies: { orderBy: { seq: 'asc' } } },
  });
  const open = games.filter(({ ruleset }) => !rulesetById(ruleset)!.hidden);
  return countedByHand(
    open.map(({ ruleset: id, options, setup, winner, plies, plyCount }) => {
      const ruleset = rulesetById(id)!;
      // If two plies have the same number, the later one stands.
      const standing = [...new Map(plies.map((ply) => [ply.ply, ply])).values()].filter(
        ({ ply }) => ply <= plyCount,
      );
      const start = ruleset.fen(ruleset.start(options as Options, setup));
      const fens = [start, ...standing.map(({ position }) => position)];
      return { ruleset: id, winner, fens, moves: standing.map(({ move }) => move) };
    }),
  );
}

/** The stored counts. */
export async function storedTable(db: PrismaClient): Promise<Table> {
  const rows = await db.openingMove.findMany();
  return Object.fromEntries(
    rows.map(({ position, move, firstWon, drawn, secondWon }) => [
      `${position.replaceAll('-', '')} ${move}`,
      [firstWon, drawn, secondWon],
    ]),
  );
}
