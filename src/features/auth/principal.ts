import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { accessOf, readsToken, type Kind } from '../../platform/contract/access.js';
import { addressKey } from '../../platform/http/addresses.js';
import type { Party } from '../../platform/limits/rotation.js';
import { DomainError } from '../../platform/errors/errors.js';
import type { Scope } from '../../platform/contract/scopes.js';

/** The user of a valid access token of an open session. */
export interface Principal {
  /** Who it acts for. */
  readonly kind: Kind;
  readonly userId: string;
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
  throw new DomainError(
    'INSUFFICIENT_SCOPE',
    `The access token lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(', ')}. Ask the user for a token with the scopes ${scopes.join(', ')}.`,
    { scope: scopes.join(' ') },
  );
}

/** Throws SESSION_REQUIRED, or FORBIDDEN for what only guests do. */
export function assertKind(viewer: Principal | null, kinds: readonly Kind[]): void {
  if (viewer === null || kinds.includes(viewer.kind)) return;
  if (kinds.includes('guest')) {
    throw new DomainError('FORBIDDEN', 'Only a guest can claim an account, and you have one already.');
  }
  throw new DomainError(
    'SESSION_REQUIRED',
    'A personal token cannot do this. Log in with the password, then send the request with the token of that session.',
  );
}

/** A request that has passed the guard. */
export type ViewedRequest = FastifyRequest & {
  viewer?: Principal | null;
  /** Why the token of the request was rejected. */
  viewerFault?: Error;
  /** Whether the viewer is known, or when they are. */
  judged?: true | Promise<void>;
};

/** The context of a subscription. */
export interface SocketContext {
  /** Absent if a subscription was sent over HTTP. */
  readonly viewer?: Principal | null;
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
    user: knownViewer(context)?.userId ?? '',
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
