import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Sql, type Transaction } from '../../platform/database/prisma.service.js';
import { LAST } from '../../platform/events/landmarks.store.js';
import { isLogged, walk } from '../../platform/events/log-walk.store.js';
import type { NoticeType } from '../notifications/notification.row.js';
import { GATHERING_MS } from './due.js';
import type { NewsChannel, NewsWishes } from './news-kinds.js';
import type { Candidate, NewsItem, OpenChallenge, PostedItem, Reach } from './news.row.js';
import { PushStore, SEVERAL } from './push.store.js';

/** Whether there is something to walk, and for whom. */
interface Look {
  readonly isLogged: boolean;
  readonly isAnybodyTold: boolean;
}

const WISHES = Prisma.sql`s.mail, s.push, s.quiet_from::integer AS "quietFrom", s.quiet_until::integer AS "quietUntil",
  s.digest_hour::integer AS "digestHour", s.time_zone AS "timeZone", s.reminders`;

/** In the words of the index. */
const HAS_MAIL = Prisma.sql`email IS NOT NULL AND email_off_at IS NULL AND closed_at IS NULL`;

/** Whether there is anybody who can be told, by mail if the server sends any. */
const isAnybodyTold = (byMail: boolean): Sql => Prisma.sql`(
  ${byMail} AND (SELECT id FROM users WHERE ${HAS_MAIL} ORDER BY id LIMIT 1) IS NOT NULL
  OR (SELECT id FROM push_subscriptions ORDER BY id LIMIT 1) IS NOT NULL)`;

/** The types that come with a change of a game. */
const OF_GAMES = [
  ...['drawOffer', 'takebackOffer', 'pauseOffer', 'timeRequest', 'offerAnswered', 'timeGiven', 'pauseEnding'],
  ...['gameStarted', 'gameOver'],
] as const satisfies readonly NoticeType[];

/** News that is told so long after it happened has waited for a digest, or for the end of quiet hours. */
const WAITED_MS = 10 * 60_000;
/** What has waited in more games makes one push. */
const MOST_APART = 3;

/** The entries of a game's log with which a turn begins, apart from a ply. */
const BEGINNINGS = ['start', 'acceptTakeback'];

/** A mail of more is too long. */
const GAMES_OF_A_MAIL = 50;

