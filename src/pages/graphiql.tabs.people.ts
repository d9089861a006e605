import { act, GAME_ID, makeMove, OF_GAME, tab, THREE_DAYS, type StarterTab } from './graphiql.tab.js';

/** From seeks over a rated game to ratings, and what others may ask about it. */

const seek = (tabName: string, comment: string) => `
${comment}
mutation ${tabName}($input: CreateSeekMutationInput!) {
  createSeek(input: $input) {
    id
    status
    gameId
    ratingRange { min max }
    creatorRating { rating provisional }
  }
}
`;

const lobby = `
# Who seeks an opponent, the newest first.
query lobby {
  lobby(first: 20, filter: { ruleset: "chess" }) {
    edges {
      node {
        id
        creator { username }
        creatorRating { rating provisional }
        rated
        timeControl { type seconds }
      }
    }
  }
}
`;

const watchLobby = `
# Stays open: each seek that comes or goes. The
# first answer, without an id, says: read the lobby
# now.
subscription watchLobby {
  lobbyChanged {
    id
    seek { creator { username } ruleset rated }
  }
}
`;

const terms = {
  ruleset: 'chess',
  timeControl: { type: 'perMove', seconds: THREE_DAYS },
  rated: true,
};

const ratings = `
# How strong Ann is, and how that came about. Up to
# a deviation of 110 a rating is provisional.
query annRatings($username: String!) {
  user(username: $username) {
    ratings { ruleset rating deviation provisional wins draws losses }
  }
  ratingHistory(username: $username, ruleset: "chess", last: 20) {
    edges {
      node { gameId at rating change }
    }
  }
}
`;

const pool = `
# The pool: the strongest, how all are distributed,
# and what Ann may expect against Ben.
query pool($a: String!, $b: String!) {
  leaderboard(ruleset: "chess", first: 10) {
    edges {
      node { rank user { username } rating { rating } }
    }
  }
  ratingDistribution(ruleset: "chess") { bins { from players provisional } }
  expectedScore(ruleset: "chess", a: $a, b: $b) { score }
}
`;

const search = `
# Games: by players, rule set, result, reason,
# time, length and first moves, in pages.
query searchGames($filter: GamesFilter) {
  games(filter: $filter, first: 20) {
    totalCount
    edges {
      node { id endedAt rated outcome { winner reason } }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`;

const record = `
# How Ann has played, and whom; and against Ben.
query annStatistics($a: String!, $b: String!) {
  statistics(username: $a) {
    all { games wins draws losses }
    byReason { reason games }
    byLength { fromPlies untilPlies wins draws losses }
  }
  opponents(username: $a, first: 5) { opponent { username } games }
  headToHead(a: $a, b: $b) { all { games wins draws losses } }
}
`;

const explorer = `
# What was played after these moves, and how those
# games went. A game counts soon after its end.
query explore($moves: [String!]) {
  explorer(ruleset: "chess", moves: $moves) {
    games
    firstWon
    drawn
    secondWon
    moves { move san games firstWon drawn secondWon }
  }
}
`;

const imported = `
# A game that was played elsewhere, as PGN. It is
# nobody's rating, and no part of any statistic.
mutation annImports($input: ImportGamesMutationInput!) {
  importGames(input: $input) {
    id
    importedAt
    players { first second }
    outcome { winner reason }
    plyCount
    export
  }
}
`;

const PGN = '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';

const changes = `
# All that is Ann's, the oldest change first. Sent
# again with its cursor as since: what came later.
query annChanges($since: String) {
  changes(since: $since, first: 20) {
    items { kind id deleted at }
    cursor
    hasMore
  }
}
`;

export const people = (ann: string, ben: string): readonly StarterTab[] => [
  tab(
    seek(
      'annSeeks',
      `# Ann seeks an opponent for a rated game, rated at
# most 2000. It stands in the lobby until somebody
# fits.`,
    ),
    { input: { ...terms, side: 'first', maxRating: 2000 } },
    ann,
  ),
  tab(watchLobby),
  tab(lobby),
  tab(
    seek(
      'benSeeks',
      `# Ben wants the same: he gets Ann's seek at once,
# and gameId says which game it is.`,
    ),
    { input: { ...terms, side: 'any' } },
    ben,
  ),
  tab(
    makeMove('annMovesRated', '# Two plies make it count.', 'plyCount\nturn'),
    { input: { gameId: GAME_ID, ply: 1, move: 'e2e4' } },
    ann,
  ),
  tab(
    makeMove('benMovesRated', '# This was the second.', 'plyCount\nturn'),
    { input: { gameId: GAME_ID, ply: 2, move: 'e7e5' } },
    ben,
  ),
  tab(
    act(
      'benResignsRated',
      `# The end changes both ratings. Of other games
# unrated says why it did not.`,
      'resign',
      `outcome { winner reason }
unrated
ratingChanges {
  first { before after change }
  second { before after change }
}`,
    ),
    OF_GAME,
    ben,
  ),
  tab(ratings, { username: ann }),
  tab(pool, { a: ann, b: ben }),
  tab(search, { filter: { player: ann, opponent: ben, result: 'won' } }),
  tab(record, { a: ann, b: ben }),
  tab(explorer, { moves: ['e2e4'] }),
  tab(imported, { input: { text: PGN } }, ann),
  tab(changes, {}, ann),
];
