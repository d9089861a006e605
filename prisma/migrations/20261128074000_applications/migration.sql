-- Applications of third parties, and the players that they bring along.

CREATE TABLE applications (
  id           uuid PRIMARY KEY,
  name         text NOT NULL,
  url          text NOT NULL,
  -- Whether its players can write messages.
  chat         boolean NOT NULL DEFAULT true,
  created_at   timestamptz(3) NOT NULL,
  -- While it is set, no token of the application or its players is accepted.
  suspended_at timestamptz(3),
  -- Set when it is deleted; its games refer to it for ever.
  deleted_at   timestamptz(3)
);

CREATE INDEX applications_deleted_at_idx ON applications (deleted_at) WHERE deleted_at IS NOT NULL;

-- The persons who answer for an application.
CREATE TABLE application_owners (
  application_id uuid NOT NULL REFERENCES applications (id),
  user_id        uuid NOT NULL REFERENCES users (id),
  added_at       timestamptz(3) NOT NULL,
  PRIMARY KEY (application_id, user_id)
);
CREATE INDEX application_owners_user_id_idx ON application_owners (user_id);

-- Two at most, while one is replaced; only hashes, so that a stolen table opens nothing.
CREATE TABLE application_secrets (
  id             uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  hash           text NOT NULL UNIQUE,
  created_at     timestamptz(3) NOT NULL
);
CREATE INDEX application_secrets_application_id_idx ON application_secrets (application_id);

-- A user of kind `managed` has no username: it is known to its application by `external_id`, null once it is erased.
ALTER TABLE users
  ADD COLUMN application_id uuid REFERENCES applications (id),
  ADD COLUMN external_id    text,
  DROP CONSTRAINT users_closed_check,
  ADD CONSTRAINT users_closed_check
    CHECK (closed_at IS NOT NULL OR (NOT leaving AND (username IS NULL) = (kind = 'managed') AND (external_id IS NULL) = (username IS NOT NULL)));
CREATE UNIQUE INDEX users_application_id_external_id_key ON users (application_id, external_id) WHERE external_id IS NOT NULL;
DROP INDEX users_unlooked_idx;
CREATE INDEX users_unlooked_idx ON users (id) WHERE username_look IS NULL AND username IS NOT NULL AND closed_at IS NULL;

-- Of an application that acts as itself, without a user; or of one of its players.
ALTER TABLE sessions
  ALTER COLUMN user_id DROP NOT NULL,
  ADD COLUMN application_id uuid REFERENCES applications (id),
  ADD CONSTRAINT sessions_holder_check CHECK (user_id IS NOT NULL OR application_id IS NOT NULL);
CREATE INDEX sessions_application_id_idx ON sessions (application_id) WHERE application_id IS NOT NULL;

-- The application that reads a game and its messages, and its own name for one that it made.
ALTER TABLE games
  ADD COLUMN application_id uuid REFERENCES applications (id),
  ADD COLUMN external_id    text;
CREATE UNIQUE INDEX games_application_id_external_id_key ON games (application_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX games_application_id_idx ON games (application_id, id) WHERE application_id IS NOT NULL;

-- Public searches leave out the games of applications, so that however many these are, the pages stay full.
DROP INDEX games_ended_idx, games_created_idx, games_ruleset_ended_idx, games_ruleset_created_idx, games_running_created_idx,
  games_ruleset_running_created_idx, games_opening_idx, games_reason_idx, games_options_idx;
CREATE INDEX games_ended_idx ON games (ended_at, id)
  INCLUDE (status, winner, reason, rated, ended_plies) WHERE ended_at IS NOT NULL AND application_id IS NULL;
CREATE INDEX games_created_idx ON games (created_at, id) WHERE ended_at IS NOT NULL AND application_id IS NULL;
CREATE INDEX games_ruleset_ended_idx ON games (ruleset, ended_at, id)
  INCLUDE (status, winner, reason, rated, ended_plies) WHERE ended_at IS NOT NULL AND application_id IS NULL;
CREATE INDEX games_ruleset_created_idx ON games (ruleset, created_at, id) WHERE ended_at IS NOT NULL AND application_id IS NULL;
CREATE INDEX games_running_created_idx ON games (created_at, id) WHERE ended_at IS NULL AND application_id IS NULL;
CREATE INDEX games_ruleset_running_created_idx ON games (ruleset, created_at, id) WHERE ended_at IS NULL AND application_id IS NULL;
CREATE INDEX games_opening_idx ON games (ruleset, opening COLLATE "C") WHERE ended_at IS NOT NULL AND application_id IS NULL;
CREATE INDEX games_reason_idx ON games (reason, ended_at, id) WHERE ended_at IS NOT NULL AND application_id IS NULL;
CREATE INDEX games_options_idx ON games (ruleset, options, ended_at, id) WHERE ended_at IS NOT NULL AND application_id IS NULL;
DROP TRIGGER games_running_on_insert ON games;
CREATE TRIGGER games_running_on_insert AFTER INSERT ON games FOR EACH ROW
  WHEN (NEW.ended_at IS NULL AND NEW.application_id IS NULL) EXECUTE FUNCTION keep_running();
DROP TRIGGER games_running_on_update ON games;
CREATE TRIGGER games_running_on_update AFTER UPDATE ON games FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.application_id IS NULL AND (NEW.last_activity_at <> OLD.last_activity_at OR NEW.ended_at IS NOT NULL))
  EXECUTE FUNCTION keep_running();

-- The explorer counts games of the public alone.
DROP TRIGGER games_unexplored ON games;
CREATE TRIGGER games_unexplored AFTER UPDATE ON games FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.status = 'finished' AND NEW.application_id IS NULL) EXECUTE FUNCTION leave_unexplored();

-- What an application reads: the events of its games, and their messages.
ALTER TABLE events ADD COLUMN application_id uuid;
CREATE INDEX events_application_id_tide_id_idx ON events (application_id, tide, id) WHERE application_id IS NOT NULL;
ALTER TABLE messages ADD COLUMN application_id uuid;
CREATE INDEX messages_application_id_id_idx ON messages (application_id, id) WHERE application_id IS NOT NULL;

CREATE OR REPLACE FUNCTION tell_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, application_id, game_id, version, steps)
  VALUES (NEW.first_id, NEW.second_id, NEW.application_id, NEW.id, NEW.version, coalesce(NEW.version - OLD.version, 1));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION tell_seed_awaited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, application_id, game_id, version, type)
  VALUES (NEW.first_id, NEW.second_id, NEW.application_id, NEW.id, NEW.version, 'seedAwaited');
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION tell_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, application_id, game_id, type, subject)
  SELECT first_id, second_id, application_id, id, 'messageSent', NEW.id FROM games WHERE id = NEW.game_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION tell_rating() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, application_id, game_id, version, type, subject)
  SELECT NEW.user_id, application_id, id, version, 'ratingChanged', NEW.ruleset FROM games WHERE id = NEW.game_id;
  RETURN NULL;
END
$$;

-- An application hears of a player who has become a person and so has left it.
CREATE FUNCTION tell_leaving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, application_id, type, subject) VALUES (NEW.id, OLD.application_id, 'playerLeft', OLD.external_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER users_leaving AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.kind = 'managed' AND NEW.kind = 'person') EXECUTE FUNCTION tell_leaving();