@Injectable()
export class NewsStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly pushes: PushStore,
  ) {}

  async wishesOf(userId: string, tx: Transaction = this.prisma.db): Promise<NewsWishes | null> {
    const rows = await tx.$queryRaw<NewsWishes[]>`
      SELECT ${WISHES} FROM news_settings s WHERE s.user_id = ${userId}::uuid`;
    return rows[0] ?? null;
  }

  async reachOf(userId: string): Promise<Reach> {
    const [row] = await this.prisma.query<Reach[]>`
      SELECT email, email_off_at AS "emailOffAt" FROM users WHERE id = ${userId}::uuid`;
    return row ?? { email: null, emailOffAt: null };
  }

  /** Does `work` in one transaction while the user is held; false if the account is closed. */
  changing(userId: string, work: (tx: Transaction) => Promise<void>): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const held = await tx.$queryRaw<unknown[]>`
        SELECT FROM users WHERE id = ${userId}::uuid AND closed_at IS NULL FOR NO KEY UPDATE`;
      if (held.length > 0) await work(tx);
      return held.length > 0;
    });
  }

  async save(tx: Transaction, userId: string, wishes: NewsWishes): Promise<void> {
    const { mail, push, quietFrom, quietUntil, digestHour, timeZone, reminders } = wishes;
    await tx.$executeRaw`
      INSERT INTO news_settings (user_id, mail, push, quiet_from, quiet_until, digest_hour, time_zone, reminders)
      VALUES (${userId}::uuid, ${JSON.stringify(mail)}::jsonb, ${JSON.stringify(push)}::jsonb, ${quietFrom}::smallint,
        ${quietUntil}::smallint, ${digestHour}::smallint, ${timeZone}, ${JSON.stringify(reminders)}::jsonb)
      ON CONFLICT (user_id) DO UPDATE SET mail = excluded.mail, push = excluded.push, quiet_from = excluded.quiet_from,
        quiet_until = excluded.quiet_until, digest_hour = excluded.digest_hour, time_zone = excluded.time_zone,
        reminders = excluded.reminders`;
  }

  /** Mail to this address is refused from now on, or no longer with null. */
  async switchOff(
    userId: string,
    email: string | null,
    offAt: Date | null,
    tx: Transaction = this.prisma.db,
  ): Promise<void> {
    await tx.$executeRaw`
      UPDATE users SET email_off_at = ${offAt}::timestamptz
      WHERE id = ${userId}::uuid AND closed_at IS NULL AND (${email}::text IS NULL OR email = ${email})
        AND (email_off_at IS NULL) <> (${offAt}::timestamptz IS NULL)`;
  }

  /** Whether there is something to walk; asked again and again, and so without writing, and by indexes alone. */
  async look(byMail: boolean): Promise<Look> {
    const [look] = await this.prisma.query<[Look]>`
      SELECT ${isLogged('news')} AS "isLogged", ${isAnybodyTold(byMail)} AS "isAnybodyTold"`;
    return look;
  }

  /** While nobody can be told anything, the place moves to the end of the log. */
  async skip(byMail: boolean): Promise<void> {
    await this.prisma.query`
      UPDATE log_readers r SET tide = l.tide, id = l.id FROM (${LAST}) l
      WHERE r.name = 'news' AND NOT ${isAnybodyTold(byMail)} RETURNING r.id`;
  }

  /**
   * The place behind the next rows of the log moves, and what they bring is stored, at once. False if another process
   * does it.
   */
  walk(
    limit: number,
    byMail: boolean,
    itemsOf: (found: readonly Candidate[]) => readonly NewsItem[],
  ): Promise<boolean> {
    return this.alone(async (tx) => {
      const found = await tx.$queryRaw<Candidate[]>(candidates(limit, byMail));
      const items = itemsOf(found);
      if (items.length > 0) await tx.$executeRaw(insertion(items));
      const over = found.filter(({ type }) => type === 'turnOver');
      if (over.length > 0) await tx.$executeRaw(this.pushes.takingBack(over));
    });
  }

  /** Does `work` in a transaction that one process at a time has; false if another one has it. */
  private alone(work: (tx: Transaction) => Promise<void>): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const stand = await tx.$queryRaw<unknown[]>`
        SELECT FROM log_readers WHERE name = 'news' FOR UPDATE SKIP LOCKED`;
      if (stand.length > 0) await work(tx);
      return stand.length > 0;
    });
  }

  /** Whether something is due on this channel; asked again and again. */
  async isDue(channel: NewsChannel, now: Date): Promise<boolean> {
    const rows = await this.prisma.query<unknown[]>`
      SELECT FROM (
        SELECT due_at FROM news_items WHERE channel = ${channel} ORDER BY due_at LIMIT 1
      ) next WHERE due_at <= ${now}::timestamptz`;
    return rows.length > 0;
  }

  /**
   * Posts what is due, one mail for each user with what is due in the next minute, or several if it is of many games. False if another
   * process does it.
   */
  postMails(limit: number, now: Date, posting: (source: Sql) => Sql): Promise<boolean> {
    return this.alone(async (tx) => {
      await tx.$executeRaw(Prisma.sql`
        WITH ${gone('mail', limit, now)}, told AS (
          SELECT g.user_id, u.email, ${ITEMS} AS items
          FROM (
            SELECT *, (dense_rank() OVER (PARTITION BY user_id ORDER BY game_id) - 1) / ${GAMES_OF_A_MAIL}::integer AS part
            FROM gone
          ) g CROSS JOIN LATERAL (
            SELECT email FROM users WHERE id = g.user_id AND ${HAS_MAIL} OFFSET 0) u
          GROUP BY g.user_id, u.email, g.part
        )
        ${posting(Prisma.sql`SELECT user_id AS "userId", email, jsonb_build_object('items', items) AS about FROM told`)}`);
    });
  }

  /**
   * Posts what is due, one push for each game and browser; what has waited for the hour of a digest or the end of quiet
   * hours makes one for all games. False if another process does it.
   */
  postPushes(limit: number, now: Date): Promise<boolean> {
    return this.alone(async (tx) => {
      await tx.$executeRaw(Prisma.sql`
        WITH ${gone('push', limit, now)}, waited AS (
          SELECT user_id, count(DISTINCT game_id) AS games FROM gone
          WHERE due_at - at > ${WAITED_MS}::integer * interval '1 millisecond' GROUP BY user_id
        ), told AS (
          SELECT g.user_id, ${ITEMS} AS items, CASE WHEN w.games > ${MOST_APART}::integer
            AND due_at - at > ${WAITED_MS}::integer * interval '1 millisecond' THEN ${SEVERAL} ELSE game_id::text END AS tag
          FROM gone g LEFT JOIN waited w USING (user_id) GROUP BY g.user_id, tag
        )
        ${this.pushes.posting(Prisma.sql`SELECT user_id AS "userId", tag, items FROM told`, now)}`);
    });
  }

  /** What waits for a user, to be timed anew. */
  waiting(tx: Transaction, userId: string): Promise<NewsItem[]> {
    return tx.$queryRaw<NewsItem[]>`
      SELECT user_id::text AS "userId", channel, game_id::text AS "gameId", type, before, at, ply, began,
        due_at AS "dueAt"
      FROM news_items WHERE user_id = ${userId}::uuid ORDER BY channel, game_id, type, before FOR UPDATE`;
  }

  async replace(tx: Transaction, userId: string, items: readonly NewsItem[]): Promise<void> {
    await tx.$executeRaw`DELETE FROM news_items WHERE user_id = ${userId}::uuid`;
    if (items.length > 0) await tx.$executeRaw(insertion(items));
  }

  /** Which of these notifications of a user are unread. */
  unread(userId: string, items: readonly PostedItem[]): Promise<Pick<PostedItem, 'gameId' | 'type'>[]> {
    return this.prisma.query<Pick<PostedItem, 'gameId' | 'type'>[]>`
      SELECT n.game_id::text AS "gameId", n.type
      FROM unnest(${items.map(({ gameId }) => gameId)}::uuid[], ${items.map(({ type }) => type)}::text[]) AS a(game_id, type)
      JOIN notifications n ON n.user_id = ${userId}::uuid AND n.game_id = a.game_id AND n.type = a.type
      WHERE n.read_at IS NULL`;
  }

  challenges(ids: readonly string[], now: Date): Promise<OpenChallenge[]> {
    return this.prisma.query<OpenChallenge[]>`
      SELECT id::text AS id, creator_id::text AS "creatorId", ruleset FROM challenges
      WHERE id = ANY(${[...ids]}::uuid[]) AND status = 'open' AND expires_at > ${now}::timestamptz`;
  }
}

