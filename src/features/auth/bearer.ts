import type { FastifyRequest } from 'fastify';

/** The content of an Authorization header, or of `authorization` in the parameters of a socket. */
export type Authorization =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'broken' };

const NONE: Authorization = { kind: 'none' };
const BROKEN: Authorization = { kind: 'broken' };

/**
 * Reads `Bearer TOKEN` (RFC 6750) strictly: one header, one token of the allowed characters. An empty text counts as
 * none. `bare` also accepts the token alone, for the parameters of a socket.
 */
export function readAuthorization(given: readonly unknown[], bare = false): Authorization {
  const [header, ...more] = given;
  if (given.length === 0 || header === null || header === undefined) return NONE;
  if (typeof header !== 'string' || more.length > 0) return BROKEN;
  if (header.trim() === '') return NONE;
  const token = (bare ? BEARER_OR_BARE : BEARER).exec(header)?.[1];
  return token === undefined ? BROKEN : { kind: 'token', token };
}

/** Reads the header of an HTTP request. */
export function authorizationOf({
  raw: { headers, rawHeaders },
}: Pick<FastifyRequest, 'raw'>): Authorization {
  if (headers.authorization === undefined) return NONE;
  // Of several headers Node keeps the first, and the parsed form of all is slow.
  return readAuthorization(rawHeaders.filter((_, i) => i % 2 === 1 && isAuthorization(rawHeaders[i - 1]!)));
}

const NAME = 'authorization';
const isAuthorization = (name: string) => name.length === NAME.length && name.toLowerCase() === NAME;

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;
const BEARER_OR_BARE = /^(?:Bearer +)?([\w.~+/-]+=*)$/i;
