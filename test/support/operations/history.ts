import { connection, GAME, RULESET, USER } from '../documents.js';
import { get, getAll, getGames, query, verb } from '../verb.js';
import type { Edges, Game, Notation } from '../api-types.js';
import type { Body } from '../transport.js';

/** Searches, summaries, and the opening explorer. */

export interface Found {
  readonly games: readonly Game[];
  readonly pageInfo: Edges<Game>['pageInfo'];
  readonly totalCount?: number;
  readonly totalCountCapped?: boolean;
}

export interface PageOf {
  readonly first?: number;
  readonly after?: string | null;
  readonly last?: number;
  readonly before?: string | null;
}

export interface Tally {
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
}

export interface HeadToHead {
  readonly all: Tally;
  readonly byRuleset: readonly unknown[];
  readonly lastGames: readonly Game[];
}

export interface Counted {
  readonly games: number;
  readonly firstWon: number;
  readonly drawn: number;
  readonly secondWon: number;
}

export interface Explored extends Counted {
  readonly position: string;
  readonly plyCount: number;
  readonly depth: number;
  readonly ended: number;
  readonly moves: readonly (Counted & {
    readonly move: string;
    readonly san: string;
    readonly notations: readonly Notation[];
  })[];
}

const TALLY = 'games wins draws losses';
const COUNTS = 'games firstWon drawn secondWon';
const STATISTICS = `{
  user ${USER} all { ${TALLY} } calledOff byRuleset { ${RULESET} ${TALLY} } bySeat { seat ${TALLY} }
  byReason { reason ${TALLY} } byLength { fromPlies untilPlies ${TALLY} } byTimeUsed { fromSeconds untilSeconds ${TALLY} }
  plies { average shortest longest } timeUsed { total perPly }
}`;

const nodesOf = ({ edges }: Pick<Edges<Game>, 'edges'>) => edges.map(({ node }) => node);

export const HISTORY = {
  games: verb<[filter: Body, order?: Body, page?: Body, counted?: boolean], Found>({
    rest: (filter, { by: orderBy, direction } = {}, page = {}, totalCount) =>
      getGames('games', { ...filter, orderBy, direction, ...page, totalCount }),
    graphql: (filter, orderBy, page, counted = false) => ({
      ...query(
        'games',
        { filter, orderBy, ...page },
        connection(GAME, counted ? 'totalCount totalCountCapped' : ''),
      ),
      read: ({ edges, ...more }: Edges<Game>) => ({ games: nodesOf({ edges }), ...more }),
    }),
  }),
  statistics: verb<[username: string, ruleset?: string], Body>({
    rest: (username, ruleset) => get(`users/${username}/statistics`, { ruleset }),
    graphql: (username, ruleset) => query('statistics', { username, ruleset }, STATISTICS),
  }),
  opponents: verb<
    [username: string, first?: number],
    readonly (Tally & { readonly user: { readonly username: string } })[]
  >({
    rest: (username, first) => getAll(`users/${username}/opponents`, { first }),
    graphql: (username, first) => query('opponents', { username, first }, `{ user ${USER} ${TALLY} }`),
  }),
  headToHead: verb<[a: string, b: string, more?: { ruleset?: string; first?: number }], HeadToHead>({
    rest: (a, b, more) => get(`users/${a}/against/${b}`, more),
    graphql: (a, b, { ruleset, first } = {}) => ({
      ...query(
        'headToHead',
        { a, b, ruleset },
        `{ a { id username } b { id username } all { ${TALLY} } byRuleset { ${RULESET} ${TALLY} }
           lastGames${first === undefined ? '' : `(first: ${first})`} { edges { node ${GAME} } } }`,
      ),
      read: ({ lastGames, ...found }: { readonly lastGames: Edges<Game> }) => ({
        ...found,
        lastGames: nodesOf(lastGames),
      }),
    }),
  }),
  explorer: verb<[line: Body], Explored>({
    rest: ({ ruleset, ...line }) => get(`rulesets/${String(ruleset)}/explorer`, line),
    graphql: (line) =>
      query(
        'explorer',
        line,
        `{ position plyCount depth ${COUNTS} ended moves { move san notations { name text } ${COUNTS} } }`,
      ),
  }),
};
