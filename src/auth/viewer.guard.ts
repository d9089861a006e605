import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { unauthenticated } from './access-tokens.js';
import { JwtStrategy } from './jwt.strategy.js';
import { requestOf, type ViewedRequest } from './viewer.js';

/**
 * Finds out who asks, before anything else. No token: an anonymous viewer. A token that is not good:
 * refused, also where none is needed, so that no client takes itself for somebody it is not.
 */
@Injectable()
export class ViewerGuard extends AuthGuard() {
  // A guard runs for every root field of a GraphQL document; the request is judged once.
  private readonly judged = new WeakMap<ViewedRequest, Promise<boolean>>();

  constructor(strategy: JwtStrategy) {
    super({ defaultStrategy: strategy.name, property: 'viewer' });
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    if (request === null || request.headers.authorization === undefined) return true;
    const judged = this.judged.get(request) ?? this.judge(context);
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

  private async judge(context: ExecutionContext): Promise<boolean> {
    return Boolean(await super.canActivate(context));
  }
}
