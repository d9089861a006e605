import { USER } from '../documents.js';
import { get, keyed, mutation, post, query, remove, verb } from '../verb.js';
import type { Body } from '../transport.js';

/** Who somebody is: registration, sessions and profiles. */

export interface Profile {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly closed: boolean;
  readonly createdAt: string | null;
  readonly challengesFrom: string;
  readonly challengesWithin: number | null;
}

export interface Session {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: string;
  readonly refreshToken: string;
  readonly refreshTokenExpiresAt: string;
  readonly user: Profile;
}

const SESSION = `{ accessToken accessTokenExpiresAt refreshToken refreshTokenExpiresAt user ${USER} }`;

export const ACCOUNTS = {
  register: verb<[input: Body, key?: string], Session>({
    rest: (input, key) => post('users', input, key),
    graphql: (input, key) => mutation('register', { input: keyed(input, key) }, SESSION),
  }),
  login: verb<[input: Body], Session>({
    rest: (input) => post('sessions', input),
    graphql: (input) => mutation('login', { input }, SESSION),
  }),
  refresh: verb<[refreshToken: unknown], Session>({
    rest: (refreshToken) => post('sessions/refresh', { refreshToken }),
    graphql: (refreshToken) => mutation('refresh', { refreshToken }, SESSION),
  }),
  logout: verb<[], unknown>({
    rest: () => remove('sessions/current'),
    graphql: () => mutation('logout'),
  }),
  logoutEverywhere: verb<[], number>({
    rest: () => ({ ...remove('sessions'), read: ({ ended }: { readonly ended: number }) => ended }),
    graphql: () => mutation('logoutEverywhere'),
  }),
  me: verb<[], Profile>({
    rest: () => get('me'),
    graphql: () => query('me', {}, USER),
  }),
  updateProfile: verb<[input: Body], Profile>({
    rest: (input) => ({ method: 'patch', path: 'me', body: input }),
    graphql: (input) => mutation('updateProfile', { input }, USER),
  }),
  /** Null in GraphQL where REST refuses: nobody has the name. */
  user: verb<[username: string], Profile | null>({
    rest: (username) => get(`users/${encodeURIComponent(username)}`),
    graphql: (username) => query('user', { username }, USER),
  }),
  closeAccount: verb<[password: unknown], unknown>({
    rest: (password) => post('me/close', { password }),
    graphql: (password) => mutation('closeAccount', { input: { password } }),
  }),
};
