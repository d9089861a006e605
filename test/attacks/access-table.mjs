import { ACTS } from '../../dist/arbiter/acts/registry.js';
import { seedFor } from './seeds.mjs';

/**
 * The expected permissions of every operation, from docs/security.md and the descriptions in openapi.json.
 * For each of four actors a rule has either `may` (not refused for lack of permission) or the code of the
 * refusal.
 */

export const ACTORS = ['nobody', 'stranger', 'opponent', 'owner'];

const rule = (nobody, stranger, opponent, owner) => ({ nobody, stranger, opponent, owner });
const OUT = 'UNAUTHENTICATED';

const PUBLIC = rule('may', 'may', 'may', 'may');
/**
 * Operations on the caller's own data. That they touch no other user's data is checked by comparing before
 * and after.
 */
const SIGNED_IN = rule(OUT, 'may', 'may', 'may');
const PLAYERS = rule(OUT, 'NOT_YOUR_GAME', 'may', 'may');
const OWNER = rule(OUT, 'FORBIDDEN', 'FORBIDDEN', 'may');
const HIDDEN = rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'may');

const WRONG_PASSWORD = rule(OUT, 'INVALID_CREDENTIALS', 'INVALID_CREDENTIALS', 'INVALID_CREDENTIALS');

const TERMS = { ruleset: 'chess', timeControl: { perMove: { seconds: 86_400 } } };
const INVITATION = { ...TERMS, opponent: { link: true } };

/**
 * A row: the rule, the kind of object, the route with its body (or a function of the id), the field with its
 * arguments.
 */
const row = (may, thing, route, name, { body, args = () => ({}) } = {}) => ({ may, thing, route, name, body, args }); // prettier-ignore

const onGame = (id) => ({ gameId: id });
const inGame = (more) => (id) => ({ input: { gameId: id, ...more } });
const onId = (id) => ({ id });
const inId = (id) => ({ input: { id } });
const giveSeed = (may, thing) => row(may, thing, 'POST /v1/challenges/{id}/client-seed', 'giveClientSeed', { body: (id) => ({ clientSeed: seedFor(id) }), args: (id) => ({ input: { id, clientSeed: seedFor(id) } }) }); // prettier-ignore

// Acts whose only input is the game.
const acts = ACTS.filter(({ input }) => Object.keys(input).length === 0).map(({ name, path }) =>
  row(PLAYERS, 'game', `POST /v1/games/{id}/${path}`, name, { args: inGame({}), body: {} }),
);

const TREE = [{ when: 'e7e5', reply: 'g1f3' }];

