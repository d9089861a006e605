import { Prisma } from '../../generated/prisma/client.js';
import type { Sql } from '../database/prisma.service.js';
import { HORIZON } from './landmarks.store.js';

/** A reader of the whole log with a stored place, of prisma/migrations. */
export type LogReader = 'news' | 'webhooks';

/** Whether there are rows behind the place of a reader, as an expression. */
export const isLogged = (reader: LogReader): Sql => Prisma.sql`(
  SELECT id FROM events WHERE tide < ${HORIZON} AND (tide, id) > (
    (SELECT tide FROM log_readers WHERE name = ${reader}), (SELECT id FROM log_readers WHERE name = ${reader}))
  ORDER BY tide, id LIMIT 1) IS NOT NULL`;

/**
 * The next `limit` rows of the log, as `next` in a WITH; the statement moves the place of the reader behind them, and so
 * does with them whatever it does once. There are none while another process walks.
 */
export const walk = (reader: LogReader, limit: number): Sql => Prisma.sql`
  stand AS MATERIALIZED (
    SELECT tide, id FROM log_readers WHERE name = ${reader} FOR UPDATE SKIP LOCKED
  ), next AS MATERIALIZED (
    SELECT e.* FROM stand s CROSS JOIN LATERAL (
      SELECT * FROM events WHERE (tide, id) > (s.tide, s.id) AND tide < ${HORIZON}
      ORDER BY tide, id LIMIT ${limit}
    ) e
  ), moved AS (
    UPDATE log_readers SET (tide, id) = (SELECT tide, id FROM next ORDER BY tide DESC, id DESC LIMIT 1)
    WHERE name = ${reader} AND EXISTS (SELECT FROM next)
  )`;
