import { createHash } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.js';

const MOST_NAMED = 500;
const MARK = '/* unnamed */';

/** Marks a statement that is composed from parts: there are too many variants to prepare. */
export const UNNAMED = Prisma.raw(MARK);

/** A number as literal SQL: for a LIMIT given as a parameter the planner would assume a tenth of all rows. */
export const constant = (number: number): Prisma.Sql => Prisma.raw(String(number));

/**
 * Names a statement by its text, so that the server keeps its plan. Statements without parameters, composed ones
 * (UNNAMED) and those beyond the first 500 stay unnamed (''), so that what the server keeps for a connection stays
 * bounded.
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
