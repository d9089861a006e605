import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { AccountsService } from '../../src/features/accounts/accounts.service.js';
import { Sessions } from '../../src/features/auth/sessions.js';
import { ChangesService } from '../../src/features/changes/changes.service.js';
import { CommitStore } from '../../src/features/games/commit.store.js';
import { VacationSweep } from '../../src/features/vacations/vacation-sweep.js';
import { Referee } from '../../src/features/games/referee.js';
import { LogService } from '../../src/features/transparency/log.service.js';
import { ExplorerCounter } from '../../src/features/openings/explorer.counter.js';
import { Outbox } from '../../src/features/delivery/outbox.js';
import { NewsLog } from '../../src/features/news/news-log.js';
import { PushSender } from '../../src/features/news/push-sender.js';
import { NotificationsService } from '../../src/features/notifications/notifications.service.js';
import { SeeksService } from '../../src/features/matchmaking/seeks.service.js';
import { ChallengesService } from '../../src/features/matchmaking/challenges.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { RatingsService } from '../../src/features/ratings/ratings.service.js';
import { AnnouncementsStore } from '../../src/platform/events/announcements.store.js';
import { graphqlApi, restApi, VERBS } from '../support/api.js';
import { SERVER } from '../support/databases.js';
import { MATE } from '../support/imports.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { ownTerms } from '../support/seeks.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Body, must, select } from '../support/transport.js';

// Both databases: they may plan differently.

