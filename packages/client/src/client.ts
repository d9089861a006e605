import type { ClaimAccountInput, CreateGuestInput, LoginInput, RegisterInput } from './generated/graphql.js';
import * as operations from './generated/operations.js';
import { EventStream as Events, type Connect, type EventsOptions } from './events.js';
import { callGraphql, type Given, type TypedDocument } from './graphql.js';
import { restOf } from './rest.js';
import { SessionKeeper, type Tokens } from './session.js';
import { checked, Transport } from './transport.js';

export type * from './generated/graphql.js';
export type { components, paths } from './generated/rest.js';
export { HalfmoveError, hasCode, type ErrorCode, type ErrorDetails } from './errors.js';
export type { EventsOptions, HalfmoveEvent } from './events.js';
export type { CallOptions, Given, TypedDocument } from './graphql.js';
export type { Rest } from './rest.js';
export type { Tokens } from './session.js';
export { operations };

/** Made by `events` and `gameEvents` of a client alone. */
export type EventStream = Events;

export interface ClientOptions {
  /** The URL of the server, such as https://play.example.org. */
  readonly url: string;
  /** A session to continue, or a function that reads it where the tabs of a site store the one that they share. */
  readonly session?: Tokens | null | (() => Tokens | null);
  /** Called when the session begins, is renewed or ends (null), so that you can store it. */
  readonly onSession?: (session: Tokens | null) => void;
  /** Asked for new tokens where the session has no refresh token, as in a page of another site; null ends the waiting. */
  readonly onExpired?: () => Promise<Tokens | null>;
  /** Replaces the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The most retries after a temporary failure, if a retry is safe; 4 by default. */
  readonly retries?: number;
  /** Milliseconds before the first retry, doubled for each further one; 500 by default. */
  readonly backoffMs?: number;
  /** The time limit of a response in milliseconds; 30,000 by default. An event stream may be silent for twice as long. */
  readonly timeoutMs?: number;
}

const DEFAULTS = {
  fetch: (request: Request) => globalThis.fetch(request),
  retries: 4,
  backoffMs: 500,
  timeoutMs: 30_000,
};

/** The time limit of a renewal: it must be repeated within ten seconds if its answer was lost. */
const RENEWAL_MS = 3_000;

export type Halfmove = ReturnType<typeof createClient>;

/** A client of one server, signed in as one user or not at all. */
export function createClient({ url: given, session = null, onSession, onExpired, ...more }: ClientOptions) {
  const url = given.replace(/\/+$/, '');
  const settings = { ...DEFAULTS, ...more };
  const transport = new Transport(settings);
  const renewals = new Transport({ ...settings, timeoutMs: Math.min(settings.timeoutMs, RENEWAL_MS) });
  const anonymously = <Result, Input>(document: TypedDocument<Result, { input: Input }>, input: Input) =>
    callGraphql(transport, null, url, document, { input });
  const refresh = async (refreshToken: string): Promise<Tokens> =>
    (await callGraphql(renewals, null, url, operations.refresh, { input: { refreshToken } })).refresh.session;
  const stored = typeof session === 'function' ? session : null;
  const begun = typeof session === 'function' ? session() : session;
  const keeper = new SessionKeeper(begun, stored, refresh, onSession ?? (() => undefined), onExpired);

  const graphql = <Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...[variables, options]: Given<Variables>
  ): Promise<Result> => callGraphql(transport, keeper.session, url, document, variables ?? {}, options);

  const connect = (path: string): Connect => {
    const { session: begun } = keeper;
    return (after, signal) => {
      const headers = { accept: 'text/event-stream', ...(after === null ? {} : { 'last-event-id': after }) };
      const request = new Request(`${url}${path}`, { headers, signal });
      return transport.send(request, { isRepeatable: true, read: checked }, begun);
    };
  };

  return {
    /** The tokens of the user, or null. */
    get session(): Tokens | null {
      return keeper.session.tokens;
    },

    /** Creates an account and logs in. */
    register: async (input: RegisterInput) =>
      keeper.begin((await anonymously(operations.register, input)).register.session),

    login: async (input: LoginInput) =>
      keeper.begin((await anonymously(operations.login, input)).login.session),

    /** Begins to play as a guest, without an account. */
    playAsGuest: async (input: CreateGuestInput = {}) =>
      keeper.begin((await anonymously(operations.createGuest, input)).createGuest.session),

    /** Gives the guest a username and a password, and goes on as that person. */
    claimAccount: async (given: Omit<ClaimAccountInput, 'refreshToken'>) => {
      const input = { ...given, refreshToken: keeper.session.tokens?.refreshToken ?? '' };
      keeper.begin((await graphql(operations.claimAccount, { input })).claimAccount.session);
    },

    /** Ends the session, locally even if the request fails. A login in the meantime stays. */
    logout: () => {
      const { session: ending } = keeper;
      return graphql(operations.logout).finally(() => keeper.end(ending));
    },

    /** Runs an operation, one of `operations` or your own. */
    graphql,

    /** Calls a route of the REST API. */
    rest: restOf(transport, keeper, url),

    /** The events that concern the user, as far as the scopes of the session read them; of a guest, games and challenges. */
    events: (options?: EventsOptions) => new Events(connect('/v1/me/events'), settings, options),

    /** The events of a game. */
    gameEvents: (id: string, options?: EventsOptions) =>
      new Events(connect(`/v1/games/${encodeURIComponent(id)}/events`), settings, options),
  };
}
