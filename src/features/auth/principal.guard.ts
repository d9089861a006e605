import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { AccessTokens, unauthenticated } from './access-tokens.js';
import { ApplicationRequests } from './application-requests.js';
import { authorizationOf } from './bearer.js';
import { accessOf, takesTicket } from '../../platform/contract/access.js';
import { quotasOf } from '../../platform/limits/quotas.js';
import { JwtStrategy } from './jwt.strategy.js';
import {
  assertKind,
  assertScopes,
  bearersOf,
  knownApplication,
  knownViewer,
  requestOf,
  type ViewedRequest,
} from './principal.js';
import { isPersonal } from './personal-token.js';
import { StreamTickets } from './stream-tickets.js';

/**
 * Identifies the viewer of a request first of all, by a token or a ticket. Without one the viewer is anonymous. A bad token is stored in
 * the request and refused where the answer depends on the viewer, so that public data needs no valid token and a user
 * with an expired one is not taken for anonymous. A valid token without a required scope is refused at once, or counts
 * as none where no token is required.
 */
@Injectable()
export class PrincipalGuard extends AuthGuard() {
  constructor(
    strategy: JwtStrategy,
    private readonly tokens: AccessTokens,
    private readonly tickets: StreamTickets,
    private readonly requests: ApplicationRequests,
  ) {
    super({ defaultStrategy: strategy.name, property: 'viewer' });
  }

  override canActivate(context: ExecutionContext): true | Promise<true> {
    const request = requestOf(context);
    if (request === null) return permit(context);
    // A guard runs for every root field of a GraphQL document, but verifies the request once.
    const judged = (request.judged ??= this.judge(request, context));
    return judged === true ? this.admit(request, context) : judged.then(() => this.admit(request, context));
  }

  /** A document goes on while its session may end, perhaps by a field of its own. */
  private admit(request: ViewedRequest, context: ExecutionContext): true {
    const bearer = request.viewer ?? request.application;
    if (bearer != null && this.tokens.hasEnded(bearer)) {
      request.viewer = null;
      request.application = null;
      request.viewerFault = unauthenticated();
    }
    return permit(context);
  }

  override getRequest(context: ExecutionContext): ViewedRequest | null {
    return requestOf(context);
  }

  // Passport passes an error of ours or of the database, or no viewer.
  override handleRequest<Found>(error: Error | null, viewer: Found | false | null): Found {
    if (error) throw error;
    if (!viewer) throw unauthenticated();
    return viewer;
  }

  /** Finds the viewer, and counts the request for an application. Throws RATE_LIMITED. */
  private judge(request: ViewedRequest, context: ExecutionContext): true | Promise<void> {
    const found = this.identify(request, context);
    const counted = (): true | Promise<void> => {
      const id = (request.viewer ?? request.application)?.applicationId;
      return id === undefined ? true : this.requests.count(id, quotasOf(request));
    };
    return found === true ? counted() : found.then(async () => void (await counted()));
  }

  /** Finds the viewer; at once without a token or ticket, and with a token that is known. */
  private identify(request: ViewedRequest, context: ExecutionContext): true | Promise<void> {
    const given = authorizationOf(request);
    if (given.kind === 'none') {
      const ticket = takesTicket(context.getHandler()) ? ticketOf(request) : null;
      return ticket === null ? true : this.redeem(request, ticket);
    }
    const viewer = given.kind === 'token' ? this.tokens.known(given.token) : null;
    if (viewer === null && given.kind === 'token' && isPersonal(given.token))
      return this.verifyPersonal(request, given.token);
    if (viewer === null) return this.verify(request, context);
    Object.assign(request, bearersOf(viewer));
    return true;
  }

  private async redeem(request: ViewedRequest, ticket: string): Promise<void> {
    try {
      Object.assign(request, bearersOf(await this.tickets.use(ticket)));
    } catch (fault) {
      request.viewerFault = fault as Error;
    }
  }

  private async verifyPersonal(request: ViewedRequest, token: string): Promise<void> {
    try {
      request.viewer = await this.tokens.verify(token);
    } catch (fault) {
      request.viewerFault = fault as Error;
    }
  }

  private async verify(request: ViewedRequest, context: ExecutionContext): Promise<void> {
    try {
      await super.canActivate(context);
      // Passport stores whom it found as the viewer.
      Object.assign(request, bearersOf(request.viewer ?? null));
    } catch (fault) {
      request.viewerFault = fault as Error;
    }
  }
}

function ticketOf({ query }: ViewedRequest): string | null {
  const { ticket } = query as Readonly<Record<string, unknown>>;
  return typeof ticket === 'string' ? ticket : null;
}

/** Throws INSUFFICIENT_SCOPE, SESSION_REQUIRED. */
function permit(context: ExecutionContext): true {
  const { token, scopes, kinds } = accessOf(context.getHandler());
  if (token !== 'required') return true;
  const bearer = knownViewer(context) ?? knownApplication(context);
  assertScopes(bearer, scopes);
  assertKind(bearer, kinds);
  return true;
}