/** What is due on a channel and was not told, as `gone` in a WITH; the statement deletes it. */
const gone = (channel: NewsChannel, limit: number, now: Date): Sql => Prisma.sql`
  gone AS (
    DELETE FROM news_items WHERE channel = ${channel} AND due_at <= ${new Date(now.getTime() + GATHERING_MS[channel])}::timestamptz
      AND user_id = ANY (ARRAY(
        SELECT user_id FROM news_items WHERE channel = ${channel} AND due_at <= ${now}::timestamptz
        ORDER BY due_at LIMIT ${limit}::integer))
    RETURNING *
  )`;

/** As PostedItem. */
const ITEMS = Prisma.sql`jsonb_agg(jsonb_build_object('gameId', g.game_id, 'type', g.type, 'before', g.before,
  'ply', g.ply, 'at', round(extract(epoch FROM g.at) * 1000)) ORDER BY g.due_at, g.game_id, g.type)`;

// Each step reads by keys of the one before: OFFSET 0 keeps the planner from joining whole tables. What lay in the log for
// a day, while mail was off, is no news.
const candidates = (limit: number, byMail: boolean): Sql => Prisma.sql`
  WITH ${walk('news', limit)}, listening AS MATERIALIZED (
    SELECT e.tide, e.id, e.type, e.game_id, e.version, e.steps, e.subject, u.id AS user_id, u.by_mail, u.by_push,
      s.mail, s.push, s.quiet_from, s.quiet_until, s.digest_hour, s.time_zone, s.reminders
    FROM next e CROSS JOIN LATERAL (
      SELECT id, by_mail, by_push FROM (
        SELECT id, ${byMail} AND ${HAS_MAIL} AND kind = 'person' AS by_mail,
          EXISTS (SELECT FROM push_subscriptions WHERE user_id = users.id) AS by_push
        FROM users WHERE id = ANY (ARRAY[e.user_id, e.other_id]) AND closed_at IS NULL OFFSET 0
      ) each WHERE by_mail OR by_push) u
    LEFT JOIN LATERAL (SELECT * FROM news_settings WHERE user_id = u.id OFFSET 0) s ON true
    WHERE e.at > now() - interval '1 day' AND e.steps IS DISTINCT FROM 0
      AND (e.type IS NULL OR e.type IN ('messageSent', 'challengeCreated', 'challengeDeclined', 'conditionalPlayed', 'conditionalDropped'))
  ), logged AS MATERIALIZED (
    SELECT l.*, log.at AS logged_at, log.type AS logged
    FROM listening l CROSS JOIN LATERAL (
      SELECT 'ply' AS type, played_at AS at FROM plies
      WHERE game_id = l.game_id AND seq > l.version - l.steps AND seq <= l.version
      UNION ALL
      SELECT type, at FROM game_events WHERE game_id = l.game_id AND seq > l.version - l.steps AND seq <= l.version
    ) log
    WHERE l.type IS NULL
  ), about AS (
    SELECT DISTINCT ON (m.user_id, m.game_id) m.user_id, m.by_mail, m.by_push, 'yourTurn' AS type, m.game_id, g.turn_started_at AS at,
      bool_or(m.logged = 'ply' OR m.logged = ANY(${BEGINNINGS}::text[])) OVER (PARTITION BY m.user_id, m.game_id) AS is_new,
      g.ply_count AS ply, g.deadline_at, ${wishesIn('m')}
    FROM logged m CROSS JOIN LATERAL (
      SELECT turn_started_at, ply_count, deadline_at FROM games
      WHERE id = m.game_id AND CASE turn WHEN 'first' THEN first_id WHEN 'second' THEN second_id END = m.user_id OFFSET 0) g
    UNION ALL
    SELECT DISTINCT ON (m.user_id, m.game_id) m.user_id, false, true, 'turnOver', m.game_id, g.at, true, NULL::integer,
      NULL::timestamptz, ${wishesIn('m')}
    FROM logged m CROSS JOIN LATERAL (
      SELECT ended_at AS at FROM games
      WHERE id = m.game_id AND m.user_id IS DISTINCT FROM CASE turn WHEN 'first' THEN first_id WHEN 'second' THEN second_id END
      OFFSET 0) g
    WHERE m.by_push
    UNION ALL
    SELECT m.user_id, m.by_mail, m.by_push, n.type, m.game_id, n.created_at, true, NULL, NULL, ${wishesIn('m')}
    FROM logged m CROSS JOIN LATERAL (
      SELECT type, created_at FROM notifications
      WHERE user_id = m.user_id AND game_id = m.game_id AND type = ANY(${[...OF_GAMES]}::text[]) AND read_at IS NULL OFFSET 0) n
    WHERE CASE n.type WHEN 'gameStarted' THEN m.logged = 'accept' ELSE m.logged <> 'ply' AND m.logged_at = n.created_at END
    UNION ALL
    SELECT l.user_id, l.by_mail, l.by_push, n.type, n.game_id, n.created_at, true, NULL, NULL, ${wishesIn('l')}
    FROM listening l CROSS JOIN LATERAL (
      SELECT type, game_id, created_at FROM notifications
      WHERE user_id = l.user_id AND read_at IS NULL
        AND game_id = CASE WHEN l.type IN ('challengeCreated', 'challengeDeclined') THEN l.subject::uuid ELSE l.game_id END
        AND type = ANY (CASE l.type
          WHEN 'messageSent' THEN ARRAY['message']
          WHEN 'challengeCreated' THEN ARRAY['challenge', 'rematch']
          WHEN 'challengeDeclined' THEN ARRAY['challengeAnswered']
          ELSE ARRAY[l.type] END) OFFSET 0) n
    WHERE l.type IS NOT NULL
      AND (l.type <> 'messageSent' OR n.created_at = (SELECT created_at FROM messages WHERE id = l.subject::uuid))
  )
  SELECT s.user_id::text AS "userId", s.by_mail AS "byMail", s.by_push AS "byPush", s.type, s.game_id::text AS "gameId", s.at, s.is_new AS "isNew", s.ply,
    s.deadline_at AS "deadlineAt", ${WISHES}
  FROM about s`;

/** The wishes of a listener, under the names of their columns. */
function wishesIn(alias: 'm' | 'l'): Sql {
  const of = Prisma.raw(alias);
  return Prisma.sql`${of}.mail, ${of}.push, ${of}.quiet_from, ${of}.quiet_until, ${of}.digest_hour, ${of}.time_zone, ${of}.reminders`;
}

/** What waits already keeps its time, except reminders, whose deadline has moved. */
const insertion = (items: readonly NewsItem[]): Sql => Prisma.sql`
  INSERT INTO news_items (user_id, channel, game_id, type, before, at, ply, began, due_at)
  SELECT n."userId", n.channel, n."gameId", n.type, n.before, n.at, n.ply, n.began, n."dueAt"
  FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS n("userId" uuid, channel text, "gameId" uuid, type text,
    before integer, at timestamptz, ply integer, began timestamptz, "dueAt" timestamptz)
  ORDER BY n."userId", n.channel, n."gameId", n.type, n.before
  ON CONFLICT (user_id, channel, game_id, type, before) DO UPDATE SET at = excluded.at, ply = excluded.ply,
    began = excluded.began, due_at = CASE news_items.type WHEN 'reminder' THEN excluded.due_at
      ELSE least(news_items.due_at, excluded.due_at) END`;
