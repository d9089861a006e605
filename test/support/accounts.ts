import request from 'supertest';

/** The verbs of accounts over both transports: what was answered, or the code and the field of the refusal. */

export type Http = Parameters<typeof request>[0];

export interface Refusal {
  readonly code: string;
  readonly field?: string;
}

export interface Session {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: string;
  readonly refreshToken: string;
  readonly refreshTokenExpiresAt: string;
  readonly user: Profile;
}

export interface Profile {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly closed: boolean;
  readonly createdAt: string | null;
}

export interface Answer<T> {
  /** Only where the answer is no refusal. */
  readonly data: T;
  readonly refusal?: Refusal;
  /** The whole answer. */
  readonly text: string;
}

type Body = Readonly<Record<string, unknown>>;

export interface Accounts {
  register(input: Body, key?: string): Promise<Answer<Session>>;
  login(input: Body): Promise<Answer<Session>>;
  refresh(refreshToken: unknown): Promise<Answer<Session>>;
  logout(authorization?: string): Promise<Answer<unknown>>;
  logoutEverywhere(authorization?: string): Promise<Answer<number>>;
  me(authorization?: string): Promise<Answer<Profile>>;
  updateProfile(input: Body, authorization?: string): Promise<Answer<Profile>>;
  profile(username: string, authorization?: string): Promise<Answer<Profile | null>>;
  closeAccount(password: unknown, authorization?: string): Promise<Answer<unknown>>;
}

export const bearer = ({ accessToken }: Session) => `Bearer ${accessToken}`;

const pick = ({ code, field }: Refusal): Refusal => (field === undefined ? { code } : { code, field });

// Each request has a number of its own, which no comparison of answers is about.
const unnumbered = (text: string) => text.replace(/"requestId":"[^"]*"/, '');

interface Call {
  readonly body?: Body;
  readonly authorization?: string | undefined;
  readonly key?: string | undefined;
}

export function restAccounts(http: Http): Accounts {
  const call = async <T>(
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    { body, authorization, key }: Call,
    read: (answer: never) => unknown = (answer) => answer,
  ): Promise<Answer<T>> => {
    const sent = request(http)[method](`/v1/${path}`);
    if (authorization !== undefined) void sent.set('Authorization', authorization);
    if (key !== undefined) void sent.set('Idempotency-Key', key);
    const answer = await sent.send(body);
    if (answer.status < 400) return { data: read(answer.body as never) as T, text: unnumbered(answer.text) };
    return { data: undefined as T, refusal: pick(answer.body as Refusal), text: unnumbered(answer.text) };
  };
  return {
    register: (body, key) => call('post', 'users', { body, key }),
    login: (body) => call('post', 'sessions', { body }),
    refresh: (refreshToken) => call('post', 'sessions/refresh', { body: { refreshToken } }),
    logout: (authorization) => call('delete', 'sessions/current', { authorization }),
    logoutEverywhere: (authorization) =>
      call('delete', 'sessions', { authorization }, ({ ended }: { ended: number }) => ended),
    me: (authorization) => call('get', 'me', { authorization }),
    updateProfile: (body, authorization) => call('patch', 'me', { body, authorization }),
    profile: (username, authorization) =>
      call('get', `users/${encodeURIComponent(username)}`, { authorization }),
    closeAccount: (password, authorization) =>
      call('post', 'me/close', { body: { password }, authorization }),
  };
}

const PROFILE = '{ id username displayName closed createdAt }';
const SESSION = `{ accessToken accessTokenExpiresAt refreshToken refreshTokenExpiresAt user ${PROFILE} }`;

interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions: Refusal }[];
}

export function graphqlAccounts(http: Http): Accounts {
  const call = async <T>(document: string, variables: Body, authorization?: string): Promise<Answer<T>> => {
    const sent = request(http).post('/graphql');
    if (authorization !== undefined) void sent.set('Authorization', authorization);
    const answer = await sent.send({ query: document, variables });
    const { data, errors } = answer.body as GraphqlAnswer;
    if (errors === undefined)
      return { data: Object.values(data ?? {})[0] as T, text: unnumbered(answer.text) };
    return { data: undefined as T, refusal: pick(errors[0]!.extensions), text: unnumbered(answer.text) };
  };
  return {
    register: (input, key) =>
      call(`mutation ($input: RegisterInput!) { register(input: $input) ${SESSION} }`, {
        input: key === undefined ? input : { ...input, idempotencyKey: key },
      }),
    login: (input) => call(`mutation ($input: LoginInput!) { login(input: $input) ${SESSION} }`, { input }),
    refresh: (refreshToken) =>
      call(`mutation ($token: String!) { refresh(refreshToken: $token) ${SESSION} }`, {
        token: refreshToken,
      }),
    logout: (authorization) => call('mutation { logout }', {}, authorization),
    logoutEverywhere: (authorization) => call('mutation { logoutEverywhere }', {}, authorization),
    me: (authorization) => call(`{ me ${PROFILE} }`, {}, authorization),
    updateProfile: (input, authorization) =>
      call(
        `mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) ${PROFILE} }`,
        { input },
        authorization,
      ),
    profile: (username, authorization) =>
      call(
        `query ($username: String!) { user(username: $username) ${PROFILE} }`,
        { username },
        authorization,
      ),
    closeAccount: (password, authorization) =>
      call(
        'mutation ($input: CloseAccountInput!) { closeAccount(input: $input) }',
        { input: { password } },
        authorization,
      ),
  };
}
