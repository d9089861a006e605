import { USER } from '../documents.js';
import { get, keyed, mutation, part, post, put, query, remove, verb } from '../verb.js';
import type { Body } from '../transport.js';

/** Accounts: registration, sessions and profiles. */

export interface Profile {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly guest: boolean;
  readonly closed: boolean;
  readonly createdAt: string | null;
  readonly challengesFrom: string;
  readonly challengesWithin: number | null;
}

export interface OpenedSession {
  readonly id: string;
  readonly device: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly isCurrent: boolean;
}

export interface PersonalToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string;
}

export interface MadeToken {
  readonly token: string;
  readonly personalToken: PersonalToken;
}

export interface Session {
  readonly id: string;
  readonly accessToken: string;
  readonly accessTokenExpiresAt: string;
  readonly refreshToken: string;
  readonly refreshTokenExpiresAt: string;
  readonly user: Profile;
}

export interface Addresses {
  readonly email: string | null;
  readonly pendingEmail: string | null;
}

export interface AboutServer {
  readonly url: string;
  readonly recovery: string;
  readonly contact: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
}

const PERSONAL = '{ id name scopes createdAt lastUsedAt expiresAt }';
const OPENED = '{ id device createdAt lastUsedAt expiresAt isCurrent }';
export const SESSION = `{ id accessToken accessTokenExpiresAt refreshToken refreshTokenExpiresAt user ${USER} }`;

export interface PushSubscription {
  readonly id: string;
  readonly device: string;
  readonly service: string;
  readonly createdAt: string;
  readonly isCurrent: boolean;
}

export interface NewsSettings {
  readonly mail: Readonly<Record<string, string>>;
  readonly mailState: string;
  readonly push: Readonly<Record<string, string>>;
  readonly pushSubscriptions: readonly PushSubscription[];
  readonly pushKey: string;
  readonly digestHour: number;
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
  readonly timeZone: string;
  readonly reminders: readonly number[];
}

const CHOICES = '{ yourTurn reminder challenge offer message gameOver conditional }';
const PUSH_SUBSCRIPTION = '{ id device service createdAt isCurrent }';
const NEWS_SETTINGS = `{ mail ${CHOICES} mailState push ${CHOICES} pushSubscriptions ${PUSH_SUBSCRIPTION} pushKey digestHour quietFrom quietUntil timeZone reminders }`;

