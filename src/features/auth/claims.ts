import type { Viewer } from './viewer.js';

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

/** The claims for a viewer: the token begins now and ends when the viewer does. */
export function claimsOf(viewer: Viewer, now: Date): Claims {
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
export function readClaims({ header, payload }: OpenedToken, now: Date): Viewer | null {
  if (!isRecord(header) || !isRecord(payload) || !isOurs(header)) return null;
  const { iss, aud, sub, sid, iat, exp } = payload;
  if (iss !== ISSUER || aud !== AUDIENCE || !isUuid(sub) || !isUuid(sid)) return null;
  if (!isSecond(iat) || !isSecond(exp) || !isCurrent(iat, exp, now)) return null;
  return { userId: sub, sessionId: sid, expiresAt: new Date(exp * 1000) };
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
