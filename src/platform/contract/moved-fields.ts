/** Fields that requests used to have, with what to send instead. */
const MOVED: ReadonlyMap<string, string> = new Map([
  [
    'clientSeed',
    'Wait for the commitment in the answer, then give it with giveClientSeed ' +
      '(POST /v1/challenges/:id/client-seed). To announce it now, send its SHA-256 as clientSeedHash.',
  ],
]);

/** What to add to the refusal of an unknown field, after a space; empty for a field that never existed. */
export function movedTo(name: string): string {
  const hint = MOVED.get(name);
  return hint === undefined ? '' : ` ${hint}`;
}