const games = [
  ...acts,
  row(PLAYERS, 'game', 'POST /v1/games/{id}/moves', 'makeMove', { body: { ply: 1, move: 'e2e4' }, args: inGame({ ply: 1, move: 'e2e4' }) }), // prettier-ignore
  row(PLAYERS, 'game', 'POST /v1/games/{id}/claim', 'claimDraw', { body: { reason: 'fiftyMoves' }, args: inGame({ reason: 'FIFTY_MOVES' }) }), // prettier-ignore
  row(PLAYERS, 'game', 'POST /v1/games/{id}/time', 'giveTime', { body: { ply: 1 }, args: inGame({ ply: 1 }) }), // prettier-ignore
  // Not refused for a stranger, whose list is empty.
  row(SIGNED_IN, 'game', 'GET /v1/games/{id}/conditional-moves', null),
  row(PLAYERS, 'game', 'PUT /v1/games/{id}/conditional-moves', 'setConditionalMoves', { body: { tree: TREE }, args: inGame({ tree: TREE }) }), // prettier-ignore
  row(PLAYERS, 'game', 'DELETE /v1/games/{id}/conditional-moves', 'clearConditionalMoves', {
    args: inGame({}),
  }),
  row(PLAYERS, 'game', 'GET /v1/games/{id}/messages', null),
  row(PLAYERS, 'game', 'POST /v1/games/{id}/messages', 'sendMessage', { body: { text: 'well played' }, args: inGame({ text: 'well played' }) }), // prettier-ignore
  row(PLAYERS, 'game', 'GET /v1/games/{id}/note', null),
  row(PLAYERS, 'game', 'PUT /v1/games/{id}/note', 'setNote', { body: { note: 'mine' }, args: inGame({ note: 'mine' }) }), // prettier-ignore
  row(PLAYERS, 'game', 'GET /v1/games/{id}/mute', null),
  row(PLAYERS, 'game', 'PUT /v1/games/{id}/mute', 'muteOpponent', { body: { muted: true }, args: inGame({ muted: true }) }), // prettier-ignore
  row(PLAYERS, 'ended', 'POST /v1/games/{id}/rematch', 'offerRematch', { body: {}, args: inGame({}) }),
  row(rule(OUT, 'NOT_FOUND', 'may', 'may'), 'rematched', 'GET /v1/games/{id}/rematch', null),
  // The opponent has accepted without a seed.
  giveSeed(rule(OUT, 'NOT_FOUND', 'INVALID_SEED', 'may'), 'pending'),
  row(PUBLIC, 'game', 'GET /v1/games/{id}', 'game', { args: onId }),
  row(PUBLIC, 'game', 'GET /v1/games/by-ids?ids={id}', 'gamesByIds', { args: (id) => ({ ids: [id] }) }),
  ...['moves', 'legal-moves', 'claimable', 'log', 'record', 'export', 'board.svg', 'board.png'].map((part) => row(PUBLIC, 'game', `GET /v1/games/{id}/${part}`, null)), // prettier-ignore
  row(PUBLIC, 'game', null, 'node', { args: (id) => ({ nodeId: `Game:${id}` }) }),
  row(PUBLIC, 'game', null, 'gameChanged', { args: onGame }),
  row(PUBLIC, 'game', 'GET /v1/games/{id}/events', 'gameEvents', { args: onGame }),
  row(PUBLIC, 'game', 'GET /v1/events', 'publicEvents'),
  row(PUBLIC, 'logged', 'GET /v1/games/{id}/log-proof?entry=open', null),
];

