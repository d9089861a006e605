/** What the tests ask for in GraphQL: all that REST answers with. */

const USER = '{ id username displayName closed createdAt challengesFrom challengesWithin }';
export const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const CLOCK = 'timeControl { type seconds initial increment cap noVacation } rated';
const OFFER = '{ by at ply }';
const PLAYER_CLOCK = '{ remaining running onVacationUntil }';
const TIMES = `
  deadline { at explain { kind from until seconds } abandonableAt }
  clocks { first ${PLAYER_CLOCK} second ${PLAYER_CLOCK} } resumesAt takebacks { seq ply }
  offers { draw ${OFFER} takeback ${OFFER} pause ${OFFER} firstMustMove secondMustMove }
`;

const RATING_CHANGE = '{ before after change deviationBefore deviationAfter }';

/** All that a REST document has. */
export const GAME = `{
  id ruleset options setup setupNumber ${CLOCK} status version plyCount turn position outcome { winner reason } turnStartedAt
  deadlineAt termsHash headHash commitment dealRoot clientSeeds { first second } clientSeedHash awaitingSeed creator
  createdAt lastActivityAt endedAt players { first ${USER} second ${USER} }
  observation { check captured faceDown { piece count } } serverSeed you ${TIMES}
  unrated ratingChanges { first ${RATING_CHANGE} second ${RATING_CHANGE} }
}`;

export const CHALLENGE = `{
  id kind status creator ${USER} creatorRating { rating provisional } opponent ${USER} linkToken ruleset options ${CLOCK} ratingRange { min max } side commitment clientSeedHash
  createdAt expiresAt answeredAt rematchOf gameId declineReason counterTo
}`;

const PLY = `{
  seq ply player move reveals captured san position timeUsed clock automatic takenBack playedAt previousHash hash proof { salt path }
}`;

export const MOVES = `moves(first: $first, after: $after, last: $last, before: $before, takenBack: $takenBack) {
  edges { cursor node ${PLY} } ${PAGE} totalCount
}`;
