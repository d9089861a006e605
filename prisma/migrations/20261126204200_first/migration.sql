-- The whole database, room by room (src/features), with what follows from its rows by triggers: the log of events, the
-- changes that mirrors read, and the log of all games. A trigger writes in the transaction of what happens, so that
-- nothing that the program does can be forgotten.

-- Whatever proves what was played is only added to, even if the program has a fault.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

------------------------------------------------------------------------------------------------------------------------
-- users, blocks

-- A closed account keeps its row, which its games need. Its name is free again after a while; then it is null.
CREATE TABLE users (
  id                uuid PRIMARY KEY,
  username          text,
  display_name      text NOT NULL,
  password_hash     text NOT NULL,
  created_at        timestamptz(3) NOT NULL,
  -- Whose challenges are accepted: anybody's, those of users rated within so much of one's own rating, or nobody's.
  challenges_from   text NOT NULL DEFAULT 'everybody' CHECK (challenges_from IN ('everybody', 'rated', 'nobody')),
  challenges_within integer CHECK (challenges_within > 0),
  closed_at         timestamptz(3),
  -- True while something of a closed account is still to be ended: games, seeks, challenges.
  leaving           boolean NOT NULL DEFAULT false,
  -- What a name looks like (Unicode's skeleton), so that nobody can pass for somebody else. Null if it is still to be
  -- computed, or the account is closed.
  username_look     text,
  display_look      text,
  CHECK ((challenges_from = 'rated') = (challenges_within IS NOT NULL)),
  CONSTRAINT users_closed_check CHECK (closed_at IS NOT NULL OR (username IS NOT NULL AND NOT leaving))
);
CREATE UNIQUE INDEX users_username_key ON users (username);
-- Closed accounts of which something is still to be done.
CREATE INDEX users_closed_at_idx ON users (closed_at) WHERE closed_at IS NOT NULL AND (leaving OR username IS NOT NULL);
CREATE INDEX users_username_look_idx ON users (username_look) WHERE username_look IS NOT NULL;
CREATE INDEX users_display_look_idx ON users (display_look) WHERE display_look IS NOT NULL;
CREATE INDEX users_unlooked_idx ON users (id) WHERE username_look IS NULL AND closed_at IS NULL;

CREATE TABLE blocks (
  blocker_id uuid NOT NULL REFERENCES users (id),
  blocked_id uuid NOT NULL REFERENCES users (id),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
);
CREATE INDEX blocks_blocked_id_idx ON blocks (blocked_id);

------------------------------------------------------------------------------------------------------------------------
-- auth

CREATE TABLE sessions (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users (id),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
CREATE INDEX sessions_revoked_at_idx ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE refresh_tokens (
  hash       text PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions (id),
  issued_at  timestamptz(3) NOT NULL,
  used_at    timestamptz(3)
);
CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);

CREATE TABLE stream_tickets (
  hash             text PRIMARY KEY,
  session_id       uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  scopes           text NOT NULL,
  token_expires_at timestamptz(3) NOT NULL,
  expires_at       timestamptz(3) NOT NULL
);
CREATE INDEX stream_tickets_session_id_idx ON stream_tickets (session_id);
CREATE INDEX stream_tickets_expires_at_idx ON stream_tickets (expires_at);

------------------------------------------------------------------------------------------------------------------------
-- games

-- The canonical moves with which a game begins, each with a space after it: without what they turned up and captured.
-- A function, because the column `opening` is computed from the moves.
CREATE FUNCTION opening_of(moves text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(string_agg(regexp_replace(move, '[=x].*', ''), ' ' ORDER BY place DESC), '') || ' '
          FROM (SELECT move, place FROM unnest(string_to_array(right(moves, 200), ' ')) WITH ORDINALITY AS m(move, place)
                ORDER BY place DESC LIMIT 16) AS beginning);

-- A move makes one HOT update of its game: no index contains what every move changes, and what it changes stands
-- together at the end of the row, because PostgreSQL's log contains the bytes from the first to the last that differ.
CREATE TABLE games (
  id                   uuid PRIMARY KEY,
  ruleset              text NOT NULL,
  options              jsonb NOT NULL,
  setup                text,
  time_control         jsonb NOT NULL,
  first_id             uuid NOT NULL REFERENCES users (id),
  second_id            uuid NOT NULL REFERENCES users (id),
  status               text NOT NULL CHECK (status IN ('pending', 'active', 'paused', 'finished', 'aborted')),
  -- The hash of the first row of the chain; head_hash below is that of the newest.
  terms_hash           text NOT NULL,
  commitment           text NOT NULL,
  deal_root            text,
  first_client_seed    text,
  second_client_seed   text,
  -- The hashes of the seeds of the creator and of the accepter; null if left to the server.
  client_seed_hash     text,
  accepter_seed_hash   text,
  creator              text NOT NULL CHECK (creator IN ('first', 'second')),
  -- What decided who makes ply 1.
  sides_by             text NOT NULL CHECK (sides_by IN ('wish', 'balance', 'seeds')),
  winner               text CHECK (winner IN ('first', 'second')),
  reason               text,
  created_at           timestamptz(3) NOT NULL,
  ended_at             timestamptz(3),
  rated                boolean NOT NULL,
  takebacks            jsonb NOT NULL,
  -- A new random id with each change of conditional moves: a count would come again after a lost commit.
  plans                uuid NOT NULL,
  first_plan           jsonb,
  second_plan          jsonb,
  -- Why a game that is over was not rated; null if it was, or goes on.
  unrated              text CHECK (unrated IN ('casual', 'aborted', 'tooShort', 'customSetup')),
  -- The alarm: never later than the next moment at which the clock has something to do. A move mostly puts that moment
  -- off and leaves the alarm; the sweep sets it anew when it has passed.
  due_at               timestamptz(3),
  offers               jsonb NOT NULL,
  clock                jsonb NOT NULL,
  anchor_position      text NOT NULL,
  anchor_ply           integer NOT NULL,
  version              integer NOT NULL CHECK (version > 0),
  ply_count            integer NOT NULL CHECK (ply_count >= 0),
  turn                 text CHECK (turn IN ('first', 'second')),
  position             text NOT NULL,
  head_hash            text NOT NULL,
  turn_started_at      timestamptz(3) NOT NULL,
  deadline_at          timestamptz(3),
  wake_at              timestamptz(3),
  last_activity_at     timestamptz(3) NOT NULL,
  -- The plies that each player has made and the time that they took, with those that were taken back.
  first_plies          integer NOT NULL DEFAULT 0,
  second_plies         integer NOT NULL DEFAULT 0,
  first_seconds        integer NOT NULL DEFAULT 0,
  second_seconds       integer NOT NULL DEFAULT 0,
  -- Newest first, so that all moves before the last one are the unchanged end of the row.
  moves                text NOT NULL,
  -- What an index needs of a game that is over; null while it goes on, so that a move changes nothing in an index.
  ended_plies          integer GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN ply_count END) STORED,
  ended_first_plies    integer GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN first_plies END) STORED,
  ended_second_plies   integer GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN second_plies END) STORED,
  ended_first_seconds  integer GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN first_seconds END) STORED,
  ended_second_seconds integer GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN second_seconds END) STORED,
  opening              text GENERATED ALWAYS AS (CASE WHEN ended_at IS NOT NULL THEN opening_of(moves) END) STORED,
  CHECK (first_id <> second_id),
  CHECK ((status IN ('finished', 'aborted')) = (reason IS NOT NULL)),
  CHECK ((status IN ('finished', 'aborted')) = (ended_at IS NOT NULL)),
  CHECK (winner IS NULL OR status = 'finished'),
  -- The last activity of a game that is over is its end, so that one order serves for both.
  CONSTRAINT games_ended_at_check CHECK (ended_at = last_activity_at),
  CONSTRAINT games_over_check CHECK (status IN ('pending', 'active', 'paused')
    OR turn IS NULL AND deadline_at IS NULL AND wake_at IS NULL AND first_plan IS NULL AND second_plan IS NULL)
  -- Room on each page for the next version of its rows, which grow; no compression, which would change every byte.
) WITH (fillfactor = 50, toast_tuple_target = 8160);

