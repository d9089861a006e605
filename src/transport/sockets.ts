import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import proxyAddr from '@fastify/proxy-addr';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  GraphQLError,
  OperationTypeNode,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
  type ExecutionArgs,
  type GraphQLFormattedError,
} from 'graphql';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, type Context, type SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { AccessTokens, unauthenticated } from '../features/auth/access-tokens.js';
import type { AccessEnd } from '../features/auth/access-ends.js';
import { readAuthorization } from '../features/auth/bearer.js';
import { bearersOf, type Bearers, type Principal } from '../features/auth/principal.js';
import { Sessions } from '../features/auth/sessions.js';
import type { Config } from '../config.js';
import { addressKey } from '../platform/http/addresses.js';
import { CONFIG } from '../platform/process/config.module.js';
import type { ErrorCode } from '../platform/errors/error-codes.js';
import { DomainError, type ShownCost } from '../platform/errors/errors.js';
import { Turns } from '../platform/limits/turns.js';
import { assertQuickToValidate, measure, tooCostly } from '../platform/graphql/limits.js';
import { publicError } from '../platform/http/masking.js';
import { GRAPHQL_PATH } from './graphql-path.js';
import { keepAlive, TRY_AGAIN_LATER } from './heartbeat.js';
import { SharedResults, type Subscriber } from './shared-results.js';
import { coded, formatted, refusal, sender, shown, told } from './socket-messages.js';
import { BYTES_OF_A_FIELD, cpuMs, LEAST_WEIGHT } from './turn-taking.js';
import { Watchers, type Watcher } from './watchers.js';

const MOST_OF_A_FAREWELL_MS = 2000;

/** State of a socket, from its first message on. */
interface Extra extends Record<PropertyKey, unknown> {
  readonly request: IncomingMessage;
  readonly socket: WebSocket;
  bearers?: Bearers;
  /** Set once the socket is admitted. */
  watcher?: Watcher;
  /** Stops waiting for the end of the viewer's token and session. */
  stopWaiting?: () => void;
  refusals?: number;
  /** The cost of each subscription, by its message, because an id may be reused while its predecessor still ends. */
  costs?: Map<SubscribePayload, number>;
}

/** The context of resolvers, and where the results go. */
interface SocketContext extends Subscriber, Bearers {
  /** Shown with each event. */
  readonly cost: ShownCost;
}

const MOST_OF_A_REASON = 123;
/** Refused subscriptions after which a socket is closed. */
const MOST_REFUSALS = 20;

/** The close code of graphql-ws for too many requests. */
const TOO_MANY = 4429;

const PASSING: readonly ErrorCode[] = ['UNAVAILABLE', 'OVERLOADED'];

type Socketed = Context<Record<string, unknown>, Extra>;

/** Subscriptions over graphql-ws; queries and mutations are refused, since they have HTTP. */
@Injectable()
export class Sockets implements OnModuleDestroy {
  private readonly logger = new Logger(Sockets.name);
  private readonly server: WebSocketServer;
  private readonly watchers: Watchers;
  private readonly results = new SharedResults({
    write: (result, { contextValue }) => JSON.stringify(shown(result, contextValue as SocketContext)),
    format: formatted,
  });
  private dispose: () => void | Promise<void> = () => undefined;

  constructor(
    private readonly tokens: AccessTokens,
    private readonly sessions: Sessions,
    private readonly schema: GraphQLSchemaHost,
    private readonly turns: Turns,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.server = new WebSocketServer({
      noServer: true,
      maxPayload: config.maxRequestKb * 1024,
      // The other sockets and requests are served between two messages.
      allowSynchronousEvents: false,
    });
    this.watchers = new Watchers(config);
  }

  /** Starts to answer the upgrades of an HTTP server. */
  mount(http: Server): void {
    http.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
    this.dispose = useServer<Record<string, unknown>, Extra>(
      {
        connectionInitWaitTimeout: this.config.socketInitSeconds * 1000,
        // Keeps internal errors out of the reason of a close.
        isProd: true,
        onConnect: (context) => this.admit(context),
        onClose: ({ extra }) => this.leave(extra),
        onSubscribe: (context, id, payload) => this.inTurn(context, id, payload),
        onComplete: ({ extra }, _id, payload) => this.forget(extra, payload),
        subscribe: (args: ExecutionArgs) => this.results.subscribe(args, args.contextValue as SocketContext),
        // Subscriptions send their results themselves.
        onError: ({ extra }, _id, _payload, errors) => this.refused(extra.socket, told(errors)),
      },
      this.server,
      // Its own pings end a socket without a code.
      0,
    ).dispose;
  }

