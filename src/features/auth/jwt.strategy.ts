import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import type { FastifyRequest } from 'fastify';
import { v7 as uuid } from 'uuid';
import { AccessTokens, SIGNATURE } from './access-tokens.js';
import { authorizationOf } from './bearer.js';
import type { OpenedToken } from './claims.js';
import type { Principal } from './principal.js';

/** Access tokens over HTTP. Passport-jwt verifies the signature, AccessTokens everything else. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly tokens: AccessTokens) {
    const { algorithms, issuer, audience, complete } = SIGNATURE;
    super({
      jwtFromRequest: tokenOf,
      // The types allow only strings and Buffers, but jsonwebtoken is fastest with a KeyObject.
      secretOrKey: tokens.key as unknown as Buffer,
      algorithms,
      issuer,
      audience,
      jsonWebTokenOptions: { complete },
      passReqToCallback: true,
    });
    // Passport has one registry per process, so each application needs a name of its own.
    this.name = `jwt-${uuid()}`;
    passport.use(this);
  }

  validate(request: FastifyRequest, opened: OpenedToken): Promise<Principal> {
    return this.tokens.admit(tokenOf(request)!, opened);
  }
}

/** The token of a request; null if it has none or a malformed header. */
function tokenOf(request: FastifyRequest): string | null {
  const given = authorizationOf(request);
  return given.kind === 'token' ? given.token : null;
}