-- Plies and events are only written beside their game, by the same statement; a foreign key would lock the game once
-- more. So a game must stay.
CREATE TRIGGER games_never_deleted BEFORE DELETE OR TRUNCATE ON games FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The alarm keeps its promise whoever writes the row. A move at the deadline itself is still in time.
CREATE FUNCTION set_alarm() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.due_at := least(NEW.deadline_at + interval '1 millisecond', NEW.wake_at);
  RETURN NEW;
END
$$;
-- A new game has its first alarm.
CREATE TRIGGER games_alarm_on_insert BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION set_alarm();
-- Only if the alarm would be too late, or is missing or left over: setting it costs an entry in an index.
CREATE TRIGGER games_alarm_on_update BEFORE UPDATE ON games FOR EACH ROW
  WHEN (coalesce(NEW.due_at > least(NEW.deadline_at + interval '1 millisecond', NEW.wake_at),
                 (NEW.due_at IS NULL) <> (NEW.deadline_at IS NULL AND NEW.wake_at IS NULL)))
  EXECUTE FUNCTION set_alarm();
CREATE INDEX games_due_idx ON games (due_at) WHERE due_at IS NOT NULL;

-- A player has few running games: whoever lists them sorts them.
CREATE INDEX games_first_running_idx ON games (first_id) WHERE ended_at IS NULL;
CREATE INDEX games_second_running_idx ON games (second_id) WHERE ended_at IS NULL;
-- How often somebody was the first player; it needs no row of the table.
CREATE INDEX games_sides_idx ON games (first_id, ruleset) WHERE status NOT IN ('pending', 'aborted');

CREATE TABLE plies (
  game_id       uuid NOT NULL,
  seq           integer NOT NULL CHECK (seq > 0),
  ply           integer NOT NULL CHECK (ply > 0),
  player        text NOT NULL CHECK (player IN ('first', 'second')),
  move          text NOT NULL,
  reveals       text,
  captured      text,
  san           text NOT NULL,
  position      text NOT NULL,
  time_used     integer NOT NULL CHECK (time_used >= 0),
  automatic     boolean NOT NULL,
  played_at     timestamptz(3) NOT NULL,
  previous_hash text NOT NULL,
  hash          text NOT NULL,
  proof         jsonb,
  -- What the player had left after the ply, if the time control carries it over.
  clock         integer,
  PRIMARY KEY (game_id, seq)
);
-- What was played stays as it was played.
CREATE TRIGGER plies_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON plies
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE game_events (
  game_id       uuid NOT NULL,
  seq           integer NOT NULL CHECK (seq >= 0),
  type          text NOT NULL,
  player        text CHECK (player IN ('first', 'second')),
  data          jsonb NOT NULL,
  at            timestamptz(3) NOT NULL,
  -- Null in the first row of the chain.
  previous_hash text,
  hash          text NOT NULL,
  PRIMARY KEY (game_id, seq, type)
);
-- The chain is made of these rows as much as of the plies.
CREATE TRIGGER game_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON game_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The server seeds, sealed. Only src/engine/deals.store.ts reads them.
CREATE TABLE deal_secrets (
  game_id    uuid PRIMARY KEY,
  sealed     bytea NOT NULL,
  created_at timestamptz(3) NOT NULL
);

