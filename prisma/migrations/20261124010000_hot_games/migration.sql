-- A move writes one HOT update of its game: no index holds what every move changes, and what it changes stands together
-- at the end of the row, because the log of PostgreSQL holds the bytes from the first to the last that differ.

-- Newest first, so that all moves before the last one are the unchanged end of the row.
CREATE FUNCTION newest_first(moves text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(string_agg(move, ' ' ORDER BY place DESC), '')
          FROM unnest(string_to_array(moves, ' ')) WITH ORDINALITY AS m(move, place));

-- The statements that make versions (commit.store.ts, games.store.ts) write their events themselves.
DROP TRIGGER games_event_on_update ON games;

-- One rewrite of the table copies the columns; what seldom changes comes first.
-- due_at is the alarm: never later than the next moment at which the clock has something to do. A move mostly puts that
-- moment off and leaves the alarm; the sweep sets it anew when it has passed.
ALTER TABLE games
  ADD COLUMN due_at               timestamptz(3) GENERATED ALWAYS AS (least(deadline_at, wake_at)) STORED,
  ADD COLUMN new_offers           jsonb          GENERATED ALWAYS AS (offers) STORED,
  ADD COLUMN new_clock            jsonb          GENERATED ALWAYS AS (clock) STORED,
  ADD COLUMN new_anchor_position  text           GENERATED ALWAYS AS (anchor_position) STORED,
  ADD COLUMN new_anchor_ply       integer        GENERATED ALWAYS AS (anchor_ply) STORED,
  ADD COLUMN new_version          integer        GENERATED ALWAYS AS (version) STORED,
  ADD COLUMN new_ply_count        integer        GENERATED ALWAYS AS (ply_count) STORED,
  ADD COLUMN new_turn             text           GENERATED ALWAYS AS (turn) STORED,
  ADD COLUMN new_position         text           GENERATED ALWAYS AS (position) STORED,
  ADD COLUMN new_head_hash        text           GENERATED ALWAYS AS (head_hash) STORED,
  ADD COLUMN new_turn_started_at  timestamptz(3) GENERATED ALWAYS AS (turn_started_at) STORED,
  ADD COLUMN new_deadline_at      timestamptz(3) GENERATED ALWAYS AS (deadline_at) STORED,
  ADD COLUMN new_wake_at          timestamptz(3) GENERATED ALWAYS AS (wake_at) STORED,
  ADD COLUMN new_last_activity_at timestamptz(3) GENERATED ALWAYS AS (last_activity_at) STORED,
  ADD COLUMN new_first_seconds    integer        GENERATED ALWAYS AS (first_seconds) STORED,
  ADD COLUMN new_second_seconds   integer        GENERATED ALWAYS AS (second_seconds) STORED,
  ADD COLUMN new_moves            text           GENERATED ALWAYS AS (newest_first(moves)) STORED;

DO $$
DECLARE
  name text;
BEGIN
  ALTER TABLE games ALTER COLUMN due_at DROP EXPRESSION;
  FOREACH name IN ARRAY ARRAY['anchor_position', 'anchor_ply', 'offers', 'clock', 'version', 'ply_count', 'turn',
    'position', 'head_hash', 'turn_started_at', 'deadline_at', 'wake_at', 'last_activity_at', 'first_seconds',
    'second_seconds', 'moves']
  LOOP
    EXECUTE format('ALTER TABLE games ALTER COLUMN %I DROP EXPRESSION', 'new_' || name);
    -- Its indexes and checks go with it.
    EXECUTE format('ALTER TABLE games DROP COLUMN %I', name);
    EXECUTE format('ALTER TABLE games RENAME COLUMN %I TO %I', 'new_' || name, name);
  END LOOP;
END
$$;
DROP FUNCTION newest_first;

-- The canonical moves that a game begins with, each with a space behind it: without what they turned up and captured.
DROP FUNCTION opening_of;
CREATE FUNCTION opening_of(moves text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(string_agg(regexp_replace(move, '[=x].*', ''), ' ' ORDER BY place DESC), '') || ' '
          FROM (SELECT move, place FROM unnest(string_to_array(right(moves, 200), ' ')) WITH ORDINALITY AS m(move, place)
                ORDER BY place DESC LIMIT 16) AS beginning);

