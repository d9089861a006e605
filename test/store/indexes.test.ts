import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import request from 'supertest';
import { Sessions } from '../../src/auth/sessions.js';
import { MOMENTS } from '../../src/games/commit.store.js';
import { Absences } from '../../src/games/absences.js';
import { Referee } from '../../src/games/referee.js';
import { NotificationsService } from '../../src/notifications/notifications.service.js';
import { ChallengesService } from '../../src/matchmaking/challenges.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { OutboxStore } from '../../src/platform/outbox.store.js';
import { restAccounts } from '../support/accounts.js';
import { SERVER } from '../support/databases.js';
import { restDesk } from '../support/desk.js';
import { restInbox } from '../support/inbox.js';
import { begin, register, restPlay, type Person } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { restWaiting } from '../support/waiting.js';

/** What the server has when it has been in use for a while: enough that no planner would read a table whole. */
const HISTORY = `
  INSERT INTO users SELECT gen_random_uuid(), 'user' || n, 'User', '', now() FROM generate_series(1, 3000) n;
  INSERT INTO sessions SELECT gen_random_uuid(), id, now(), now() + interval '60 days', NULL FROM users, generate_series(1, 4);
  INSERT INTO refresh_tokens SELECT md5(id::text), id, now(), NULL FROM sessions;
  INSERT INTO challenges
    SELECT gen_random_uuid(), a.id, b.id, CASE WHEN a.n % 9 = 0 THEN 'open' ELSE 'accepted' END, 'chess', '{}', '{"type": "none"}',
           'any', '', '', NULL, now(), now() + interval '14 days', NULL, false, NULL
    FROM (SELECT id, row_number() OVER (ORDER BY id) n FROM users) a
    JOIN (SELECT id, row_number() OVER (ORDER BY id DESC) n FROM users) b ON a.n <> 3001 - b.n AND b.n % 500 = a.n % 500;
  INSERT INTO games
    SELECT id, ruleset, options, NULL, time_control, creator_id, opponent_id, 'active', 1, 1, 'second', '', '', 0, 'e2e4', '', '', '', NULL,
           '', '', NULL, 'first', false, now(), now() + interval '5 days', NULL, NULL, now(), now() - random() * interval '99 days', NULL,
           false, '{"allowance": null, "given": 0, "stops": [], "reminded": false, "bank": null, "away": {"first": null, "second": null}}',
           '{"draw": null, "takeback": null, "pause": null, "refused": {"first": 0, "second": 0}}', '[]', NULL, 0, NULL, NULL
    FROM challenges;
  UPDATE games SET status = 'finished', turn = NULL, deadline_at = NULL, reason = 'agreement', ended_at = now() WHERE random() < 0.9;
  INSERT INTO plies SELECT id, n, n, 'first', 'e2e4', NULL, NULL, 'e4', '', 0, false, now(), '', '', NULL, NULL FROM games, generate_series(1, 2) n;
  INSERT INTO game_events SELECT id, 1, 'start', NULL, '{}', now() FROM games;
  INSERT INTO deal_secrets SELECT id, '', now() FROM games;
  INSERT INTO outbox (game_id, version, created_at) SELECT id, 1, now() FROM games;
  INSERT INTO vacations SELECT gen_random_uuid(), id, now() - interval '9 days', now() - interval '8 days', 1, true, now() FROM users;
  INSERT INTO messages SELECT gen_random_uuid(), id, 'first', 'Hello', now() FROM games;
  INSERT INTO game_seats SELECT id, 'first', 'A note', false FROM games;
  INSERT INTO blocks SELECT creator_id, opponent_id, now() FROM challenges ON CONFLICT DO NOTHING;
  INSERT INTO notifications
    SELECT first_id, id, type, '{}', last_activity_at, CASE WHEN random() < 0.9 THEN now() END
    FROM games, unnest(ARRAY['yourTurn', 'gameOver']) type;
  INSERT INTO idempotency_keys SELECT id::text, 'key', 'createChallenge', '', id, now() FROM games;
`;

const describeOnServer = SERVER === undefined ? describe.skip : describe;

