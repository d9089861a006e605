import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { TOKEN_SECRET } from './common.mjs';
import { AUTH } from './kind.ts';

const KEY = createSecretKey(TOKEN_SECRET);
const MOST_CACHED = 100_000;
const cache = new Map<string, any>();

function cached(token: string): any {
  const known = cache.get(token);
  if (known && known.exp * 1000 > Date.now()) return known;
  const claims = jwt.verify(token, KEY);
  if (cache.size > MOST_CACHED) cache.clear();
  cache.set(token, claims);
  return claims;
}

/** The claims of the bearer token in a header. */
export function authenticate(header: string | undefined): any {
  const token = (header ?? '').slice('Bearer '.length);
  if (AUTH === 'jwt-naive') return jwt.verify(token, TOKEN_SECRET);
  if (AUTH === 'jwt-key') return jwt.verify(token, KEY);
  return cached(token);
}
