/** Records with one value after the other altered. */

export type Path = readonly string[];

/** The paths of all values that have no parts. */
export const leavesOf = (node: unknown, path: Path = []): readonly Path[] =>
  typeof node !== 'object' || node === null
    ? [path]
    : Object.entries(node).flatMap(([name, child]) => leavesOf(child, [...path, name]));

export function changed(node: unknown, path: Path, change: (leaf: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(node);
  const child = changed((node as Record<string, unknown>)[name], rest, change);
  return Array.isArray(node) ? node.with(Number(name), child) : { ...(node as object), [name]: child };
}

/** Another value of the same form, where there is one. */
export const other = (leaf: unknown): unknown => {
  if (typeof leaf === 'number') return leaf + 1;
  if (typeof leaf === 'boolean') return !leaf;
  if (leaf === 'first') return 'second';
  if (leaf === 'second') return 'first';
  if (typeof leaf === 'string') return leaf.slice(0, -1) + (leaf.endsWith('0') ? '1' : '0');
  return 'x';
};