  /** Runs before the HTTP server waits for its connections, because sockets do not close by themselves. */
  async onModuleDestroy(): Promise<void> {
    const impatience = setTimeout(() => {
      for (const socket of this.server.clients) socket.terminate();
    }, MOST_OF_A_FAREWELL_MS);
    await this.dispose();
    clearTimeout(impatience);
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener a reset of the socket would end the process.
    socket.on('error', (error) => this.logger.debug(error));
    const path = request.url?.split('?', 1)[0];
    const protocols = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
    if (path !== GRAPHQL_PATH || !protocols?.includes(GRAPHQL_TRANSPORT_WS_PROTOCOL)) {
      // The client may keep its half open forever.
      socket.once('finish', () => socket.destroy());
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.server.handleUpgrade(request, socket, head, (webSocket) => {
      forgiveLeaving(webSocket, this.logger);
      keepAlive(webSocket, this.config.heartbeatSeconds * 1000);
      this.server.emit('connection', webSocket, request);
      // Replaces the listener of graphql-ws, which prints what clients send to the console.
      webSocket.removeAllListeners('error');
      webSocket.on('error', (error) => this.logger.debug(error));
    });
  }

  /** Identifies the viewer; returns false for a bad token, which closes the socket with 4403. */
  private async admit(context: Socketed): Promise<boolean> {
    const { connectionParams = {}, extra } = context;
    try {
      const bearer = await this.bearerOf(connectionParams);
      extra.bearers = bearersOf(bearer);
      // The client has disconnected meanwhile and would be counted forever.
      if (extra.socket.readyState !== extra.socket.OPEN) return false;
      const address = addressKey(proxyAddr(extra.request, (_, hop) => hop < this.config.trustProxy));
      const watcher = { address, userId: bearer?.userId ?? null };
      if (!this.watchers.open(watcher)) {
        extra.socket.close(TOO_MANY, 'Too many sockets are open: close one of them first');
        return false;
      }
      extra.watcher = watcher;
      if (bearer !== null) {
        extra.stopWaiting = this.sessions.whenOver(bearer, (end) => close(context, end));
      }
      return true;
    } catch (thrown) {
      const { code, message } = publicError(thrown, randomUUID());
      // graphql-ws would print an error thrown from here to the console.
      if (code === 'UNAUTHENTICATED') extra.socket.close(CloseCode.Forbidden, reasonOf(message));
      else if (PASSING.includes(code)) extra.socket.close(TRY_AGAIN_LATER, reasonOf(message));
      else extra.socket.close(CloseCode.InternalServerError, 'Internal server error');
      return false;
    }
  }

  /** `Bearer TOKEN` as over HTTP, or the token alone; without one the viewer is anonymous. */
  private async bearerOf(parameters: Readonly<Record<string, unknown>>): Promise<Principal | null> {
    const names = Object.keys(parameters).filter((key) => key.toLowerCase() === 'authorization');
    const given = readAuthorization(
      names.map((name) => parameters[name]),
      true,
    );
    if (given.kind === 'none') return null;
    if (given.kind === 'broken') throw unauthenticated();
    return this.tokens.verify(given.token);
  }

  /** Closes the socket if the same subscription may soon succeed: an `error` would keep the client from asking again. */
  private refused(
    socket: WebSocket,
    errors: readonly GraphQLFormattedError[],
  ): readonly GraphQLFormattedError[] {
    const passing = errors.find(({ extensions }) => PASSING.includes(extensions?.['code'] as ErrorCode));
    if (passing !== undefined) socket.close(TRY_AGAIN_LATER, reasonOf(passing.message));
    return errors;
  }

  private leave(extra: Extra): void {
    const { watcher, costs, stopWaiting } = extra;
    if (watcher === undefined) return;
    stopWaiting?.();
    for (const payload of [...(costs?.keys() ?? [])]) this.forget(extra, payload);
    this.watchers.close(watcher);
    delete extra.watcher;
  }

  private forget({ watcher, costs }: Extra, payload: SubscribePayload): void {
    const cost = costs?.get(payload);
    if (watcher === undefined || cost === undefined) return;
    costs!.delete(payload);
    this.watchers.unsubscribe(watcher, cost);
  }

  /** Counts a new subscription. Throws LIMIT_REACHED. */
  private count(extra: Extra, payload: SubscribePayload, cost: number): void {
    if (extra.watcher === undefined) return;
    extra.costs ??= new Map();
    this.watchers.subscribe(extra.watcher, extra.costs.size, cost);
    extra.costs.set(payload, cost);
  }

  /** Takes turns with requests over HTTP. A socket with many refusals is closed. */
  private async inTurn(
    { extra, subscriptions }: Socketed,
    id: string,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const turn = {
      address: extra.watcher?.address ?? '',
      user: extra.watcher?.userId ?? '',
      weight: LEAST_WEIGHT + Math.ceil(payload.query.length / BYTES_OF_A_FIELD),
    };
    try {
      await this.turns.take(turn);
    } catch (error) {
      this.countRefusal(extra);
      return [refusal(error as DomainError)];
    }
    const start = cpuMs();
    try {
      // Otherwise a subscription that was completed meanwhile would be counted for ever.
      const prepared =
        id in subscriptions ? this.prepare(id, payload, extra) : [new GraphQLError('Completed')];
      if (Array.isArray(prepared)) this.countRefusal(extra);
      return prepared;
    } finally {
      this.turns.spent(turn, cpuMs() - start);
      this.turns.give(turn);
    }
  }

  private countRefusal(extra: Extra): void {
    extra.refusals = (extra.refusals ?? 0) + 1;
    if (extra.refusals >= MOST_REFUSALS) extra.socket.close(TOO_MANY, 'Too many subscriptions were refused');
  }

  private prepare(
    id: string,
    payload: SubscribePayload,
    extra: Extra,
  ): ExecutionArgs | readonly GraphQLError[] {
    const { query, operationName = null, variables = null } = payload;
    const bearers = extra.bearers ?? bearersOf(null);
    try {
      const document = parse(query, { maxTokens: this.config.maxQueryTokens });
      assertQuickToValidate(document);
      const faults = validate(this.schema.schema, document, specifiedRules);
      if (faults.length > 0) return faults.map((fault) => coded(fault, 'GRAPHQL_VALIDATION_FAILED'));
      const operation = getOperationAST(document, operationName);
      if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) {
        throw new DomainError(
          'BAD_INPUT',
          'Only subscriptions are accepted over WebSocket; send queries and mutations over HTTP.',
        );
      }
      const { cost, fault } = measure(this.schema.schema, document, operation, variables, this.config);
      if (fault !== null) throw tooCostly(fault, cost);
      this.count(extra, payload, cost.requested);
      // Includes the session, because each event checks whether that session is still open.
      const alike = JSON.stringify([bearers, query, operationName, variables]);
      const contextValue: SocketContext = { ...bearers, alike, cost, send: sender(extra.socket, id) };
      return { schema: this.schema.schema, document, operationName, variableValues: variables, contextValue };
    } catch (error) {
      return [
        error instanceof GraphQLError
          ? coded(error, 'GRAPHQL_PARSE_FAILED')
          : refusal(publicError(error, randomUUID())),
      ];
    }
  }
}