-- What a player keeps at their seat of a game, seen by nobody else.
CREATE TABLE game_seats (
  game_id uuid NOT NULL REFERENCES games (id),
  player  text NOT NULL CHECK (player IN ('first', 'second')),
  note    text NOT NULL,
  -- True if they refuse the messages of the opponent.
  muted   boolean NOT NULL,
  PRIMARY KEY (game_id, player)
);

------------------------------------------------------------------------------------------------------------------------
-- messages

CREATE TABLE messages (
  id         uuid PRIMARY KEY,
  game_id    uuid NOT NULL REFERENCES games (id),
  player     text NOT NULL CHECK (player IN ('first', 'second')),
  text       text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX messages_game_id_id_idx ON messages (game_id, id);

------------------------------------------------------------------------------------------------------------------------
-- matchmaking

-- Seeks are challenges to whoever fits: they share their terms, their deal and their end.
CREATE TABLE challenges (
  id                       uuid PRIMARY KEY,
  kind                     text NOT NULL CHECK (kind IN ('direct', 'link', 'seek')),
  creator_id               uuid NOT NULL REFERENCES users (id),
  opponent_id              uuid REFERENCES users (id),
  status                   text NOT NULL
    CHECK (status IN ('open', 'accepted', 'declined', 'countered', 'cancelled', 'expired')),
  ruleset                  text NOT NULL,
  options                  jsonb NOT NULL,
  time_control             jsonb NOT NULL,
  rated                    boolean NOT NULL,
  side                     text NOT NULL CHECK (side IN ('first', 'second', 'any')),
  commitment               text NOT NULL,
  creator_client_seed      text,
  creator_client_seed_hash text,
  -- When the creator gave the seed; null before.
  creator_seed_at          timestamptz(3),
  -- The hashes of the first and of the newest row of the chain before the acceptance.
  create_hash              text NOT NULL,
  head_hash                text NOT NULL,
  created_at               timestamptz(3) NOT NULL,
  expires_at               timestamptz(3) NOT NULL,
  answered_at              timestamptz(3),
  rematch_of               uuid REFERENCES games (id),
  -- The ratings that the opponent may have; null for any.
  min_rating               integer,
  max_rating               integer,
  -- What two seeks must have in common, as one text; null unless it is a seek.
  terms_key                text,
  -- The game that it became: the one with its id or, if it is a seek that was paired with another, that of the other.
  game_id                  uuid REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED,
  decline_reason           text
    CHECK (decline_reason IN ('later', 'timeControl', 'rated', 'casual', 'ruleset', 'options', 'generic')),
  -- The challenge that it answers with other terms.
  counter_to               uuid REFERENCES challenges (id) DEFERRABLE INITIALLY DEFERRED,
  CHECK (creator_id <> opponent_id),
  CHECK ((creator_client_seed IS NULL) = (creator_seed_at IS NULL)),
  CHECK ((status = 'accepted') = (game_id IS NOT NULL)),
  CHECK ((kind = 'seek') = (terms_key IS NOT NULL)),
  CHECK ((status = 'declined') = (decline_reason IS NOT NULL)),
  CHECK (min_rating <= max_rating)
);
CREATE INDEX challenges_creator_id_status_id_idx ON challenges (creator_id, status, id);
CREATE INDEX challenges_opponent_id_status_id_idx ON challenges (opponent_id, status, id);
CREATE INDEX challenges_open_expires_at_idx ON challenges (expires_at) WHERE status = 'open';
CREATE UNIQUE INDEX challenges_open_rematch_idx ON challenges (rematch_of) WHERE status = 'open' AND rematch_of IS NOT NULL;
CREATE INDEX challenges_rematch_of_idx ON challenges (rematch_of);
CREATE INDEX challenges_lobby_idx ON challenges (created_at, id) WHERE kind = 'seek' AND status = 'open';
-- Whoever seeks a partner looks only at seeks whose side fits, the oldest first.
CREATE INDEX challenges_sides_idx ON challenges (terms_key, side, created_at, id) WHERE kind = 'seek' AND status = 'open';
CREATE INDEX challenges_counter_to_idx ON challenges (counter_to) WHERE counter_to IS NOT NULL;

-- The used client seeds; each may be used once.
CREATE TABLE client_seeds (
  -- SHA-256 of the seed.
  hash         text PRIMARY KEY,
  challenge_id uuid NOT NULL,
  created_at   timestamptz(3) NOT NULL
);

------------------------------------------------------------------------------------------------------------------------
-- vacations

-- In whole days; ends_at comes nearer if the vacation is ended early.
CREATE TABLE vacations (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users (id),
  starts_at  timestamptz(3) NOT NULL,
  ends_at    timestamptz(3) NOT NULL,
  days       integer NOT NULL CHECK (days >= 0),
  -- True if the user's games know of it as it now is.
  settled    boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CHECK (ends_at >= starts_at)
);
CREATE INDEX vacations_user_id_starts_at_idx ON vacations (user_id, starts_at);
CREATE INDEX vacations_unsettled_idx ON vacations (starts_at) WHERE NOT settled;

------------------------------------------------------------------------------------------------------------------------
-- ratings

-- One row for each pool in which a user has a rated game; a pool is a rule set with any of its options.
CREATE TABLE ratings (
  user_id      uuid NOT NULL REFERENCES users (id),
  ruleset      text NOT NULL,
  rating       double precision NOT NULL CHECK (rating >= 400),
  deviation    double precision NOT NULL CHECK (deviation BETWEEN 45 AND 500),
  volatility   double precision NOT NULL CHECK (volatility > 0),
  games        integer NOT NULL CHECK (games = wins + draws + losses),
  wins         integer NOT NULL CHECK (wins >= 0),
  draws        integer NOT NULL CHECK (draws >= 0),
  losses       integer NOT NULL CHECK (losses >= 0),
  -- The end of the game that the deviation is of: it grows from then on.
  rated_at     timestamptz(3) NOT NULL,
  -- How long the user stays on the leaderboard, if no other game is rated; null if not even now.
  listed_until timestamptz(3),
  PRIMARY KEY (user_id, ruleset)
);
CREATE INDEX ratings_leaderboard_idx ON ratings (ruleset, rating DESC, user_id) WHERE listed_until IS NOT NULL;
CREATE INDEX ratings_listed_until_idx ON ratings (listed_until) WHERE listed_until IS NOT NULL;
CREATE INDEX ratings_ruleset_rating_idx ON ratings (ruleset, rating);

-- What each rated game did to the ratings of its two players.
CREATE TABLE rating_changes (
  game_id           uuid NOT NULL REFERENCES games (id),
  player            text NOT NULL CHECK (player IN ('first', 'second')),
  user_id           uuid NOT NULL REFERENCES users (id),
  ruleset           text NOT NULL,
  -- Counts the rated games of the user in the pool; a second change for one game would count twice.
  number            integer NOT NULL CHECK (number > 0),
  rating_before     double precision NOT NULL,
  deviation_before  double precision NOT NULL,
  volatility_before double precision NOT NULL,
  rating            double precision NOT NULL,
  deviation         double precision NOT NULL,
  volatility        double precision NOT NULL,
  at                timestamptz(3) NOT NULL,
  PRIMARY KEY (game_id, player)
);
CREATE UNIQUE INDEX rating_changes_user_id_ruleset_number_idx ON rating_changes (user_id, ruleset, number);
-- Every later rating is computed from the one before.
CREATE TRIGGER rating_changes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON rating_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

------------------------------------------------------------------------------------------------------------------------
-- history

-- Games that are over are never written again: their indexes cost a ply nothing, and grow by one entry at the end.
-- With what most searches ask for, so that one that finds nothing reads no rows.
CREATE INDEX games_ended_idx ON games (ended_at, id)
  INCLUDE (status, winner, reason, rated, ended_plies) WHERE ended_at IS NOT NULL;
CREATE INDEX games_created_idx ON games (created_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_ruleset_ended_idx ON games (ruleset, ended_at, id)
  INCLUDE (status, winner, reason, rated, ended_plies) WHERE ended_at IS NOT NULL;
CREATE INDEX games_ruleset_created_idx ON games (ruleset, created_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_running_created_idx ON games (created_at, id) WHERE ended_at IS NULL;
CREATE INDEX games_ruleset_running_created_idx ON games (ruleset, created_at, id) WHERE ended_at IS NULL;
-- With all that a player's statistics are made of.
CREATE INDEX games_first_ended_idx ON games (first_id, ended_at, id)
  INCLUDE (second_id, ruleset, status, winner, reason, ended_plies, ended_first_plies, ended_first_seconds) WHERE ended_at IS NOT NULL;
CREATE INDEX games_second_ended_idx ON games (second_id, ended_at, id)
  INCLUDE (first_id, ruleset, status, winner, reason, ended_plies, ended_second_plies, ended_second_seconds) WHERE ended_at IS NOT NULL;
CREATE INDEX games_first_created_idx ON games (first_id, created_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_second_created_idx ON games (second_id, created_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_pair_idx ON games (first_id, second_id, ended_at, id)
  INCLUDE (ruleset, status, winner) WHERE ended_at IS NOT NULL;
-- For what few games have: those are counted and, if they are few indeed, gathered.
CREATE INDEX games_opening_idx ON games (ruleset, opening COLLATE "C") WHERE ended_at IS NOT NULL;
CREATE INDEX games_reason_idx ON games (reason, ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX games_options_idx ON games (ruleset, options, ended_at, id) WHERE ended_at IS NOT NULL;

-- The running games by last activity: the only order that every move changes.
CREATE TABLE running_games (
  last_activity_at timestamptz(3) NOT NULL,
  game_id          uuid NOT NULL,
  ruleset          text NOT NULL,
  PRIMARY KEY (last_activity_at, game_id)
) WITH (fillfactor = 70);
CREATE INDEX running_games_ruleset_last_activity_at_game_id_idx ON running_games (ruleset, last_activity_at, game_id);

-- Beside the games, so that the update of a game stays HOT.
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
-- An imported database has games that are over from the start.
CREATE TRIGGER games_running_on_insert AFTER INSERT ON games FOR EACH ROW
  WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION keep_running();
-- Conditional moves change a game without activity.
CREATE TRIGGER games_running_on_update AFTER UPDATE ON games FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND (NEW.last_activity_at <> OLD.last_activity_at OR NEW.ended_at IS NOT NULL))
  EXECUTE FUNCTION keep_running();

------------------------------------------------------------------------------------------------------------------------
-- openings

-- How often each move was played in a position, and how those games ended: of finished games in which nothing lies
-- face-down. Counted after the end of each game, of those that wait in unexplored_games.
CREATE TABLE opening_moves (
  -- The first 16 bytes of the SHA-256 of the rule set and the position without its counters (src/features/openings).
  position   uuid NOT NULL,
  -- Canonical; empty for the games that ended in the position.
  move       text COLLATE "C" NOT NULL,
  first_won  integer NOT NULL CHECK (first_won >= 0),
  drawn      integer NOT NULL CHECK (drawn >= 0),
  second_won integer NOT NULL CHECK (second_won >= 0),
  PRIMARY KEY (position, move)
);

CREATE TABLE unexplored_games (
  game_id uuid PRIMARY KEY REFERENCES games (id)
);

-- The explorer counts a game soon after its end, not in its transaction, which must stay short.
CREATE FUNCTION leave_unexplored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unexplored_games VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
-- Only finished games count; db:import brings what was counted with it.
CREATE TRIGGER games_unexplored AFTER UPDATE ON games FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.status = 'finished') EXECUTE FUNCTION leave_unexplored();

------------------------------------------------------------------------------------------------------------------------
-- imports

-- Games that were played elsewhere, brought here as texts: finished, casual, and no part of what was played here.
CREATE TABLE imported_games (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES users (id),
  -- The id of the first game of its text: all games of one text come together.
  import_id   uuid NOT NULL,
  -- Everything that the text says but the plies (src/formats/score.ts), in its order.
  score       json NOT NULL,
  -- Each of them legal.
  plies       json NOT NULL,
  ply_count   integer NOT NULL,
  -- After the last ply.
  position    text NOT NULL,
  imported_at timestamptz(3) NOT NULL
);
CREATE INDEX imported_games_user_id_imported_at_id_idx ON imported_games (user_id, imported_at, id);
CREATE INDEX imported_games_import_id_id_idx ON imported_games (import_id, id);

------------------------------------------------------------------------------------------------------------------------
-- notifications

-- The newest of each kind from each game, so that the table does not grow with the moves. A challenge has the id of its
-- game. "It is your turn" is the state of a game: a row of the type yourTurn is only the mark that its user has read it,
-- in the turn that began at created_at with the ply of its data.
CREATE TABLE notifications (
  user_id    uuid NOT NULL,
  game_id    uuid NOT NULL,
  type       text NOT NULL,
  data       jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  read_at    timestamptz(3),
  PRIMARY KEY (user_id, game_id, type)
);
CREATE INDEX notifications_user_id_created_at_idx ON notifications (user_id, created_at, game_id, type);

------------------------------------------------------------------------------------------------------------------------
-- events: what has happened, in order, for whoever reacts; kept for 90 days

-- The place of an event. Never below its own transaction, so that a reader who stays below all that still run misses
-- none; and never below what was committed before, so that what happens in a game keeps its order even if a transaction
-- had its number before it saw the game.
CREATE FUNCTION tide_of_events() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
$$;

-- 64 random bits. Where a failover or a restoration has lost commits, their numbers come again, but no mark does: who
-- knows the mark of an event can tell whether it is still there.
CREATE FUNCTION new_mark() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT uuid_hash_extended(gen_random_uuid(), 0) $$;

CREATE TABLE events (
  tide     bigint NOT NULL DEFAULT tide_of_events(),
  id       bigserial NOT NULL,
  at       timestamptz(3) NOT NULL DEFAULT now(),
  mark     bigint NOT NULL DEFAULT new_mark(),
  -- Of the game, after it.
  version  integer,
  -- Of a change of a game: how many versions it made; 0 for conditional moves, which only their owner may notice. The
  -- log of the game says what they are.
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
-- Old events are deleted; none ever says something else.
CREATE TRIGGER events_never_change BEFORE UPDATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The statements that make later versions (commit.store.ts, games.store.ts) write their events themselves, in one go.
CREATE FUNCTION tell_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, game_id, version, steps)
  VALUES (NEW.first_id, NEW.second_id, NEW.id, NEW.version, coalesce(NEW.version - OLD.version, 1));
  RETURN NULL;
END
$$;
-- A new game is news for both players.
CREATE TRIGGER games_event_on_insert AFTER INSERT ON games FOR EACH ROW EXECUTE FUNCTION tell_game();

-- Conditional moves change a game for their owner alone: an event without a version, which is in no list of events.
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
-- If a version was made as well, its event tells the owner enough.
CREATE TRIGGER games_plans_event AFTER UPDATE ON games FOR EACH ROW
  WHEN (NEW.version = OLD.version AND NEW.plans <> OLD.plans) EXECUTE FUNCTION tell_plans();

-- A game that waits for an announced seed needs its player at once.
CREATE FUNCTION tell_seed_awaited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, game_id, version, type)
  VALUES (NEW.first_id, NEW.second_id, NEW.id, NEW.version, 'seedAwaited');
  RETURN NULL;
END
$$;
-- A game waits only from its beginning.
CREATE TRIGGER games_seed_awaited AFTER INSERT ON games FOR EACH ROW
  WHEN (NEW.status = 'pending') EXECUTE FUNCTION tell_seed_awaited();

-- Both sides of a challenge hear of it and of its answer.
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
-- A new challenge is news.
CREATE TRIGGER challenges_event_on_insert AFTER INSERT ON challenges FOR EACH ROW EXECUTE FUNCTION tell_challenge();
-- Of a later change only the answer and the creator's seed are.
CREATE TRIGGER challenges_event_on_update AFTER UPDATE ON challenges FOR EACH ROW
  WHEN (NEW.status <> OLD.status OR NEW.creator_client_seed IS DISTINCT FROM OLD.creator_client_seed)
  EXECUTE FUNCTION tell_challenge();

-- The event has no text: whoever may read the message reads it by its id.
CREATE FUNCTION tell_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, other_id, game_id, type, subject)
  SELECT first_id, second_id, id, 'messageSent', NEW.id FROM games WHERE id = NEW.game_id;
  RETURN NULL;
END
$$;
-- A message that was refused leaves no row.
CREATE TRIGGER messages_event AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION tell_message();

-- A rating changes some time after the end of its game, which is an event of its own.
CREATE FUNCTION tell_rating() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, game_id, version, type, subject)
  SELECT NEW.user_id, id, version, 'ratingChanged', NEW.ruleset FROM games WHERE id = NEW.game_id;
  RETURN NULL;
END
$$;
-- Each game changes each rating once.
CREATE TRIGGER rating_changes_event AFTER INSERT ON rating_changes FOR EACH ROW EXECUTE FUNCTION tell_rating();

-- What became of somebody's conditional moves is told to nobody else. All other news has an event of its own.
CREATE FUNCTION tell_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, game_id, type) VALUES (NEW.user_id, NEW.game_id, NEW.type);
  RETURN NULL;
