import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { unauthenticated } from './access-tokens.js';
import { authorizationOf } from './bearer.js';
import { accessOf } from '../../platform/access.js';
import { JwtStrategy } from './jwt.strategy.js';
import { demandScopes, knownViewer, requestOf, type ViewedRequest } from './principal.js';

/**
 * Finds out who asks, before anything else. No token: an anonymous viewer. A token that is not good is kept as the
 * request's fault and refused where the answer depends on the viewer: what is for everybody needs none, and nobody
 * whose token has ended is taken for a stranger. A good token that lacks a scope is refused at once,
 * or counts as none where none is required.
 */
@Injectable()
export class PrincipalGuard extends AuthGuard() {
  // A guard runs for every root field of a GraphQL document; the request is judged once.
  private readonly judged = new WeakMap<ViewedRequest, Promise<void>>();

  constructor(strategy: JwtStrategy) {
    super({ defaultStrategy: strategy.name, property: 'viewer' });
  }

  override canActivate(context: ExecutionContext): true | Promise<true> {
    const request = requestOf(context);
    if (request === null || authorizationOf(request).kind === 'none') return permit(context);
    const judged = this.judged.get(request) ?? this.judge(request, context);
    this.judged.set(request, judged);
    return judged.then(() => permit(context));
  }

  override getRequest(context: ExecutionContext): ViewedRequest | null {
    return requestOf(context);
  }

  // Passport hands over an error of ours or of the database, or no viewer and what it found wrong.
  override handleRequest<Found>(error: Error | null, viewer: Found | false | null): Found {
    if (error) throw error;
    if (!viewer) throw unauthenticated();
    return viewer;
  }

  private async judge(request: ViewedRequest, context: ExecutionContext): Promise<void> {
    try {
      await super.canActivate(context);
    } catch (fault) {
      request.viewerFault = fault as Error;
    }
  }
}

/** Throws INSUFFICIENT_SCOPE. */
function permit(context: ExecutionContext): true {
  const { token, scopes } = accessOf(context.getHandler());
  if (token === 'required') demandScopes(knownViewer(context), scopes);
  return true;
}
