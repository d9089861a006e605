import { connection, RULESET, USER } from '../documents.js';
import {
  get,
  getEdges,
  getGames,
  keyed,
  mutation,
  part,
  post,
  query,
  queryPart,
  remove,
  restVerb,
  verb,
} from '../verb.js';
import type { Edges, RulesetName, User } from '../api-types.js';
import type { Body } from '../transport.js';

/** Imported games. */

export interface Imported {
  readonly id: string;
  readonly imported: boolean;
  readonly importedAt: string;
  readonly importedBy: User;
  readonly originalId: string | null;
  readonly ruleset: RulesetName;
  readonly status: string;
  readonly rated: boolean;
  readonly outcome: { readonly winner: string | null; readonly reason: string };
  readonly players: { readonly first: string | null; readonly second: string | null };
  readonly tags: Readonly<Record<string, string>>;
  readonly plyCount: number;
  readonly position: string;
  readonly [field: string]: unknown;
}

export interface ImportedPly {
  readonly ply: number;
  readonly player: string;
  readonly move: string;
  readonly san: string;
}

interface Page {
  readonly games: readonly Imported[];
  readonly pageInfo: Edges<unknown>['pageInfo'];
}

export const IMPORTED = `{
  id imported importedAt importedBy ${USER} ${RULESET} options setup setupNumber start faceDown rated status
  outcome { winner reason } players { first second } originalId event site round date startedAt endedAt
  timeControl { perMove { seconds noVacation } bank { initial increment cap noVacation } none { noVacation } }
  tags plyCount position
}`;
const PLY = '{ ply player move from to promotion reveals captured san timeUsed clock automatic }';

export const IMPORTS = {
  importGames: verb<[input: Body, key?: string], readonly Imported[]>({
    rest: (input, key) => part('importedGames', post('imports', input, key)),
    graphql: (input, key) => part('importedGames', mutation('importGames', keyed(input, key), IMPORTED)),
  }),
  /** The text as the request body. */
  importText: restVerb<[text: string | Buffer, sent?: { type?: string; query?: Body }], readonly Imported[]>({
    rest: (text, { type = 'text/plain', query: asked } = {}) => ({
      ...part('importedGames', post('imports', text)),
      query: asked,
      headers: { 'Content-Type': type },
    }),
  }),
  importedGame: verb<[id: string], Imported>({
    rest: (id) => get(`imports/${id}`),
    graphql: (id) => query('importedGame', { id }, IMPORTED),
  }),
  importedMoves: verb<[id: string, page?: Body], Edges<ImportedPly> & { readonly totalCount: number }>({
    rest: (id, page) => getEdges(`imports/${id}/moves`, page),
    graphql: (id, page) => queryPart('importedGame', { id }, 'moves', page, connection(PLY, 'totalCount')),
  }),
  myImportedGames: verb<[page?: Body], Page>({
    rest: (page) => getGames('me/imports', page),
    graphql: (page) => ({
      ...query('myImportedGames', page, connection(IMPORTED)),
      read: ({ edges, pageInfo }: Edges<Imported>) => ({ games: edges.map(({ node }) => node), pageInfo }),
    }),
  }),
  /** The id of the deleted import. */
  deleteImportedGame: verb<[id: string], string>({
    rest: (id) => part('deletedId', remove(`imports/${id}`)),
    graphql: (id) => part('deletedId', mutation('deleteImportedGame', { id })),
  }),
};
