import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { accessOf, readsToken, type Kind } from '../../platform/contract/access.js';
import { addressKey } from '../../platform/http/addresses.js';
import type { Party } from '../../platform/limits/rotation.js';
import { DomainError } from '../../platform/errors/errors.js';
import type { Scope } from '../../platform/contract/scopes.js';

/** The user of a valid access token of an open session; or an application that acts as itself. */
export interface Principal {
  /** Who it acts for. */
  readonly kind: Kind;
  /** Of an application, its own id, which no user has: it is never given out as a viewer. */
  readonly userId: string;
  /** Of an application, and of its players. */
  readonly applicationId?: string;
  readonly sessionId: string;
  /** The scopes of the access token. */
  readonly scopes: readonly Scope[];
  /** The expiry of the access token. */
  readonly expiresAt: Date;
}

const hasScopes = (viewer: Principal, scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => viewer.scopes.includes(scope));

/** The viewer if they have these scopes; otherwise null, as for an anonymous one. */
export const entitled = (viewer: Principal | null, scopes: readonly Scope[]): Principal | null =>
  viewer !== null && hasScopes(viewer, scopes) ? viewer : null;

/** Throws INSUFFICIENT_SCOPE. An anonymous viewer passes: they have no token that could lack a scope. */
export function assertScopes(viewer: Principal | null, scopes: readonly Scope[]): void {
  if (viewer === null || hasScopes(viewer, scopes)) return;
  const missing = scopes.filter((scope) => !viewer.scopes.includes(scope));
  const lacks = `The access token lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.`;
  throw new DomainError('INSUFFICIENT_SCOPE', `${lacks} ${adviceFor(viewer, scopes)}`, {
    scope: scopes.join(' '),
  });
}

function adviceFor({ kind }: Principal, scopes: readonly Scope[]): string {
  if (scopes.includes('application'))
    return 'Only an application can do this: exchange its id and secret for a token at POST /oauth/token.';
  if (kind === 'application') {
    return scopes.includes('account')
      ? 'An owner of the application does this, in a session that was opened with the password.'
      : 'Make a token of one of your players, and send the request with it.';
  }
  return `Ask the user for a token with the scopes ${scopes.join(', ')}.`;
}

/** Throws SESSION_REQUIRED, or FORBIDDEN for what only guests do. */
export function assertKind(viewer: Principal | null, kinds: readonly Kind[]): void {
  if (viewer === null || kinds.includes(viewer.kind)) return;
  if (!kinds.includes('password')) {
    throw new DomainError('FORBIDDEN', 'Only a guest can claim an account, and you have one already.');
  }
  throw new DomainError(
    'SESSION_REQUIRED',
    `${TOKENS[viewer.kind]} cannot do this. Log in with the password, then send the request with the token of that session.`,
  );
}

const TOKENS: Readonly<Record<Kind, string>> = {
  password: 'The token of a session',
  personal: 'A personal token',
  guest: 'The token of a guest',
  application: 'The token of an application',
  player: 'The token of a player of an application',
};

/** Whom a token is of. */
export interface Bearers {
  readonly viewer: Principal | null;
  readonly application: Principal | null;
}

/** An application is no viewer: what shows a user something of their own shows it what anybody sees. */
export const bearersOf = (found: Principal | null): Bearers =>
  found?.kind === 'application' ? { viewer: null, application: found } : { viewer: found, application: null };

/** A request that has passed the guard. */
export type ViewedRequest = FastifyRequest & {
  viewer?: Principal | null;
  application?: Principal | null;
  /** Why the token of the request was rejected. */
  viewerFault?: Error;
  /** Whether the viewer is known, or when they are. */
  judged?: true | Promise<void>;
};

/** The context of a subscription. */
export interface SocketContext {
  /** Absent if a subscription was sent over HTTP. */
  readonly viewer?: Principal | null;
  /** The application whose token the socket was opened with. */
  readonly application?: Principal | null;
}

/** The context of resolvers: the request over HTTP, or the viewer of a socket, known since it was opened. */
export interface GraphqlContext extends SocketContext {
  readonly req?: ViewedRequest;
}

