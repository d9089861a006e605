import { createSecretKey } from 'node:crypto';
import type { ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { AUDIENCE, ISSUER, TOKEN_TYPE } from '../../src/features/auth/claims.js';
import { JwtStrategy } from '../../src/features/auth/jwt.strategy.js';
import { ViewerGuard } from '../../src/features/auth/viewer.guard.js';
import type { Viewer } from '../../src/features/auth/viewer.js';
import { compact } from '../support/forged-tokens.js';

const SECRET = 'a secret of a test that has at least 32 bytes';
const VIEWER: Viewer = { userId: 'u', sessionId: 's', expiresAt: new Date() };
const TOKEN = compact({
  secret: SECRET,
  header: { alg: 'HS256', typ: TOKEN_TYPE },
  payload: { iss: ISSUER, aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 600 },
});

interface Request {
  readonly headers: { authorization?: string };
  readonly raw: { readonly headersDistinct: { authorization?: string[] } };
  viewer?: Viewer;
  viewerFault?: unknown;
}

const requestWith = (authorization?: string): Request =>
  authorization === undefined
    ? { headers: {}, raw: { headersDistinct: {} } }
    : { headers: { authorization }, raw: { headersDistinct: { authorization: [authorization] } } };

const rest = (request: Request): ExecutionContext => new ExecutionContextHost([request, {}]);

function graphql(context: object): ExecutionContext {
  const host = new ExecutionContextHost([undefined, {}, context, {}]);
  host.setType('graphql');
  return host;
}

/** A guard of an application of its own; `admitted` counts the tokens that it had judged. */
function application(admit: () => Promise<Viewer> = () => Promise.resolve(VIEWER), secret = SECRET) {
  const counted = { admitted: 0 };
  const tokens = {
    key: createSecretKey(Buffer.from(secret)),
    admit: () => {
      counted.admitted += 1;
      return admit();
    },
  } as unknown as AccessTokens;
  return { guard: new ViewerGuard(new JwtStrategy(tokens)), counted };
}

describe('the guard of viewers', () => {
  it('lets who brings no token go on without a name', async () => {
    const { guard, counted } = application();
    const request = requestWith();
    expect(await guard.canActivate(rest(request))).toBe(true);
    expect([request.viewer, counted.admitted]).toEqual([undefined, 0]);
  });

  it('judges a request once, for all root fields of its document', async () => {
    const { guard, counted } = application();
    const req = requestWith(`Bearer ${TOKEN}`);
    const fields = [graphql({ req }), graphql({ req }), graphql({ req })];
    const passed = await Promise.all(fields.map(async (field) => guard.canActivate(field)));
    expect(passed).toEqual([true, true, true]);
    expect([req.viewer, counted.admitted]).toEqual([VIEWER, 1]);
  });

  it('judges each request by itself', async () => {
    const { guard, counted } = application();
    for (let i = 0; i < 3; i += 1) await guard.canActivate(rest(requestWith(`Bearer ${TOKEN}`)));
    expect(counted.admitted).toBe(3);
  });

  it('keeps a token that does not open as the fault of its request, which has no viewer', async () => {
    const { guard, counted } = application();
    for (const authorization of ['Bearer nonsense', 'Basic YTpi', 'Bearer ', `Bearer ${TOKEN} x`]) {
      const request = requestWith(authorization);
      expect(await guard.canActivate(rest(request))).toBe(true);
      expect(request.viewerFault).toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(request.viewer).toBeUndefined();
    }
    expect(counted.admitted).toBe(0);
  });

  it('takes an empty header for none', async () => {
    const { guard, counted } = application();
    const request = requestWith('');
    expect(await guard.canActivate(rest(request))).toBe(true);
    expect([request.viewer, request.viewerFault]).toEqual([undefined, undefined]);
    expect(counted.admitted).toBe(0);
  });

  it('does not take a failing database for a bad token', async () => {
    const { guard } = application(() => Promise.reject(new Error('the database is away')));
    const request = requestWith(`Bearer ${TOKEN}`);
    await guard.canActivate(rest(request));
    expect(request.viewerFault).toEqual(new Error('the database is away'));
  });

  it('leaves sockets to the mount that opened them', async () => {
    const { guard, counted } = application();
    for (const viewer of [VIEWER, null]) {
      const req = requestWith('Bearer nonsense');
      expect(await guard.canActivate(graphql({ viewer, req }))).toBe(true);
    }
    expect(counted.admitted).toBe(0);
  });

  it('asks its own application, whichever was started last', async () => {
    const first = application();
    const second = application(undefined, `${SECRET}, but another one`);
    expect(await first.guard.canActivate(rest(requestWith(`Bearer ${TOKEN}`)))).toBe(true);
    const request = requestWith(`Bearer ${TOKEN}`);
    await second.guard.canActivate(rest(request));
    expect(request.viewerFault).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect([first.counted.admitted, second.counted.admitted]).toEqual([1, 0]);
  });
});
