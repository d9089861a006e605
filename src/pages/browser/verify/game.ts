/** What the server gives of a game, and what this browser has kept of it. Source: docs/client.md, "Proof". */

/** The values of the form by the ids of its fields. */
export type Given = Readonly<Record<'record' | 'receipts' | 'proofs' | 'keys' | 'player', string>>;

/** Kept by packages/client/src/proof/store.ts. */
interface Kept {
  readonly opening?: string;
  readonly before?: string;
  readonly newest?: string;
  readonly newer?: string;
  readonly end?: string;
  readonly role?: string;
  readonly contradictions?: readonly (readonly string[])[];
}

function kept<T>(name: string): T | null {
  try {
    return JSON.parse(
      localStorage.getItem(`halfmove-proof ${location.origin} ${name}`) ?? 'null',
    ) as T | null;
  } catch {
    return null;
  }
}

const receiptsOf = ({
  opening,
  before,
  newest,
  newer,
  end,
  contradictions = [],
}: Kept): readonly string[] => [
  ...new Set(
    [opening, before, newest, newer, end, ...contradictions.flat()].filter((text) => text !== undefined),
  ),
];

/** Empty where the server has none yet. */
const read = async (path: string): Promise<string> => {
  const answer = await fetch(path);
  return answer.ok ? answer.text() : '';
};

async function recordOf(id: string): Promise<string> {
  const answer = await fetch(`/v1/games/${encodeURIComponent(id)}/record`);
  if (answer.ok) return answer.text();
  const { detail } = (await answer.json().catch(() => ({}))) as { readonly detail?: string };
  throw new Error(detail ?? `the server answered with ${answer.status}.`);
}

/** The seek that was paired into the game. */
const seekIn = (record: string): string | null => /"seek":"([0-9a-f-]{36})"/.exec(record)?.[1] ?? null;

export async function givenOf(id: string): Promise<Given> {
  const record = await recordOf(id);
  const held = kept<Kept>(id) ?? {};
  const seek = seekIn(record);
  // Without its receipt nothing is known of the seek of another player.
  const ofSeek = seek === null ? [] : receiptsOf(kept<Kept>(seek) ?? {});
  const proofs = await Promise.all([
    read(`/v1/games/${id}/log-proof`),
    read(`/v1/games/${id}/log-proof?entry=open`),
    ...(ofSeek.length === 0 ? [] : [read(`/v1/games/${seek!}/log-proof?entry=open`)]),
  ]);
  const { known } = kept<{ readonly known: readonly string[] }>('keys') ?? { known: [] };
  return {
    record,
    receipts: [...receiptsOf(held), ...ofSeek].join('\n'),
    proofs: proofs.filter((proof) => proof !== '').join('\n'),
    keys: known.length > 0 ? known.join('\n') : await read('/.well-known/halfmove.json'),
    player: held.role ?? '',
  };
}
