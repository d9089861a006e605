/** Fields that requests once had: where one still comes, the refusal says what to send in its place. */
const MOVED: ReadonlyMap<string, string> = new Map([
  [
    'clientSeed',
    'An opening takes no client seed: give it when the answer has shown you the commitment, with giveClientSeed ' +
      '(POST /v1/challenges/:id/client-seed). To announce it, send its SHA-256 as clientSeedHash.',
  ],
]);

/** What the refusal of an unknown field adds, with the space before it; mostly nothing. */
export function movedTo(name: string): string {
  const hint = MOVED.get(name);
  return hint === undefined ? '' : ` ${hint}`;
}
