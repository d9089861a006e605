import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import { ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/errors.js';

/** Who asks, as a valid access token of a live session says. */
export interface Viewer {
  readonly userId: string;
  readonly sessionId: string;
  /** When the access token ends. */
  readonly expiresAt: Date;
}

/** A request that has passed the guard. */
export type ViewedRequest = FastifyRequest & {
  viewer?: Viewer | null;
  /** Why a token that came along stands for nobody. */
  viewerFault?: Error;
};

/** What a subscription gets at each event. */
export interface SocketContext {
  /** Absent when somebody sends a subscription over HTTP. */
  readonly viewer?: Viewer | null;
}

/** What resolvers get: the request over HTTP, or the viewer of a socket, known since it was opened. */
interface GraphqlContext extends SocketContext {
  readonly req?: ViewedRequest;
}

/** The HTTP request of an execution, or null when it came over a socket. */
export function requestOf(context: ExecutionContext): ViewedRequest | null {
  if (isRest(context)) return context.switchToHttp().getRequest<ViewedRequest>();
  const { req, viewer } = graphqlContext(context);
  return viewer === undefined ? (req ?? null) : null;
}

/** Throws what is wrong with the token of a request: that is not an anonymous one. */
function viewerOf(context: ExecutionContext): Viewer | null {
  const request = requestOf(context);
  if (request?.viewerFault !== undefined) throw request.viewerFault;
  return (request === null ? graphqlContext(context).viewer : request.viewer) ?? null;
}

const isRest = (context: ExecutionContext) => context.getType<GqlContextType>() === 'http';

const graphqlContext = (context: ExecutionContext) =>
  GqlExecutionContext.create(context).getContext<GraphqlContext>();

type Scheme = Record<string, string[]>;

/** A parameter that tells OpenAPI which tokens its route takes, too. */
const told =
  (parameter: () => ParameterDecorator, ...schemes: readonly Scheme[]) =>
  (): ParameterDecorator =>
  (target, name, index) => {
    parameter()(target, name, index);
    const method = Object.getOwnPropertyDescriptor(target, name!);
    for (const scheme of schemes) ApiSecurity(scheme)(target, name!, method!);
  };

const TOKEN: Scheme = { bearer: [] };
const NO_TOKEN: Scheme = {};

/** The viewer, or null for an anonymous one; a token that is not good is refused. */
export const Viewing = told(
  createParamDecorator((_: unknown, context: ExecutionContext) => viewerOf(context)),
  NO_TOKEN,
  TOKEN,
);

/** Whose share of what is shared out it is: the user, else the address; behind a proxy only with TRUST_PROXY. */
export const Client = told(
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    const request = requestOf(context);
    const viewer = request === null ? viewerOf(context) : request.viewer;
    return viewer?.userId ?? request?.ip ?? '';
  }),
  NO_TOKEN,
  TOKEN,
);

/** The viewer; anonymous ones are refused. */
export const SignedIn = told(
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    const viewer = viewerOf(context);
    if (viewer === null) {
      throw new DomainError('UNAUTHENTICATED', 'Sign in first: send an access token as a Bearer token.');
    }
    return viewer;
  }),
  TOKEN,
);
