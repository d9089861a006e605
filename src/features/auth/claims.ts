import { ALL_SCOPES, type Scope } from '../../platform/scopes.js';
import type { Principal } from './principal.js';

/** What an access token says, and everything that a signature does not settle. */

export const ISSUER = 'halfmove';
export const AUDIENCE = 'halfmove-api';
export const ALGORITHM = 'HS256' as const;
/** Of an access token, as RFC 9068 has it: no other token that we may sign one day passes for one. */
export const TOKEN_TYPE = 'at+jwt';

// Between the clocks of two instances.
const SKEW_SECONDS = 5;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Header and payload of a token whose signature was found good, as yet unread. */
export interface OpenedToken {
  readonly header: unknown;
  readonly payload: unknown;
}

export interface Claims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly sid: string;
  readonly iat: number;
  readonly exp: number;
}

/** The claims of a session with all scopes: the token begins now and ends when its viewer does. */
export function claimsOf(viewer: Omit<Principal, 'kind' | 'scopes'>, now: Date): Claims {
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: viewer.userId,
    sid: viewer.sessionId,
    iat: Math.floor(now.getTime() / 1000),
    exp: Math.floor(viewer.expiresAt.getTime() / 1000),
  };
}

/** The viewer that a token stands for, or null when it is not, or no longer, one of our access tokens. */
export function readClaims({ header, payload }: OpenedToken, now: Date): Principal | null {
  if (!isRecord(header) || !isRecord(payload) || !isOurs(header)) return null;
  const { iss, aud, sub, sid, iat, exp, scope } = payload;
  if (iss !== ISSUER || aud !== AUDIENCE || !isUuid(sub) || !isUuid(sid)) return null;
  if (!isSecond(iat) || !isSecond(exp) || !isCurrent(iat, exp, now)) return null;
  const scopes = scopesOf(scope);
  return scopes && { kind: 'user', userId: sub, sessionId: sid, scopes, expiresAt: new Date(exp * 1000) };
}

/**
 * Scopes with spaces between (RFC 9068); a session of the user has none of this, and all scopes. An unknown word is good
 * for nothing. Null where the claim has another form.
 */
function scopesOf(claim: unknown): readonly Scope[] | null {
  if (claim === undefined) return ALL_SCOPES;
  if (typeof claim !== 'string') return null;
  const words = claim.split(' ');
  return ALL_SCOPES.filter((scope) => words.includes(scope));
}

// We understand no critical extension, so RFC 7515 has us refuse every one.
const isOurs = (header: Record<string, unknown>) =>
  header['alg'] === ALGORITHM && header['typ'] === TOKEN_TYPE && !('crit' in header);

const isCurrent = (iat: number, exp: number, now: Date) =>
  (iat - SKEW_SECONDS) * 1000 <= now.getTime() && now.getTime() < exp * 1000;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

const isSecond = (value: unknown): value is number => Number.isSafeInteger(value);
