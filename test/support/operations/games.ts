import { type ActName, ACTS } from '../../../src/arbiter/acts/registry.js';
import type { FlatNode } from '../../../src/arbiter/flat-conditional-moves.js';
import type { Plan } from '../../../src/arbiter/conditional-moves.js';
import { connection, GAME, LEGAL_MOVE, PLY } from '../documents.js';
import {
  get,
  getAll,
  getEdges,
  getGames,
  mutation,
  part,
  post,
  put,
  query,
  queryPart,
  remove,
  restVerb,
  verb,
} from '../verb.js';
import type { Edges, Event, Game, LegalMove, Plies, Ply } from '../api-types.js';
import type { Body, Json } from '../transport.js';

/** Games and the acts in them. */

export interface MyGames {
  readonly games: readonly Game[];
  readonly pageInfo: Edges<Game>['pageInfo'];
  readonly counts: { readonly toMove: number; readonly waiting: number; readonly offers: number };
}

/** The acts whose only input is the game. */
export const PLAIN_ACTS = ACTS.filter(({ input }) => Object.keys(input).length === 0).map(({ name }) => name);
const PATHS = Object.fromEntries(ACTS.map(({ name, path }) => [name, path])) as Record<ActName, string>;

/** The result of a move: the ply, and the conditional moves that answered it. */
export interface Made {
  readonly game: Game;
  readonly ply: Ply;
  readonly automatic: readonly Ply[];
}

const GAME_EVENT = '{ seq type player data at previousHash hash }';
const NODE = '{ id parent when any reveals replyRevealed reply offerDraw resign unverified }';

/** Tests use trees of conditional moves: converts the returned list to the tree that was sent. */
function treeOf(list: readonly FlatNode[] | null): Plan | null {
  if (list === null) return null;
  const under = (parent: number | null): Plan =>
    list
      .filter((node) => node.parent === parent)
      .map(({ id, parent: _, ...parts }) => {
        const then = under(id);
        const given = Object.entries({ ...parts, then }).filter(
          ([, value]) => value !== null && value !== false,
        );
        return Object.fromEntries(given.filter(([name]) => name !== 'then' || then.length > 0));
      });
  return under(null);
}

const inTree = <Sent extends object>(sent: Sent) => ({ ...sent, read: treeOf });

function treeIn(id: string) {
  const { read, ...asked } = queryPart('game', { id }, 'viewer.conditionalMoves', {}, NODE);
  return { ...asked, read: (game: never) => treeOf(read!(game) as readonly FlatNode[] | null) };
}

const plain = (act: ActName) =>
  verb<[id: string], Game>({
    rest: (id) => part('game', post(`games/${id}/${PATHS[act]}`)),
    graphql: (gameId) => part('game', mutation(act, { gameId }, GAME)),
  });

