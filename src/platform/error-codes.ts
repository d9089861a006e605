/** The one table of error codes, for GraphQL (`extensions.code`) and REST (problem details, `code`). */

interface Told {
  /** Of the answer over HTTP; GraphQL answers most refusals with 200. */
  readonly status: number;
  /** What is wrong. */
  readonly description: string;
  /** What to do now. */
  readonly advice: string;
  /** Only in GraphQL, whose protocol has it. */
  readonly graphqlOnly?: true;
}

const code = (status: number, description: string, advice: string): Told => ({ status, description, advice });

const protocol = (description: string, advice: string, status = 400): Told => ({
  ...code(status, description, advice),
  graphqlOnly: true,
});

const READ_AGAIN = 'Read the game and decide again.';
const READ_OFFERS = 'Read the offers of the game.';
const LATER = 'Send the same again after retryAfter seconds.';
const NOTHING = 'Nothing: it cannot be done in this game.';

export const ERRORS = {
  BAD_INPUT: code(400, 'A part of the request is missing, unknown, or of the wrong form.', 'Change the part that field names, as the message says.'), // prettier-ignore
  INVALID_RULESET: code(400, 'There is no rule set with this id.', 'Take an id of the rule sets.'),
  INVALID_OPTIONS: code(400, 'The rule set has no such option, or not with this value.', 'Take the options that the rule set lists.'), // prettier-ignore
  INVALID_POSITION: code(400, 'The text is no position of this rule set.', 'Mend the part that field names.'),
  INVALID_DEAL: code(400, 'The text is no deal of this rule set.', 'Mend the deal.'),
  INVALID_SETUP: code(400, 'The rule set has no such opening set-up.', 'Take a set-up by its number, or its text.'), // prettier-ignore
  INVALID_REVEAL: code(400, 'A ply cannot have turned up this piece.', 'Take a piece that may still lie face-down.'), // prettier-ignore
  INVALID_SEED: code(400, 'A client seed or its hash has the wrong form, was used before, or is not the one that was announced.', 'Send 32 new lower-case hex digits, or the seed that you have announced.'), // prettier-ignore
  INVALID_TIME_CONTROL: code(400, 'A time control is out of its range.', 'Take seconds within the range that the message names.'), // prettier-ignore
  INVALID_CURSOR: code(400, 'The cursor does not belong to this list.', 'Take endCursor of a page of the same list, with the same filter and order, or begin anew.'), // prettier-ignore
  INVALID_CONDITIONAL_MOVES: code(400, 'A node of the conditional moves fits no position that may come.', 'Mend the node that field names.'), // prettier-ignore
  INVALID_VACATION: code(400, 'A vacation has the wrong start or length.', 'Take whole days within the coming year.'), // prettier-ignore
  INVALID_GAME_TEXT: code(400, 'A text of games is broken, at line and column.', 'Mend the text there.'),
  QUERY_TOO_COSTLY: code(400, 'A GraphQL operation asks for too much.', 'Ask for fewer fields or smaller pages.'), // prettier-ignore
  PASSWORD_TOO_COMMON: code(400, 'The password is one of the most common, or built on a name of yours.', 'Choose another password.'), // prettier-ignore
  UNAUTHENTICATED: code(401, 'The access token is missing, broken or expired.', 'Refresh it or log in, and send the request again.'), // prettier-ignore
  INVALID_CREDENTIALS: code(401, 'The username or the password is wrong.', 'Ask the user for both again.'),
  INVALID_REFRESH_TOKEN: code(401, 'The refresh token is unknown, expired or used before.', 'Log in again.'),
  FORBIDDEN: code(403, 'This belongs to somebody else.', 'Nothing: only its owner may do it.'),
  NOT_YOUR_GAME: code(403, 'You are not a player of this game.', 'Nothing: only its two players may do it.'),
  BLOCKED: code(403, 'One of the two users has blocked the other.', 'Nothing, as long as the block stands.'),
  MUTED: code(403, 'The opponent takes no messages in this game.', 'Nothing, as long as you are muted.'),
  CHALLENGES_REFUSED: code(403, 'The user takes no challenges, or none from your rating.', 'Challenge somebody else, or seek.'), // prettier-ignore
  RATING_OUT_OF_RANGE: code(403, 'Your rating is outside the range that is asked for.', 'Choose another challenge or seek.'), // prettier-ignore
  NOT_FOUND: code(404, 'There is nothing of this id or name that you may see.', 'Check the part that field names.'), // prettier-ignore
  REQUEST_TIMEOUT: code(408, 'The request arrived too slowly.', 'Send it again.'),
  USERNAME_TAKEN: code(409, 'Somebody has this username.', 'Choose another one.'),
  NAME_TAKEN: code(409, 'The display name looks like that of somebody else.', 'Choose another one.'),
  IDEMPOTENCY_KEY_REUSED: code(409, 'The idempotency key belongs to another request.', 'Send this request with a new key.'), // prettier-ignore
  CHALLENGE_CLOSED: code(409, 'The challenge is answered, cancelled or expired.', 'Read it; make a new one.'),
  OWN_CHALLENGE: code(409, 'The challenge is your own.', 'Wait for somebody else, or cancel it.'),
  ACCOUNT_CLOSED: code(409, 'The account is closed.', 'Nothing: a closed account is not opened again.'),
  STALE_PLY: code(409, 'Another move is stored for this ply, or it is not the next one.', READ_AGAIN),
  STALE_VERSION: code(409, 'The game has changed since the version that you named.', READ_AGAIN),
  NOT_YOUR_TURN: code(409, 'The opponent is to move.', 'Wait for the move; or plan conditional moves.'),
  GAME_OVER: code(409, 'The game is over.', 'Read its outcome.'),
  GAME_PENDING: code(409, 'The game waits for a client seed that was announced.', 'Give it, if it is yours (giveClientSeed); else wait.'), // prettier-ignore
  TOO_LATE_TO_ABORT: code(409, 'Ply 2 is played, or you have turned up a piece.', 'Resign, or play on.'),
  DEADLINE_PASSED: code(409, 'The time for this turn is over.', 'Read the outcome of the game.'),
  GAME_RUNNING: code(409, 'The game is not over yet.', 'Wait for its end.'),
  GAME_PAUSED: code(409, 'The game is paused.', 'End the pause (unpause), or wait.'),
  GAME_NOT_PAUSED: code(409, 'The game is not paused.', READ_AGAIN),
  YOUR_TURN: code(409, 'You are to move: this is for the player who waits.', 'Move.'),
  NO_OFFER: code(409, 'The opponent has made no such offer, or it has lapsed.', READ_OFFERS),
  TOO_EARLY_TO_OFFER: code(409, 'A draw may be offered from ply 2 on.', 'Offer it later.'),
  OFFER_TOO_SOON: code(409, 'Your last offer was declined a few moves ago.', 'Make the moves that the message counts.'), // prettier-ignore
  RATED_GAME: code(409, 'In a rated game nothing is taken back.', NOTHING),
  NOTHING_TO_TAKE_BACK: code(409, 'None of the last two plies is yours.', READ_AGAIN),
  PIECE_TURNED_UP: code(409, 'A piece that was turned up has been seen.', 'Nothing: no takeback goes behind it.'), // prettier-ignore
  NO_CLOCK: code(409, 'The game has no time control.', NOTHING),
  TIME_CEILING: code(409, 'The clock cannot hold more time in this turn.', 'Wait for another turn.'),
  NOT_ABANDONED: code(409, 'Somebody has moved within 30 days, or the game has a time control.', 'Wait until deadline.abandonableAt.'), // prettier-ignore
  REMATCH_DECLINED: code(409, 'The opponent has declined a rematch.', 'Wait for their offer, or challenge them.'), // prettier-ignore
  VACATION_OVERLAPS: code(409, 'Another vacation of yours is planned or running then.', 'Choose other days, or end that one.'), // prettier-ignore
  VACATION_USED_UP: code(409, 'You have fewer days left in that calendar year.', 'Take fewer days.'),
  VACATION_OVER: code(409, 'The vacation is over.', 'Nothing.'),
  CURSOR_EXPIRED: code(
    410,
    'The cursor is older than what is kept.',
    'Begin with changes(fromNow: true), and go on from there.',
  ),
  PAYLOAD_TOO_LARGE: code(413, 'The body is too large.', 'Send less at once.'),
  ADDRESS_TOO_LONG: code(414, 'The address, or a part of it, is too long.', 'Shorten it.'),
  UNSUPPORTED_MEDIA_TYPE: code(415, 'The body is of a type that is not read.', 'Send JSON, with the header Content-Type: application/json.'), // prettier-ignore
  ILLEGAL_MOVE: code(422, 'The move is not legal; fault says why.', 'Choose one of the legal moves.'),
  AMBIGUOUS_MOVE: code(422, 'The text may be more than one legal move: candidates.', 'Send one of the candidates.'), // prettier-ignore
  CLAIM_NOT_MET: code(422, 'What is claimed does not hold; the message says what is missing.', 'Play on: a wrong claim costs nothing.'), // prettier-ignore
  LIMIT_REACHED: code(429, 'You have as many of these as one may have.', 'Close or delete some; or try again after retryAfter seconds.'), // prettier-ignore
  RATE_LIMITED: code(429, 'There were too many such requests in a short time.', LATER),
  HEADERS_TOO_LARGE: code(431, 'The head of the request is too large.', 'Send fewer or shorter headers.'),
  INTERNAL: code(500, 'Something went wrong on the side of the server.', 'Tell whoever runs the server, with requestId.'), // prettier-ignore
  OVERLOADED: code(503, 'The server has too much to do.', LATER),
  STORAGE_FULL: code(503, 'The server cannot store anything at present.', 'Read; send changes again later.'),
  UNAVAILABLE: code(503, 'The server ends, or its database cannot be reached.', LATER),
  GRAPHQL_PARSE_FAILED: protocol('The document is no GraphQL.', 'Mend the document, at the location.'),
  GRAPHQL_VALIDATION_FAILED: protocol('The document does not fit the schema.', 'Mend the document, at the location.'), // prettier-ignore
  OPERATION_RESOLUTION_FAILURE: protocol('The document has no operation of this name, or several without one being named.', 'Name the operation.'), // prettier-ignore
  PERSISTED_QUERY_NOT_FOUND: protocol('The server does not know the query of this hash.', 'Send the query with its hash.', 200), // prettier-ignore
  PERSISTED_QUERY_NOT_SUPPORTED: protocol('The server keeps no queries.', 'Send the query itself.', 200),
} as const satisfies Readonly<Record<string, Told>>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.entries<Told>(ERRORS).map(([name, told]) => ({
  code: name as ErrorCode,
  ...told,
}));

/** Those of REST. */
export const REST_ERROR_CODES = ERROR_CODES.filter(({ graphqlOnly }) => graphqlOnly === undefined);
