import {
  acceptChallenge,
  act,
  createChallenge,
  GAME_ID,
  LINK_TOKEN,
  look,
  makeMove,
  OF_GAME,
  tab,
  THREE_DAYS,
  type StarterTab,
} from './graphiql.tab.js';

/** What two new players need first: accounts, and a game from the challenge to its end. */

const PASSWORD = 'a long evening';

/** A check with one answer. */
const ENDGAME = {
  ruleset: 'chess',
  position: '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1',
  moves: [{ move: 'd1d7' }, { move: 'g8f8' }, { move: 'd7d8' }],
};

export const start = (ann: string, ben: string): readonly StarterTab[] => [
  tab(introduction(ann)),
  ...accounts(ann, ben),
  ...challenge(ann, ben),
  ...play(ann, ben),
  tab(wholeGame, { gameId: GAME_ID, after: null }),
  tab(analyse, { input: ENDGAME }),
  tab(watch, OF_GAME),
  tab(resign, OF_GAME, ben),
  ...byLink(ann, ben),
  tab(signIn, { input: { username: ann, password: PASSWORD } }),
];

const introduction = (ann: string) => `
# A game for two. Run the tabs one after the other:
# read the comment, press the play button.
# Below are the variables, and beside them the
# headers, which say who asks.
#
# The page fills in what stands in {{ }} there:
#   {{${ann}}}  her access token, when she has
#     signed in; renewed when it runs out
#   {{gameId}}  the challenge made or accepted
#     last; its game has the same id
#   {{linkToken}}  the secret of the last open one
#   {{rematchId}}, {{vacationId}}  the last one
#   {{inAWeek}}  that moment
# A plain id or token does as well. This browser
# keeps them; Settings, "Clear data" forgets them.
#
# The tabs up to signIn play a first game; those
# from annOffersBank on try how a game runs.
#
# First: which games can be played here?
query startHere {
  rulesets {
    id
    name
    summary
    start
    options { name meaning default }
  }
}
`;

const register = (tabName: string, comment: string) => `
${comment}
mutation ${tabName}($input: RegisterInput!) {
  register(input: $input) {
    user { id username }
    accessToken
    accessTokenExpiresAt
    refreshToken
  }
}
`;

const accounts = (ann: string, ben: string): readonly StarterTab[] => [
  tab(
    register('registerAnn', `# The first player. From now on\n# {{${ann}}} in a header is her access token.`),
    { input: { username: ann, password: PASSWORD } },
  ),
  tab(register('registerBen', '# The second player.'), { input: { username: ben, password: PASSWORD } }),
];

const annChallenges = createChallenge(
  'annChallenges',
  `# Ann invites Ben to Chess and moves first, with
# three days for each move. For Banqi put
# banqi-hongkong or banqi-taiwan in place of chess.`,
  `status
ruleset
options
side
expiresAt`,
);

const readChallenges = `
# Ben sees who has invited him.
query benReads {
  challenges(box: incoming, first: 10) {
    edges {
      node {
        id
        creator { username }
        ruleset
        options
        timeControl { type seconds }
        side
      }
    }
  }
}
`;

const challenge = (ann: string, ben: string): readonly StarterTab[] => [
  tab(
    annChallenges,
    {
      input: {
        ruleset: 'chess',
        opponent: ben,
        side: 'first',
        timeControl: { type: 'perMove', seconds: THREE_DAYS },
      },
    },
    ann,
  ),
  tab(readChallenges, undefined, ben),
  tab(
    acceptChallenge('benAccepts', '# Ben takes the challenge up: the game begins.'),
    { input: { id: GAME_ID } },
    ben,
  ),
];

const MOVED = `status
plyCount
turn
position
observation { check captured }
outcome { winner reason }
moves(last: 1) {
  edges {
    node { ply san reveals }
  }
}`;

const annMoves = makeMove(
  'annMoves',
  `# Ann moves: from square, to square, and to promote
# a letter. In Banqi one square turns its piece up.
# Her next move: change ply (3, 5, ...) and move.`,
  MOVED,
);

const benMoves = makeMove(
  'benMoves',
  `# Ben moves, with even plies. The shortest game:
# f2f3 e7e5, g2g4 d8h4, and Ann is mated.`,
  MOVED,
);

const LEGAL = `you
turn
plyCount
position
legalMoves { move san }`;

const play = (ann: string, ben: string): readonly StarterTab[] => [
  tab(look('annLooks', '# What Ann may play, when it is her turn.', LEGAL), OF_GAME, ann),
  tab(annMoves, { input: { gameId: GAME_ID, ply: 1, move: 'f2f3' } }, ann),
  tab(look('benLooks', '# What Ben may play, when it is his turn.', LEGAL), OF_GAME, ben),
  tab(benMoves, { input: { gameId: GAME_ID, ply: 2, move: 'e7e5' } }, ben),
];

const wholeGame = `
# The game ply by ply, for anybody to read. When it
# is over, outcome says how it ended, and the deal
# can be checked with serverSeed. A page has 100
# plies; for the next put endCursor into after.
query wholeGame($gameId: ID!, $after: String) {
  game(id: $gameId) {
    ruleset
    status
    players {
      first { username }
      second { username }
    }
    position
    outcome { winner reason }
    serverSeed
    headHash
    moves(first: 100, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges {
        node {
          ply
          player
          move
          san
          reveals
          position
          playedAt
        }
      }
    }
    events { type player at }
  }
}
`;

const analyse = `
# Any position, or moves from it or from the start,
# judged without a game. Without position it is
# the start; without moves the position itself.
# In Banqi a move says what it turned up, as
# { "move": "c5", "reveals": "P" }
query analyse($input: AnalyseInput!) {
  analyse(input: $input) {
    position
    turn
    check
    outcome { winner reason }
    claimable
    canWin { first second }
    legalMoves { move san warning { reason } }
    plies { san position }
  }
}
`;

const watch = `
# The game as it stands, and again when it changes.
# Run this in a second window of this page, for
# GraphiQL runs one operation at a time.
subscription watch($gameId: ID!) {
  gameChanged(gameId: $gameId) {
    status
    plyCount
    turn
    position
    outcome { winner reason }
  }
}
`;

const OVER = `status
outcome { winner reason }`;

const resign = act('resign', '# Ben gives the game up, on move or not.', 'resign', OVER);

const openChallenge = createChallenge(
  'annInvites',
  `# A challenge to whoever has its id and linkToken.
# From here on {{gameId}} is this one.`,
  `linkToken
ruleset
side
expiresAt`,
);

const abort = act(
  'abort',
  `# Calls the game off, which either player may do
# before ply 2. Later on one resigns.`,
  'abort',
  OVER,
);

const byLink = (ann: string, ben: string): readonly StarterTab[] => [
  tab(openChallenge, { input: { ruleset: 'banqi-taiwan', side: 'any', timeControl: { type: 'none' } } }, ann),
  tab(
    acceptChallenge(
      'benAcceptsByLink',
      '# Ben has the link. Who moves first was drawn:\n# compare turn and you.',
    ),
    { input: { id: GAME_ID, linkToken: LINK_TOKEN } },
    ben,
  ),
  tab(abort, OF_GAME, ann),
];

const signIn = `
# A session again, on another day or in another
# browser, for the user named in the variables.
mutation signIn($input: LoginInput!) {
  login(input: $input) {
    user { username }
    accessToken
    accessTokenExpiresAt
    refreshToken
  }
}
`;
