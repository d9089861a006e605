import { createHash } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.js';

const MOST_NAMED = 500;
const MARK = '/* unnamed */';

/** Begins a statement that is put together from parts: there are too many of them to keep, and none is the same for long. */
export const UNNAMED = Prisma.raw(MARK);

/** A number as part of the statement: for a limit that it does not know the planner expects a tenth of all. */
export const constant = (number: number): Prisma.Sql => Prisma.raw(String(number));

/**
 * Names a statement by its text, so that the server keeps its plan. Statements without parameters, those that begin as
 * UNNAMED, and those beyond the first 500 stay unnamed (''): what the server keeps for a connection must not grow
 * without bound.
 */
export function statementNames(): (query: { sql: string; args: readonly unknown[] }) => string {
  const names = new Map<string, string>();
  return ({ sql, args }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (args.length === 0 || names.size >= MOST_NAMED || sql.startsWith(MARK)) return '';
    const name = createHash('sha256').update(sql).digest('base64url');
    names.set(sql, name);
    return name;
  };
}
