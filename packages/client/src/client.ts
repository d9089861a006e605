import type { ClaimAccountInput, CreateGuestInput, LoginInput, RegisterInput } from './generated/graphql.js';
import * as operations from './generated/operations.js';
import { EventStream as Events, type Connect, type EventsOptions } from './events.js';
import { callGraphql, type Given, type TypedDocument } from './graphql.js';
import type { Ask } from './proof/check.js';
import type { ProofOptions } from './proof/keeper.js';
import { Proofs } from './proofs.js';
import { restOf } from './rest.js';
import { SessionKeeper, type Tokens } from './session.js';
import { checked, Transport } from './transport.js';

export type * from './generated/graphql.js';
export type { components, paths } from './generated/rest.js';
export { HalfmoveError, hasCode, type ErrorCode, type ErrorDetails } from './errors.js';
export type { EventsOptions, HalfmoveEvent } from './events.js';
export type { CallOptions, Given, TypedDocument } from './graphql.js';
export type { GameCheck } from './proof/check.js';
export type { GameProof, ProofNotice, ProofOptions } from './proof/keeper.js';
export type { ProofStore } from './proof/store.js';
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
  /**
   * Where receipts, keys and client seeds are kept (the localStorage of a browser, else the memory, by default), and who is
   * told what they prove. Null keeps nothing, draws no client seeds and sends no `seen`.
   */
  readonly proofs?: ProofOptions | null;
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
export function createClient({
  url: given,
  session = null,
  onSession,
  onExpired,
  proofs: kept = {},
  ...more
}: ClientOptions) {
  const url = given.replace(/\/+$/, '');
  const ask: Ask = (path, body) => {
    const sent = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return transport.send(
      new Request(url + path, sent),
      { isRepeatable: body !== undefined, read: checked },
      keeper.session,
    );
  };
  const proofs = new Proofs(url, ask, kept);
  const asked = { ...DEFAULTS, ...more };
  const settings = {
    ...asked,
    fetch: proofs.hearing(asked.fetch),
    heard: (text: string) => proofs.heard(text),
  };
  const transport = new Transport(settings);
  const renewals = new Transport({ ...settings, timeoutMs: Math.min(settings.timeoutMs, RENEWAL_MS) });
  const anonymously = <Result, Input>(document: TypedDocument<Result, { input: Input }>, input: Input) =>
    callGraphql(transport, null, url, document, { input });
  const refresh = async (refreshToken: string): Promise<Tokens> =>
    (await callGraphql(renewals, null, url, operations.refresh, { input: { refreshToken } })).refresh.session;
  const stored = typeof session === 'function' ? session : null;
  const begun = typeof session === 'function' ? session() : session;
  const keeper = new SessionKeeper(begun, stored, refresh, onSession ?? (() => undefined), onExpired);

  const graphql = async <Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...[variables, options]: Given<Variables>
  ): Promise<Result> => {
    const { session } = keeper;
    const send = (text: string, filled: object) =>
      callGraphql(transport, session, url, text as TypedDocument<Result, never>, filled, options);
    const [query, given] = [document.toString(), variables ?? {}];
    const proof = /\bmutation\b/.test(query) ? await proofs.loaded() : null;
    return proof === null ? send(query, given) : proof.viaGraphql(query, given, send);
  };

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
    rest: restOf(transport, keeper, url, proofs),

    /** What is held of a game or challenge: receipts, contradictions, and what the check after its end said; null if nothing is kept. */
    proof: proofs.proof,

    /** Checks a game with its record, the log and all that is held, and says what was checked and what was not. */
    verify: (id: string) => proofs.verify(id),

    /** Plays on after a CONTRADICTION, with the game as the server shows it now. */
    goOn: proofs.goOn,

    /** The events that concern the user, as far as the scopes of the session read them; of a guest, games and challenges. */
    events: (options?: EventsOptions) => new Events(connect('/v1/me/events'), settings, options),

    /** The events of a game. */
    gameEvents: (id: string, options?: EventsOptions) =>
      new Events(connect(`/v1/games/${encodeURIComponent(id)}/events`), settings, options),
  };
}
