/**
 * The requests that bench/whole-path.mjs sends to the server. It imports this file from the checkout that it
 * measures, so that each is asked in its own API: keep the exported names and their signatures.
 */

/** Server settings for the benchmark. They raise limits and do not affect speed. */
export const settings = {
  ACCESS_TOKEN_SECONDS: '86400',
  MAX_RUNNING_GAMES: '100000',
  MAX_OPEN_CHALLENGES: '10000',
  REGISTRATIONS_PER_HOUR: '1000000',
  CHALLENGES_PER_MINUTE: '1000000',
  CHALLENGES_PER_HOUR: '1000000',
  MAX_CONNECTIONS_PER_ADDRESS: '100000',
  MAX_SOCKETS_PER_ADDRESS: '100000',
  MAX_SOCKETS_PER_USER: '100000',
  MAX_WATCHING_COST_PER_ADDRESS: '100000000',
  MAX_WATCHING_COST_PER_USER: '100000000',
};

/** The fields that a board needs. */
const BOARD =
  'id ruleset { id } status position plyCount turn version rated deadlineAt fairness { headHash } players { player { id username } } outcome { winner reason }';

/** The same without usernames, which the board already has after the first request. */
const BOARD_AFTER_MOVE = BOARD.replaceAll('{ id username }', '{ id }');

/**
 * Registration over HTTP: method, path and body of the request, and how to read the token from its answer.
 */
export const register = {
  method: 'POST',
  path: '/v1/users',
  body: (username, password) => ({ username, password }),
  token: (answer) => answer.session.accessToken,
};

export const challenge = {
  query: 'mutation ($input: CreateChallengeInput!) { createChallenge(input: $input) { challenge { id } } }',
  variables: (opponent) => ({
    input: {
      ruleset: 'chess',
      opponent: { username: opponent },
      seat: 'FIRST',
      timeControl: { perMove: { seconds: 259200 } },
    },
  }),
  id: (data) => data.createChallenge.challenge.id,
};

export const accept = {
  query: 'mutation ($input: AcceptChallengeInput!) { acceptChallenge(input: $input) { game { id } } }',
  variables: (id) => ({ input: { id } }),
  id: (data) => data.acceptChallenge.game.id,
};

export const move = {
  query: `mutation Move($input: MakeMoveInput!) { makeMove(input: $input) { game { ${BOARD_AFTER_MOVE} } } }`,
  variables: (gameId, ply, move) => ({ input: { gameId, ply, move } }),
};

export const watch = {
  query: `subscription ($id: ID!) { gameChanged(gameId: $id) { ${BOARD} } }`,
  variables: (gameId) => ({ id: gameId }),
};

export const resign = {
  query: 'mutation ($input: ResignInput!) { resign(input: $input) { game { id } } }',
  variables: (gameId) => ({ input: { gameId } }),
};

/**
 * Reads. `game` is any game, `own` a game in which the client is to move, `username` that of the client. With
 * `unchanged`, a client asks again with If-None-Match and must be answered 304.
 */
export const reads = {
  'GraphQL game by id': {
    query: `query ($id: ID!) { game(id: $id) { ${BOARD} } }`,
    variables: ({ game }) => ({ id: game }),
  },
  'REST game by id': { path: ({ game }) => `/v1/games/${game}` },
  'REST game, If-None-Match (304)': { path: ({ game }) => `/v1/games/${game}`, unchanged: true },
  'GraphQL moves of a game (100)': {
    query: 'query ($id: ID!) { game(id: $id) { id moves(first: 100) { edges { node { ply san move } } } } }',
    variables: ({ game }) => ({ id: game }),
  },
  'REST moves of a game (100)': { path: ({ game }) => `/v1/games/${game}/moves?first=100` },
  'GraphQL my games (20)': { query: `{ myGames(first: 20) { edges { node { ${BOARD} } } } }` },
  'REST my games (20)': { path: () => '/v1/me/games?first=20' },
  'GraphQL search, a player (20)': {
    query: `query ($u: String!) { games(first: 20, filter: { player: $u }) { edges { node { ${BOARD} } } } }`,
    variables: ({ username }) => ({ u: username }),
  },
  'REST search, a player (20)': { path: ({ username }) => `/v1/games?first=20&player=${username}` },
  'GraphQL search, all (20)': { query: `{ games(first: 20) { edges { node { ${BOARD} } } } }` },
  'REST search, all (20)': { path: () => '/v1/games?first=20' },
  'GraphQL leaderboard (20)': {
    query: '{ leaderboard(pool: "chess", first: 20) { edges { node { user { username } } } } }',
  },
  'REST leaderboard (20)': { path: () => '/v1/leaderboards/chess?first=20' },
  'GraphQL legal moves': {
    query: 'query ($id: ID!) { game(id: $id) { id viewer { legalMoves { move san } } } }',
    variables: ({ own }) => ({ id: own }),
  },
  'REST legal moves': { path: ({ own }) => `/v1/games/${own}/legal-moves` },
};