const SEE = rule('NOT_FOUND', 'NOT_FOUND', 'may', 'may');
const SEE_LINK = rule('NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'may');
const CANCEL = rule(OUT, 'NOT_FOUND', 'FORBIDDEN', 'may');
const ANSWER = rule(OUT, 'NOT_FOUND', 'may', 'FORBIDDEN');

const challengeRows = (thing, { see, accept, decline, cancel, linkToken }) => [
  giveSeed(cancel, thing),
  row(see, thing, 'GET /v1/challenges/{id}', 'challenge', { args: onId }),
  row(see, thing, null, 'node', { args: (id) => ({ nodeId: `Challenge:${id}` }) }),
  row(decline, thing, 'POST /v1/challenges/{id}/decline', 'declineChallenge', { body: {}, args: inId }),
  row(decline, thing, 'POST /v1/challenges/{id}/counter', 'counterChallenge', { body: TERMS, args: (id) => ({ input: { id, ...TERMS } }) }), // prettier-ignore
  row(cancel, thing, 'POST /v1/challenges/{id}/cancel', 'cancelChallenge', { args: inId }),
  row(accept, thing, 'POST /v1/challenges/{id}/accept', 'acceptChallenge', { body: { linkToken }, args: (id) => ({ input: { id, linkToken } }) }), // prettier-ignore
];

const WRONG_LINK = 'A'.repeat(43);
const NOT_MINE = rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN');
const LINK_CANCEL = rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'may');
const SEEK_NO = rule(OUT, 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN');

const challenges = [
  ...challengeRows('direct', { see: SEE, accept: rule(OUT, 'NOT_FOUND', 'may', 'OWN_CHALLENGE'), decline: ANSWER, cancel: CANCEL }), // prettier-ignore
  ...challengeRows('link', { see: SEE_LINK, accept: rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'OWN_CHALLENGE'), decline: NOT_MINE, cancel: LINK_CANCEL, linkToken: WRONG_LINK }), // prettier-ignore
  ...challengeRows('seek', { see: PUBLIC, accept: rule(OUT, 'may', 'may', 'OWN_CHALLENGE'), decline: SEEK_NO, cancel: OWNER }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'GET /v1/challenges?box=incoming', 'challenges', { args: () => ({ box: 'INCOMING' }) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'GET /v1/challenges?box=outgoing', 'challenges', { args: () => ({ box: 'OUTGOING' }) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'POST /v1/challenges', 'createChallenge', { body: INVITATION, args: () => ({ input: INVITATION }) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'POST /v1/seeks', 'createSeek', { body: TERMS, args: () => ({ input: TERMS }) }),
  row(PUBLIC, 'ann', 'GET /v1/lobby', 'lobby'),
  row(PUBLIC, 'ann', null, 'lobbyChanged'),
  row(SIGNED_IN, 'ann', 'GET /v1/inbox', 'inbox'),
];

const PGN = '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';

const imports = [
  row(SIGNED_IN, 'ann', 'POST /v1/imports', 'importGames', { body: { text: PGN }, args: () => ({ input: { text: PGN } }) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'GET /v1/me/imports', 'myImportedGames'),
  row(OWNER, 'import', 'DELETE /v1/imports/{id}', 'deleteImportedGame', { args: inId }),
  row(PUBLIC, 'import', 'GET /v1/imports/{id}', 'importedGame', { args: onId }),
  row(PUBLIC, 'import', 'GET /v1/imports/{id}/moves', null),
  row(PUBLIC, 'import', 'GET /v1/imports/{id}/export', null),
];

const BROWSER = {
  endpoint: 'https://push.example/x',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

const DAYS = { days: 1 };

const own = [
  row(SIGNED_IN, 'ann', 'GET /v1/me', 'me'),
  row(SIGNED_IN, 'ann', 'PATCH /v1/me', 'updateProfile', { body: { challengesFrom: 'everybody' }, args: () => ({ input: { challengesFrom: 'EVERYBODY' } }) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'GET /v1/me/blocks', 'blockedUsers'),
  row(SIGNED_IN, 'ann', 'PUT /v1/me/blocks/{nobody}', 'blockUser', { args: (_, { nobody }) => ({ input: { username: nobody } }) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'DELETE /v1/me/blocks/{nobody}', 'unblockUser', { args: (_, { nobody }) => ({ input: { username: nobody } }) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'GET /v1/me/news', 'newsSettings'),
  row(SIGNED_IN, 'ann', 'PATCH /v1/me/news', 'updateNewsSettings', { body: { digestHour: 8 }, args: () => ({ input: { digestHour: 8 } }) }), // prettier-ignore
  row(SIGNED_IN, 'sessions', 'POST /v1/me/push-subscriptions', 'savePushSubscription', { body: BROWSER, args: () => ({ input: BROWSER }) }), // prettier-ignore
  row(rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'), 'sessions', 'DELETE /v1/me/push-subscriptions/01890000-0000-7000-8000-000000000000', 'deletePushSubscription', { args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000' } }) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'GET /v1/notifications', 'notifications'),
  row(SIGNED_IN, 'game', 'POST /v1/notifications/read', 'markNotificationsRead', { body: { before: '1980-01-01T00:00:00.000Z' }, args: inGame({}) }), // prettier-ignore
  row(SIGNED_IN, 'ann', 'GET /v1/me/games', 'myGames'),
  row(SIGNED_IN, 'ann', 'GET /v1/me/vacations', 'myVacations'),
  row(SIGNED_IN, 'ann', 'POST /v1/me/vacations', 'planVacation', {
    body: DAYS,
    args: () => ({ input: DAYS }),
  }),
  row(HIDDEN, 'vacation', 'POST /v1/me/vacations/{id}/end', 'endVacation', { args: inId }),
  row(SIGNED_IN, 'ann', 'GET /v1/changes', 'changes'),
  row(SIGNED_IN, 'ann', 'GET /v1/me/events', 'myEvents'),
  row(SIGNED_IN, 'ann', 'POST /v1/stream-tickets', 'createStreamTicket'),
  row(SIGNED_IN, 'ann', 'GET /v1/me/export', null),
  row(WRONG_PASSWORD, 'ann', 'POST /v1/me/close', 'closeAccount', { body: { password: 'not the right one' }, args: () => ({ input: { password: 'not the right one' } }) }), // prettier-ignore
  // Ends its own sessions, because the actors need theirs.
  row(SIGNED_IN, 'sessions', 'GET /v1/me/sessions', 'mySessions'),
  row(SIGNED_IN, 'sessions', 'DELETE /v1/me/sessions/current', 'logout'),
  row(SIGNED_IN, 'sessions', 'DELETE /v1/me/sessions', 'endSessions', { args: () => ({ input: {} }) }),
  row(rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'), 'sessions', 'DELETE /v1/me/sessions/01890000-0000-7000-8000-000000000000', 'endSession', { args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000' } }) }), // prettier-ignore
  row(SIGNED_IN, 'sessions', 'GET /v1/me/tokens', 'myTokens'),
  row(SIGNED_IN, 'sessions', 'POST /v1/me/tokens', 'createToken', { body: { name: 'x', scopes: ['games:read'] }, args: () => ({ input: { name: 'x', scopes: ['games:read'] } }) }), // prettier-ignore
  row(rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'), 'sessions', 'DELETE /v1/me/tokens/01890000-0000-7000-8000-000000000000', 'deleteToken', { args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000' } }) }), // prettier-ignore
  row(SIGNED_IN, 'sessions', 'GET /v1/me/account', 'myAccount'),
  row(rule(OUT, 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'), 'ann', 'POST /v1/me/claim', 'claimAccount', { body: { username: 'other', password: 'another long one', refreshToken: 'x' }, args: () => ({ input: { username: 'other', password: 'another long one', refreshToken: 'x' } }) }), // prettier-ignore
  row(SIGNED_IN, 'sessions', 'PUT /v1/me/email', 'changeEmail', { body: { email: null }, args: () => ({ input: { email: null } }) }), // prettier-ignore
  row(WRONG_PASSWORD, 'ann', 'POST /v1/me/confirmations', 'confirmPassword', { body: { password: 'not the right one' }, args: () => ({ input: { password: 'not the right one' } }) }), // prettier-ignore
  row(WRONG_PASSWORD, 'ann', 'PUT /v1/me/password', 'changePassword', { body: { current: 'not the right one', password: 'another long one' }, args: () => ({ input: { current: 'not the right one', password: 'another long one' } }) }), // prettier-ignore
];

/** What an application does as itself, which no token of a person allows. */
const NO_APPLICATION = rule(OUT, 'INSUFFICIENT_SCOPE', 'INSUFFICIENT_SCOPE', 'INSUFFICIENT_SCOPE');
const NO_SUCH_APPLICATION = rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND');
const WRONG_SECRET = rule('INVALID_CLIENT', 'INVALID_CLIENT', 'INVALID_CLIENT', 'INVALID_CLIENT');
const SITE = { name: 'A site', url: 'https://example.org' };
const NEW_GAME = { externalId: 'g', first: { externalId: 'a' }, second: { externalId: 'b' }, ...TERMS };

const NO_WEBHOOK = rule(OUT, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND');
const HOOK = '01890000-0000-7000-8000-000000000000';
const TO = { url: 'https://hooks.example/' };

const webhooks = [
  row(SIGNED_IN, 'sessions', 'GET /v1/webhooks', 'myWebhooks'), // prettier-ignore
  row(SIGNED_IN, 'sessions', 'POST /v1/webhooks', 'createWebhook', { body: TO, args: () => ({ input: TO }) }), // prettier-ignore
  row(NO_WEBHOOK, 'sessions', `PATCH /v1/webhooks/${HOOK}`, 'updateWebhook', { body: { on: false }, args: () => ({ input: { id: HOOK, on: false } }) }), // prettier-ignore
  row(NO_WEBHOOK, 'sessions', `DELETE /v1/webhooks/${HOOK}`, 'deleteWebhook', { args: () => ({ input: { id: HOOK } }) }), // prettier-ignore
  row(NO_WEBHOOK, 'sessions', `POST /v1/webhooks/${HOOK}/secrets`, 'replaceWebhookSecret', { args: () => ({ input: { id: HOOK } }) }), // prettier-ignore
  row(NO_WEBHOOK, 'sessions', `POST /v1/webhooks/${HOOK}/tests`, 'testWebhook', { args: () => ({ input: { id: HOOK } }) }), // prettier-ignore
  row(NO_WEBHOOK, 'sessions', `POST /v1/webhooks/${HOOK}/redeliveries`, 'redeliverWebhook', { body: { deliveryId: HOOK }, args: () => ({ input: { id: HOOK, deliveryId: HOOK } }) }), // prettier-ignore
  row(NO_WEBHOOK, 'sessions', `GET /v1/webhooks/${HOOK}/deliveries`, 'webhookDeliveries', { args: () => ({ id: HOOK }) }), // prettier-ignore
];

const applications = [
  row(SIGNED_IN, 'sessions', 'GET /v1/applications', 'myApplications'), // prettier-ignore
  row(SIGNED_IN, 'sessions', 'POST /v1/applications', 'createApplication', { body: SITE, args: () => ({ input: SITE }) }), // prettier-ignore
  row(NO_SUCH_APPLICATION, 'sessions', 'PATCH /v1/applications/01890000-0000-7000-8000-000000000000', 'updateApplication', { body: { chat: false }, args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000', chat: false } }) }), // prettier-ignore
  row(NO_SUCH_APPLICATION, 'sessions', 'DELETE /v1/applications/01890000-0000-7000-8000-000000000000', 'deleteApplication', { args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000' } }) }), // prettier-ignore
  row(NO_SUCH_APPLICATION, 'sessions', 'POST /v1/applications/01890000-0000-7000-8000-000000000000/secrets', 'createApplicationSecret', { args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000' } }) }), // prettier-ignore
  row(NO_SUCH_APPLICATION, 'sessions', 'DELETE /v1/applications/01890000-0000-7000-8000-000000000000/secrets/01890000-0000-7000-8000-000000000000', 'deleteApplicationSecret', { args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000', secretId: '01890000-0000-7000-8000-000000000000' } }) }), // prettier-ignore
  row(NO_SUCH_APPLICATION, 'sessions', 'POST /v1/applications/01890000-0000-7000-8000-000000000000/owners', 'addApplicationOwner', { body: { username: 'nobody-of-this-name' }, args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000', username: 'nobody-of-this-name' } }) }), // prettier-ignore
  row(NO_SUCH_APPLICATION, 'sessions', 'DELETE /v1/applications/01890000-0000-7000-8000-000000000000/owners/nobody-of-this-name', 'removeApplicationOwner', { args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000', username: 'nobody-of-this-name' } }) }), // prettier-ignore
  row(WRONG_SECRET, 'sessions', 'POST /v1/applications/01890000-0000-7000-8000-000000000000/tokens', 'createApplicationToken', { body: { secret: 'x' }, args: () => ({ input: { id: '01890000-0000-7000-8000-000000000000', secret: 'x' } }) }), // prettier-ignore
  row(WRONG_SECRET, 'sessions', 'POST /oauth/token', null, { body: { grant_type: 'client_credentials', client_id: '01890000-0000-7000-8000-000000000000', client_secret: 'x' } }), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'GET /v1/application', 'application'), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'GET /v1/application/players', 'ownPlayers'), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'GET /v1/application/players/a', 'ownPlayer', { args: () => ({ externalId: 'a' }) }), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'PUT /v1/application/players/a', 'savePlayer', { body: { displayName: 'Ann' }, args: () => ({ input: { externalId: 'a', displayName: 'Ann' } }) }), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'PUT /v1/application/players', 'savePlayers', { body: { players: [{ externalId: 'a', displayName: 'Ann' }] }, args: () => ({ input: { players: [{ externalId: 'a', displayName: 'Ann' }] } }) }), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'POST /v1/application/players/a/tokens', 'createPlayerToken', { body: {}, args: () => ({ input: { externalId: 'a' } }) }), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'DELETE /v1/application/players/a', 'erasePlayer', { args: () => ({ input: { externalId: 'a' } }) }), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'GET /v1/application/games', 'ownGames'), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'GET /v1/application/events', 'ownEvents'), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'GET /v1/application/messages', 'ownMessages'), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'GET /v1/application/players/a/export', null), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'POST /v1/application/players/a/claim-links', 'createClaimLink', { body: {}, args: () => ({ input: { externalId: 'a' } }) }), // prettier-ignore
  row(NO_APPLICATION, 'sessions', 'POST /v1/application/games', 'createGames', { body: { games: [NEW_GAME] }, args: () => ({ input: { games: [NEW_GAME] } }) }), // prettier-ignore
];

const CHESS = () => ({ pool: 'chess' });
const NAMED = (_, { owner }) => ({ username: owner });
const PAIR = (_, { owner, opponent }) => ({ a: owner, b: opponent, pool: 'chess' });
const HALF_COURT = { ruleset: 'half-court-chess', number: 1 };

const open = [
  row(PUBLIC, 'ann', 'GET /v1', 'server'),
  row(PUBLIC, 'ann', 'GET /v1/users?prefix=an', 'users', { args: () => ({ prefix: 'an' }) }),
  row(PUBLIC, 'ann', 'GET /v1/users/{owner}', 'user', { args: NAMED }),
  row(PUBLIC, 'ann', 'GET /v1/users/{owner}/ratings', null),
  row(PUBLIC, 'ann', 'GET /v1/users/{owner}/ratings/chess', 'ratingHistory', { args: (_, { owner }) => ({ username: owner, pool: 'chess' }) }), // prettier-ignore
  row(PUBLIC, 'ann', 'GET /v1/users/{owner}/statistics', 'statistics', { args: NAMED }),
  row(PUBLIC, 'ann', 'GET /v1/users/{owner}/opponents', 'opponents', { args: NAMED }),
  row(PUBLIC, 'ann', 'GET /v1/users/{owner}/against/{opponent}', 'headToHead', { args: PAIR }),
  row(PUBLIC, 'ann', 'GET /v1/users/{owner}/games', null),
  row(PUBLIC, 'ann', 'GET /v1/exports/games', null),
  row(PUBLIC, 'ann', 'GET /v1/games', 'games'),
  row(PUBLIC, 'ann', 'GET /v1/rating-pools', 'ratingPools'),
  row(PUBLIC, 'ann', 'GET /v1/leaderboards/chess', 'leaderboard', { args: CHESS }),
  row(PUBLIC, 'ann', 'GET /v1/ratings/chess/distribution', 'ratingDistribution', { args: CHESS }),
  row(PUBLIC, 'ann', 'GET /v1/expected-score?a={owner}&b={opponent}&pool=chess', 'expectedScore', { args: PAIR }), // prettier-ignore
  row(PUBLIC, 'ann', 'GET /v1/rulesets', 'rulesets'),
  row(PUBLIC, 'ann', 'GET /v1/rulesets/chess', 'ruleset', { args: () => ({ id: 'chess' }) }),
  ...['svg', 'png'].map((type) => row(PUBLIC, 'ann', `GET /v1/boards/chess.${type}`, null)),
  row(PUBLIC, 'ann', 'GET /v1/rulesets/half-court-chess/setups/1', 'setup', { args: () => HALF_COURT }),
  row(PUBLIC, 'ann', 'GET /v1/rulesets/half-court-chess/setups?text=RNBQK/rnbqk', null),
  row(PUBLIC, 'ann', 'GET /v1/rulesets/chess/explorer', 'explorer', { args: () => ({ ruleset: 'chess' }) }),
  row(PUBLIC, 'ann', 'POST /v1/analyse', 'analyse', { body: { ruleset: 'chess' }, args: () => ({ input: { ruleset: 'chess' } }) }), // prettier-ignore
  row(PUBLIC, 'ann', 'GET /v1/error-codes', 'errorCodes'),
  row(PUBLIC, 'ann', 'GET /livez', null),
  row(PUBLIC, 'ann', 'GET /readyz', null),
  row(PUBLIC, 'ann', 'GET /.well-known/halfmove.json', null),
  row(PUBLIC, 'logged', 'GET /log/checkpoint', null),
  row(PUBLIC, 'logged', 'GET /log/tile/{tile}', null),
  row(PUBLIC, 'ann', 'GET /verify', null),
  row(PUBLIC, 'ann', 'GET /verify.js', null),
];

export const TABLE = [...games, ...challenges, ...imports, ...own, ...webhooks, ...applications, ...open];

/**
 * Operations that take a password, a refresh token or the secret of a link instead of an access token; the attack
 * "tokens" covers them.
 */
export const WITHOUT_AN_OWNER = [
  ...['POST /v1/users', 'POST /v1/sessions', 'POST /v1/sessions/refresh', 'register', 'login', 'refresh'],
  ...['POST /v1/email-verifications', 'POST /v1/recoveries', 'POST /v1/recoveries/complete'],
  ...['verifyEmail', 'requestRecovery', 'completeRecovery', 'POST /v1/guests', 'createGuest'],
  ...['POST /v1/claims', 'claimPlayer', 'POST /v1/claims/look', 'lookAtClaim'],
];
