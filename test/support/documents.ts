import { OFFER_KINDS } from '../../src/arbiter/offers.js';

/** The GraphQL selections of the tests: everything that REST returns. */

const OF_USERS = 'createdAt challengesFrom challengesWithin guest';
export const USER = `{ id username displayName closed ${OF_USERS} }`;
/** A user, or a player of an application. */
export const ANY_PLAYER = `{ id username displayName closed ... on User { ${OF_USERS} } ... on ManagedPlayer { application { id name } } }`;
export const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const TIME_CONTROL =
  'timeControl { perMove { seconds noVacation } bank { initial increment cap noVacation } none { noVacation } } rated';
const OFFER = '{ by at ply }';
const PLAYER_CLOCK = '{ remaining running onVacationUntil }';
const TIMES = `
  deadline { at explain { kind from until seconds } abandonableAt }
  clocks { first ${PLAYER_CLOCK} second ${PLAYER_CLOCK} } resumesAt takebacks { seq ply }
  offers { ${OFFER_KINDS.map((kind) => `${kind} ${OFFER}`).join(' ')} firstMustMove secondMustMove }
`;

const RATING_CHANGE = '{ before after change deviationBefore deviationAfter }';

export const PLY = `{
  seq ply player move from to promotion reveals captured san position timeUsed clock automatic takenBack playedAt previousHash hash
  proof { salt path }
}`;
export const LEGAL_MOVE =
  '{ move from to promotion captures san notations { name text } losing warning { winner reason } }';
export const PLAYER =
  '{ id username displayName closed ... on User { createdAt challengesFrom challengesWithin guest } }';
const FAIRNESS = `{
  commitment dealRoot clientSeeds { first second } clientSeedHash creator creatorSeed accepterSeed awaitingSeed
  termsHash headHash receipt serverSeed
}`;
const BOARD = '{ files ranks squares { square piece faceDown } captured faceDown { piece count } check }';

/** The fields of a rule set that REST returns. */
export const RULESET = 'ruleset { id name version }';

export const GAME = `{
  id url boardUrl ${RULESET} options setup setupNumber ${TIME_CONTROL} status version plyCount lastMove ${PLY}
  turn position outcome { winner reason } turnStartedAt deadlineAt createdAt lastActivityAt endedAt
  players { seat player ${PLAYER} side } board ${BOARD} fairness ${FAIRNESS} ${TIMES}
  viewer { seat acts { act terms { ply offerDraw claims { reason move } } } }
  unrated ratingChanges { first ${RATING_CHANGE} second ${RATING_CHANGE} }
}`;

export const CHALLENGE = `{
  id kind status creator ${ANY_PLAYER} creatorRating { rating provisional } opponent ${ANY_PLAYER} linkToken url ${RULESET} options ${TIME_CONTROL} personsOnly ratingRange { min max } seat commitment clientSeedHash receipt
  createdAt expiresAt answeredAt rematchOf gameId declineReason counterTo
}`;

export const POOL = `pool { id ${RULESET} }`;
export const RATING = `{ ${POOL} rating deviation volatility provisional games wins draws losses ratedAt }`;
export const VACATION = '{ id startsAt endsAt days status }';

/** A page of a list with these fields of each item. */
export const connection = (node: string, more = '') => `{ edges { cursor node ${node} } ${PAGE} ${more} }`;
