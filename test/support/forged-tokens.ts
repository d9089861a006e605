import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto';

/** Access tokens that must be refused: each is a valid one with one fault. */

type Fields = Readonly<Record<string, unknown>>;

export interface TokenParts {
  readonly secret: string;
  readonly header: Fields;
  readonly payload: Fields;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs any text, as an attacker who has the secret could. */
export function compact({ header, payload, secret }: TokenParts, hash = 'sha256'): string {
  const body = `${encode(header)}.${encode(payload)}`;
  return `${body}.${createHmac(hash, secret).update(body).digest('base64url')}`;
}

/** Decodes a token into its parts. */
export function partsOf(token: string, secret: string): TokenParts {
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Fields);
  return { secret, header: header!, payload: payload! };
}

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

const OTHER_ID = '0199aaaa-0000-7000-8000-000000000000';

const PAYLOADS: Readonly<Record<string, (payload: Fields, now: number) => unknown>> = {
  'no exp': (p) => without(p, 'exp'),
  'exp passed': (p, now) => ({ ...p, exp: now - 1 }),
  'exp this very second': (p, now) => ({ ...p, exp: now }),
  'exp as text': (p) => ({ ...p, exp: String(p['exp']) }),
  'exp as a fraction': (p) => ({ ...p, exp: Number(p['exp']) + 0.5 }),
  'exp out of range': (p) => ({ ...p, exp: 1e300 }),
  'no iat': (p) => without(p, 'iat'),
  'iat in the future': (p, now) => ({ ...p, iat: now + 60 }),
  'iat as text': (p) => ({ ...p, iat: String(p['iat']) }),
  'nbf in the future': (p, now) => ({ ...p, nbf: now + 600 }),
  'no sub': (p) => without(p, 'sub'),
  'sub as an object': (p) => ({ ...p, sub: { id: p['sub'] } }),
  'sub as a list': (p) => ({ ...p, sub: [p['sub']] }),
  'sub as a number': (p) => ({ ...p, sub: 1 }),
  'sub that is no id': (p) => ({ ...p, sub: 'ann' }),
  'empty sub': (p) => ({ ...p, sub: '' }),
  'no sid': (p) => without(p, 'sid'),
  'sid as an object': (p) => ({ ...p, sid: {} }),
  'sid that is no id': (p) => ({ ...p, sid: `${String(p['sid'])} ` }),
  'no iss': (p) => without(p, 'iss'),
  'another iss': (p) => ({ ...p, iss: 'halfmove2' }),
  'no aud': (p) => without(p, 'aud'),
  'another aud': (p) => ({ ...p, aud: 'halfmove' }),
  'aud as a list': (p) => ({ ...p, aud: [p['aud'], 'others'] }),
  'scope as a list': (p) => ({ ...p, scope: ['games:read'] }),
  'scope as null': (p) => ({ ...p, scope: null }),
  'kind of a personal token': (p) => ({ ...p, kind: 'personal' }),
  'unknown kind': (p) => ({ ...p, kind: 'operator' }),
  'kind as null': (p) => ({ ...p, kind: null }),
  'kind as a list': (p) => ({ ...p, kind: ['password'] }),
  'a payload that is text': () => 'halfmove',
  'a payload that is a list': (p) => [p],
  'a payload that is null': () => null,
};

const HEADERS: Readonly<Record<string, (header: Fields) => Fields>> = {
  'no typ': (h) => without(h, 'typ'),
  'typ JWT': (h) => ({ ...h, typ: 'JWT' }),
  'typ of another kind of token': (h) => ({ ...h, typ: 'rt+jwt' }),
  'an unknown crit': (h) => ({ ...h, crit: ['exp2'], exp2: 1 }),
  'an empty crit': (h) => ({ ...h, crit: [] }),
  'b64 as crit': (h) => ({ ...h, crit: ['b64'], b64: true }),
  'alg none under a signature': (h) => ({ ...h, alg: 'none' }),
  'alg HS512 over an HS256 signature': (h) => ({ ...h, alg: 'HS512' }),
};

/** Names each fault and makes the token from a valid one. */
export function forgedTokens(good: TokenParts, now: Date): readonly (readonly [string, string])[] {
  const { secret, header, payload } = good;
  const seconds = Math.floor(now.getTime() / 1000);
  const token = compact(good);
  const [head, body, signature] = token.split('.') as [string, string, string];
  return [
    ...Object.entries(PAYLOADS).map(
      ([name, change]) =>
        [name, compact({ secret, header, payload: change(payload, seconds) as Fields })] as const,
    ),
    ...Object.entries(HEADERS).map(
      ([name, change]) => [name, compact({ ...good, header: change(header) })] as const,
    ),
    ['another secret', compact({ ...good, secret: 'x'.repeat(64) })],
    ['alg none without a signature', `${encode({ ...header, alg: 'none' })}.${body}.`],
    ['alg HS512, correctly signed', compact({ ...good, header: { ...header, alg: 'HS512' } }, 'sha512')],
    ['alg RS256', rsa(header, payload)],
    ['another sub under the old signature', `${head}.${encode({ ...payload, sub: OTHER_ID })}.${signature}`],
    ['no signature', `${head}.${body}`],
    ['a changed signature', `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    ['a fourth part', `${token}.${signature}`],
    ['no token at all', 'nonsense'],
  ];
}

function rsa(header: Fields, payload: Fields): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const body = `${encode({ ...header, alg: 'RS256' })}.${encode(payload)}`;
  return `${body}.${signWith('sha256', Buffer.from(body), privateKey).toString('base64url')}`;
}
