/** Reads what was asked for in the same moment: all that is alike by one call, answered in the order of the asking. */
export async function readAlike<Asked, Found>(
  asked: readonly Asked[],
  kindOf: (one: Asked) => string,
  read: (alike: readonly Asked[]) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found = new Map<Asked, Found>();
  await Promise.all(
    [...new Set(asked.map(kindOf))].map(async (kind) => {
      const alike = asked.filter((one) => kindOf(one) === kind);
      const rows = await read(alike);
      alike.forEach((one, i) => found.set(one, rows[i]!));
    }),
  );
  return asked.map((one) => found.get(one)!);
}
