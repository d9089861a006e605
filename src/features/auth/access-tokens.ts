import { createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { type Scope, scopesIn } from '../../platform/contract/scopes.js';
import { DomainError } from '../../platform/errors/errors.js';
import { Time } from '../../platform/process/time.js';
import { ALGORITHM, AUDIENCE, claimsOf, ISSUER, type OpenedToken, readClaims, type SignedKind, TOKEN_TYPE } from './claims.js'; // prettier-ignore
import { isPersonal } from './personal-token.js';
import { Sessions } from './sessions.js';
import type { Principal } from './principal.js';
import { VerifiedTokens } from './verified-tokens.js';

/** The options of jsonwebtoken; `complete` returns the header as well, which readClaims checks. */
export const SIGNATURE = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE, complete: true };

/** A signed token with its expiry. */
export interface AccessToken {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: Date;
}

/** Signs and verifies access tokens, for HTTP and for sockets. */
@Injectable()
export class AccessTokens {
  /** A KeyObject, because jsonwebtoken would convert a string at each verification. */
  readonly key: KeyObject;
  private readonly jwt: JwtService;
  private readonly verified: VerifiedTokens;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sessions: Sessions,
    private readonly time: Time,
  ) {
    this.key = createSecretKey(Buffer.from(config.tokenSecret));
    this.jwt = new JwtService({ secret: this.key });
    this.verified = new VerifiedTokens(config);
  }

  sign(
    userId: string,
    sessionId: string,
    scopes: readonly Scope[],
    kind: SignedKind = 'password',
  ): AccessToken {
    const expiresAt = new Date(this.time.now().getTime() + this.config.accessTokenSeconds * 1000);
    return this.signUntil({ kind, userId, sessionId, scopes, expiresAt });
  }

  /** A token that is valid until the whole second before `expiresAt`. */
  signUntil(viewer: Principal & { readonly kind: SignedKind }): AccessToken {
    const accessTokenExpiresAt = new Date(Math.floor(viewer.expiresAt.getTime() / 1000) * 1000);
    const header = { alg: ALGORITHM, typ: TOKEN_TYPE };
    const claims = claimsOf({ ...viewer, expiresAt: accessTokenExpiresAt }, this.time.now());
    return { accessToken: this.jwt.sign(claims, { header }), accessTokenExpiresAt };
  }

  /** Whether the session of a viewer is known to have ended since. */
  hasEnded(viewer: Principal): boolean {
    return this.sessions.hasEnded(viewer);
  }

  /** The viewer of a token. Throws UNAUTHENTICATED. */
  async verify(token: string): Promise<Principal> {
    return (
      this.known(token) ??
      (isPersonal(token) ? this.admitPersonal(token) : this.admit(token, this.open(token)))
    );
  }

  private async admitPersonal(token: string): Promise<Principal> {
    const found = await this.sessions.ofPersonalToken(token);
    if (found === null) throw unauthenticated();
    const { sessionId, userId, scopes, expiresAt } = found;
    const viewer: Principal = { kind: 'personal', sessionId, userId, scopes: scopesIn(scopes), expiresAt };
    this.verified.add(token, viewer);
    return viewer;
  }

  /** The viewer of a token, given what a valid signature opened (null if it is not valid). Throws UNAUTHENTICATED. */
  async admit(token: string, opened: OpenedToken | null): Promise<Principal> {
    const viewer = opened && readClaims(opened, this.time.now());
    if (viewer === null || !(await this.sessions.isLive(viewer))) throw unauthenticated();
    this.verified.add(token, viewer);
    return viewer;
  }

  /** The viewer of a token that was admitted before and whose session is known to be open; null to verify it. */
  known(token: string): Principal | null {
    const viewer = this.verified.get(token, this.time.now());
    return viewer !== null && this.sessions.isKnownLive(viewer) ? viewer : null;
  }

  private open(token: string): OpenedToken | null {
    try {
      return this.jwt.verify<OpenedToken>(token, SIGNATURE);
    } catch {
      return null;
    }
  }
}

/** The same refusal for every bad token, so that it tells nothing about the token. */
export function unauthenticated(): DomainError {
  return new DomainError(
    'UNAUTHENTICATED',
    'The access token is invalid or has expired. Refresh it or log in again; an application asks for a new one.',
  );
}