END
$$;
-- Reading news is not news.
CREATE TRIGGER notifications_event AFTER INSERT OR UPDATE ON notifications FOR EACH ROW
  WHEN (NEW.read_at IS NULL AND NEW.type IN ('conditionalPlayed', 'conditionalDropped')) EXECUTE FUNCTION tell_plan();

-- Notes, and whether messages are refused, are the player's own: no event tells the opponent.
CREATE FUNCTION tell_seat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, game_id, type)
  SELECT CASE NEW.player WHEN 'first' THEN first_id ELSE second_id END, id, 'seatChanged'
  FROM games WHERE id = NEW.game_id;
  RETURN NULL;
END
$$;
-- The player's other devices show the change.
CREATE TRIGGER game_seats_event AFTER INSERT OR UPDATE ON game_seats FOR EACH ROW EXECUTE FUNCTION tell_seat();

-- One event for a text, however many games it has; one for each game that is deleted.
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
-- The first game of a text stands for all.
CREATE TRIGGER imported_games_event_on_insert AFTER INSERT ON imported_games FOR EACH ROW
  WHEN (NEW.id = NEW.import_id) EXECUTE FUNCTION tell_import();
-- Games of one text are deleted one by one.
CREATE TRIGGER imported_games_event_on_delete AFTER DELETE ON imported_games FOR EACH ROW EXECUTE FUNCTION tell_import();

