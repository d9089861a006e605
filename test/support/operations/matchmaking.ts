import { CHALLENGE, connection, GAME } from '../documents.js';
import { get, getEdges, keyed, mutation, part, post, query, queryPart, verb } from '../verb.js';
import type { Challenge, Edges, Game, Opened } from '../api-types.js';
import type { Body } from '../transport.js';

/** Matchmaking: challenges, counter-offers, seeks, the lobby and rematches. */

/**
 * Tests may write a time control as it is stored, with its type, and an opponent by name or null; this converts
 * them to the input.
 */
function chosen({ timeControl, ...terms }: Body): Body {
  const { type, ...parts } = (timeControl ?? {}) as Body;
  return { ...terms, timeControl: typeof type === 'string' ? { [type]: parts } : timeControl };
}

const addressed = ({ opponent, ...terms }: Body): Body => ({
  opponent: opponent === undefined ? { link: true } : { username: opponent },
  ...chosen(terms),
});

const BOTH = `{ challenge ${CHALLENGE} game ${GAME} }`;

export const MATCHMAKING = {
  createChallenge: verb<[input: Body, key?: string], Challenge>({
    rest: (input, key) => part('challenge', post('challenges', addressed(input), key)),
    graphql: (input, key) =>
      part('challenge', mutation('createChallenge', keyed(addressed(input), key), CHALLENGE)),
  }),
  challenge: verb<[id: string, linkToken?: string], Challenge>({
    rest: (id, linkToken) => get(`challenges/${id}`, { linkToken }),
    graphql: (id, linkToken) => query('challenge', { id, linkToken }, CHALLENGE),
  }),
  challenges: verb<[page: Body], Edges<Challenge>>({
    rest: (page) => getEdges('challenges', page),
    graphql: (page) => query('challenges', page, connection(CHALLENGE)),
  }),
  acceptChallenge: verb<[id: string, input?: Body], Game>({
    rest: (id, input = {}) => part('game', post(`challenges/${id}/accept`, input)),
    graphql: (id, input) => part('game', mutation('acceptChallenge', { id, ...input }, GAME)),
  }),
  giveClientSeed: verb<[id: string, clientSeed: string], Opened>({
    rest: (id, clientSeed) => post(`challenges/${id}/client-seed`, { clientSeed }),
    graphql: (id, clientSeed) => mutation('giveClientSeed', { id, clientSeed }, BOTH),
  }),
  declineChallenge: verb<[id: string, reason?: unknown], Challenge>({
    rest: (id, reason) =>
      part('challenge', post(`challenges/${id}/decline`, reason === undefined ? undefined : { reason })),
    graphql: (id, reason) => part('challenge', mutation('declineChallenge', { id, reason }, CHALLENGE)),
  }),
  cancelChallenge: verb<[id: string], Challenge>({
    rest: (id) => part('challenge', post(`challenges/${id}/cancel`)),
    graphql: (id) => part('challenge', mutation('cancelChallenge', { id }, CHALLENGE)),
  }),
  counterChallenge: verb<[id: string, terms: Body, key?: string], Challenge>({
    rest: (id, terms, key) => part('challenge', post(`challenges/${id}/counter`, chosen(terms), key)),
    graphql: (id, terms, key) =>
      part('challenge', mutation('counterChallenge', keyed({ id, ...chosen(terms) }, key), CHALLENGE)),
  }),
  createSeek: verb<[input: Body, key?: string], Challenge>({
    rest: (input, key) => part('challenge', post('seeks', chosen(input), key)),
    graphql: (input, key) => part('challenge', mutation('createSeek', keyed(chosen(input), key), CHALLENGE)),
  }),
  /** The seek with the game that it has become. */
  seekGame: verb<[input: Body, key?: string], Opened>({
    rest: (input, key) => post('seeks', chosen(input), key),
    graphql: (input, key) => mutation('createSeek', keyed(chosen(input), key), BOTH),
  }),
  /** The filter is passed beside `first` and `after`. */
  lobby: verb<[page?: Body], Edges<Challenge>>({
    rest: (page) => getEdges('lobby', page),
    graphql: ({ first = 20, after, ...filter } = {}) =>
      query('lobby', { filter, first, after }, connection(CHALLENGE)),
  }),
  offerRematch: verb<[gameId: string, seed?: Body], Challenge>({
    rest: (id, seed) => part('challenge', post(`games/${id}/rematch`, seed)),
    graphql: (gameId, seed) => part('challenge', mutation('offerRematch', { gameId, ...seed }, CHALLENGE)),
  }),
  /** The rematch with the game that it has become. */
  rematchGame: verb<[gameId: string], Opened>({
    rest: (id) => post(`games/${id}/rematch`),
    graphql: (gameId) => mutation('offerRematch', { gameId }, BOTH),
  }),
  /** Null in GraphQL where REST refuses. */
  rematch: verb<[gameId: string], Challenge | null>({
    rest: (id) => get(`games/${id}/rematch`),
    graphql: (id) => queryPart('game', { id }, 'viewer.rematch', {}, CHALLENGE),
  }),
};
