import {
  acceptChallenge,
  act,
  GAME_ID,
  look,
  makeMove,
  OF_GAME,
  REMATCH_ID,
  tab,
  type StarterTab,
} from './graphiql.tab.js';

/** What players agree on and plan: conditional moves, draws, takebacks, claims, rematches. */

const setPlan = (tabName: string, comment: string) => `
${comment}
mutation ${tabName}($input: SetConditionalMovesInput!) {
  setConditionalMoves(input: $input) {
    conditionalMoves
  }
}
`;

/** Answers to 1. e4 and 2. Nf3. */
const OPENING = [
  { when: 'e2e4', reply: 'e7e5', then: [{ when: 'g1f3', reply: 'b8c6' }] },
  { when: 'd2d4', reply: 'd7d5' },
];

const LAST_TWO = `plyCount
turn
moves(last: 2) {
  edges {
    node { ply player san automatic }
  }
}`;

export const plans = (ann: string, ben: string): readonly StarterTab[] => [
  tab(
    setPlan(
      'benPlans',
      `# Conditional moves: while Ann thinks, Ben plans
# his answers, here one of two moves deep. A node
# may hold "offerDraw": true or "resign": true as
# well.`,
    ),
    { input: { gameId: GAME_ID, tree: OPENING } },
    ben,
  ),
  tab(look('benReadsPlan', '# What he has planned nobody but Ben sees.', 'conditionalMoves'), OF_GAME, ben),
  tab(
    makeMove('annIsAnswered', '# Ann moves, and the answer is there at once.', LAST_TWO),
    { input: { gameId: GAME_ID, ply: 1, move: 'e2e4' } },
    ann,
  ),
  tab(
    act('benClearsPlan', '# Ben forgets the rest of his plan.', 'clearConditionalMoves', 'conditionalMoves'),
    OF_GAME,
    ben,
  ),
];

const OFFERS = `status
plyCount
turn
outcome { winner reason }
offers {
  draw { by at }
  takeback { by at ply }
  firstMustMove
  secondMustMove
}`;

export const drawByMove = (ann: string): readonly StarterTab[] => [
  tab(
    makeMove(
      'annOffersDraw',
      `# Ann offers a draw with her move. The offer
# stands until Ben answers, which a move of his
# does, too.`,
      OFFERS,
    ),
    { input: { gameId: GAME_ID, ply: 3, move: 'g1f3', offerDraw: true } },
    ann,
  ),
];

const TAKEN_BACK = `plyCount
turn
position
takebacks { seq ply }
moves(takenBack: true) {
  edges {
    node { ply san takenBack }
  }
}
deadline { at explain { kind seconds } }`;

const claim = (tabName: string, comment: string) => `
${comment}
mutation ${tabName}($input: ClaimDrawInput!) {
  claimDraw(input: $input) {
    status
    outcome { winner reason }
  }
}
`;

const reason = 'threefoldRepetition';

/** A draw and a claim that come to nothing, and the move with which the first was offered taken back. */
export const refusals = (ann: string, ben: string): readonly StarterTab[] => [
  tab(
    act(
      'benDeclinesDraw',
      `# Ben says no. Ann may offer again when she has
# made ten more moves: firstMustMove.`,
      'declineDraw',
      OFFERS,
    ),
    OF_GAME,
    ben,
  ),
  tab(
    act(
      'annAsksTakeback',
      `# Ann wants her move back, in a casual game: one
# ply while Ben is to move, two while she is.`,
      'offerTakeback',
      OFFERS,
    ),
    OF_GAME,
    ann,
  ),
  tab(
    act(
      'benAllowsTakeback',
      `# Ben allows it (or: declineTakeback). Her clock
# starts anew, with the bank as it was then. The
# ply stays in the log.`,
      'acceptTakeback',
      TAKEN_BACK,
    ),
    OF_GAME,
    ben,
  ),
  tab(
    claim(
      'annClaimsTooSoon',
      `# A wrong claim costs nothing: the answer is the
# error CLAIM_NOT_MET, which says what is missing.`,
    ),
    { input: { gameId: GAME_ID, reason } },
    ann,
  ),
];

export const agreement = (ann: string, ben: string): readonly StarterTab[] => [
  tab(
    act('benOffersDraw', '# An offer on its own, on move or not, from ply 2.', 'offerDraw', OFFERS),
    OF_GAME,
    ben,
  ),
  tab(act('annAcceptsDraw', '# Ann accepts: drawn by agreement.', 'acceptDraw', OFFERS), OF_GAME, ann),
];

const offerRematch = `
# Another game on the same terms, offered for 14
# days. To Ben's own offer this would be the yes.
mutation annOffersRematch($gameId: ID!) {
  offerRematch(gameId: $gameId) {
    id
    status
    rematchOf
    side
    expiresAt
  }
}
`;

const TO_AND_FRO = [
  {
    when: 'g1f3',
    reply: 'g8f6',
    then: [{ when: 'f3g1', reply: 'f6g8', then: [{ when: 'g1f3', reply: 'g8f6' }] }],
  },
];

// As aliases, which run in order: the four moves of one player.
const toAndFro = `
# Four moves of Ben, three of them answered by
# Ann's plan: the knights go to and fro.
mutation benGoesToAndFro($gameId: ID!) {
${[
  [1, 'g1f3'],
  [3, 'f3g1'],
  [5, 'g1f3'],
  [7, 'f3g1'],
]
  .map(
    ([ply, move]) => `  ply${ply}: makeMove(
    input: { gameId: $gameId, ply: ${ply}, move: "${move}" }
  ) { plyCount turn }`,
  )
  .join('\n')}
}
`;

/** The next game of the two, as far as the draw that a repetition brings. */
export const rematch = (ann: string, ben: string): readonly StarterTab[] => [
  tab(offerRematch, OF_GAME, ann),
  tab(
    acceptChallenge(
      'benAcceptsRematch',
      `# Ben accepts, and moves first: in Chess and
# Xiangqi the sides swap, in Banqi and Half Chess
# the winner starts. From here on {{gameId}} is
# this game.`,
    ),
    { input: { id: REMATCH_ID } },
    ben,
  ),
  tab(
    setPlan('annPlans', '# Three answers, each for its own move.'),
    { input: { gameId: GAME_ID, tree: TO_AND_FRO } },
    ann,
  ),
  tab(toAndFro, OF_GAME, ben),
  tab(
    look(
      'annIsWarned',
      `# Ng8 would bring the position about for the third
# time: its warning says what that is worth.
# claimable: what may be claimed without a move.`,
      `claimable
legalMoves { move san warning { winner reason } }`,
    ),
    OF_GAME,
    ann,
  ),
  tab(
    claim(
      'annClaims',
      `# She claims the draw with that move. Without move
# it would be for the game as it stands.`,
    ),
    { input: { gameId: GAME_ID, reason, move: 'f6g8' } },
    ann,
  ),
];