-- A vacation that is called off keeps its row, with 0 days.
CREATE FUNCTION tell_vacation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, type, subject) VALUES (NEW.user_id, CASE
    WHEN TG_OP = 'INSERT' THEN 'vacationPlanned'
    WHEN NEW.days = 0 THEN 'vacationCancelled'
    ELSE 'vacationChanged' END, NEW.id);
  RETURN NULL;
END
$$;
-- The user's other devices show the plan.
CREATE TRIGGER vacations_event_on_insert AFTER INSERT ON vacations FOR EACH ROW EXECUTE FUNCTION tell_vacation();
-- Whether the games know of it is nobody's business.
CREATE TRIGGER vacations_event_on_update AFTER UPDATE ON vacations FOR EACH ROW
  WHEN (NEW.ends_at <> OLD.ends_at OR NEW.days <> OLD.days) EXECUTE FUNCTION tell_vacation();

-- The event has no values: whoever hears of it reads the profile.
CREATE FUNCTION tell_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (user_id, type) VALUES (NEW.id, 'profileChanged');
  RETURN NULL;
END
$$;
-- Only what the profile shows: passwords and looks are no news, and a closed account gets none.
CREATE TRIGGER users_event AFTER UPDATE ON users FOR EACH ROW
  WHEN (NEW.closed_at IS NULL AND (NEW.display_name, NEW.challenges_from, NEW.challenges_within)
    IS DISTINCT FROM (OLD.display_name, OLD.challenges_from, OLD.challenges_within))
  EXECUTE FUNCTION tell_profile();

