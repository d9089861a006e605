import type { Kind } from '../../platform/contract/access.js';
import { type Scope, scopesIn } from '../../platform/contract/scopes.js';
import type { Principal } from './principal.js';

/** The claims of an access token, and all checks except that of the signature. */

export const ISSUER = 'halfmove';
export const AUDIENCE = 'halfmove-api';
export const ALGORITHM = 'HS256' as const;
/** The `typ` of an access token (RFC 9068), so that no other token of ours passes for one. */
export const TOKEN_TYPE = 'at+jwt';

// The tolerated difference between the clocks of two instances.
const SKEW_SECONDS = 5;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Header and payload of a token with a valid signature, not yet checked. */
export interface OpenedToken {
  readonly header: unknown;
  readonly payload: unknown;
}

export interface Claims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly sid: string;
  readonly scope: string;
  /** Left out for a session that was opened with the password. */
  readonly kind?: SignedKind;
  /** The application of a player. */
  readonly app?: string;
  readonly iat: number;
  readonly exp: number;
}

/** The claims of a token that is valid from now until the viewer's `expiresAt`. */
export function claimsOf(viewer: Principal & { readonly kind: SignedKind }, now: Date): Claims {
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: viewer.userId,
    sid: viewer.sessionId,
    scope: viewer.scopes.join(' '),
    ...(viewer.kind === 'password' ? {} : { kind: viewer.kind }),
    ...(viewer.kind === 'player' ? { app: viewer.applicationId! } : {}),
    iat: Math.floor(now.getTime() / 1000),
    exp: Math.floor(viewer.expiresAt.getTime() / 1000),
  };
}

/** The viewer of a token, or null if it is not a current access token of ours. */
export function readClaims({ header, payload }: OpenedToken, now: Date): Principal | null {
  if (!isRecord(header) || !isRecord(payload) || !isOurs(header)) return null;
  const { iss, aud, sub, sid, iat, exp, scope, kind = 'password', app } = payload;
  if (iss !== ISSUER || aud !== AUDIENCE || !isUuid(sub) || !isUuid(sid)) return null;
  if (!isSecond(iat) || !isSecond(exp) || !isCurrent(iat, exp, now)) return null;
  const scopes = scopesOf(scope);
  if (!isSigned(kind) || scopes === null) return null;
  if (kind === 'player' ? !isUuid(app) : app !== undefined) return null;
  const applicationId = kind === 'application' ? sub : (app as string | undefined);
  const viewer = { kind, userId: sub, sessionId: sid, scopes, expiresAt: new Date(exp * 1000) };
  return applicationId === undefined ? viewer : { ...viewer, applicationId };
}

/**
 * Scopes separated by spaces (RFC 9068); none without the claim, so that one forgotten is no full access. Unknown scopes
 * are ignored. Null if the claim is malformed.
 */
function scopesOf(claim: unknown): readonly Scope[] | null {
  if (claim === undefined) return [];
  return typeof claim === 'string' ? scopesIn(claim) : null;
}

// RFC 7515 requires to refuse critical extensions that are not understood, which are all.
const isOurs = (header: Record<string, unknown>) =>
  header['alg'] === ALGORITHM && header['typ'] === TOKEN_TYPE && !('crit' in header);

const isCurrent = (iat: number, exp: number, now: Date) =>
  (iat - SKEW_SECONDS) * 1000 <= now.getTime() && now.getTime() < exp * 1000;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** The kinds whose tokens are signed. */
const SIGNED = ['password', 'guest', 'player', 'application'] as const satisfies readonly Kind[];
export type SignedKind = (typeof SIGNED)[number];
const isSigned = (kind: unknown): kind is SignedKind => SIGNED.includes(kind as SignedKind);

const isSecond = (value: unknown): value is number => Number.isSafeInteger(value);
