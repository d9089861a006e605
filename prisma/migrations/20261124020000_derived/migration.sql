-- A move writes its ply, its game and one event. What it wrote beside them is derived from these: what to announce,
-- the changes of games, and whose turn it is.

-- The announcer reads the log of events.
DROP TABLE outbox;

-- Conditional moves change a game for their owner alone: an event of no version, which is in no list of events.
CREATE FUNCTION tell_plans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, game_id, steps)
  SELECT owner, NEW.id, 0 FROM (VALUES
    (NEW.first_id, NEW.first_plan IS DISTINCT FROM OLD.first_plan),
    (NEW.second_id, NEW.second_plan IS DISTINCT FROM OLD.second_plan)) AS seat(owner, concerned)
  WHERE concerned;
  RETURN NULL;
END
$$;
CREATE TRIGGER games_plans_event AFTER UPDATE ON games FOR EACH ROW
  WHEN (NEW.version = OLD.version AND NEW.plans <> OLD.plans) EXECUTE FUNCTION tell_plans();

-- The changes of games are folded from the events behind the commit (src/features/changes); deletions are written here,
-- never below an event of the same game.
DROP TRIGGER games_change_on_insert ON games;
DROP TRIGGER games_change_on_update ON games;
CREATE OR REPLACE FUNCTION change_games() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('game', array_agg(owner), array_agg(o.id::text), true)
  FROM touched o CROSS JOIN LATERAL unnest(ARRAY[o.first_id, o.second_id]) AS owner;
  UPDATE changes c SET xid = tide_of_events()::text::xid8 FROM touched o
  WHERE c.user_id IN (o.first_id, o.second_id) AND c.kind = 'game' AND c.id = o.id::text;
  RETURN NULL;
END
$$;

-- All events up to here are folded into the changes. The first one that the triggers above did not see has a later
-- place than every transaction that has ended by now.
DROP TRIGGER change_epochs_forget_events ON change_epochs;
ALTER TABLE change_epochs
  ADD COLUMN folded_tide bigint NOT NULL DEFAULT 0,
  ADD COLUMN folded_id   bigint NOT NULL DEFAULT 0;
UPDATE change_epochs SET folded_tide = pg_snapshot_xmin(pg_current_snapshot())::text::bigint;

-- Folds events of games: of each game of each player the newest. Always in the order of keys, as write_changes does. Who
-- is gone gets none.
CREATE FUNCTION fold_events(tides bigint[], owners uuid[], games uuid[], times timestamptz[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO changes (user_id, kind, id, xid, deleted, at)
  SELECT DISTINCT ON (owner, thing) owner, 'game', thing, tide::text::xid8, false, at
  FROM unnest(tides, owners, games, times) AS e(tide, owner, game, at)
  CROSS JOIN LATERAL (SELECT game::text COLLATE "C" AS thing) AS named
  -- A value for each row, and no join, for which the planner might read all users.
  WHERE (SELECT closed_at IS NULL FROM users WHERE id = owner)
  ORDER BY owner, thing, tide DESC
  ON CONFLICT (user_id, kind, id) DO UPDATE SET xid = EXCLUDED.xid, deleted = EXCLUDED.deleted, at = EXCLUDED.at
  WHERE changes.xid < EXCLUDED.xid
$$;

-- A new history begins where the database was restored. The numbers of events mean nothing there, but
-- those that are not folded yet must be: they are beyond the mark, or were written here and have later ids than all that
-- were restored.
CREATE OR REPLACE FUNCTION forget_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  here bigint := pg_current_xact_id()::text::bigint;
BEGIN
  LOCK TABLE events IN ACCESS EXCLUSIVE MODE;
  PERFORM fold_events(array_agg(least(tide, here)), array_agg(owner), array_agg(game_id), array_agg(at))
  FROM events CROSS JOIN LATERAL (VALUES (user_id), (other_id)) AS concerned(owner)
  WHERE type IS NULL AND owner IS NOT NULL AND EXISTS (SELECT FROM games WHERE id = game_id)
    AND ((tide, id) > (OLD.folded_tide, OLD.folded_id) OR id > OLD.folded_id);
  TRUNCATE events;
  UPDATE change_epochs SET folded_tide = 0, folded_id = 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER change_epochs_forget_events AFTER UPDATE ON change_epochs FOR EACH ROW
  WHEN (NEW.epoch <> OLD.epoch) EXECUTE FUNCTION forget_events();

-- "It is your turn" is the state of a game. A row of this type is only the mark that its user has read it, in the turn
-- that began at created_at with the ply of its data; changes do not tell it.
CREATE OR REPLACE FUNCTION change_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('notification', array_agg(user_id), array_agg(game_id || ':' || type), TG_OP = 'DELETE')
  FROM touched WHERE type <> 'yourTurn';
  RETURN NULL;
END
$$;
UPDATE notifications n SET created_at = g.turn_started_at, data = jsonb_build_object('ply', g.ply_count + 1)
FROM games g
WHERE n.type = 'yourTurn' AND n.read_at IS NOT NULL AND g.id = n.game_id AND n.created_at >= g.turn_started_at
  AND g.ended_at IS NULL AND CASE g.turn WHEN 'first' THEN g.first_id WHEN 'second' THEN g.second_id END = n.user_id;
DELETE FROM notifications n
WHERE n.type = 'yourTurn' AND NOT EXISTS (
  SELECT FROM games g WHERE g.id = n.game_id AND g.turn_started_at = n.created_at AND n.read_at IS NOT NULL
    AND g.ended_at IS NULL AND CASE g.turn WHEN 'first' THEN g.first_id WHEN 'second' THEN g.second_id END = n.user_id);
UPDATE changes SET deleted = true, xid = pg_current_xact_id(), at = now()
WHERE kind = 'notification' AND id LIKE '%:yourTurn' AND NOT deleted;