-- The blocked user learns nothing of it.
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
-- The blocker's other devices show it.
CREATE TRIGGER blocks_event AFTER INSERT OR DELETE ON blocks FOR EACH ROW EXECUTE FUNCTION tell_block();

------------------------------------------------------------------------------------------------------------------------
-- changes: what of each user has changed, for whoever mirrors

-- In the order of transactions: of each thing only the newest change, so that the table does not grow with the moves.
CREATE TABLE changes (
  user_id uuid NOT NULL,
  kind    text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  xid     xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- Of this change; that of a game has the mark of its event.
  mark    bigint NOT NULL DEFAULT new_mark(),
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
  ON CONFLICT (user_id, kind, id) DO UPDATE
    SET xid = EXCLUDED.xid, mark = EXCLUDED.mark, deleted = EXCLUDED.deleted, at = EXCLUDED.at;
END
$$;

-- The changes of games are folded from the events after the commit (fold_events), so that a move writes none. Only
-- deletions are written here, never below an event of the same game.
CREATE FUNCTION change_games() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('game', array_agg(owner), array_agg(o.id::text), true)
  FROM touched o CROSS JOIN LATERAL unnest(ARRAY[o.first_id, o.second_id]) AS owner;
  UPDATE changes c SET xid = tide_of_events()::text::xid8 FROM touched o
  WHERE c.user_id IN (o.first_id, o.second_id) AND c.kind = 'game' AND c.id = o.id::text;
  RETURN NULL;
END
$$;
-- Nothing deletes a game today; if an operator must, the mirrors hear of it.
CREATE TRIGGER games_change_on_delete AFTER DELETE ON games
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION change_games();

-- For both sides of the challenge.
CREATE FUNCTION change_challenges() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('challenge', array_agg(owner), array_agg(n.id::text), TG_OP = 'DELETE')
  FROM touched n CROSS JOIN LATERAL unnest(ARRAY[n.creator_id, n.opponent_id]) AS owner;
  RETURN NULL;
END
$$;

-- How long somebody stays on a leaderboard is no part of their rating.
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

-- A password is not told; a closed account has no news of itself.
CREATE FUNCTION change_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM write_changes('profile', array_agg(n.id), array_agg(n.id::text), false)
    FROM touched n JOIN before o ON o.id = n.id
    WHERE n.closed_at IS NULL AND to_jsonb(n) - 'password_hash' <> to_jsonb(o) - 'password_hash';
  ELSE
    PERFORM write_changes('profile', array_agg(id), array_agg(id::text), TG_OP = 'DELETE') FROM touched;
  END IF;
  RETURN NULL;
END
$$;

-- A vacation that was called off is gone; whether the games know of it is nobody's business.
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

-- The blocked user learns nothing of it.
CREATE FUNCTION change_blocks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('block', array_agg(blocker_id), array_agg(blocked_id::text), TG_OP = 'DELETE') FROM touched;
  RETURN NULL;
END
$$;

-- Both players see every message that was taken; the change is of the whole conversation.
CREATE FUNCTION change_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('messages', array_agg(owner), array_agg(g.id::text), false)
  -- An array, whose rows are looked up: for a join the planner may walk through the table.
  FROM games g CROSS JOIN LATERAL unnest(ARRAY[g.first_id, g.second_id]) AS owner
  WHERE g.id = ANY (ARRAY(SELECT game_id FROM touched));
  RETURN NULL;
END
$$;

-- What somebody keeps at their seat nobody else sees.
CREATE FUNCTION change_game_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('seat', array_agg(owner), array_agg(game_id::text), TG_OP = 'DELETE')
  FROM (SELECT s.game_id, CASE s.player
    WHEN 'first' THEN (SELECT g.first_id FROM games g WHERE g.id = s.game_id)
    ELSE (SELECT g.second_id FROM games g WHERE g.id = s.game_id) END AS owner FROM touched s) AS seats;
  RETURN NULL;
END
$$;

-- Whose turn it is follows from the game, so that yourTurn is not told.
CREATE FUNCTION change_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('notification', array_agg(user_id), array_agg(game_id || ':' || type), TG_OP = 'DELETE')
  FROM touched WHERE type <> 'yourTurn';
  RETURN NULL;
END
$$;

-- An import never changes.
CREATE FUNCTION change_imported_games() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('import', array_agg(user_id), array_agg(id::text), TG_OP = 'DELETE') FROM touched;
  RETURN NULL;
END
$$;
-- Once for all games of a text.
CREATE TRIGGER imported_games_change_on_insert AFTER INSERT ON imported_games
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION change_imported_games();
-- A mirror deletes what was deleted here.
CREATE TRIGGER imported_games_change_on_delete AFTER DELETE ON imported_games
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION change_imported_games();

-- Three triggers for each of these tables, once for a statement and not for each row: a change of many rows writes them
-- in one order. Those that are compared look at the rows before the update as well.
DO $$
DECLARE
  of_table text;
  compared boolean;
BEGIN
  FOR of_table, compared IN VALUES
    ('ratings', true), ('users', true), ('vacations', true), ('challenges', false),
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

-- Where transaction numbers mean something: in one cluster with its standbys and backups, whatever its timeline.
CREATE FUNCTION current_cluster() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT system_identifier::text FROM pg_control_system()
$$;
-- One row: the cluster of the numbers above, and the last event that is folded into the changes.
CREATE TABLE event_state (
  cluster     text PRIMARY KEY,
  folded_tide bigint NOT NULL DEFAULT 0,
  folded_id   bigint NOT NULL DEFAULT 0
);
INSERT INTO event_state (cluster) VALUES (current_cluster());

-- Folds events of games: of each game of each player the newest, by the first of its events in a transaction. Always in
-- the order of keys, as write_changes does. A closed account gets none.
CREATE FUNCTION fold_events(tides bigint[], marks bigint[], owners uuid[], games uuid[], times timestamptz[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO changes (user_id, kind, id, xid, mark, deleted, at)
  SELECT DISTINCT ON (owner, thing) owner, 'game', thing, tide::text::xid8, mark, false, at
  FROM unnest(tides, marks, owners, games, times) WITH ORDINALITY AS e(tide, mark, owner, game, at, place)
  CROSS JOIN LATERAL (SELECT game::text COLLATE "C" AS thing) AS named
  -- A value for each row, and no join, for which the planner might read all users.
  WHERE (SELECT closed_at IS NULL FROM users WHERE id = owner)
  ORDER BY owner, thing, tide DESC, place
  ON CONFLICT (user_id, kind, id) DO UPDATE
    SET xid = EXCLUDED.xid, mark = EXCLUDED.mark, deleted = EXCLUDED.deleted, at = EXCLUDED.at
  WHERE changes.xid < EXCLUDED.xid
$$;

-- Begins an empty log where the rows of another cluster were restored: its numbers mean nothing here. Events of games
-- that are not folded yet are folded: they are beyond the last folded one, or were written here and have later ids than
-- all that were restored.
CREATE FUNCTION begin_log() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  here bigint := pg_current_xact_id()::text::bigint;
  last event_state;
BEGIN
  LOCK TABLE events IN ACCESS EXCLUSIVE MODE;
  SELECT * INTO last FROM event_state;
  -- Another server was faster.
  IF last.cluster = current_cluster() THEN RETURN; END IF;
  PERFORM fold_events(array_agg(least(tide, here)), array_agg(mark), array_agg(owner), array_agg(game_id), array_agg(at))
  FROM (SELECT * FROM events ORDER BY tide, id) e CROSS JOIN LATERAL (VALUES (user_id), (other_id)) AS concerned(owner)
  WHERE type IS NULL AND owner IS NOT NULL AND EXISTS (SELECT FROM games WHERE id = game_id)
    AND ((tide, id) > (last.folded_tide, last.folded_id) OR id > last.folded_id);
  TRUNCATE events;
  UPDATE event_state SET cluster = current_cluster(), folded_tide = 0, folded_id = 0;
END
$$;

------------------------------------------------------------------------------------------------------------------------
-- transparency: the log of all games (docs/fairness.md, "The log"), a Merkle tree of what was opened and what has ended

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
-- Witnesses have signed what stands here.
CREATE TRIGGER log_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The same holds for the hashes.
CREATE TRIGGER log_nodes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_nodes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What waits to be logged, in the order in which it will be: openings first.
CREATE TABLE unlogged (
  is_end  boolean NOT NULL,
  at      timestamptz(3) NOT NULL,
  game_id uuid NOT NULL,
  PRIMARY KEY (is_end, at, game_id)
);

-- A challenge that became no game of its own id is over with its answer. Rows that come in closed or ended, as those of
-- an imported database do, wait as well: what the log has already is taken off the list.
CREATE FUNCTION became_no_game(status text, id uuid, game_id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status IN ('declined', 'countered', 'cancelled', 'expired') OR status = 'accepted' AND game_id <> id
$$;

-- The opening is committed to before anybody gives a seed.
CREATE FUNCTION leave_opening_unlogged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unlogged VALUES (false, NEW.created_at, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
-- Each challenge, whatever becomes of it: a server must not open many and keep the best.
CREATE TRIGGER challenges_opening_unlogged AFTER INSERT ON challenges FOR EACH ROW
  EXECUTE FUNCTION leave_opening_unlogged();

-- So that the list of openings without an end has only what is still open.
CREATE FUNCTION leave_closing_unlogged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unlogged VALUES (true, coalesce(NEW.answered_at, now()), NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
-- Challenges of an imported database, which come in closed.
CREATE TRIGGER challenges_closed_unlogged AFTER INSERT ON challenges FOR EACH ROW
  WHEN (became_no_game(NEW.status, NEW.id, NEW.game_id)) EXECUTE FUNCTION leave_closing_unlogged();
-- Challenges that are closed here.
CREATE TRIGGER challenges_closing_unlogged AFTER UPDATE ON challenges FOR EACH ROW
  WHEN (OLD.status = 'open' AND became_no_game(NEW.status, NEW.id, NEW.game_id))
  EXECUTE FUNCTION leave_closing_unlogged();

-- The end publishes the server seed, and nobody can turn it round afterwards.
CREATE FUNCTION leave_end_unlogged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unlogged VALUES (true, NEW.ended_at, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
-- Games of an imported database, which come in ended.
CREATE TRIGGER games_ended_unlogged AFTER INSERT ON games FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION leave_end_unlogged();
-- Games that end here.
CREATE TRIGGER games_end_unlogged AFTER UPDATE ON games FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION leave_end_unlogged();

-- The keys that the server signs with, and those that it once signed with: old receipts are checked with them.
CREATE TABLE signing_keys (
  key           text PRIMARY KEY,
  use           text NOT NULL CHECK (use IN ('receipts', 'log')),
  first_used_at timestamptz(3) NOT NULL,
  retired_at    timestamptz(3)
);

------------------------------------------------------------------------------------------------------------------------
-- platform

CREATE TABLE idempotency_keys (
  actor       text NOT NULL,
  key         text NOT NULL,
  operation   text NOT NULL,
  fingerprint text NOT NULL,
  resource_id uuid NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (actor, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

-- What the database knows of the server that writes it, as the fingerprint of its seed secret.
CREATE TABLE marks (
  name  text PRIMARY KEY,
  value text NOT NULL
);