/** The HTTP request of an execution, or null when it came over a socket. */
export function requestOf(context: ExecutionContext): ViewedRequest | null {
  if (isRest(context)) return context.switchToHttp().getRequest<ViewedRequest>();
  const { req, viewer } = graphqlContext(context);
  return viewer === undefined ? (req ?? null) : null;
}

/** The viewer as PrincipalGuard found them; null if anonymous or if the token is bad. */
export const knownViewer = (context: ExecutionContext): Principal | null =>
  isRest(context) ? (requestOf(context)?.viewer ?? null) : viewerIn(graphqlContext(context));

/** The same, from the context of a resolver. */
export const viewerIn = ({ req, viewer }: GraphqlContext): Principal | null => viewer ?? req?.viewer ?? null;

/** The application whose token a request or a socket has; null for anybody else. */
export const knownApplication = (context: ExecutionContext): Principal | null =>
  requestOf(context)?.application ?? (isRest(context) ? null : (graphqlContext(context).application ?? null));

/** The viewer, or null if anonymous or without a required scope. Throws if the token is bad. */
function viewerOf(context: ExecutionContext): Principal | null {
  const fault = requestOf(context)?.viewerFault;
  if (fault !== undefined) throw fault;
  return entitled(knownViewer(context), accessOf(context.getHandler()).scopes);
}

const isRest = (context: ExecutionContext) => context.getType<GqlContextType>() === 'http';

const graphqlContext = (context: ExecutionContext) =>
  GqlExecutionContext.create(context).getContext<GraphqlContext>();

/** The viewer, or null if anonymous or without a required scope; a bad token is refused. */
export const Viewing = readsToken(
  createParamDecorator((_: unknown, context: ExecutionContext) => viewerOf(context)),
  'optional',
);

/** The same as a function, where only some answers depend on the viewer: a bad token is refused when it is called. */
export const Asking = readsToken(
  createParamDecorator((_: unknown, context: ExecutionContext) => () => viewerOf(context)),
  'optional',
);

/** The client whose use is counted (its address behind a proxy only with TRUST_PROXY). */
export const Client = readsToken(
  createParamDecorator((_: unknown, context: ExecutionContext): Party => ({
    address: addressKey(requestOf(context)?.ip ?? ''),
    user: (knownViewer(context) ?? knownApplication(context))?.userId ?? '',
  })),
  'optional',
);

/** A function that stops a read whose client has disconnected. Throws UNAVAILABLE, which nobody reads. */
export const StopIfGone = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const socket = requestOf(context)?.raw.socket;
  return () => {
    if (socket?.destroyed) throw new DomainError('UNAVAILABLE', 'The client has disconnected.');
  };
});

/** The viewer; an anonymous one is refused. */
export const SignedIn = readsToken(
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    const viewer = viewerOf(context);
    if (viewer === null) {
      throw new DomainError(
        'UNAUTHENTICATED',
        'This request requires an access token. Log in, and send it in the header Authorization: Bearer TOKEN.',
      );
    }
    return viewer;
  }),
  'required',
);

/** The application that acts as itself; anybody else is refused. */
export const OfApplication = readsToken(
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    const fault = requestOf(context)?.viewerFault;
    if (fault !== undefined) throw fault;
    const application = knownApplication(context);
    if (application !== null) return application;
    throw new DomainError(
      'UNAUTHENTICATED',
      'This request requires the token of an application. Exchange its id and secret for one at POST /oauth/token, and send it in the header Authorization: Bearer TOKEN.',
    );
  }),
  'required',
);

/** The person, or the application that acts as itself; anybody else is refused. */
export const OfOwner = readsToken(
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    // First, as it refuses a bad token.
    const viewer = viewerOf(context);
    const owner = knownApplication(context) ?? viewer;
    if (owner !== null) return owner;
    throw new DomainError(
      'UNAUTHENTICATED',
      'This request requires an access token. Log in, or exchange the id and secret of an application for one at POST /oauth/token, and send it in the header Authorization: Bearer TOKEN.',
    );
  }),
  'required',
);
