/** A value of an array, as a parameter of a statement. */
export type Element = string | number | boolean | Date | null;

/**
 * PostgreSQL's planner assumes this length for an array whose values it does not know. With fewer values a plan for just
 * these would look cheaper than the kept one, and it would plan the statement anew each time.
 */
const ASSUMED_LENGTH = 10;

/**
 * An array in PostgreSQL's own text form, as one parameter that the statement casts and joins with other rows: a short one
 * is filled up with NULL, which joins nothing. Prisma would carry a list through three forms, value by value; a commit has
 * more than forty lists.
 */
export function arrayText(values: readonly Element[]): string {
  const texts = values.map(elementText);
  while (texts.length < ASSUMED_LENGTH) texts.push('NULL');
  return `{${texts.join(',')}}`;
}

function elementText(value: Element): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  return value instanceof Date ? `"${value.toISOString()}"` : String(value);
}
