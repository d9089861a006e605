import { CHALLENGE, connection, GAME } from '../documents.js';
import { get, keyed, mutation, post, query, queryPart, verb } from '../verb.js';
import type { Challenge, Edges, Game, SeedGiven } from '../shown.js';
import type { Body } from '../transport.js';

/** How games begin: challenges, counter-offers, seeks with their lobby, rematches. */

export const MATCHMAKING = {
  createChallenge: verb<[input: Body, key?: string], Challenge>({
    rest: (input, key) => post('challenges', input, key),
    graphql: (input, key) => mutation('createChallenge', { input: keyed(input, key) }, CHALLENGE),
  }),
  challenge: verb<[id: string, linkToken?: string], Challenge>({
    rest: (id, linkToken) => get(`challenges/${id}`, { linkToken }),
    graphql: (id, linkToken) => query('challenge', { id, linkToken }, CHALLENGE),
  }),
  challenges: verb<[page: Body], Edges<Challenge>>({
    rest: (page) => get('challenges', page),
    graphql: (page) => query('challenges', page, connection(CHALLENGE)),
  }),
  acceptChallenge: verb<[id: string, input?: Body], Game>({
    rest: (id, input = {}) => post(`challenges/${id}/accept`, input),
    graphql: (id, input) => mutation('acceptChallenge', { input: { id, ...input } }, GAME),
  }),
  giveClientSeed: verb<[id: string, clientSeed: string], SeedGiven>({
    rest: (id, clientSeed) => post(`challenges/${id}/client-seed`, { clientSeed }),
    graphql: (id, clientSeed) =>
      mutation('giveClientSeed', { input: { id, clientSeed } }, `{ challenge ${CHALLENGE} game ${GAME} }`),
  }),
  declineChallenge: verb<[id: string, reason?: unknown], Challenge>({
    rest: (id, reason) => post(`challenges/${id}/decline`, reason === undefined ? undefined : { reason }),
    graphql: (id, reason) => mutation('declineChallenge', { id, reason }, CHALLENGE),
  }),
  cancelChallenge: verb<[id: string], Challenge>({
    rest: (id) => post(`challenges/${id}/cancel`),
    graphql: (id) => mutation('cancelChallenge', { id }, CHALLENGE),
  }),
  counterChallenge: verb<[id: string, terms: Body, key?: string], Challenge>({
    rest: (id, terms, key) => post(`challenges/${id}/counter`, terms, key),
    graphql: (id, terms, key) =>
      mutation('counterChallenge', { input: keyed({ id, ...terms }, key) }, CHALLENGE),
  }),
  createSeek: verb<[input: Body, key?: string], Challenge>({
    rest: (input, key) => post('seeks', input, key),
    graphql: (input, key) => mutation('createSeek', { input: keyed(input, key) }, CHALLENGE),
  }),
  /** The filter stands beside `first` and `after`. */
  lobby: verb<[page?: Body], Edges<Challenge>>({
    rest: (page) => get('lobby', page),
    graphql: ({ first = 20, after, ...filter } = {}) =>
      query('lobby', { filter, first, after }, connection(CHALLENGE)),
  }),
  offerRematch: verb<[gameId: string, seed?: Body], Challenge>({
    rest: (id, seed) => post(`games/${id}/rematch`, seed),
    graphql: (gameId, seed) => mutation('offerRematch', { gameId, ...seed }, CHALLENGE),
  }),
  /** Null in GraphQL where REST refuses. */
  rematch: verb<[gameId: string], Challenge | null>({
    rest: (id) => get(`games/${id}/rematch`),
    graphql: (id) => queryPart('game', { id }, 'rematch', {}, CHALLENGE),
  }),
};
