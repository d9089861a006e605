import type { FastifyRequest } from 'fastify';

/** What an Authorization header, or the `authorization` of a socket, says. */
export type Authorization =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'broken' };

const NONE: Authorization = { kind: 'none' };
const BROKEN: Authorization = { kind: 'broken' };

/**
 * Reads `Bearer TOKEN` (RFC 6750) and nothing like it: one header, one token of the characters that tokens have. An
 * empty text is as good as none. `bare`: the token may also stand alone, as in the parameters of a socket.
 */
export function readAuthorization(given: readonly unknown[], bare = false): Authorization {
  const [header, ...more] = given;
  if (given.length === 0 || header === null || header === undefined) return NONE;
  if (typeof header !== 'string' || more.length > 0) return BROKEN;
  if (header.trim() === '') return NONE;
  const token = (bare ? BEARER_OR_BARE : BEARER).exec(header)?.[1];
  return token === undefined ? BROKEN : { kind: 'token', token };
}

/** What the header of an HTTP request says. */
export const authorizationOf = ({ raw }: Pick<FastifyRequest, 'raw'>): Authorization =>
  readAuthorization(raw.headersDistinct['authorization'] ?? []);

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;
const BEARER_OR_BARE = /^(?:Bearer +)?([\w.~+/-]+=*)$/i;