describeOnServer('every query of the API is served by an index', () => {
  let server: TestServer;
  let database: Client;

  beforeAll(async () => {
    server = await startServer({ DATABASE_POOL: '1' });
    database = new Client({ connectionString: server.config.databaseUrl! });
    await database.connect();
    await database.query(HISTORY);
    await database.query('ANALYZE');
  });

  afterAll(async () => {
    await database.end();
    await server.close();
  });

  async function scans(): Promise<Record<string, number>> {
    // The one connection of the server hands over what it has counted at the end of this statement.
    await server.app.get(PrismaService).db.$executeRaw`SELECT pg_stat_force_next_flush()`;
    const { rows } = await database.query<{ relname: string; seq_scan: string }>(
      'SELECT relname, seq_scan FROM pg_stat_user_tables ORDER BY relname',
    );
    return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]));
  }

  async function readAndWriteEverything(ann: Person, ben: Person): Promise<void> {
    const play = restPlay(server.http);
    const accounts = restAccounts(server.http);
    await accounts.login({ username: ann.username, password: 'correct horse battery' });
    await accounts.me(ann.authorization);
    await accounts.updateProfile({ displayName: 'Ann' }, ann.authorization);
    await accounts.profile(ben.username);
    const { id } = await begin(play, ann, ben);
    await play.makeMove(ann, id, 1, 'e2e4');
    await play.makeMove(ann, id, 1, 'e2e4');
    await play.makeMove(ben, id, 2, 'e7e5');
    for (const page of [{}, { last: 1 }]) {
      const { data } = await play.moves(null, id, page);
      await play.moves(null, id, { first: 1, after: data.edges[0]!.cursor });
    }
    for (const list of ['all', 'running', 'ended']) await play.myGames(ann, { list });
    const games = await play.myGames(ann, { list: 'all', first: 1 });
    await play.myGames(ann, { list: 'all', first: 1, after: games.data.pageInfo.endCursor });
    await play.legalMoves(ann, id);
    await play.events(null, id);
    await play.resign(ann, id);
    await request(server.http).get(`/v1/games/${id}/record`).expect(200);
    const open = await play.createChallenge(
      ann,
      { ruleset: 'chess', timeControl: { type: 'none' } },
      'a-key',
    );
    await play.createChallenge(ann, { ruleset: 'chess', timeControl: { type: 'none' } }, 'a-key');
    await play.challenge(ann, open.data.id);
    for (const box of ['incoming', 'outgoing']) await play.challenges(ann, { box, first: 1 });
    await play.cancelChallenge(ann, open.data.id);
    await accounts.refresh(ann.refreshToken);
    await accounts.logoutEverywhere(ben.authorization);
  }

  /** The same for what players do beside their moves. */
  async function conduct(ann: Person, ben: Person): Promise<void> {
    const play = restPlay(server.http);
    const [desk, inbox] = [restDesk(server.http), restInbox(server.http)];
    const waiting = restWaiting(server.http);
    const { id } = await begin(play, ann, ben, {
      timeControl: { type: 'bank', initial: 86_400, increment: 60 },
    });
    await play.setConditionalMoves(ben, id, [{ when: 'e2e4', reply: 'e7e5' }]);
    expect((await play.makeMove(ann, id, 1, 'e2e4', {})).data.plyCount).toBe(2);
    await play.plain(ben, 'offerDraw', id);
    await play.plain(ann, 'declineDraw', id);
    await play.plain(ann, 'offerTakeback', id);
    expect((await play.plain(ben, 'acceptTakeback', id)).data.plyCount).toBe(0);
    await play.moves(null, id, { takenBack: 'true' });
    await play.giveTime(ben, id, 1);
    await play.plain(ann, 'offerPause', id);
    await waiting.inbox(ben, { first: 1 });
    await play.plain(ben, 'acceptPause', id);
    await desk.sendMessage(ann, id, 'Hello', 'key');
    await desk.messages(ben, id, { last: 1 });
    await desk.setNote(ann, id, 'A note');
    await desk.mute(ben, id, true);
    const news = await inbox.page(ben, { first: 1 });
    await inbox.page(ben, { first: 1, unread: 'true' });
    await inbox.page(ben, { first: 1, after: news.data.pageInfo.endCursor });
    await inbox.mark(ben, { ids: [news.data.edges[0]!.node.id] });
    await inbox.mark(ben, { gameId: id });
    await inbox.mark(ben, { before: new Date().toISOString() });
    await play.resign(ann, id);
    const { data: rematch } = await waiting.offerRematch(ann, id);
    await waiting.rematch(ben, id);
    await play.declineChallenge(ben, rematch.id);
    const authorized = (sent: request.Test) => sent.set('Authorization', ann.authorization);
    const { body: vacation } = await authorized(
      request(server.http).post('/v1/me/vacations').send({ days: 1 }),
    );
    await authorized(request(server.http).get('/v1/me/vacations')).expect(200);
    await authorized(request(server.http).post(`/v1/me/vacations/${vacation.id}/end`)).expect(200);
    await desk.blockUser(ann, ben.username);
    await desk.blockedUsers(ann, { first: 1 });
    await desk.unblockUser(ann, ben.username);
  }

  async function workOfTheServer(): Promise<void> {
    const outbox = server.app.get(OutboxStore);
    for (const moment of MOMENTS) await server.app.get(Referee).sweep(moment);
    await server.app.get(Absences).sweep();
    await server.app.get(NotificationsService).prune();
    await server.app.get(ChallengesService, { strict: false }).expire();
    await outbox.after(await outbox.end());
    await outbox.prune(new Date(0));
    await server.app
      .get(Sessions)
      .isLive({ userId: randomUUID(), sessionId: randomUUID(), expiresAt: new Date() });
  }

  test('no table is read from end to end', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    await database.query('ANALYZE');
    const before = await scans();
    await conduct(ann, ben);
    await readAndWriteEverything(ann, ben);
    await workOfTheServer();
    expect(await scans()).toEqual(before);
  });

  test('a table that is read from end to end would be noticed', async () => {
    const before = await scans();
    await server.app.get(PrismaService).db.game.findFirst({ where: { setup: 'none' } });
    expect(await scans()).toEqual({ ...before, games: before['games']! + 1 });
  });
});
