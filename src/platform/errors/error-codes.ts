/** The one table of error codes, for GraphQL (`extensions.code`) and REST (problem details, `code`). */

interface ErrorDefinition {
  /** The HTTP status; GraphQL answers most refusals with 200. */
  readonly status: number;
  /** What is wrong with the request. */
  readonly description: string;
  /** What to do now. */
  readonly advice: string;
  /** A code of the GraphQL protocol, which REST does not have. */
  readonly graphqlOnly?: true;
  /** A code of HTTP, which GraphQL does not have. */
  readonly restOnly?: true;
}

const code = (status: number, description: string, advice: string): ErrorDefinition => ({
  status,
  description,
  advice,
});

const protocol = (description: string, advice: string, status = 400): ErrorDefinition => ({
  ...code(status, description, advice),
  graphqlOnly: true,
});

const READ_AGAIN = 'Read the game again, then decide.';
const LATER = 'Send the same request again after `retryAfter` seconds.';

export const ERRORS = {
  BAD_INPUT: code(400, 'A part of the request is missing, unknown or malformed.', 'Correct the part that `field` names, as the message says.'), // prettier-ignore
  INVALID_RULESET: code(400, 'The rule set id is unknown.', 'Use an id from the list of rule sets.'),
  INVALID_OPTIONS: code(400, 'An option is unknown to the rule set or has a value that it does not allow.', 'Use the options and values that the rule set lists.'), // prettier-ignore
  INVALID_POSITION: code(400, 'The text is not a valid position of the rule set.', 'Correct the part that `field` names.'), // prettier-ignore
  INVALID_DEAL: code(400, 'The text is not a valid deal of the rule set.', 'Correct the deal.'),
  INVALID_SETUP: code(400, 'The opening set-up is missing, not valid for the rule set, or contradicts another part of the request.', 'Give one set-up of the rule set, by its number or its text.'), // prettier-ignore
  INVALID_REVEAL: code(400, 'The ply cannot have turned up this piece.', 'Use a piece that may still be face-down.'), // prettier-ignore
  INVALID_SEED: code(400, 'The client seed or its hash is malformed, was used before, or does not match the announced one.', 'Send 32 new lower-case hex digits, or the seed that you announced.'), // prettier-ignore
  INVALID_TIME_CONTROL: code(400, 'The time control is out of range.', 'Use seconds within the range that the message names.'), // prettier-ignore
  INVALID_CURSOR: code(400, 'The cursor does not belong to this list.', 'Use endCursor from a page of the same list, with the same filter and order, or start without a cursor.'), // prettier-ignore
  INVALID_CONDITIONAL_MOVES: code(400, 'A node of the conditional moves does not fit any position that can arise.', 'Correct the node that `field` names.'), // prettier-ignore
  INVALID_VACATION: code(400, 'The start or the length of the vacation is out of range.', 'Use whole days that start within the next 365 days.'), // prettier-ignore
  INVALID_GAME_TEXT: code(400, 'The text of the games is not valid.', 'Correct it at the given line and column.'), // prettier-ignore
  QUERY_TOO_COSTLY: code(400, 'The GraphQL operation exceeds the limits of cost or size.', 'Request fewer fields or smaller pages.'), // prettier-ignore
  PASSWORD_TOO_COMMON: code(400, 'The password is a common one or is based on one of your names.', 'Choose another password.'), // prettier-ignore
  UNAUTHENTICATED: code(401, 'The access token is missing, invalid or expired.', 'Refresh the session or log in, then send the request again.'), // prettier-ignore
  INVALID_CREDENTIALS: code(401, 'The username or the password is wrong.', 'Ask the user for both again.'),
  INVALID_CLIENT: code(401, 'The application is unknown or suspended, or its secret is wrong.', 'Send the id of the application as client_id, and one of its secrets as client_secret.'), // prettier-ignore
  INVALID_REFRESH_TOKEN: code(401, 'The refresh token is unknown, expired or already used.', 'Log in again.'),
  FORBIDDEN: code(403, 'The request is reserved for another user.', 'Do not retry: only the user that the message names may do it.'), // prettier-ignore
  INSUFFICIENT_SCOPE: code(403, 'The access token lacks a scope that the request needs.', 'Ask the user for a token with the scopes that `scope` names.'), // prettier-ignore
  CONFIRMATION_REQUIRED: code(403, 'The request changes the ways into the account, and the session has not confirmed the password within ten minutes.', 'Ask the user for the password, confirm it with confirmPassword, then send the request again.'), // prettier-ignore
  SESSION_REQUIRED: code(403, 'The request needs a session that was opened with the password; a personal token cannot do this.', 'Log in with the password, then send the request with the token of that session.'), // prettier-ignore
  CLAIM_REQUIRED: code(403, 'A guest cannot do this: guests play casual games by links and seeks that let them in.', 'Claim the account with a username and a password, then send the request again.'), // prettier-ignore
  NOT_YOUR_GAME: code(
    403,
    'You are not a player in this game.',
    'Do not retry: only the two players may do it.',
  ),
  BLOCKED: code(403, 'You have blocked this user, or this user has blocked you.', 'Wait until the block is removed, or remove yours.'), // prettier-ignore
  MUTED: code(403, 'The opponent has muted you in this game.', 'Wait until the opponent accepts messages again.'), // prettier-ignore
  CHALLENGES_REFUSED: code(403, 'The user does not accept challenges, or none from your rating.', 'Challenge another user, or create a seek.'), // prettier-ignore
  RATING_OUT_OF_RANGE: code(403, 'Your rating is outside the range that the creator asks for.', 'Choose another challenge or seek.'), // prettier-ignore
  NOT_FOUND: code(404, 'The id or name is unknown, or you may not see what it names.', 'Check the part that `field` names.'), // prettier-ignore
  METHOD_NOT_ALLOWED: { ...code(405, 'The address does not accept this HTTP method.', 'Use one of the methods in the Allow header.'), restOnly: true }, // prettier-ignore
  REQUEST_TIMEOUT: code(408, 'The request took too long to arrive, or the stream was not read in time.', 'Send it again; continue a stream after its last id.'), // prettier-ignore
  USERNAME_TAKEN: code(409, 'The username is taken.', 'Choose another username.'),
  NAME_TAKEN: code(409, 'The display name looks like the username of another user.', 'Choose another display name.'), // prettier-ignore
  IDEMPOTENCY_KEY_REUSED: code(409, 'The idempotency key was used for a different request.', 'Send this request with a new key.'), // prettier-ignore
  CHALLENGE_CLOSED: code(409, 'The challenge is no longer open.', 'Read its status; create a new challenge if you still want to play.'), // prettier-ignore
  OWN_CHALLENGE: code(409, 'The challenge is your own.', 'Wait for another user to accept it, or cancel it.'),
  ACCOUNT_CLOSED: code(409, 'The account is closed.', 'Use another account: a closed account cannot be reopened.'), // prettier-ignore
  NO_MAIL: code(409, 'The server sends no mail, so that an e-mail address is of no use to it.', 'Ask the operator of the server when you need a new password.'), // prettier-ignore
  STALE_PLY: code(409, 'The ply was already played or is not the next one.', READ_AGAIN),
  STALE_VERSION: code(409, 'The game has changed since the version that the request names.', READ_AGAIN),
  NOT_YOUR_TURN: code(409, 'The opponent is to move.', 'Wait for their move, or set conditional moves.'),
  GAME_OVER: code(409, 'The game is over.', 'Read the outcome of the game.'),
  GAME_PENDING: code(409, 'The game has not started: it waits for an announced client seed.', 'Send your client seed with giveClientSeed if you announced one; otherwise wait.'), // prettier-ignore
  TOO_LATE_TO_ABORT: code(409, 'The game can no longer be aborted: ply 2 was played, or you have turned up a piece.', 'Resign, or continue the game.'), // prettier-ignore
  DEADLINE_PASSED: code(409, 'The deadline of this turn has passed.', 'Read the outcome of the game.'),
  GAME_RUNNING: code(409, 'The game is not over yet.', 'Wait until it has ended.'),
  GAME_PAUSED: code(409, 'The game is paused.', 'End the pause with unpause, or wait.'),
  GAME_NOT_PAUSED: code(409, 'The game is not paused.', READ_AGAIN),
  YOUR_TURN: code(
    409,
    'It is your turn, and only the opponent of the side to move may do this.',
    'Move first.',
  ),
  NO_OFFER: code(409, 'The opponent has not made this offer, or it has lapsed.', 'Read the offers of the game.'), // prettier-ignore
  TOO_EARLY_TO_OFFER: code(409, 'A draw cannot be offered before ply 2.', 'Offer it with ply 2 or later.'),
  OFFER_TOO_SOON: code(409, 'The opponent declined your last draw offer too recently.', 'Make as many moves as the message says, then offer again.'), // prettier-ignore
  RATED_GAME: code(409, 'The game is rated; takebacks are allowed in casual games only.', 'Continue the game without a takeback.'), // prettier-ignore
  NOTHING_TO_TAKE_BACK: code(409, 'Neither of the last two plies is yours.', READ_AGAIN),
  PIECE_TURNED_UP: code(409, 'The takeback would undo a turned-up piece that both players have seen.', 'Continue the game without a takeback.'), // prettier-ignore
  NO_CLOCK: code(409, 'The game has no time control.', 'Continue the game: there is no time to give or request.'), // prettier-ignore
  TIME_CEILING: code(409, 'This turn cannot be given more time.', 'Wait for another turn.'),
  NOT_ABANDONED: code(409, 'The game is not abandoned: it has a time control, or its last move is less than 30 days old.', 'Wait until deadline.abandonableAt; with a time control, wait for the clock.'), // prettier-ignore
  REMATCH_DECLINED: code(409, 'The opponent has declined a rematch of this game.', 'Wait for their offer, or challenge them.'), // prettier-ignore
  VACATION_OVERLAPS: code(409, 'The vacation overlaps another one of yours.', 'Choose other days, or end the other vacation.'), // prettier-ignore
  VACATION_USED_UP: code(409, 'The vacation needs more days than you have left in that calendar year.', 'Take fewer days.'), // prettier-ignore
  VACATION_OVER: code(
    409,
    'The vacation is already over.',
    'Do not retry: the vacation cannot be ended again.',
  ),
  CURSOR_EXPIRED: code(410, 'The cursor is older than what is stored, or the event that it stands on was lost with the newest commits of the database.', 'Read again what you need, and continue from a new cursor; the message says how.'), // prettier-ignore
  INVALID_LINK: code(410, 'The link of a mail is unknown, used or too old, or the account was changed after it was sent.', 'Ask for a new link.'), // prettier-ignore
  PAYLOAD_TOO_LARGE: code(413, 'The body is too large.', 'Send less in one request.'),
  ADDRESS_TOO_LONG: code(414, 'The address, or a part of it, is too long.', 'Shorten it.'),
  UNSUPPORTED_MEDIA_TYPE: code(415, 'The media type of the body is not supported.', 'Send JSON, with the header Content-Type: application/json.'), // prettier-ignore
  ILLEGAL_MOVE: code(422, 'The move is illegal; `fault` says why.', 'Choose one of the legal moves.'),
  AMBIGUOUS_MOVE: code(422, 'The text can be read as several legal moves, listed in `candidates`.', 'Send one of the candidates.'), // prettier-ignore
  CLAIM_NOT_MET: code(422, 'The conditions of the claim are not met; the message says what is missing.', 'Continue the game: a wrong claim has no penalty.'), // prettier-ignore
  LIMIT_REACHED: code(429, 'You have reached a limit, such as the number of open challenges.', 'Close or delete some. With `retryAfter`, there may also be room after so many seconds.'), // prettier-ignore
  RATE_LIMITED: code(429, 'You have sent too many requests of this kind in a short time.', LATER),
  HEADERS_TOO_LARGE: code(431, 'The headers of the request are too large.', 'Send fewer or shorter headers.'),
  INTERNAL: code(500, 'An unexpected error occurred on the server.', 'Report the `requestId` to the operator of the server.'), // prettier-ignore
  OVERLOADED: code(503, 'The server is too busy to process the request.', LATER),
  STORAGE_FULL: code(503, 'The server cannot store anything at present.', 'Send changes again later; reading still works.'), // prettier-ignore
  UNAVAILABLE: code(503, 'The server is shutting down or cannot use its database.', LATER),
  GRAPHQL_PARSE_FAILED: protocol('The document is not valid GraphQL.', 'Correct it at the given location.'),
  GRAPHQL_VALIDATION_FAILED: protocol('The document does not match the schema.', 'Correct it at the given location.'), // prettier-ignore
  OPERATION_RESOLUTION_FAILURE: protocol('The document has no operation of the given name, or several and none is named.', 'Name one operation of the document in operationName.'), // prettier-ignore
  PERSISTED_QUERY_NOT_FOUND: protocol('The hash of the persisted query is unknown.', 'Send the query together with its hash.', 200), // prettier-ignore
  PERSISTED_QUERY_NOT_SUPPORTED: protocol('Persisted queries are not supported.', 'Send the query itself.', 200), // prettier-ignore
} as const satisfies Readonly<Record<string, ErrorDefinition>>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.entries<ErrorDefinition>(ERRORS).map(([name, definition]) => ({
  code: name as ErrorCode,
  ...definition,
}));

export const REST_ERROR_CODES = ERROR_CODES.filter(({ graphqlOnly }) => graphqlOnly === undefined);
export const GRAPHQL_ERROR_CODES = ERROR_CODES.filter(({ restOnly }) => restOnly === undefined);