export const ACCOUNTS = {
  register: verb<[input: Body, key?: string], Session>({
    rest: (input, key) => part('session', post('users', input, key)),
    graphql: (input, key) => part('session', mutation('register', keyed(input, key), SESSION)),
  }),
  login: verb<[input: Body], Session>({
    rest: (input) => part('session', post('sessions', input)),
    graphql: (input) => part('session', mutation('login', input, SESSION)),
  }),
  refresh: verb<[refreshToken: unknown], Session>({
    rest: (refreshToken) => part('session', post('sessions/refresh', { refreshToken })),
    graphql: (refreshToken) => part('session', mutation('refresh', { refreshToken }, SESSION)),
  }),
  createGuest: verb<[displayName?: unknown], Session>({
    rest: (displayName) => part('session', post('guests', { displayName })),
    graphql: (displayName) => part('session', mutation('createGuest', { displayName }, SESSION)),
  }),
  claimAccount: verb<[input: Body], Session>({
    rest: (input) => part('session', post('me/claim', input)),
    graphql: (input) => part('session', mutation('claimAccount', input, SESSION)),
  }),
  /** The number of sessions ended. */
  logout: verb<[], number>({
    rest: () => part('ended', remove('me/sessions/current')),
    graphql: () => part('ended', mutation('logout')),
  }),
  mySessions: verb<[], readonly OpenedSession[]>({
    rest: () => part('items', get('me/sessions')),
    graphql: () => query('mySessions', {}, OPENED),
  }),
  endSession: verb<[id: string], number>({
    rest: (id) => part('ended', remove(`me/sessions/${id}`)),
    graphql: (id) => part('ended', mutation('endSession', { id })),
  }),
  /** All others, or all. */
  endSessions: verb<[all?: boolean], number>({
    rest: (all) => part('ended', { ...remove('me/sessions'), query: { all } }),
    graphql: (all) => part('ended', mutation('endSessions', { all })),
  }),
  createToken: verb<[input: Body], MadeToken>({
    rest: (input) => post('me/tokens', input),
    graphql: (input) => mutation('createToken', input, `{ token personalToken ${PERSONAL} }`),
  }),
  myTokens: verb<[], readonly PersonalToken[]>({
    rest: () => part('items', get('me/tokens')),
    graphql: () => query('myTokens', {}, PERSONAL),
  }),
  deleteToken: verb<[id: string], number>({
    rest: (id) => part('ended', remove(`me/tokens/${id}`)),
    graphql: (id) => part('ended', mutation('deleteToken', { id })),
  }),
  /** Until when it counts. */
  confirmPassword: verb<[password: unknown], string>({
    rest: (password) => part('confirmedUntil', post('me/confirmations', { password })),
    graphql: (password) => part('confirmedUntil', mutation('confirmPassword', { password })),
  }),
  changePassword: verb<[current: unknown, password: unknown], number>({
    rest: (current, password) => part('ended', put('me/password', { current, password })),
    graphql: (current, password) => part('ended', mutation('changePassword', { current, password })),
  }),
  myAccount: verb<[], Addresses>({
    rest: () => get('me/account'),
    graphql: () => query('myAccount', {}, '{ email pendingEmail }'),
  }),
  newsSettings: verb<[], NewsSettings>({
    rest: () => get('me/news'),
    graphql: () => query('newsSettings', {}, NEWS_SETTINGS),
  }),
  updateNewsSettings: verb<[input: Body], NewsSettings>({
    rest: (input) => part('newsSettings', { method: 'patch', path: 'me/news', body: input }),
    graphql: (input) => part('newsSettings', mutation('updateNewsSettings', input, NEWS_SETTINGS)),
  }),
  savePushSubscription: verb<[input: Body], PushSubscription>({
    rest: (input) => part('pushSubscription', post('me/push-subscriptions', input)),
    graphql: (input) => part('pushSubscription', mutation('savePushSubscription', input, PUSH_SUBSCRIPTION)),
  }),
  /** The id. */
  deletePushSubscription: verb<[id: string], string>({
    rest: (id) => part('deletedId', remove(`me/push-subscriptions/${id}`)),
    graphql: (id) => part('deletedId', mutation('deletePushSubscription', { id })),
  }),
  changeEmail: verb<[email: unknown], Addresses>({
    rest: (email) => part('account', put('me/email', { email })),
    graphql: (email) => part('account', mutation('changeEmail', { email }, '{ email pendingEmail }')),
  }),
  /** The address. */
  verifyEmail: verb<[token: unknown], string>({
    rest: (token) => part('email', post('email-verifications', { token })),
    graphql: (token) => part('email', mutation('verifyEmail', { token })),
  }),
  requestRecovery: verb<[usernameOrEmail: unknown], boolean>({
    rest: (usernameOrEmail) => part('accepted', post('recoveries', { usernameOrEmail })),
    graphql: (usernameOrEmail) => part('accepted', mutation('requestRecovery', { usernameOrEmail })),
  }),
  completeRecovery: verb<[token: unknown, password: unknown], Profile>({
    rest: (token, password) => part('user', post('recoveries/complete', { token, password })),
    graphql: (token, password) => part('user', mutation('completeRecovery', { token, password }, USER)),
  }),
  server: verb<[], AboutServer>({
    rest: () => get(''),
    graphql: () => query('server', {}, '{ url recovery contact termsUrl privacyUrl }'),
  }),
  me: verb<[], Profile>({
    rest: () => get('me'),
    graphql: () => query('me', {}, USER),
  }),
  updateProfile: verb<[input: Body], Profile>({
    rest: (input) => part('user', { method: 'patch', path: 'me', body: input }),
    graphql: (input) => part('user', mutation('updateProfile', input, USER)),
  }),
  /** Null in GraphQL where REST refuses: unknown username. */
  user: verb<[username: string], Profile | null>({
    rest: (username) => get(`users/${encodeURIComponent(username)}`),
    graphql: (username) => query('user', { username }, USER),
  }),
  users: verb<[prefix: string], readonly Profile[]>({
    rest: (prefix) => part('items', get(`users?prefix=${encodeURIComponent(prefix)}`)),
    graphql: (prefix) => query('users', { prefix }, USER),
  }),
  closeAccount: verb<[password: unknown], Profile>({
    rest: (password) => part('user', post('me/close', { password })),
    graphql: (password) => part('user', mutation('closeAccount', { password }, USER)),
  }),
};
