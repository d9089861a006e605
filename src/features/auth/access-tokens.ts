import { createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/config.module.js';
import { DomainError } from '../../platform/errors.js';
import { Time } from '../../platform/time.js';
import { ALGORITHM, AUDIENCE, claimsOf, ISSUER, type OpenedToken, readClaims, TOKEN_TYPE } from './claims.js';
import { Sessions } from './sessions.js';
import type { Principal } from './principal.js';

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

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sessions: Sessions,
    private readonly time: Time,
  ) {
    this.key = createSecretKey(Buffer.from(config.tokenSecret));
    this.jwt = new JwtService({ secret: this.key });
  }

  sign(userId: string, sessionId: string): AccessToken {
    const now = this.time.now();
    const seconds = Math.floor(now.getTime() / 1000) + this.config.accessTokenSeconds;
    const expiresAt = new Date(seconds * 1000);
    const header = { alg: ALGORITHM, typ: TOKEN_TYPE };
    const accessToken = this.jwt.sign(claimsOf({ userId, sessionId, expiresAt }, now), { header });
    return { accessToken, accessTokenExpiresAt: expiresAt };
  }

  /** The viewer of a token. Throws UNAUTHENTICATED. */
  async verify(token: string): Promise<Principal> {
    return this.admit(this.open(token));
  }

  /** The viewer of a token whose signature is valid (null if it is not). Throws UNAUTHENTICATED if it has expired. */
  async admit(token: OpenedToken | null): Promise<Principal> {
    const viewer = token && readClaims(token, this.time.now());
    if (viewer === null || !(await this.sessions.isLive(viewer))) throw unauthenticated();
    return viewer;
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
    'The access token is invalid or has expired. Refresh it or log in again.',
  );
}
