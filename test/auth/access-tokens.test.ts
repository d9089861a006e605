import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { readClaims } from '../../src/features/auth/claims.js';
import type { Principal } from '../../src/features/auth/principal.js';
import type { Sessions } from '../../src/features/auth/sessions.js';
import { VerifiedTokens } from '../../src/features/auth/verified-tokens.js';
import { parseConfig } from '../../src/config.js';
import { ALL_SCOPES } from '../../src/platform/contract/scopes.js';
import { compact, forgedTokens, partsOf } from '../support/forged-tokens.js';
import { StoppedTime } from '../support/stopped-time.js';

const SECRET = 'a secret of a test that has at least 32 bytes';
const USER = '0199a000-0000-7000-8000-000000000001';
const SESSION = '0199a000-0000-7000-8000-000000000002';

const config = parseConfig({
  TOKEN_SECRET: SECRET,
  SEED_SECRET: `${SECRET}!`,
  SIGNING_SECRET: `${SECRET}?`,
  ACCESS_TOKEN_SECONDS: '60',
});

function server(live = true) {
  const time = new StoppedTime();
  const session = { live, isKnown: true };
  const sessions = {
    isLive: () => Promise.resolve(session.live),
    isKnownLive: () => session.isKnown && session.live,
  } as unknown as Sessions;
  return { time, session, tokens: new AccessTokens(config, sessions, time) };
}

const REFUSED = { code: 'UNAUTHENTICATED', status: 401 };

describe('an access token', () => {
  it('names its user, its session and its expiry', async () => {
    const { tokens } = server();
    const { accessToken, accessTokenExpiresAt } = tokens.sign(USER, SESSION, ALL_SCOPES);
    const viewer = { kind: 'password', userId: USER, sessionId: SESSION, expiresAt: accessTokenExpiresAt };
    expect(await tokens.verify(accessToken)).toEqual({ ...viewer, scopes: ALL_SCOPES });
  });

  it.each([
    ['', []],
    ['games:read', ['games:read']],
    ['messages:read games:read', ['games:read', 'messages:read']],
    ['games:read games:read games:all GAMES:PLAY', ['games:read']],
  ])('with the scopes "%s" is valid for %j only', async (scope, scopes) => {
    const { tokens } = server();
    const { payload, ...parts } = partsOf(tokens.sign(USER, SESSION, ALL_SCOPES).accessToken, SECRET);
    const narrow = compact({ ...parts, payload: { ...payload, scope } });
    expect(await tokens.verify(narrow)).toMatchObject({ userId: USER, scopes });
  });

  it('is a JWT as RFC 9068 defines it, without other claims', () => {
    const { tokens, time } = server();
    const { header, payload } = partsOf(tokens.sign(USER, SESSION, ALL_SCOPES).accessToken, SECRET);
    const iat = Math.floor(time.moment.getTime() / 1000);
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    expect(payload).toEqual({
      iss: 'halfmove',
      aud: 'halfmove-api',
      sub: USER,
      sid: SESSION,
      scope: ALL_SCOPES.join(' '),
      iat,
      exp: iat + 60,
    });
  });

  it('expires when it says', async () => {
    const { tokens, time } = server();
    const { accessToken, accessTokenExpiresAt } = tokens.sign(USER, SESSION, ALL_SCOPES);
    time.moment = new Date(accessTokenExpiresAt.getTime() - 1);
    await expect(tokens.verify(accessToken)).resolves.toBeDefined();
    time.moment = accessTokenExpiresAt;
    await expect(tokens.verify(accessToken)).rejects.toMatchObject(REFUSED);
  });

  it('is refused when its session has ended', async () => {
    const { tokens } = server(false);
    await expect(tokens.verify(tokens.sign(USER, SESSION, ALL_SCOPES).accessToken)).rejects.toMatchObject(
      REFUSED,
    );
  });

  it('is accepted from an instance whose clock is slightly ahead', async () => {
    const { tokens, time } = server();
    const { accessToken } = tokens.sign(USER, SESSION, ALL_SCOPES);
    time.moment = new Date(time.moment.getTime() - 4000);
    await expect(tokens.verify(accessToken)).resolves.toBeDefined();
  });
});

describe('an access token that was verified', () => {
  const verified = async () => {
    const { tokens, ...more } = server();
    const { accessToken, accessTokenExpiresAt } = tokens.sign(USER, SESSION, ALL_SCOPES);
    expect(tokens.known(accessToken)).toBeNull();
    const viewer = await tokens.verify(accessToken);
    return { tokens, accessToken, accessTokenExpiresAt, viewer, ...more };
  };

  it('is known until it expires', async () => {
    const { tokens, accessToken, accessTokenExpiresAt, viewer, time } = await verified();
    time.moment = new Date(accessTokenExpiresAt.getTime() - 1);
    expect(tokens.known(accessToken)).toBe(viewer);
    time.moment = accessTokenExpiresAt;
    expect(tokens.known(accessToken)).toBeNull();
  });

  it('is not known while nobody knows whether its session is open, or once that has ended', async () => {
    const { tokens, accessToken, viewer, session } = await verified();
    session.isKnown = false;
    expect(tokens.known(accessToken)).toBeNull();
    await expect(tokens.verify(accessToken)).resolves.toEqual(viewer);
    session.isKnown = true;
    session.live = false;
    expect(tokens.known(accessToken)).toBeNull();
    await expect(tokens.verify(accessToken)).rejects.toMatchObject(REFUSED);
  });

  it('is not known by a change of it, nor is one that was refused', async () => {
    const { tokens, accessToken, session } = await verified();
    expect(tokens.known(`${accessToken}=`)).toBeNull();
    const { accessToken: other } = tokens.sign(USER, USER, ALL_SCOPES);
    session.live = false;
    await expect(tokens.verify(other)).rejects.toMatchObject(REFUSED);
    session.live = true;
    expect(tokens.known(other)).toBeNull();
  });

  it('is forgotten when many others were used since', () => {
    const { time } = server();
    const viewer = { expiresAt: new Date(time.moment.getTime() + 1000) } as Principal;
    const known = new VerifiedTokens({ cacheMb: 1 });
    for (let i = 0; i < 100; i += 1) {
      known.add(`t${i}`, viewer);
      expect(known.get('t0', time.moment)).toBe(viewer);
    }
    expect(known.get('t1', time.moment)).toBeNull();
    expect(known.get('t99', time.moment)).toBe(viewer);
  });
});

describe('a forged access token is refused:', () => {
  const { tokens, time } = server();
  const good = partsOf(tokens.sign(USER, SESSION, ALL_SCOPES).accessToken, SECRET);

  it('(control: the same token without changes is accepted)', async () => {
    await expect(tokens.verify(compact(good))).resolves.toBeDefined();
  });

  it.each(forgedTokens(good, time.moment))('%s', async (_, token) => {
    await expect(tokens.verify(token)).rejects.toMatchObject(REFUSED);
  });

  it('(control: the claim checks alone refuse what the signature library accepts)', () => {
    const { header, payload } = good;
    expect(readClaims({ header, payload }, time.moment)).not.toBeNull();
    expect(readClaims({ header, payload: { ...payload, aud: ['halfmove-api'] } }, time.moment)).toBeNull();
    expect(readClaims({ header: null, payload }, time.moment)).toBeNull();
    expect(readClaims({ header: { ...header, alg: 'none' }, payload }, time.moment)).toBeNull();
  });
});
