import { hasCode } from '../errors.js';
import type { Finding, VerifierKey } from '../generated/verify.js';
import type { Kept } from './store.js';

/** Checks a game with all that is held of it, by the verifier of docs/fairness.md, which is loaded for this. */

/** The server, asked as the user: GET, or POST with a body. Throws HalfmoveError. */
export type Ask = (path: string, body?: object) => Promise<Response>;

export interface GameCheck {
  /** `open`: nothing failed, but something could be checked later or with more input. */
  readonly verdict: 'holds' | 'failed' | 'open';
  /** What was checked, and what was not, with the reason in words. */
  readonly findings: readonly Finding[];
}

/** Null where the server has no text; `isSoon` if it promises one. */
interface Answer {
  readonly text: string | null;
  readonly isSoon?: boolean;
}

async function textOf(ask: Ask, path: string): Promise<Answer> {
  try {
    return { text: await (await ask(path)).text() };
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return { text: null, isSoon: error.retryAfter !== undefined };
    throw error;
  }
}

/** The checkpoint in a proof begins after the first empty line. */
const checkpointOf = (proof: string): string => proof.slice(proof.indexOf('\n\n') + 2);

export async function check(
  ask: Ask,
  id: string,
  { role }: Kept,
  receipts: readonly string[],
  keys: readonly string[],
  ofSeek: (id: string) => Promise<readonly string[]>,
): Promise<GameCheck> {
  const { parseStrict, parseVerifierKey, verify, verifyNote, verifyReceipts } =
    await import('../generated/verify.js');
  const trusted = keys.flatMap((key): readonly VerifierKey[] => {
    const parsed = parseVerifierKey(key);
    return parsed.ok ? [parsed.value] : [];
  });
  const signed = async (written: string, note = written) => ({
    written,
    verdict: await verifyNote(note, trusted),
  });
  const { text } = await textOf(ask, `/v1/games/${id}/record`);
  const record = text === null ? null : parseStrict(text);
  if (record?.ok === false)
    return judged([failed('record', `The text is not a record. ${record.refusal.message}`)]);
  const seek = record === null ? null : seekIn(record.value);
  const own = seek === null ? [] : await ofSeek(seek);
  const openingOf = (each: string) => textOf(ask, `/v1/games/${each}/log-proof?entry=open`);
  const [opening, ...others] = await Promise.all([
    openingOf(id),
    textOf(ask, `/v1/games/${id}/log-proof`),
    // Without its receipt nothing is known of the seek of another player.
    ...(own.length === 0 ? [] : [openingOf(seek!)]),
  ]);
  const proofs = [opening, ...others].flatMap((each) => each.text ?? []);
  const given = {
    ...(role && { player: role }),
    receipts: await Promise.all([...receipts, ...own].map((each) => signed(each))),
    proofs: await Promise.all(proofs.map((each) => signed(each, checkpointOf(each)))),
  };
  return judged([
    ...(record === null ? verifyReceipts(given.receipts, given.proofs) : verify(record.value, given)),
    ...(receipts.length > 0 && isMissing(id, opening) ? [failed('log', DROPPED)] : []),
  ]);
}

const DROPPED =
  'the server has signed that it opened this game, and its log has no opening of it, as if the game had never been';
/** The opening is in the log a second or two later, unless the server is very busy. */
const PATIENCE_MS = 5 * 60_000;

const failed = (name: string, detail: string): Finding => ({ check: name, ok: false, detail });

/** An id begins with its time in milliseconds (RFC 9562, version 7). */
const isMissing = (id: string, { text, isSoon }: Answer): boolean =>
  text === null &&
  (isSoon !== true || Date.now() - parseInt(id.replace('-', '').slice(0, 12), 16) > PATIENCE_MS);

function judged(findings: readonly Finding[]): GameCheck {
  const isFailed = findings.some(({ ok }) => ok === false);
  const isOpen = findings.some((each) => each.isOpen === true);
  return { verdict: isFailed ? 'failed' : isOpen ? 'open' : 'holds', findings };
}

/** The seek that was paired into the game. */
function seekIn(record: unknown): string | null {
  interface Row {
    readonly type?: unknown;
    readonly data?: { readonly seek?: unknown };
  }
  const { rows } = (record ?? {}) as { readonly rows?: unknown };
  const accept = Array.isArray(rows) ? (rows as (Row | null)[]).find((row) => row?.type === 'accept') : null;
  const seek = accept?.data?.seek;
  return typeof seek === 'string' ? seek : null;
}
