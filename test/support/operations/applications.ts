import type { Edges, Game } from '../api-types.js';
import { SESSION, type Session } from './accounts.js';
import { connection, GAME, USER } from '../documents.js';
import { get, getEdges, mutation, part, post, put, query, remove, verb } from '../verb.js';
import type { Body } from '../transport.js';

/** Applications, their players and their games. */

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly chat: boolean;
  readonly suspended: boolean;
  readonly owners: readonly { readonly username: string }[];
  readonly secrets: readonly { readonly id: string }[];
  readonly usage: { readonly players: number; readonly runningGames: number };
}

export interface OwnPlayer {
  readonly id: string;
  readonly externalId: string;
  readonly player: { readonly displayName: string; readonly username: null };
  readonly ratings: readonly { readonly pool: { readonly id: string }; readonly rating: number }[];
}

export interface ClaimLook {
  readonly displayName: string;
  readonly application: { readonly id: string; readonly name: string; readonly url: string };
}

export interface OwnMessage {
  readonly id: string;
  readonly gameId: string;
  readonly player: string;
  readonly text: string;
}

export interface OwnGame {
  readonly externalId: string | null;
  readonly game: Game;
}

const APPLICATION = `{ id name url chat suspended createdAt owners ${USER} secrets { id createdAt } usage { players mostPlayers runningGames mostRunningGames } }`;
const PLAYER =
  '{ id externalId createdAt player { id username displayName closed application { id name } } ratings { pool { id } rating games } }';

export const APPLICATIONS = {
  createApplication: verb<[input: Body], { readonly application: Application; readonly secret: string }>({
    rest: (input) => post('applications', input),
    graphql: (input) => mutation('createApplication', input, `{ application ${APPLICATION} secret }`),
  }),
  myApplications: verb<[], readonly Application[]>({
    rest: () => part('items', get('applications')),
    graphql: () => query('myApplications', {}, APPLICATION),
  }),
  createApplicationToken: verb<[id: string, secret: string], { readonly token: string }>({
    rest: (id, secret) => post(`applications/${id}/tokens`, { secret }),
    graphql: (id, secret) => mutation('createApplicationToken', { id, secret }, '{ token expiresAt }'),
  }),
  updateApplication: verb<[id: string, change: Body], Application>({
    rest: (id, change) => part('application', { method: 'patch', path: `applications/${id}`, body: change }),
    graphql: (id, change) =>
      part('application', mutation('updateApplication', { id, ...change }, APPLICATION)),
  }),
  deleteApplication: verb<[id: string], string>({
    rest: (id) => part('deletedId', remove(`applications/${id}`)),
    graphql: (id) => part('deletedId', mutation('deleteApplication', { id })),
  }),
  createApplicationSecret: verb<[id: string], { readonly secret: string }>({
    rest: (id) => post(`applications/${id}/secrets`, {}),
    graphql: (id) =>
      mutation('createApplicationSecret', { id }, '{ secret applicationSecret { id createdAt } }'),
  }),
  deleteApplicationSecret: verb<[id: string, secretId: string], Application>({
    rest: (id, secretId) => part('application', remove(`applications/${id}/secrets/${secretId}`)),
    graphql: (id, secretId) =>
      part('application', mutation('deleteApplicationSecret', { id, secretId }, APPLICATION)),
  }),
  addApplicationOwner: verb<[id: string, username: string], Application>({
    rest: (id, username) => part('application', post(`applications/${id}/owners`, { username })),
    graphql: (id, username) =>
      part('application', mutation('addApplicationOwner', { id, username }, APPLICATION)),
  }),
  removeApplicationOwner: verb<[id: string, username: string], Application>({
    rest: (id, username) => part('application', remove(`applications/${id}/owners/${username}`)),
    graphql: (id, username) =>
      part('application', mutation('removeApplicationOwner', { id, username }, APPLICATION)),
  }),
  application: verb<[], Application>({
    rest: () => get('application'),
    graphql: () => query('application', {}, APPLICATION),
  }),
  savePlayer: verb<[externalId: string, displayName: string], OwnPlayer>({
    rest: (externalId, displayName) =>
      part('player', put(`application/players/${externalId}`, { displayName })),
    graphql: (externalId, displayName) =>
      part('player', mutation('savePlayer', { externalId, displayName }, PLAYER)),
  }),
  savePlayers: verb<[players: readonly Body[]], readonly OwnPlayer[]>({
    rest: (players) => part('players', put('application/players', { players })),
    graphql: (players) => part('players', mutation('savePlayers', { players }, PLAYER)),
  }),
  ownPlayer: verb<[externalId: string], OwnPlayer>({
    rest: (externalId) => get(`application/players/${externalId}`),
    graphql: (externalId) => query('ownPlayer', { externalId }, PLAYER),
  }),
  ownPlayers: verb<[page: Body], Edges<OwnPlayer>>({
    rest: (page) => getEdges('application/players', page),
    graphql: (page) => query('ownPlayers', page, connection(PLAYER)),
  }),
  createPlayerToken: verb<
    [externalId: string, asked?: Body],
    { readonly token: string; readonly playerId: string }
  >({
    rest: (externalId, asked = {}) => post(`application/players/${externalId}/tokens`, asked),
    graphql: (externalId, asked = {}) =>
      mutation('createPlayerToken', { externalId, ...asked }, '{ token expiresAt playerId }'),
  }),
  createClaimLink: verb<[externalId: string], { readonly url: string; readonly expiresAt: string }>({
    rest: (externalId) => post(`application/players/${externalId}/claim-links`, {}),
    graphql: (externalId) => mutation('createClaimLink', { externalId }, '{ url expiresAt }'),
  }),
  lookAtClaim: verb<[token: string], ClaimLook>({
    rest: (token) => post('claims/look', { token }),
    graphql: (token) => mutation('lookAtClaim', { token }, '{ displayName application { id name url } }'),
  }),
  claimPlayer: verb<[input: Body], Session>({
    rest: (input) => part('session', post('claims', input)),
    graphql: (input) => part('session', mutation('claimPlayer', input, SESSION)),
  }),
  ownMessages: verb<[page?: Body], Edges<OwnMessage>>({
    rest: (page = {}) => getEdges('application/messages', page),
    graphql: (page = {}) => query('ownMessages', page, connection('{ id gameId player text createdAt }')),
  }),
  erasePlayer: verb<[externalId: string], string>({
    rest: (externalId) => part('erasedId', remove(`application/players/${externalId}`)),
    graphql: (externalId) => part('erasedId', mutation('erasePlayer', { externalId })),
  }),
  createGames: verb<[games: readonly Body[]], readonly OwnGame[]>({
    rest: (games) => part('games', post('application/games', { games })),
    graphql: (games) => part('games', mutation('createGames', { games }, `{ externalId game ${GAME} }`)),
  }),
  ownGames: verb<[page: { readonly ids?: readonly string[] } & Body], Edges<OwnGame>>({
    rest: ({ ids, ...page }) => getEdges('application/games', ids ? { ids: ids.join(), ...page } : page),
    graphql: (page) => query('ownGames', page, connection(`{ externalId game ${GAME} }`)),
  }),
};
