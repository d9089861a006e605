-- What has happened, in order: for whoever reacts, beside `changes`, which is for whoever mirrors. Written by the
-- triggers below, in the transaction of what happens; kept for 90 days (src/features/events).

-- Where an event stands. Never below its own transaction, so that a reader who stays below all that still run misses
-- none; and never below what was committed before, so that what happens in a game keeps its order even where a
-- transaction had its number before it saw the game.
CREATE FUNCTION tide_of_events() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
$$;

CREATE TABLE events (
  tide     bigint NOT NULL DEFAULT tide_of_events(),
  id       bigserial NOT NULL,
  at       timestamptz(3) NOT NULL DEFAULT now(),
  -- Of the game, after it.
  version  integer,
  -- Of a change of a game: how many versions it made. The log of the game says what they are.
  steps    smallint,
  -- Whom it concerns.
  user_id  uuid NOT NULL,
  other_id uuid,
  game_id  uuid,
  -- Null for a change of a game.
  type     text COLLATE "C",
  subject  text COLLATE "C",
  PRIMARY KEY (tide, id)
);
CREATE INDEX events_user_id_tide_id_idx ON events (user_id, tide, id);
CREATE INDEX events_other_id_tide_id_idx ON events (other_id, tide, id) WHERE other_id IS NOT NULL;
CREATE TRIGGER events_never_change BEFORE UPDATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION tell_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, game_id, version, steps)
  VALUES (NEW.first_id, NEW.second_id, NEW.id, NEW.version, coalesce(NEW.version - OLD.version, 1));
  RETURN NULL;
END
$$;
CREATE TRIGGER games_event_on_insert AFTER INSERT ON games FOR EACH ROW EXECUTE FUNCTION tell_game();
-- Conditional moves change the row, too, and make no version.
CREATE TRIGGER games_event_on_update AFTER UPDATE ON games FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION tell_game();

CREATE FUNCTION tell_seed_awaited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, game_id, version, type)
  VALUES (NEW.first_id, NEW.second_id, NEW.id, NEW.version, 'seedAwaited');
  RETURN NULL;
END
$$;
CREATE TRIGGER games_seed_awaited AFTER INSERT ON games FOR EACH ROW
  WHEN (NEW.status = 'pending') EXECUTE FUNCTION tell_seed_awaited();

CREATE FUNCTION tell_challenge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, game_id, type, subject)
  VALUES (NEW.creator_id, NEW.opponent_id, NEW.game_id, CASE
    WHEN TG_OP = 'INSERT' THEN 'challengeCreated'
    WHEN NEW.status <> OLD.status THEN 'challenge' || initcap(NEW.status)
    ELSE 'challengeSeedGiven' END, NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER challenges_event_on_insert AFTER INSERT ON challenges FOR EACH ROW EXECUTE FUNCTION tell_challenge();
CREATE TRIGGER challenges_event_on_update AFTER UPDATE ON challenges FOR EACH ROW
  WHEN (NEW.status <> OLD.status OR NEW.creator_client_seed IS DISTINCT FROM OLD.creator_client_seed)
  EXECUTE FUNCTION tell_challenge();

CREATE FUNCTION tell_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, game_id, type, subject)
  SELECT first_id, second_id, id, 'messageSent', NEW.id FROM games WHERE id = NEW.game_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER messages_event AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION tell_message();

CREATE FUNCTION tell_rating() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, game_id, version, type, subject)
  SELECT NEW.user_id, id, version, 'ratingChanged', NEW.ruleset FROM games WHERE id = NEW.game_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER rating_changes_event AFTER INSERT ON rating_changes FOR EACH ROW EXECUTE FUNCTION tell_rating();

-- What became of somebody's conditional moves is told to nobody else. All other news has an event of its own.
CREATE FUNCTION tell_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, game_id, type) VALUES (NEW.user_id, NEW.game_id, NEW.type);
  RETURN NULL;
END
$$;
CREATE TRIGGER notifications_event AFTER INSERT OR UPDATE ON notifications FOR EACH ROW
  WHEN (NEW.read_at IS NULL AND NEW.type IN ('conditionalPlayed', 'conditionalDropped')) EXECUTE FUNCTION tell_plan();

-- Notes, and whether messages are refused: the player's own.
CREATE FUNCTION tell_seat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, game_id, type)
  SELECT CASE NEW.player WHEN 'first' THEN first_id ELSE second_id END, id, 'seatChanged'
  FROM games WHERE id = NEW.game_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER game_seats_event AFTER INSERT OR UPDATE ON game_seats FOR EACH ROW EXECUTE FUNCTION tell_seat();

CREATE FUNCTION tell_import() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO events (user_id, type, subject) VALUES (NEW.user_id, 'gamesImported', NEW.import_id);
  ELSE
    INSERT INTO events (user_id, type, subject) VALUES (OLD.user_id, 'importDeleted', OLD.id);
  END IF;
  RETURN NULL;
END
$$;
-- Once for all games of one text.
CREATE TRIGGER imported_games_event_on_insert AFTER INSERT ON imported_games FOR EACH ROW
  WHEN (NEW.id = NEW.import_id) EXECUTE FUNCTION tell_import();
CREATE TRIGGER imported_games_event_on_delete AFTER DELETE ON imported_games FOR EACH ROW EXECUTE FUNCTION tell_import();

CREATE FUNCTION tell_vacation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, type, subject) VALUES (NEW.user_id, CASE
    WHEN TG_OP = 'INSERT' THEN 'vacationPlanned'
    WHEN NEW.days = 0 THEN 'vacationCancelled'
    ELSE 'vacationChanged' END, NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER vacations_event_on_insert AFTER INSERT ON vacations FOR EACH ROW EXECUTE FUNCTION tell_vacation();
CREATE TRIGGER vacations_event_on_update AFTER UPDATE ON vacations FOR EACH ROW
  WHEN (NEW.ends_at <> OLD.ends_at OR NEW.days <> OLD.days) EXECUTE FUNCTION tell_vacation();

CREATE FUNCTION tell_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, type) VALUES (NEW.id, 'profileChanged');
  RETURN NULL;
END
$$;
CREATE TRIGGER users_event AFTER UPDATE ON users FOR EACH ROW
  WHEN (NEW.closed_at IS NULL AND (NEW.display_name, NEW.challenges_from, NEW.challenges_within)
    IS DISTINCT FROM (OLD.display_name, OLD.challenges_from, OLD.challenges_within))
  EXECUTE FUNCTION tell_profile();

-- Whom somebody blocks learns nothing of it.
CREATE FUNCTION tell_block() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO events (user_id, type, subject) VALUES (NEW.blocker_id, 'userBlocked', NEW.blocked_id);
  ELSE
    INSERT INTO events (user_id, type, subject) VALUES (OLD.blocker_id, 'userUnblocked', OLD.blocked_id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER blocks_event AFTER INSERT OR DELETE ON blocks FOR EACH ROW EXECUTE FUNCTION tell_block();

-- A new history of changes begins where the database was restored: the numbers of events mean nothing there either.
CREATE FUNCTION forget_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE events;
  RETURN NULL;
END
$$;
CREATE TRIGGER change_epochs_forget_events AFTER UPDATE ON change_epochs FOR EACH ROW EXECUTE FUNCTION forget_events();
