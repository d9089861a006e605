/** SQL that inserts the games that this query returns: their columns without the generated ones. */
export const insertGames = (query) => `
  DO $insert$
  DECLARE
    names text := (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
      WHERE attrelid = 'games'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
  BEGIN
    EXECUTE 'INSERT INTO games (' || names || ') SELECT ' || names || $query$ FROM (${query}) AS given $query$;
  END
  $insert$`;
