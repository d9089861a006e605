/** A value of an array, as a parameter of a statement. */
export type Element = string | number | boolean | Date | null;

/**
 * An array in PostgreSQL's own text form, as one parameter that the statement casts. Prisma would carry a list through
 * three forms, value by value; a commit has more than forty lists.
 */
export const arrayText = (values: readonly Element[]): string => `{${values.map(elementText).join(',')}}`;

function elementText(value: Element): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  return value instanceof Date ? `"${value.toISOString()}"` : String(value);
}
