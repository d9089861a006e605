-- What of each user has changed, in the order of transactions: of each thing the newest change alone, so that the table
-- does not grow with the moves. Written by the triggers below, so that nothing that the program does can be forgotten.
CREATE TABLE changes (
  user_id uuid NOT NULL,
  kind    text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  xid     xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- A tombstone: what was there is gone.
  deleted boolean NOT NULL,
  at      timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, kind, id)
);
CREATE INDEX changes_user_id_xid_kind_id_idx ON changes (user_id, xid, kind, id);
CREATE INDEX changes_tombstones_idx ON changes (at) WHERE deleted;

-- Always in the order of keys, so that two at once wait for each other and never in a circle.
CREATE FUNCTION write_changes(of_kind text, owners uuid[], things text[], gone boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF owners IS NULL THEN RETURN; END IF;
  INSERT INTO changes (user_id, kind, id, deleted, at)
  SELECT DISTINCT owner, of_kind, thing COLLATE "C", gone, now() FROM unnest(owners, things) AS c(owner, thing)
  WHERE owner IS NOT NULL ORDER BY 1, 2, 3
  ON CONFLICT (user_id, kind, id) DO UPDATE SET xid = EXCLUDED.xid, deleted = EXCLUDED.deleted, at = EXCLUDED.at;
END
$$;

-- An act counts up the version, and is news for both players; conditional moves are their owner's alone.
CREATE FUNCTION change_games() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM write_changes('game', array_agg(owner), array_agg(n.id::text), false)
    FROM touched n JOIN before o ON o.id = n.id CROSS JOIN LATERAL (VALUES
      (n.first_id, n.version <> o.version OR n.first_plan IS DISTINCT FROM o.first_plan),
      (n.second_id, n.version <> o.version OR n.second_plan IS DISTINCT FROM o.second_plan)) AS seat(owner, concerned)
    WHERE concerned;
  ELSE
    PERFORM write_changes('game', array_agg(owner), array_agg(n.id::text), TG_OP = 'DELETE')
    FROM touched n CROSS JOIN LATERAL unnest(ARRAY[n.first_id, n.second_id]) AS owner;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION change_challenges() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('challenge', array_agg(owner), array_agg(n.id::text), TG_OP = 'DELETE')
  FROM touched n CROSS JOIN LATERAL unnest(ARRAY[n.creator_id, n.opponent_id]) AS owner;
  RETURN NULL;
END
$$;

-- How long a leaderboard holds somebody is no part of his rating.
CREATE FUNCTION change_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM write_changes('rating', array_agg(n.user_id), array_agg(n.ruleset), false)
    FROM touched n JOIN before o ON o.user_id = n.user_id AND o.ruleset = n.ruleset
    WHERE to_jsonb(n) - 'listed_until' <> to_jsonb(o) - 'listed_until';
  ELSE
    PERFORM write_changes('rating', array_agg(user_id), array_agg(ruleset), TG_OP = 'DELETE') FROM touched;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION change_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM write_changes('profile', array_agg(n.id), array_agg(n.id::text), false)
    FROM touched n JOIN before o ON o.id = n.id
    WHERE to_jsonb(n) - 'password_hash' <> to_jsonb(o) - 'password_hash';
  ELSE
    PERFORM write_changes('profile', array_agg(id), array_agg(id::text), TG_OP = 'DELETE') FROM touched;
  END IF;
  RETURN NULL;
END
$$;

-- One that was called off is gone; whether the games know of it is nobody's business.
CREATE FUNCTION change_vacations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM write_changes('vacation', array_agg(n.user_id), array_agg(n.id::text), gone)
    FROM touched n JOIN before o ON o.id = n.id CROSS JOIN LATERAL (SELECT n.days = 0 AS gone) AS called
    WHERE to_jsonb(n) - 'settled' <> to_jsonb(o) - 'settled' GROUP BY gone;
  ELSE
    PERFORM write_changes('vacation', array_agg(user_id), array_agg(id::text), TG_OP = 'DELETE' OR days = 0)
    FROM touched GROUP BY days = 0;
  END IF;
  RETURN NULL;
END
$$;

-- Whom somebody blocks learns nothing of it.
CREATE FUNCTION change_blocks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('block', array_agg(blocker_id), array_agg(blocked_id::text), TG_OP = 'DELETE') FROM touched;
  RETURN NULL;
END
$$;

-- Both players see every message that was taken; one that was refused leaves no row.
CREATE FUNCTION change_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('messages', array_agg(owner), array_agg(g.id::text), false)
  -- An array, whose rows are looked up: of a join the planner may make a walk through the table.
  FROM games g CROSS JOIN LATERAL unnest(ARRAY[g.first_id, g.second_id]) AS owner
  WHERE g.id = ANY (ARRAY(SELECT game_id FROM touched));
  RETURN NULL;
END
$$;

-- What somebody keeps at his seat nobody else sees.
CREATE FUNCTION change_game_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('seat', array_agg(owner), array_agg(game_id::text), TG_OP = 'DELETE')
  FROM (SELECT s.game_id, CASE s.player
    WHEN 'first' THEN (SELECT g.first_id FROM games g WHERE g.id = s.game_id)
    ELSE (SELECT g.second_id FROM games g WHERE g.id = s.game_id) END AS owner FROM touched s) AS seats;
  RETURN NULL;
END
$$;

CREATE FUNCTION change_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('notification', array_agg(user_id), array_agg(game_id || ':' || type), TG_OP = 'DELETE')
  FROM touched;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  of_table text;
  compared boolean;
BEGIN
  FOR of_table, compared IN VALUES
    ('games', true), ('ratings', true), ('users', true), ('vacations', true), ('challenges', false),
    ('blocks', false), ('messages', false), ('game_seats', false), ('notifications', false)
  LOOP
    EXECUTE format('CREATE TRIGGER %1$s_change_on_insert AFTER INSERT ON %1$s
      REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION change_%1$s()', of_table);
    EXECUTE format('CREATE TRIGGER %1$s_change_on_update AFTER UPDATE ON %1$s
      REFERENCING %2$s NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION change_%1$s()',
      of_table, CASE WHEN compared THEN 'OLD TABLE AS before' ELSE '' END);
    EXECUTE format('CREATE TRIGGER %1$s_change_on_delete AFTER DELETE ON %1$s
      REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION change_%1$s()', of_table);
  END LOOP;
END
$$;

-- Everything that is there already is new to whoever asks for the first time.
INSERT INTO changes (user_id, kind, id, deleted, at)
  SELECT owner, 'game', id::text, false, now() FROM games CROSS JOIN LATERAL unnest(ARRAY[first_id, second_id]) AS owner
  UNION ALL
  SELECT owner, 'challenge', id::text, false, now() FROM challenges
    CROSS JOIN LATERAL unnest(ARRAY[creator_id, opponent_id]) AS owner WHERE owner IS NOT NULL
  UNION ALL
  SELECT user_id, 'rating', ruleset, false, now() FROM ratings
  UNION ALL
  SELECT id, 'profile', id::text, false, now() FROM users
  UNION ALL
  SELECT user_id, 'vacation', id::text, false, now() FROM vacations WHERE days > 0
  UNION ALL
  SELECT blocker_id, 'block', blocked_id::text, false, now() FROM blocks
  UNION ALL
  SELECT owner, 'messages', id::text, false, now() FROM games
    CROSS JOIN LATERAL unnest(ARRAY[first_id, second_id]) AS owner WHERE id IN (SELECT game_id FROM messages)
  UNION ALL
  SELECT CASE player WHEN 'first' THEN first_id ELSE second_id END, 'seat', game_id::text, false, now()
    FROM game_seats JOIN games ON games.id = game_id
  UNION ALL
  SELECT user_id, 'notification', game_id || ':' || type, false, now() FROM notifications;

-- Where these transaction numbers mean something: in this database of this server, since its last restoration.
CREATE FUNCTION place_of_changes() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('/', s.system_identifier, c.timeline_id, d.oid, 'changes'::regclass::oid)
  FROM pg_control_system() s, pg_control_checkpoint() c, pg_database d WHERE d.datname = current_database()
$$;
-- One row: which of the histories that this table may have had is told.
CREATE TABLE change_epochs (
  epoch uuid PRIMARY KEY,
  place text NOT NULL
);
INSERT INTO change_epochs VALUES (gen_random_uuid(), place_of_changes());