/** The data of a server in use: enough that no planner would read a table whole. */
const HISTORY = `
  INSERT INTO users (id, username, display_name, password_hash, created_at)
    SELECT gen_random_uuid(), 'user' || n, 'User', '', now() FROM generate_series(1, 3000) n;
  INSERT INTO applications (id, name, url, created_at)
    SELECT gen_random_uuid(), 'A site', 'https://example.org', now() FROM generate_series(1, 3000);
  INSERT INTO application_owners (application_id, user_id, added_at)
    SELECT a.id, u.id, now() FROM (SELECT id, row_number() OVER () n FROM applications) a
    JOIN (SELECT id, row_number() OVER () n FROM users) u ON u.n = a.n;
  INSERT INTO application_secrets (id, application_id, hash, created_at)
    SELECT gen_random_uuid(), id, md5(id::text), now() FROM applications;
  INSERT INTO sessions (id, user_id, created_at, expires_at)
    SELECT gen_random_uuid(), id, now(), now() + interval '60 days' FROM users, generate_series(1, 4);
  INSERT INTO refresh_tokens (hash, session_id, issued_at) SELECT md5(id::text), id, now() FROM sessions;
  INSERT INTO account_links (hash, user_id, kind, expires_at)
    SELECT md5(id::text || n), id, 'recovery', now() + interval '1 hour' FROM users, generate_series(1, 3) n;
  INSERT INTO known_devices (user_id, mark, seen_at) SELECT id, md5(n::text), now() FROM users, generate_series(1, 4) n;
  INSERT INTO mails (id, kind, user_id, email, about, created_at, due_at)
    SELECT gen_random_uuid(), 'newSignIn', id, 'ann@example.org', '{}', now(), now() + interval '9 days' FROM users, generate_series(1, 3);
  INSERT INTO webhooks (id, user_id, scopes, url, types, secret, created_at, place_tide, place_id, place_part, last_tide, last_id, due_at)
    SELECT gen_random_uuid(), id, 'webhooks', 'https://hooks.example/', '', '', now(), 0, 0, 0, 0, n % 9, now() + interval '9 days' FROM users, generate_series(1, 2) n;
  INSERT INTO webhook_deliveries (id, webhook_id, message_id, type, body, created_at)
    SELECT gen_random_uuid(), id, n::text, 'test', '{}', now() FROM webhooks, generate_series(1, 2) n;
  INSERT INTO rate_counts (key, points, expire) SELECT md5(id::text || n), 1, 9e15 FROM users, generate_series(1, 4) n;
  INSERT INTO challenges (id, kind, creator_id, opponent_id, status, ruleset, options, time_control, rated, side, commitment,
      create_hash, head_hash, created_at, expires_at)
    SELECT gen_random_uuid(), 'direct', a.id, b.id, CASE WHEN a.n % 9 = 0 THEN 'open' ELSE 'expired' END, 'chess', '{}',
           '{"type": "none"}', false, 'any', '', '', '', now(), now() + interval '14 days'
    FROM (SELECT id, row_number() OVER (ORDER BY id) n FROM users) a
    JOIN (SELECT id, row_number() OVER (ORDER BY id DESC) n FROM users) b ON a.n <> 3001 - b.n AND b.n % 500 = a.n % 500;
  INSERT INTO games (id, ruleset, options, time_control, first_id, second_id, status, version, ply_count, turn, position,
      anchor_position, anchor_ply, moves, terms_hash, head_hash, commitment, first_client_seed, second_client_seed, creator,
      sides_by, turn_started_at, deadline_at, created_at, last_activity_at, rated, clock, offers, takebacks, plans)
    SELECT id, ruleset, options, time_control, creator_id, opponent_id, 'active', 1, 1, 'second', '', '', 0, 'e2e4', '', '', '',
           '', '', 'first', 'wish', now(), now() + interval '5 days', now(), now() - random() * interval '99 days', false,
           '{"allowance": null, "given": 0, "stops": [], "reminded": false, "bank": null, "away": {"first": null, "second": null}}',
           '{"draw": null, "takeback": null, "pause": null, "refused": {"first": 0, "second": 0}}', '[]', gen_random_uuid()
    FROM challenges;
  UPDATE games SET status = 'finished', turn = NULL, deadline_at = NULL, reason = 'agreement', ended_at = last_activity_at WHERE random() < 0.9;
  INSERT INTO plies (game_id, seq, ply, player, move, san, position, time_used, automatic, played_at, previous_hash, hash)
    SELECT id, n, n, 'first', 'e2e4', 'e4', '', 0, false, now(), '', '' FROM games, generate_series(1, 2) n;
  INSERT INTO game_events (game_id, seq, type, data, at, hash) SELECT id, 1, 'start', '{}', now(), '' FROM games;
  INSERT INTO deal_secrets (game_id, sealed, created_at) SELECT id, decode(repeat('ab', 61), 'hex'), now() FROM games;
  INSERT INTO vacations (id, user_id, starts_at, ends_at, days, settled, created_at)
    SELECT gen_random_uuid(), id, now() - interval '9 days', now() - interval '8 days', 1, true, now() FROM users;
  INSERT INTO messages (id, game_id, player, text, created_at) SELECT gen_random_uuid(), id, 'first', 'Hello', now() FROM games;
  INSERT INTO game_seats (game_id, player, note, muted) SELECT id, 'first', 'A note', false FROM games;
  INSERT INTO imported_games (id, user_id, import_id, score, plies, ply_count, position, imported_at)
    SELECT gen_random_uuid(), id, id, '{}', '[]', 0, '', now() FROM users, generate_series(1, 5);
  INSERT INTO blocks (blocker_id, blocked_id, created_at)
    SELECT creator_id, opponent_id, now() FROM challenges ON CONFLICT DO NOTHING;
  INSERT INTO notifications (user_id, game_id, type, data, created_at, read_at)
    SELECT first_id, id, type, '{}', last_activity_at, CASE WHEN random() < 0.9 THEN now() END
    FROM games, unnest(ARRAY['drawOffer', 'gameOver']) type;
  INSERT INTO ratings (user_id, ruleset, rating, deviation, volatility, games, wins, draws, losses, rated_at, listed_until)
    SELECT u.id, r.ruleset, 1000 + 1000 * random(), 50 + 100 * random(), 0.09, 1, 1, 0, 0, now() - random() * interval '300 days',
           CASE WHEN random() < 0.2 THEN now() + random() * interval '90 days' END
    FROM unnest(ARRAY['chess', 'half-court-chess', 'xiangqi', 'xiangqi-tournament', 'banqi-hongkong', 'banqi-taiwan', 'half-chess']) r(ruleset),
         users u;
  INSERT INTO rating_changes (game_id, player, user_id, ruleset, number, rating_before, deviation_before, volatility_before,
      rating, deviation, volatility, at)
    SELECT id, 'first', first_id, ruleset, row_number() OVER (PARTITION BY first_id, ruleset), 1500, 60, 0.09, 1510, 59, 0.09, now() FROM games;
  INSERT INTO challenges (id, kind, creator_id, status, ruleset, options, time_control, rated, side, commitment,
      create_hash, head_hash, created_at, expires_at, min_rating, max_rating, terms_key)
    SELECT gen_random_uuid(), 'seek', id, CASE WHEN n = 1 THEN 'open' ELSE 'expired' END, 'chess', '{}', '{"type": "none"}', false,
           'first', '', '', '', now() - random() * interval '9 days', now() + interval '1 day', 1400, 1600,
           'terms ' || left(id::text, 2)
    FROM users, generate_series(1, 3) n;
  DELETE FROM unexplored_games WHERE game_id NOT IN (SELECT game_id FROM unexplored_games LIMIT 5000);
  TRUNCATE unlogged;
  INSERT INTO unlogged (is_end, at, game_id) SELECT true, now(), id FROM games LIMIT 5000;
  INSERT INTO log_entries (idx, game_id, kind, entry)
    SELECT n, gen_random_uuid(), 'open', repeat('x', 300) FROM generate_series(0, 60000) n;
  INSERT INTO log_nodes (level, idx, hash) SELECT 0, n, sha256(n::text::bytea) FROM generate_series(0, 60000) n;
  INSERT INTO opening_moves (position, move, first_won, drawn, second_won)
    SELECT md5((n / 3)::text)::uuid, 'a' || n, 1, 0, 2 FROM generate_series(1, 20000) n;
  INSERT INTO imported_games (id, user_id, import_id, score, plies, ply_count, position, imported_at)
    SELECT id, first_id, id, '{}', '[]', 0, '', now() FROM games;
  INSERT INTO idempotency_keys (actor, key, operation, fingerprint, resource_id, created_at)
    SELECT id::text, 'key', 'createChallenge', '', id, now() FROM games;
  INSERT INTO news_settings (user_id, digest_hour, time_zone, reminders) SELECT id, 8, 'UTC', '[86400]' FROM users;
  INSERT INTO news_items (user_id, channel, game_id, type, at, due_at)
    SELECT first_id, 'mail', id, 'yourTurn', now(), now() + interval '1 day' FROM games;
  INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at)
    SELECT gen_random_uuid(), user_id, id, 'https://push.example/' || id, '', '', now() FROM sessions WHERE user_id IS NOT NULL;
  INSERT INTO pushes (subscription_id, tag, id, items, created_at, pool, due_at)
    SELECT id, n::text, gen_random_uuid(), '[]', now(), n % 3, now() + interval '9 days' FROM push_subscriptions, generate_series(0, 2) n;
`;

const BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

const describeOnServer = SERVER === undefined ? describe.skip : describe;

describeOnServer('every query of the API is served by an index', () => {
  let server: TestServer;
  let database: Client;

  beforeAll(async () => {
    // Background work of the server is called below.
    server = await startServer({ DATABASE_POOL: '1', SWEEP_SECONDS: '3600' });
    database = new Client({ connectionString: server.config.databaseUrl! });
    await database.connect();
    // One by one: a long transaction delays the events of every server on this PostgreSQL.
    for (const statement of HISTORY.split(/;\n/))
      if (statement.trim() !== '') await database.query(statement);
    await database.query('ANALYZE');
  }, 900_000);

  afterAll(async () => {
    await database.end();
    await server.close();
  });

  async function scans(): Promise<Record<string, number>> {
    // The server's only connection reports its statistics at the end of this statement.
    await server.app.get(PrismaService).db.$executeRaw`SELECT pg_stat_force_next_flush()`;
    // event_state always has one row, log_readers one for each reader.
    const { rows } = await database.query<{ relname: string; seq_scan: string }>(
      "SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname NOT IN ('event_state', 'log_readers') ORDER BY relname",
    );
    return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]));
  }

  async function readAndWriteEverything(ann: Person, ben: Person): Promise<void> {
    const api = restApi(server.http);
    await api.login(null, { username: ann.username, password: 'correct horse battery' });
    await api.me(ann);
    await api.updateProfile(ann, { displayName: 'Ann' });
    await api.user(null, ben.username);
    const { id } = await begin(api, ann, ben);
    await api.makeMove(ann, id, 1, 'e2e4');
    await api.makeMove(ann, id, 1, 'e2e4');
    await api.makeMove(ben, id, 2, 'e7e5');
    for (const page of [{}, { last: 1 }]) {
      const { data } = await graphqlApi(server.http).moves(null, id, page);
      await api.moves(null, id, { first: 1, after: data.edges[0]!.cursor });
    }
    for (const list of ['all', 'running', 'ended']) await api.myGames(ann, { list });
    const games = await graphqlApi(server.http).myGames(ann, { list: 'all', first: 1 });
    await api.myGames(ann, { list: 'all', first: 1, after: games.data.pageInfo.endCursor });
    await api.legalMoves(ann, id);
    await api.events(null, id);
    must(await api.publicEvents(null, { first: 1 }));
    await api.resign(ann, id);
    must(await api.record(null, id));
    const open = await api.createChallenge(ann, { ruleset: 'chess', timeControl: { type: 'none' } }, 'a-key');
    await api.createChallenge(ann, { ruleset: 'chess', timeControl: { type: 'none' } }, 'a-key');
    await api.challenge(ann, open.data.id);
    for (const box of ['incoming', 'outgoing']) await api.challenges(ann, { box, first: 1 });
    await api.cancelChallenge(ann, open.data.id);
    await api.refresh(null, ann.refreshToken);
    await begin(api, ann, ben);
    await api.endSessions(ben, true);
    const closed = await api.closeAccount(ann, 'correct horse battery');
    expect(closed.refusal).toBeUndefined();
  }

  /** The same for acts of players other than moves. */
  async function conduct(ann: Person, ben: Person): Promise<void> {
    const api = restApi(server.http);
    const { id } = await begin(api, ann, ben, {
      timeControl: { type: 'bank', initial: 86_400, increment: 60 },
    });
    await api.setConditionalMoves(ben, id, [{ when: 'e2e4', reply: 'e7e5' }]);
    expect((await api.makeMove(ann, id, 1, 'e2e4', {})).data.plyCount).toBe(2);
    await api.plain(ben, 'offerDraw', id);
    await api.plain(ann, 'declineDraw', id);
    await api.plain(ann, 'offerTakeback', id);
    expect((await api.plain(ben, 'acceptTakeback', id)).data.plyCount).toBe(0);
    await api.moves(null, id, { takenBack: 'true' });
    await api.giveTime(ben, id, 1);
    await api.plain(ann, 'offerPause', id);
    await api.inbox(ben, { first: 1 });
    await api.plain(ben, 'acceptPause', id);
    await api.sendMessage(ann, id, 'Hello', 'key');
    await api.messages(ben, id, { last: 1 });
    await api.setNote(ann, id, 'A note');
    await api.muteOpponent(ben, id, true);
    const news = await graphqlApi(server.http).notifications(ben, { first: 1 });
    await api.notifications(ben, { first: 1, unread: 'true' });
    await api.notifications(ben, { first: 1, after: news.data.pageInfo.endCursor });
    await api.markNotificationsRead(ben, { ids: [news.data.edges[0]!.node.id] });
    await api.markNotificationsRead(ben, { gameId: id });
    await api.markNotificationsRead(ben, { before: new Date().toISOString() });
    must(await api.updateNewsSettings(ben, { mail: { yourTurn: 'atOnce' } }));
    must(await api.newsSettings(ben));
    const subscription = must(
      await api.savePushSubscription(ben, { ...BROWSER, endpoint: 'https://push.example/ben' }),
    );
    must(await api.deletePushSubscription(ben, subscription.id));
    for (const person of [ann, ben]) must(await api.savePushSubscription(person, { ...BROWSER, endpoint: `https://push.example/of/${person.id}` })); // prettier-ignore
    await api.resign(ann, id);
    const { data: rematch } = await api.offerRematch(ann, id);
    await api.rematch(ben, id);
    await api.declineChallenge(ben, rematch.id);
    const vacation = must(await api.planVacation(ann, { days: 1 }));
    must(await api.myVacations(ann));
    must(await api.endVacation(ann, vacation.id));
    await bringGames(ann);
    await api.blockUser(ann, ben.username);
    const { data: changed } = await api.changes(ann, { first: 100 });
    await api.changes(ann, { first: 1, since: changed.cursor });
    await api.changes(ann, { fromNow: true });
    await api.blockedUsers(ann, { first: 1 });
    await api.unblockUser(ann, ben.username);
  }

  async function bringGames(ann: Person): Promise<void> {
    const api = restApi(server.http);
    const text = `${MATE}\n${MATE}`;
    const { data: games } = await api.importGames(ann, { text }, 'import');
    expect((await api.importGames(ann, { text }, 'import')).data).toEqual(games);
    const { id } = games[0]!;
    const { data } = await graphqlApi(server.http).myImportedGames(ann, { first: 1 });
    await api.myImportedGames(ann, { first: 1, after: data.pageInfo.endCursor });
    await api.importedMoves(null, id);
    await api.exportImportedGame(null, id);
    await api.deleteImportedGame(ann, id);
  }

  /**
   * What others may request about the games of a player, and about few games. The scan limit for all games is so high
   * that no index is faster in a table of this size.
   */
  async function search(ann: Person, ben: Person): Promise<void> {
    const player = ann.username;
    const filters: readonly Body[] = [
      { player },
      { player, seat: 'first', result: 'won' },
      { player, opponent: ben.username },
      { player, ruleset: 'chess', opening: 'e2e4 e7e5' },
      { reason: 'resignation' },
    ];
    const ask = async (filter: Body, by: string, after?: string) => {
      const page = { first: 2, after };
      const request = VERBS.games.graphql(filter, { by }, page);
      const { data, refusal } = await select(server.http, null, request, '{ pageInfo { endCursor } }');
      expect([filter, by, after, refusal]).toEqual([filter, by, after, undefined]);
      return data.pageInfo.endCursor as string | null;
    };
    for (const filter of filters) {
      for (const by of ['createdAt', 'endedAt', 'lastActivityAt']) {
        const after = await ask(filter, by);
        if (after !== null) await ask(filter, by, after);
      }
    }
    const api = restApi(server.http);
    must(await api.explorer(null, { ruleset: 'chess', moves: 'e2e4 e7e5' }));
    must(await api.statistics(null, player));
    must(await api.opponents(null, player));
    must(await api.headToHead(null, player, ben.username));
  }

  /** A rated game ends, and all related reads follow. */
  async function rate(ann: Person, ben: Person): Promise<void> {
    const api = restApi(server.http);
    const game = await begin(api, ann, ben, { rated: true });
    await playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: ben });
    expect((await api.resign(ann, game.id)).data.ratingChanges).not.toBeNull();
    await api.game(null, game.id);
    await api.ratings(null, ann.username);
    await graphqlApi(server.http).ratings(null, ann.username);
    const { data } = await graphqlApi(server.http).ratingHistory(null, ann.username, 'chess', { first: 1 });
    const cursor = data.pageInfo.endCursor;
    await api.ratingHistory(null, ann.username, 'chess', { first: 1, after: cursor });
    await api.ratingHistory(null, ann.username, 'chess', { last: 1, before: cursor });
    const leaders = await graphqlApi(server.http).leaderboard(null, 'chess', { first: 5 });
    await api.leaderboard(null, 'chess', { first: 5, after: leaders.data.pageInfo.endCursor });
    expect((await api.ratingDistribution(null, 'chess')).data.players).toBeGreaterThan(3000);
    await api.expectedScore(null, { pool: 'chess', a: ann.username, b: ben.username });
    await server.app.get(RatingsService).unlist();
  }

  /** How users find opponents. */
  async function matchmaking(ann: Person, ben: Person): Promise<void> {
    const api = restApi(server.http);
    const terms = ownTerms({ minRating: 1000 });
    const { data: older } = await api.createSeek(ann, terms, 'seek');
    for (const query of [{}, { acceptable: 'true', ruleset: 'chess', rated: 'false', maxSeconds: 1000 }]) {
      const { data } = await api.lobby(ben, { first: 1, ...query });
      await api.lobby(ben, { first: 1, ...query, after: data.pageInfo.endCursor });
    }
    expect((await api.createSeek(ben, terms)).data.gameId).toBe(older.id);
    const { data: taken } = await api.createSeek(ann, ownTerms({ minRating: 1000 }));
    expect((await api.acceptChallenge(ben, taken.id)).refusal).toBeUndefined();
    await api.updateProfile(ann, { challengesFrom: 'rated', challengesWithin: 100 });
    const { data: made } = await api.createChallenge(ben, {
      ...terms,
      minRating: null,
      opponent: ann.username,
    });
    const { data: back } = await api.counterChallenge(ann, made.id, { ...terms, minRating: undefined });
    await api.declineChallenge(ben, back.id, 'later');
  }

  /** Public reads of the log of all games. */
  async function readLog(gameId: string): Promise<void> {
    for (const path of [
      'log/checkpoint',
      'log/tile/0/000',
      'log/tile/entries/000',
      `v1/games/${gameId}/log-proof`,
    ]) {
      expect([path, (await fetch(`${server.url}/${path}`)).status]).toEqual([path, 200]);
    }
    expect((await fetch(`${server.url}/v1/games/${randomUUID()}/log-proof`)).status).toBe(404);
  }

  async function workOfTheServer(told: readonly string[]): Promise<void> {
    const log = server.app.get(AnnouncementsStore);
    await server.app.get(Referee).sweep();
    await server.app.get(CommitStore).nextMoment(new Date());
    await server.app.get(VacationSweep).sweep();
    await server.app.get(NotificationsService).prune();
    await server.app.get(ChangesService).fold();
    await server.app.get(ChangesService).forget();
    await server.app.get(ChallengesService, { strict: false }).expire();
    await server.app.get(SeeksService, { strict: false }).sweep();
    await server.app.get(AccountsService, { strict: false }).sweep();
    await server.app.get(ExplorerCounter, { strict: false }).count();
    await server.app.get(NewsLog, { strict: false }).work();
    await database.query('UPDATE news_items SET due_at = now() WHERE user_id = ANY ($1::uuid[])', [told]);
    await server.app.get(NewsLog, { strict: false }).work();
    await server.app.get(Outbox, { strict: false }).send();
    await server.app.get(PushSender, { strict: false }).send();
    await server.app.get(LogService, { strict: false }).append();
    await log.after(await log.end());
    await server.app.get(Sessions).isLive({ userId: randomUUID(), sessionId: randomUUID() });
  }

  test('no table is read sequentially', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    // Both are told what happens by mail.
    await database.query("UPDATE users SET email = id || '@example.org' WHERE username ~ '^(ann|ben)-'");
    await database.query('ANALYZE');
    const before = await scans();
    await conduct(ann, ben);
    await matchmaking(ann, ben);
    await rate(ann, ben);
    await search(ann, ben);
    await readAndWriteEverything(ann, ben);
    await workOfTheServer([ann.id, ben.id]);
    const { id } = await server.app
      .get(PrismaService)
      .db.game.findFirstOrThrow({ where: { firstId: ann.id, NOT: { endedAt: null } } });
    await readLog(id);
    expect(await scans()).toEqual(before);
  });

  test('a sequential read of a table would be noticed', async () => {
    const before = await scans();
    await server.app.get(PrismaService).db.game.findFirst({ where: { setup: 'none' } });
    expect(await scans()).toEqual({ ...before, games: before['games']! + 1 });
  });
});
