-- The seconds that each player has used, over all plies that were ever played in the game.
ALTER TABLE games
  ADD COLUMN first_seconds  integer NOT NULL DEFAULT 0,
  ADD COLUMN second_seconds integer NOT NULL DEFAULT 0;
UPDATE games g SET first_seconds = used.first, second_seconds = used.second
FROM (
  SELECT game_id, COALESCE(sum(time_used) FILTER (WHERE player = 'first'), 0) AS first,
         COALESCE(sum(time_used) FILTER (WHERE player = 'second'), 0) AS second
  FROM plies GROUP BY game_id
) used WHERE used.game_id = g.id;

-- What is over has seen its last activity: one order serves for both.
UPDATE games SET last_activity_at = ended_at WHERE ended_at <> last_activity_at;
ALTER TABLE games ADD CONSTRAINT games_ended_at_check CHECK (ended_at = last_activity_at);

-- The canonical moves that a game begins with, each with a space behind it: without what they turned up and captured.
CREATE FUNCTION opening_of(moves text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(left(moves, 160) || ' ', '[=x][^ ]', '', 'g');

-- Games that are over are never written again, so their indexes cost a ply nothing: they grow by one entry at the end
-- of a game. Those that go on stay few, and have no index but these.
DROP INDEX games_first_id_last_activity_at_id_idx;
DROP INDEX games_second_id_last_activity_at_id_idx;
CREATE INDEX games_running_activity_idx ON games (last_activity_at, id) WHERE ended_at IS NULL;
CREATE INDEX games_running_created_idx ON games (created_at, id) WHERE ended_at IS NULL;

CREATE INDEX games_ended_idx ON games (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_created_idx ON games (created_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_ruleset_ended_idx ON games (ruleset, ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_ruleset_created_idx ON games (ruleset, created_at, id) WHERE ended_at IS NOT NULL;
-- With all that a player's statistics are made of.
CREATE INDEX games_first_ended_idx ON games (first_id, ended_at, id)
  INCLUDE (second_id, ruleset, status, winner, reason, ply_count, first_seconds) WHERE ended_at IS NOT NULL;
CREATE INDEX games_second_ended_idx ON games (second_id, ended_at, id)
  INCLUDE (first_id, ruleset, status, winner, reason, ply_count, second_seconds) WHERE ended_at IS NOT NULL;
CREATE INDEX games_first_created_idx ON games (first_id, created_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_second_created_idx ON games (second_id, created_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_pair_idx ON games (first_id, second_id, ended_at, id)
  INCLUDE (ruleset, status, winner) WHERE ended_at IS NOT NULL;

-- For what few games have: those are counted, and when they are few indeed, gathered.
CREATE INDEX games_opening_idx ON games (ruleset, opening_of(moves) COLLATE "C") WHERE ended_at IS NOT NULL;
CREATE INDEX games_reason_idx ON games (reason, ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_options_idx ON games (ruleset, options, ended_at, id) WHERE ended_at IS NOT NULL;
