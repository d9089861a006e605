import {
  createClient,
  type ClientOptions,
  type components,
  type Given,
  type Halfmove,
  type Rest,
  type Tokens,
} from './client.js';

/** For the server of a site: a client that acts as an application. Its secret must never reach a browser. */

export interface ApplicationOptions extends Omit<
  ClientOptions,
  'session' | 'onSession' | 'onExpired' | 'proofs'
> {
  /** The id of the application. */
  readonly id: string;
  /** A secret of the application. */
  readonly secret: string;
}

/** A token for the browser of a player, and what it can be asked for. */
export type PlayerToken = components['schemas']['CreatePlayerTokenPayload'];
export type PlayerTokenOptions = components['schemas']['CreatePlayerTokenBody'];

export interface Application extends Pick<Halfmove, 'graphql' | 'rest'> {
  /** Makes a token for the browser of a player, to be given to `<halfmove-game>` or to a client there. */
  createPlayerToken(externalId: string, options?: PlayerTokenOptions): Promise<PlayerToken>;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type AnyCall = (path: string, init?: object) => Promise<never>;

/** Tells the client that a request may be repeated, as may all that an application does as itself. */
const repeatable = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } });

/** A client that acts as an application. It asks for a token with the first request, and for the next one when that is refused. */
export function createApplicationClient({ id, secret, ...options }: ApplicationOptions): Application {
  // Its players keep what they are shown: it is they who play.
  const settings = { ...options, proofs: null };
  const anonymous = createClient(settings);
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret } as const;
  const token = async (): Promise<Tokens> => {
    const { data } = await anonymous.rest.POST('/oauth/token', { body, ...repeatable() });
    return { accessToken: data.access_token };
  };
  let opening: Promise<Halfmove> | null = null;
  const opened = () =>
    (opening ??= token().then(
      (session) => createClient({ ...settings, session, onExpired: token }),
      (error: unknown) => {
        // The next request asks again.
        opening = null;
        throw error;
      },
    ));
  const calls = METHODS.map((method) => {
    const call: AnyCall = async (path, init) => {
      const isOwn = path.startsWith('/v1/application/');
      return ((await opened()).rest[method] as AnyCall)(path, isOwn ? { ...repeatable(), ...init } : init);
    };
    return [method, call];
  });
  const rest = Object.fromEntries(calls) as Rest;
  return {
    rest,
    graphql: (async (document: string, ...given: Given<object>) =>
      (await opened()).graphql(document, ...given)) as Halfmove['graphql'],
    createPlayerToken: async (externalId, asked = {}) => {
      const path = { externalId };
      const route = '/v1/application/players/{externalId}/tokens';
      return (await rest.POST(route, { params: { path }, body: asked })).data;
    },
  };
}
