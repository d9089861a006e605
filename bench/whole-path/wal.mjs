import pg from 'pg';

/**
 * What was written to one database, read from PostgreSQL's write-ahead log by pg_walinspect. The log holds the
 * writes of all databases, so the counts are exact whatever else the server does: records count if their
 * transaction, or the record itself without one, touched this database.
 */

/** The log may hold millions of records; each is read once, and only sums are sent. */
const RECORDS = `
WITH ours AS (SELECT format('rel %s/%s/', t.oid, d.oid) AS prefix
              FROM pg_database d, pg_tablespace t
              WHERE d.datname = current_database() AND t.oid = d.dattablespace),
read AS MATERIALIZED (
  SELECT xid::text AS xid, resource_manager || ' ' || record_type AS kind, record_length, fpi_length,
         substring(block_ref from 'rel \\d+/\\d+/(\\d+)')::oid AS filenode,
         strpos(block_ref, (SELECT prefix FROM ours)) > 0 AS here
  FROM pg_get_wal_records_info($1, $2)),
here AS (SELECT DISTINCT xid FROM read WHERE here AND xid <> '0')
SELECT kind,
       coalesce(pg_filenode_relation(0, filenode)::regclass::text, '') AS relation,
       count(*)::int AS records,
       sum(record_length)::int AS bytes,
       sum(fpi_length)::int AS images
FROM read WHERE here OR xid IN (SELECT xid FROM here)
GROUP BY 1, 2 ORDER BY bytes DESC`;

const ROWS = {
  inserted: /^Heap INSERT|^Heap2 MULTI_INSERT/,
  updated: /^Heap (HOT_)?UPDATE/,
  hot: /^Heap HOT_UPDATE/,
  deleted: /^Heap DELETE/,
};

/** `{ bytes, images, commits, rows: { inserted, updated, hot, deleted }, kinds }`; bytes are without page images. */
function summary(kinds) {
  const sum = (wanted, column) =>
    kinds.filter(({ kind }) => wanted.test(kind)).reduce((all, one) => all + one[column], 0);
  return {
    bytes: sum(/./, 'bytes') - sum(/./, 'images'),
    // Copies of whole pages, written when a page changes for the first time after a checkpoint.
    images: sum(/./, 'images'),
    commits: sum(/^Transaction COMMIT/, 'records'),
    rows: Object.fromEntries(Object.entries(ROWS).map(([name, wanted]) => [name, sum(wanted, 'records')])),
    kinds,
  };
}

/** A reader of what is written to the database of a URL from `start()` on. */
export async function openWal(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  const position = async () =>
    (await client.query('SELECT pg_current_wal_insert_lsn()::text AS lsn')).rows[0].lsn;
  let from;
  return {
    client,
    start: async () => {
      from = await position();
    },
    /** The sums since the start. */
    read: async () => {
      const to = (await client.query('SELECT pg_current_wal_flush_lsn()::text AS lsn')).rows[0].lsn;
      // PostgreSQL refuses a span in which nothing was written.
      if (to === from) return summary([]);
      return summary((await client.query(RECORDS, [from, to])).rows);
    },
    close: () => client.end(),
  };
}
