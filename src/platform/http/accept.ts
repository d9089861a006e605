/** What a client wants to be answered with. */

/** How much a header Accept wants the first of these ranges that it names, from 0 to 1; null if it names none. */
function wish(accept: string, ranges: readonly string[]): number | null {
  const named = new Map(
    accept.split(',').map((each) => {
      const [range = '', ...parameters] = each.toLowerCase().split(';').map((part) => part.trim()); // prettier-ignore
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [range, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const;
    }),
  );
  const range = ranges.find((each) => named.has(each));
  return range === undefined ? null : named.get(range)!;
}

/**
 * The media type that a header Accept wants most, among equals the first. JSON is what a client gets that names nothing
 * else; only it stands for a wildcard.
 */
export function wanted<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | 'application/json' {
  let [best, most] = ['application/json' as Type | 'application/json', 0];
  for (const type of types) {
    const much = wish(accept ?? '', [type]) ?? 0;
    if (much > most) [best, most] = [type, much];
  }
  const json = wish(accept ?? '', ['application/json', 'application/*', '*/*']) ?? 0;
  return json > most ? 'application/json' : best;
}
