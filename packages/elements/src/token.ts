/** Which tokens may stand in a page: those of a player or a guest, which can do little and not for long. */

export type Judged = {
  /** The id of the application of a player. */
  readonly application?: unknown;
} & (
  | { readonly kind: 'none' }
  | { readonly kind: 'good'; readonly token: string; readonly user: string; readonly mayTalk: boolean }
  | { readonly kind: 'bad'; readonly why: 'ofPerson' | 'noToken' }
);

const ALLOWED = new Set(['guest', 'player']);

/** The claims of an access token, unchecked: the server checks them. */
function claimsIn(token: string): {
  readonly sub?: unknown;
  readonly kind?: unknown;
  readonly app?: unknown;
  readonly scope?: unknown;
} | null {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)) as object;
  } catch {
    return null;
  }
}

export function judged(token: string): Judged {
  if (token.startsWith('hm_')) return { kind: 'bad', why: 'ofPerson' };
  const claims = claimsIn(token);
  if (typeof claims?.sub !== 'string') return { kind: 'bad', why: 'noToken' };
  if (!ALLOWED.has(String(claims.kind))) return { kind: 'bad', why: 'ofPerson' };
  return {
    kind: 'good',
    token,
    user: claims.sub,
    application: claims.app,
    mayTalk: String(claims.scope).split(' ').includes('messages:read'),
  };
}
