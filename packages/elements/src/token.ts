/** Which tokens may stand in a page: those of a player or a guest, which can do little and not for long. */

export type Judged =
  | { readonly kind: 'none' }
  | { readonly kind: 'good'; readonly token: string; readonly user: string; readonly mayTalk: boolean }
  | { readonly kind: 'bad'; readonly why: 'personalToken' | 'session' | 'noToken' };

const ALLOWED = new Set(['guest', 'player']);

/** The claims of an access token, unchecked: the server checks them. */
function claimsIn(
  token: string,
): { readonly sub?: unknown; readonly kind?: unknown; readonly scope?: unknown } | null {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)) as object;
  } catch {
    return null;
  }
}

export function judged(token: string): Judged {
  if (token.startsWith('hm_')) return { kind: 'bad', why: 'personalToken' };
  const claims = claimsIn(token);
  if (typeof claims?.sub !== 'string') return { kind: 'bad', why: 'noToken' };
  if (!ALLOWED.has(String(claims.kind))) return { kind: 'bad', why: 'session' };
  return {
    kind: 'good',
    token,
    user: claims.sub,
    mayTalk: String(claims.scope).split(' ').includes('messages:read'),
  };
}