/**
 * Closes the socket of a token that has expired or whose session has ended. Clients of graphql-ws open it again after
 * 4403, with the token that they have by then, and subscribe to all that was not told an error; not after 4401.
 */
function close({ extra: { socket }, subscriptions }: Socketed, { isExpiry, error }: AccessEnd): void {
  if (!isExpiry) {
    const payload = formatted([refusal(error)]);
    for (const id of Object.keys(subscriptions)) socket.send(JSON.stringify({ id, type: 'error', payload }));
  }
  socket.close(isExpiry ? CloseCode.Forbidden : CloseCode.Unauthorized, reasonOf(error.message));
}

/** What fits into a close frame: 123 bytes (RFC 6455, 5.5). A longer reason would be thrown, and the socket closed as broken. */
const reasonOf = (message: string): string =>
  Buffer.from(message)
    .subarray(0, MOST_OF_A_REASON)
    .toString()
    .replace(/\uFFFD$/, '');

/** Avoids that graphql-ws prints the stack when a message cannot be sent; the close that follows is enough. */
function forgiveLeaving(socket: WebSocket, logger: Logger): void {
  const send = socket.send.bind(socket) as (data: string, done: (error?: Error) => void) => void;
  const quietly = (data: string, done?: () => void) =>
    send(data, (error) => {
      if (error) logger.debug(error);
      done?.();
    });
  socket.send = quietly as WebSocket['send'];
}