export const GAMES = {
  /** Null in GraphQL where REST refuses. */
  game: verb<[id: string], Game>({
    rest: (id) => get(`games/${id}`),
    graphql: (id) => query('game', { id }, GAME),
  }),
  /** In the order of the ids; null for an unknown id. */
  gamesByIds: verb<[ids: readonly string[]], readonly (Game | null)[]>({
    rest: (ids) => getAll('games/by-ids', { ids }),
    graphql: (ids) => query('gamesByIds', { ids }, GAME),
  }),
  myGames: verb<[page?: Body], MyGames>({
    rest: (page) => getGames('me/games', { list: 'all', ...page }),
    graphql: (page) => ({
      ...query(
        'myGames',
        { list: 'all', first: 20, ...page },
        connection(GAME, 'counts { toMove waiting offers }'),
      ),
      read: ({ edges, ...more }: Edges<Game>) => ({ games: edges.map(({ node }) => node), ...more }),
    }),
  }),
  makeMove: verb<[id: string, ply: unknown, move: unknown, more?: Body], Game>({
    rest: (id, ply, move, more) => part('game', post(`games/${id}/moves`, { ply, move, ...more })),
    graphql: (gameId, ply, move, more) =>
      part('game', mutation('makeMove', { gameId, ply, move, ...more }, GAME)),
  }),
  /** The game with the plies that it has made. */
  makePlies: verb<[id: string, ply: unknown, move: unknown, more?: Body], Made>({
    rest: (id, ply, move, more) => post(`games/${id}/moves`, { ply, move, ...more }),
    graphql: (gameId, ply, move, more) =>
      mutation('makeMove', { gameId, ply, move, ...more }, `{ game ${GAME} ply ${PLY} automatic ${PLY} }`),
  }),
  /** An act whose only input is the game, optionally with its version; or any act, with the rest of its input. */
  plain: verb<[act: ActName, id: string, version?: unknown, more?: Body], Game>({
    rest: (act, id, version, more) => part('game', post(`games/${id}/${PATHS[act]}`, { version, ...more })),
    graphql: (act, gameId, version, more) => part('game', mutation(act, { gameId, version, ...more }, GAME)),
  }),
  resign: plain('resign'),
  abort: plain('abort'),
  claimDraw: verb<[id: string, claim: Body], Game>({
    rest: (id, claim) => part('game', post(`games/${id}/claim`, claim)),
    graphql: (gameId, claim) => part('game', mutation('claimDraw', { gameId, ...claim }, GAME)),
  }),
  /** The ply of the move that came with a claim, or null. */
  claimPly: verb<[id: string, claim: Body], Ply | null>({
    rest: (id, claim) => part('ply', post(`games/${id}/claim`, claim)),
    graphql: (gameId, claim) => part('ply', mutation('claimDraw', { gameId, ...claim }, PLY)),
  }),
  giveTime: verb<[id: string, ply: unknown, version?: unknown], Game>({
    rest: (id, ply, version) => part('game', post(`games/${id}/time`, { ply, version })),
    graphql: (gameId, ply, version) => part('game', mutation('giveTime', { gameId, ply, version }, GAME)),
  }),
  /** The conditional moves as stored; null clears them. */
  setConditionalMoves: verb<[id: string, tree: unknown, more?: Body], unknown>({
    rest: (id, tree, more) =>
      inTree(
        part(
          'conditionalMoves',
          tree === null
            ? remove(`games/${id}/conditional-moves`)
            : put(`games/${id}/conditional-moves`, { tree, ...more }),
        ),
      ),
    graphql: (gameId, tree, more) =>
      inTree(
        part(
          'conditionalMoves',
          tree === null
            ? mutation('clearConditionalMoves', { gameId, ...more }, NODE)
            : mutation('setConditionalMoves', { gameId, tree, ...more }, NODE),
        ),
      ),
  }),
  conditionalMoves: verb<[id: string], unknown>({
    rest: (id) => inTree(part('conditionalMoves', get(`games/${id}/conditional-moves`))),
    graphql: (id) => treeIn(id),
  }),
  /** The same as a list, as the API returns it. */
  listedMoves: verb<[id: string], readonly FlatNode[] | null>({
    rest: (id) => part('conditionalMoves', get(`games/${id}/conditional-moves`)),
    graphql: (id) => queryPart('game', { id }, 'viewer.conditionalMoves', {}, NODE),
  }),
  moves: verb<[id: string, page?: Body], Plies>({
    rest: (id, page) => getEdges(`games/${id}/moves`, page),
    graphql: (id, page) => queryPart('game', { id }, 'moves', page, connection(PLY, 'totalCount')),
  }),
  legalMoves: verb<[id: string], readonly LegalMove[]>({
    rest: (id) => getAll(`games/${id}/legal-moves`),
    graphql: (id) => {
      const asked = queryPart('game', { id }, 'viewer.legalMoves', {}, LEGAL_MOVE);
      return { ...asked, read: (answer: never) => asked.read!(answer) ?? [] };
    },
  }),
  events: verb<[id: string], readonly Event[]>({
    rest: (id) => getAll(`games/${id}/log`),
    graphql: (id) => {
      const asked = queryPart('game', { id }, 'events', {}, `{ edges { node ${GAME_EVENT} } }`);
      return {
        ...asked,
        read: (game: never) => (asked.read!(game) as Edges<Event> | null)?.edges.map(({ node }) => node),
      };
    },
  }),
  claimable: verb<[id: string], readonly string[]>({
    rest: (id) => getAll(`games/${id}/claimable`),
    graphql: (id) => queryPart('game', { id }, 'claimable'),
  }),
  /** The game with everything that proves it fair. */
  record: restVerb<[id: string], Json>({ rest: (id) => get(`games/${id}/record`) }),
};
