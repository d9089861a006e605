-- The log of all games (docs/fairness.md, "The log"): what was opened and what has ended, as a Merkle tree in tiles.
CREATE TABLE log_entries (
  idx     bigint PRIMARY KEY CHECK (idx >= 0),
  game_id uuid NOT NULL,
  kind    text NOT NULL CHECK (kind IN ('open', 'end')),
  -- Canonical JSON: its bytes in UTF-8 are what is hashed.
  entry   text NOT NULL,
  UNIQUE (game_id, kind)
);
-- Level 0: the hash of each entry; above it the root of each full tile, which has 256 hashes of the level below.
CREATE TABLE log_nodes (
  level smallint NOT NULL,
  idx   bigint NOT NULL,
  hash  bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (level, idx)
);
CREATE TRIGGER log_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_nodes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_nodes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What waits to be logged, in the order in which it will be: openings first. Written by the triggers below, in the
-- transaction of what happens, so that nothing the program does can be forgotten.
CREATE TABLE unlogged (
  is_end  boolean NOT NULL,
  at      timestamptz(3) NOT NULL,
  game_id uuid NOT NULL,
  PRIMARY KEY (is_end, at, game_id)
);

CREATE FUNCTION leave_opening_unlogged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unlogged VALUES (false, NEW.created_at, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE FUNCTION leave_closing_unlogged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unlogged VALUES (true, coalesce(NEW.answered_at, now()), NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE FUNCTION leave_end_unlogged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unlogged VALUES (true, NEW.ended_at, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

-- A challenge that became no game of its own id is over with its answer. Rows that come in closed or ended, as those of
-- an imported database do, wait as well: what the log has already is taken off the list.
CREATE FUNCTION became_no_game(status text, id uuid, game_id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status IN ('declined', 'countered', 'cancelled', 'expired') OR status = 'accepted' AND game_id <> id
$$;
CREATE TRIGGER challenges_opening_unlogged AFTER INSERT ON challenges FOR EACH ROW
  WHEN (NEW.format = 2) EXECUTE FUNCTION leave_opening_unlogged();
CREATE TRIGGER challenges_closed_unlogged AFTER INSERT ON challenges FOR EACH ROW
  WHEN (NEW.format = 2 AND became_no_game(NEW.status, NEW.id, NEW.game_id)) EXECUTE FUNCTION leave_closing_unlogged();
CREATE TRIGGER challenges_closing_unlogged AFTER UPDATE ON challenges FOR EACH ROW
  WHEN (NEW.format = 2 AND OLD.status = 'open' AND became_no_game(NEW.status, NEW.id, NEW.game_id))
  EXECUTE FUNCTION leave_closing_unlogged();
CREATE TRIGGER games_ended_unlogged AFTER INSERT ON games FOR EACH ROW
  WHEN (NEW.format = 2 AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION leave_end_unlogged();
CREATE TRIGGER games_end_unlogged AFTER UPDATE ON games FOR EACH ROW
  WHEN (NEW.format = 2 AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION leave_end_unlogged();
