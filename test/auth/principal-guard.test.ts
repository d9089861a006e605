import 'reflect-metadata';
import { createSecretKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { AUDIENCE, ISSUER, TOKEN_TYPE } from '../../src/features/auth/claims.js';
import { JwtStrategy } from '../../src/features/auth/jwt.strategy.js';
import type { ApplicationRequests } from '../../src/features/auth/application-requests.js';
import type { StreamTickets } from '../../src/features/auth/stream-tickets.js';
import { PrincipalGuard } from '../../src/features/auth/principal.guard.js';
import { SignedIn, Viewing, type Principal } from '../../src/features/auth/principal.js';
import { Needs, Public } from '../../src/platform/contract/access.js';
import { compact } from '../support/forged-tokens.js';

const SECRET = 'a secret of a test that has at least 32 bytes';
const VIEWER: Principal = {
  kind: 'password',
  userId: 'u',
  sessionId: 's',
  scopes: ['games:play'],
  expiresAt: new Date(),
};
const TOKEN = compact({
  secret: SECRET,
  header: { alg: 'HS256', typ: TOKEN_TYPE },
  payload: { iss: ISSUER, aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 600 },
});

interface Request {
  readonly headers: { authorization?: string };
  readonly raw: Pick<IncomingMessage, 'headers' | 'rawHeaders'>;
  viewer?: Principal;
  viewerFault?: unknown;
}

function requestWith(authorization?: string): Request {
  const headers = authorization === undefined ? {} : { authorization };
  return { headers, raw: { headers, rawHeaders: Object.entries(headers).flat() } };
}

/** What a request may ask for: with any token, with a token for playing, or undeclared and so with none. */
class Handlers {
  @Public()
  open() {}

  @Needs('games:play')
  play(@SignedIn() _?: Principal) {}

  @Needs('games:play', 'messages:read')
  read(@SignedIn() _?: Principal) {}

  @Needs('messages:read')
  look(@Viewing() _?: Principal | null) {}

  undeclared() {}
}
const { open, play, read, look, undeclared } = Handlers.prototype;

const rest = (request: Request, handler = open): ExecutionContext =>
  new ExecutionContextHost([request, {}], Handlers, handler);

function graphql(context: object, handler = open): ExecutionContext {
  const host = new ExecutionContextHost([undefined, {}, context, {}], Handlers, handler);
  host.setType('graphql');
  return host;
}

/** A guard of its own application; `admitted` counts the tokens that it judged. */
function application(admit: () => Promise<Principal> = () => Promise.resolve(VIEWER), secret = SECRET) {
  const counted = { admitted: 0 };
  const known = new Map<string, Principal>();
  const tokens = {
    key: createSecretKey(Buffer.from(secret)),
    hasEnded: () => false,
    known: (token: string) => known.get(token) ?? null,
    admit: () => {
      counted.admitted += 1;
      return admit();
    },
  } as unknown as AccessTokens;
  const tickets = {} as StreamTickets;
  const requests = {} as ApplicationRequests;
  return { guard: new PrincipalGuard(new JwtStrategy(tokens), tokens, tickets, requests), counted, known };
}

describe('the guard of viewers', () => {
  it('admits a request without a token as anonymous', async () => {
    const { guard, counted } = application();
    const request = requestWith();
    expect(await guard.canActivate(rest(request))).toBe(true);
    expect([request.viewer, counted.admitted]).toEqual([undefined, 0]);
  });

  it('checks a request once for all root fields of its document', async () => {
    const { guard, counted } = application();
    const req = requestWith(`Bearer ${TOKEN}`);
    const fields = [graphql({ req }), graphql({ req }), graphql({ req })];
    const passed = await Promise.all(fields.map(async (field) => guard.canActivate(field)));
    expect(passed).toEqual([true, true, true]);
    expect([req.viewer, counted.admitted]).toEqual([VIEWER, 1]);
  });

  it('checks each request separately', async () => {
    const { guard, counted } = application();
    for (let i = 0; i < 3; i += 1) await guard.canActivate(rest(requestWith(`Bearer ${TOKEN}`)));
    expect(counted.admitted).toBe(3);
  });

  it('admits a known token at once, and no other one', async () => {
    const { guard, counted, known } = application();
    known.set(TOKEN, VIEWER);
    const request = requestWith(`Bearer ${TOKEN}`);
    expect(guard.canActivate(rest(request))).toBe(true);
    expect([request.viewer, counted.admitted]).toEqual([VIEWER, 0]);
    const twice = requestWith(`Bearer ${TOKEN}`);
    twice.raw.rawHeaders.push('Authorization', `Bearer ${TOKEN}`);
    await guard.canActivate(rest(twice));
    expect([twice.viewer, counted.admitted]).toEqual([undefined, 0]);
    expect(twice.viewerFault).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('records an invalid token as an error of the request, which has no viewer', async () => {
    const { guard, counted } = application();
    for (const authorization of ['Bearer nonsense', 'Basic YTpi', 'Bearer ', `Bearer ${TOKEN} x`]) {
      const request = requestWith(authorization);
      expect(await guard.canActivate(rest(request))).toBe(true);
      expect(request.viewerFault).toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(request.viewer).toBeUndefined();
    }
    expect(counted.admitted).toBe(0);
  });

  it('treats an empty header as none', async () => {
    const { guard, counted } = application();
    const request = requestWith('');
    expect(await guard.canActivate(rest(request))).toBe(true);
    expect([request.viewer, request.viewerFault]).toEqual([undefined, undefined]);
    expect(counted.admitted).toBe(0);
  });

  it('does not report a failing database as an invalid token', async () => {
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

  it('refuses a token that lacks a scope, and requires none from anonymous requests', async () => {
    const { guard } = application();
    const permit = async (handler: () => void) =>
      guard.canActivate(rest(requestWith(`Bearer ${TOKEN}`), handler));
    expect(await permit(play)).toBe(true);
    await expect(permit(read)).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { scope: 'games:play messages:read' },
    });
    expect(guard.canActivate(rest(requestWith(), read))).toBe(true);
    expect(await guard.canActivate(rest(requestWith('Bearer nonsense'), read))).toBe(true);
  });

  it('accepts a token that lacks a scope where none is required', async () => {
    const { guard } = application();
    expect(await guard.canActivate(rest(requestWith(`Bearer ${TOKEN}`), look))).toBe(true);
  });

  it('checks scopes over sockets too', () => {
    const { guard } = application();
    expect(guard.canActivate(graphql({ viewer: VIEWER }, play))).toBe(true);
    expect(guard.canActivate(graphql({ viewer: null }, read))).toBe(true);
    expect(() => guard.canActivate(graphql({ viewer: VIEWER }, read))).toThrow('messages:read');
  });

  it('refuses everyone where no access rule is declared', () => {
    const { guard } = application();
    expect(() => guard.canActivate(rest(requestWith(), undeclared))).toThrow('undeclared has neither');
  });

  it('uses its own application, whichever was started last', async () => {
    const first = application();
    const second = application(undefined, `${SECRET}, but another one`);
    expect(await first.guard.canActivate(rest(requestWith(`Bearer ${TOKEN}`)))).toBe(true);
    const request = requestWith(`Bearer ${TOKEN}`);
    await second.guard.canActivate(rest(request));
    expect(request.viewerFault).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect([first.counted.admitted, second.counted.admitted]).toEqual([1, 0]);
  });
});
