/**
 * Typical queries of a site in GraphQL: a title, the query, and a function that makes its variables. `busy`
 * and `rival` are two usernames, `game` the id of a game, `deep` the cursor before page 10,000 of all games
 * by creation.
 */

const GAME = '{ id ruleset { id } endedAt plyCount outcome { winner reason } players { player { username } } }'; // prettier-ignore
const PAGE = `{ edges { node ${GAME} } pageInfo { hasNextPage endCursor } }`;

const search = (filter, orderBy, more = () => ({})) => ({
  query: `query ($filter: GamesFilter, $orderBy: GamesOrder, $after: String) {
  games(filter: $filter, orderBy: $orderBy, first: 20, after: $after) ${PAGE}
}`,
  variables: (known) => ({ filter: filter(known), ...(orderBy && { orderBy }), ...more(known) }),
});
const none = () => ({});
const ended = { by: 'ENDED_AT' };

export const QUERIES = [
  {
    title: 'A game with its players and its moves',
    query: `query ($id: ID!) {
  game(id: $id) { ruleset { id } status position outcome { winner reason } players { player { username } }
    moves(first: 100) { edges { node { ply san timeUsed } } } }
}`,
    variables: ({ game }) => ({ id: game }),
  },
  {
    title: 'A player with all ratings',
    query: `query ($username: String!) {
  user(username: $username) { displayName createdAt ratings { pool { id } rating deviation provisional games } }
}`,
    variables: ({ busy }) => ({ username: busy }),
  },
  { title: 'The newest results of a player', ...search(({ busy }) => ({ player: busy }), ended) },
  { title: 'The games of a player by last activity', ...search(({ busy }) => ({ player: busy })) },
  {
    title: 'The games of chess that a player won with the first side',
    ...search(({ busy }) => ({ player: busy, seat: 'FIRST', result: 'WON', ruleset: 'chess' }), ended),
  },
  {
    title: 'The rated games of a player that ran out of time',
    ...search(({ busy }) => ({ player: busy, rated: true, reason: 'TIMEOUT' }), ended),
  },
  {
    title: 'The games between two players',
    ...search(({ busy, rival }) => ({ player: busy, opponent: rival }), ended),
  },
  {
    title: 'The score between two players',
    query: `query ($a: String!, $b: String!) {
  headToHead(a: $a, b: $b) { all { games wins draws losses } byRuleset { ruleset { id } games wins draws losses } }
}`,
    variables: ({ busy, rival }) => ({ a: busy, b: rival }),
  },
  {
    title: 'The statistics of a player with ten thousand games',
    query: `query ($username: String!) {
  statistics(username: $username) { all { games wins draws losses } byReason { reason games }
    bySeat { seat games wins } plies { average shortest longest } }
}`,
    variables: ({ busy }) => ({ username: busy }),
  },
  {
    title: 'The most frequent opponents of a player',
    query: `query ($username: String!) {
  opponents(username: $username, first: 10) { user { username } games wins draws losses }
}`,
    variables: ({ busy }) => ({ username: busy }),
  },
  {
    title: 'The last hundred points of a rating history',
    query: `query ($username: String!) {
  ratingHistory(username: $username, pool: "chess", last: 100) { edges { node { at rating deviation gameId } } }
}`,
    variables: ({ busy }) => ({ username: busy }),
  },
  {
    title: 'A leaderboard',
    query: `query {
  leaderboard(pool: "chess", first: 50) { edges { node { rank user { username } rating { rating deviation } } } }
}`,
    variables: none,
  },
  {
    title: 'The distribution of ratings',
    query: 'query {\n  ratingDistribution(pool: "chess") { bins { from to players provisional } }\n}',
    variables: none,
  },
  {
    title: 'The expected score between two players',
    query: `query ($a: String!, $b: String!) {
  expectedScore(pool: "chess", a: $a, b: $b) { score }
}`,
    variables: ({ busy, rival }) => ({ a: busy, b: rival }),
  },
  { title: 'The newest results of all players', ...search(none, ended) },
  {
    title: 'Page 10,000 of all games, by creation',
    ...search(none, { by: 'CREATED_AT' }, ({ deep }) => ({ after: deep })),
  },
  {
    title: 'The results of a rule set in a month',
    ...search(
      () => ({ ruleset: 'xiangqi', endedFrom: '2026-03-01T00:00:00Z', endedUntil: '2026-04-01T00:00:00Z' }),
      ended,
    ),
  },
  {
    title: 'Long rated games of chess',
    ...search(() => ({ ruleset: 'chess', rated: true, minPlies: 60 }), ended),
  },
  {
    title: 'Games that began with two given moves',
    ...search(() => ({ ruleset: 'chess', opening: 'e2e4 e7e5' }), ended),
  },
  {
    title: 'The moves played in a position, with their results',
    query: `query {
  explorer(ruleset: "chess", moves: ["e2e4", "e7e5"]) {
    games firstWon drawn secondWon ended moves { san games firstWon drawn secondWon } }
}`,
    variables: none,
  },
  {
    title: 'Games that ended for a rare reason',
    ...search(() => ({ reason: 'FIVEFOLD_REPETITION' }), ended),
  },
  {
    title: 'Games with a time bank, by creation',
    ...search(() => ({ timeControl: 'BANK' }), { by: 'CREATED_AT' }),
  },
  {
    title: 'The running games, by last activity',
    ...search(() => ({ status: ['ACTIVE', 'PAUSED'] })),
  },
  {
    title: 'The lobby',
    query: `query {
  lobby(first: 20) { edges { node { id ruleset { id } rated creator { username } creatorRating { rating provisional } } } }
}`,
    variables: none,
  },
  {
    title: 'The changes of a user since the last poll',
    query: 'query ($since: String) {\n  changes(since: $since, first: 100) { items { kind id deleted } cursor hasMore }\n}', // prettier-ignore
    variables: ({ since }) => ({ since }),
  },
];
