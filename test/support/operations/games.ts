import { type ActName, ACTS } from '../../../src/arbiter/acts/registry.js';
import { connection, GAME } from '../documents.js';
import { get, mutation, post, put, query, queryPart, remove, restVerb, verb } from '../verb.js';
import type { Edges, Event, Game, LegalMove, Plies } from '../shown.js';
import type { Body, Json } from '../transport.js';

/** Games and the acts in them. */

export interface MyGames {
  readonly games: readonly Game[];
  readonly pageInfo: Edges<Game>['pageInfo'];
  readonly counts: { readonly toMove: number; readonly waiting: number; readonly offers: number };
}

/** The acts for which the game is all that has to be said. */
export const PLAIN_ACTS = ACTS.filter(({ input }) => Object.keys(input).length === 0).map(({ name }) => name);
const PATHS = Object.fromEntries(ACTS.map(({ name, path }) => [name, path])) as Record<ActName, string>;

const PLY = `{
  seq ply player move reveals captured san position timeUsed clock automatic takenBack playedAt previousHash hash proof { salt path }
}`;
const LEGAL_MOVE = '{ move san notations losing warning { winner reason } }';

const planIn = {
  rest: { read: (answer: { readonly tree: unknown }): unknown => answer.tree },
  graphql: { read: (game: { readonly conditionalMoves: unknown }): unknown => game.conditionalMoves },
};

const plain = (act: ActName) =>
  verb<[id: string], Game>({
    rest: (id) => post(`games/${id}/${PATHS[act]}`),
    graphql: (gameId) => mutation(act, { gameId }, GAME),
  });

export const GAMES = {
  game: verb<[id: string], Game>({
    rest: (id) => get(`games/${id}`),
    graphql: (id) => query('game', { id }, GAME),
  }),
  myGames: verb<[page?: Body], MyGames>({
    rest: (page) => get('games', { list: 'all', ...page }),
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
    rest: (id, ply, move, more) => post(`games/${id}/moves`, { ply, move, ...more }),
    graphql: (gameId, ply, move, more) =>
      mutation('makeMove', { input: { gameId, ply, move, ...more } }, GAME),
  }),
  /** An act for which the game is all that has to be said, or the version too. */
  plain: verb<[act: ActName, id: string, version?: unknown], Game>({
    rest: (act, id, version) => post(`games/${id}/${PATHS[act]}`, { version }),
    graphql: (act, gameId, version) => mutation(act, { gameId, version }, GAME),
  }),
  resign: plain('resign'),
  abort: plain('abort'),
  claimDraw: verb<[id: string, claim: Body], Game>({
    rest: (id, claim) => post(`games/${id}/claim`, claim),
    graphql: (gameId, claim) => mutation('claimDraw', { input: { gameId, ...claim } }, GAME),
  }),
  giveTime: verb<[id: string, ply: unknown, version?: unknown], Game>({
    rest: (id, ply, version) => post(`games/${id}/time`, { ply, version }),
    graphql: (gameId, ply, version) => mutation('giveTime', { gameId, ply, version }, GAME),
  }),
  /** The conditional moves as they are stored; null clears them. */
  setConditionalMoves: verb<[id: string, tree: unknown], unknown>({
    rest: (id, tree) => ({
      ...(tree === null
        ? remove(`games/${id}/conditional-moves`)
        : put(`games/${id}/conditional-moves`, { tree })),
      ...planIn.rest,
    }),
    graphql: (gameId, tree) => ({
      ...(tree === null
        ? mutation('clearConditionalMoves', { gameId }, '{ conditionalMoves }')
        : mutation('setConditionalMoves', { input: { gameId, tree } }, '{ conditionalMoves }')),
      ...planIn.graphql,
    }),
  }),
  conditionalMoves: verb<[id: string], unknown>({
    rest: (id) => ({ ...get(`games/${id}/conditional-moves`), ...planIn.rest }),
    graphql: (id) => queryPart('game', { id }, 'conditionalMoves'),
  }),
  moves: verb<[id: string, page?: Body], Plies>({
    rest: (id, page) => get(`games/${id}/moves`, page),
    graphql: (id, page) => queryPart('game', { id }, 'moves', page, connection(PLY, 'totalCount')),
  }),
  legalMoves: verb<[id: string], readonly LegalMove[]>({
    rest: (id) => get(`games/${id}/legal-moves`),
    graphql: (id) => queryPart('game', { id }, 'legalMoves', {}, LEGAL_MOVE),
  }),
  events: verb<[id: string], readonly Event[]>({
    rest: (id) => get(`games/${id}/events`),
    graphql: (id) => queryPart('game', { id }, 'events', {}, '{ seq type player data at previousHash hash }'),
  }),
  claimable: verb<[id: string], readonly string[]>({
    rest: (id) => get(`games/${id}/claimable`),
    graphql: (id) => queryPart('game', { id }, 'claimable'),
  }),
  /** The game with all that proves it fair. */
  record: restVerb<[id: string], Json>({ rest: (id) => get(`games/${id}/record`) }),
};