-- What an index needs of a game that is over; null while it goes on, so that a move changes nothing in an index.
ALTER TABLE games
  ALTER COLUMN anchor_position SET NOT NULL, ALTER COLUMN anchor_ply SET NOT NULL, ALTER COLUMN offers SET NOT NULL,
  ALTER COLUMN clock SET NOT NULL, ALTER COLUMN version SET NOT NULL, ALTER COLUMN ply_count SET NOT NULL,
  ALTER COLUMN position SET NOT NULL, ALTER COLUMN turn_started_at SET NOT NULL,
  ALTER COLUMN last_activity_at SET NOT NULL, ALTER COLUMN moves SET NOT NULL,
  ALTER COLUMN first_seconds SET NOT NULL, ALTER COLUMN first_seconds SET DEFAULT 0,
  ALTER COLUMN second_seconds SET NOT NULL, ALTER COLUMN second_seconds SET DEFAULT 0,
  ADD CONSTRAINT games_turn_check CHECK (turn IN ('first', 'second')),
  ADD CONSTRAINT games_version_check CHECK (version > 0),
  ADD CONSTRAINT games_ply_count_check CHECK (ply_count >= 0),
  ADD CONSTRAINT games_ended_at_check CHECK (ended_at = last_activity_at),
  ADD CONSTRAINT games_terms_check CHECK (status IN ('pending', 'aborted') OR terms_hash IS NOT NULL AND head_hash IS NOT NULL),
  ADD CONSTRAINT games_chain_check CHECK (format = 1 OR head_hash IS NOT NULL),
  ADD CONSTRAINT games_over_check CHECK (status IN ('pending', 'active', 'paused')
    OR turn IS NULL AND deadline_at IS NULL AND wake_at IS NULL AND first_plan IS NULL AND second_plan IS NULL),
  ADD COLUMN ended_plies integer GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN ply_count END) STORED,
  ADD COLUMN ended_first_seconds integer GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN first_seconds END) STORED,
  ADD COLUMN ended_second_seconds integer GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN second_seconds END) STORED,
  ADD COLUMN opening text GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN opening_of(moves) END) STORED;
CREATE INDEX games_first_ended_idx ON games (first_id, ended_at, id)
  INCLUDE (second_id, ruleset, status, winner, reason, ended_plies, ended_first_seconds) WHERE ended_at IS NOT NULL;
CREATE INDEX games_second_ended_idx ON games (second_id, ended_at, id)
  INCLUDE (first_id, ruleset, status, winner, reason, ended_plies, ended_second_seconds) WHERE ended_at IS NOT NULL;
CREATE INDEX games_opening_idx ON games (ruleset, opening COLLATE "C") WHERE ended_at IS NOT NULL;

-- Room on each page for the next version of its rows, which grow; no compression, which would change every byte.
ALTER TABLE games SET (fillfactor = 50, toast_tuple_target = 8160);

-- The alarm keeps its promise whoever writes the row. The deadline itself is still in time.
CREATE FUNCTION set_alarm() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.due_at := least(NEW.deadline_at + interval '1 millisecond', NEW.wake_at);
  RETURN NEW;
END
$$;
CREATE TRIGGER games_alarm_on_insert BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION set_alarm();
CREATE TRIGGER games_alarm_on_update BEFORE UPDATE ON games FOR EACH ROW
  WHEN (coalesce(NEW.due_at > least(NEW.deadline_at + interval '1 millisecond', NEW.wake_at),
                 (NEW.due_at IS NULL) <> (NEW.deadline_at IS NULL AND NEW.wake_at IS NULL)))
  EXECUTE FUNCTION set_alarm();
CREATE INDEX games_due_idx ON games (due_at) WHERE due_at IS NOT NULL;

-- A player has few running games: they are sorted by whoever lists them.
CREATE INDEX games_first_running_idx ON games (first_id) WHERE ended_at IS NULL;
CREATE INDEX games_second_running_idx ON games (second_id) WHERE ended_at IS NULL;

-- The running games by last activity: the only order that every move changes.
CREATE TABLE running_games (
  last_activity_at timestamptz(3) NOT NULL,
  game_id          uuid NOT NULL,
  ruleset          text NOT NULL,
  PRIMARY KEY (last_activity_at, game_id)
) WITH (fillfactor = 70);
CREATE INDEX running_games_ruleset_last_activity_at_game_id_idx ON running_games (ruleset, last_activity_at, game_id);
INSERT INTO running_games SELECT last_activity_at, id, ruleset FROM games WHERE ended_at IS NULL;

CREATE FUNCTION keep_running() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO running_games VALUES (NEW.last_activity_at, NEW.id, NEW.ruleset);
  ELSIF NEW.ended_at IS NOT NULL THEN
    DELETE FROM running_games WHERE last_activity_at = OLD.last_activity_at AND game_id = OLD.id;
  ELSE
    UPDATE running_games SET last_activity_at = NEW.last_activity_at
    WHERE last_activity_at = OLD.last_activity_at AND game_id = OLD.id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER games_running_on_insert AFTER INSERT ON games FOR EACH ROW
  WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION keep_running();
CREATE TRIGGER games_running_on_update AFTER UPDATE ON games FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND (NEW.last_activity_at <> OLD.last_activity_at OR NEW.ended_at IS NOT NULL))
  EXECUTE FUNCTION keep_running();

-- Rows of plies and game_events are only written beside the update of their game, by the same statement: a check of each would lock the
-- game once more. A game is never deleted.
CREATE TRIGGER games_never_deleted BEFORE DELETE OR TRUNCATE ON games FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE plies DROP CONSTRAINT plies_game_id_fkey;
ALTER TABLE game_events DROP CONSTRAINT game_events_game_id_fkey;
