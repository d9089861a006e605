import type { LoginInput, RegisterInput } from '../generated/client/graphql.js';
import * as operations from '../generated/client/operations.js';
import { EventStream, type Connect, type EventsOptions } from './events.js';
import { callGraphql, type Given, type TypedDocument } from './graphql.js';
import { restOf } from './rest.js';
import { SessionKeeper, type Tokens } from './session.js';
import { checked, Transport } from './transport.js';

export type * from '../generated/client/graphql.js';
export type { components, paths } from '../generated/client/rest.js';
export { HalfmoveError, hasCode, type ErrorCode, type ErrorDetails } from './errors.js';
export type { EventsOptions, EventStream, HalfmoveEvent } from './events.js';
export type { CallOptions, Given, TypedDocument } from './graphql.js';
export type { Rest } from './rest.js';
export type { Tokens } from './session.js';
export { operations };

export interface ClientOptions {
  /** Of the server, as https://play.example.org. */
  readonly url: string;
  /** A session to go on with. */
  readonly session?: Tokens | null;
  /** Called when the session begins, is renewed or ends (null): the place to store it. */
  readonly onSession?: (session: Tokens | null) => void;
  /** In place of the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** How often a request that failed in passing is sent again, if that is safe; 4 by default. */
  readonly retries?: number;
  /** Milliseconds before the first retry, doubled for each further one; 500 by default. */
  readonly backoffMs?: number;
  /** Milliseconds that an answer may take; 30,000 by default. A stream of events may be silent for twice as long. */
  readonly timeoutMs?: number;
}

const DEFAULTS = {
  fetch: (request: Request) => globalThis.fetch(request),
  retries: 4,
  backoffMs: 500,
  timeoutMs: 30_000,
};

export type Halfmove = ReturnType<typeof createClient>;

/** A client of one server, for one user or for nobody. */
export function createClient({ url: given, session = null, onSession, ...manner }: ClientOptions) {
  const url = given.replace(/\/+$/, '');
  const settings = { ...DEFAULTS, ...manner };
  const transport = new Transport(settings);
  const asNobody = <Result, Input>(document: TypedDocument<Result, { input: Input }>, input: Input) =>
    callGraphql(transport, null, url, document, { input });
  const refresh = async (refreshToken: string): Promise<Tokens> =>
    (await asNobody(operations.refresh, { refreshToken })).refresh.session;
  const keeper = new SessionKeeper(session, refresh, onSession ?? (() => undefined));

  const graphql = <Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...[variables, options]: Given<Variables>
  ): Promise<Result> => callGraphql(transport, keeper.session, url, document, variables ?? {}, options);

  const connect = (path: string): Connect => {
    const { session: begun } = keeper;
    return (after, signal) => {
      const headers = { accept: 'text/event-stream', ...(after === null ? {} : { 'last-event-id': after }) };
      const request = new Request(`${url}${path}`, { headers, signal });
      return transport.ask(request, { isRepeatable: true, read: checked }, begun);
    };
  };

  return {
    /** The tokens of the user, or null. */
    get session(): Tokens | null {
      return keeper.session.tokens;
    },

    /** Makes an account and logs in. */
    register: async (input: RegisterInput) =>
      keeper.begin((await asNobody(operations.register, input)).register.session),

    login: async (input: LoginInput) => keeper.begin((await asNobody(operations.login, input)).login.session),

    /** Ends the session, here in any case. A login in the meantime stays. */
    logout: () => {
      const { session: ending } = keeper;
      return graphql(operations.logout).finally(() => keeper.end(ending));
    },

    /** Runs an operation, one of `operations` or your own. */
    graphql,

    /** Calls a route of the REST API. */
    rest: restOf(transport, keeper, url),

    /** What concerns the user. */
    events: (options?: EventsOptions) => new EventStream(connect('/v1/me/events'), settings, options),

    /** What happens in a game. */
    gameEvents: (id: string, options?: EventsOptions) =>
      new EventStream(connect(`/v1/games/${encodeURIComponent(id)}/events/stream`), settings, options),
  };
}
