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

/** What jsonwebtoken is asked to settle; it answers with the header too, for the claims to be read with. */
export const SIGNATURE = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE, complete: true };

/** A signed token, and when it ends. */
export interface AccessToken {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: Date;
}

/** Signs access tokens and says whom one stands for, over HTTP and over sockets alike. */
@Injectable()
export class AccessTokens {
  /** A KeyObject: jsonwebtoken would make a new one of a string at each verification. */
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

  /** The viewer that a token stands for; refuses every other token. */
  async verify(token: string): Promise<Principal> {
    return this.admit(this.open(token));
  }

  /** The viewer of a token whose signature was found good; null, or a token that is not current, is refused. */
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

/** The one answer to every token that is not good: it does not say what is wrong with it. */
export function unauthenticated(): DomainError {
  return new DomainError(
    'UNAUTHENTICATED',
    'The access token is not valid (any more): refresh it or log in.',
  );
}
