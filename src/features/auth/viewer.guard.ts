import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { unauthenticated } from './access-tokens.js';
import { authorizationOf } from './bearer.js';
import { JwtStrategy } from './jwt.strategy.js';
import { requestOf, type ViewedRequest } from './viewer.js';

/**
 * Finds out who asks, before anything else. No token: an anonymous viewer. A token that is not good is kept as the
 * request's fault and refused where the answer depends on the viewer: what is for everybody needs none, and nobody
 * whose token has ended is taken for a stranger.
 */
@Injectable()
export class ViewerGuard extends AuthGuard() {
  // A guard runs for every root field of a GraphQL document; the request is judged once.
  private readonly judged = new WeakMap<ViewedRequest, Promise<true>>();

  constructor(strategy: JwtStrategy) {
    super({ defaultStrategy: strategy.name, property: 'viewer' });
  }

  override canActivate(context: ExecutionContext): true | Promise<true> {
    const request = requestOf(context);
    if (request === null || authorizationOf(request).kind === 'none') return true;
    const judged = this.judged.get(request) ?? this.judge(request, context);
    this.judged.set(request, judged);
    return judged;
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

  private async judge(request: ViewedRequest, context: ExecutionContext): Promise<true> {
    try {
      await super.canActivate(context);
    } catch (fault) {
      request.viewerFault = fault as Error;
    }
    return true;
  }
}
