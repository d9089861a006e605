-- Clocks, offers, takebacks and conditional moves are part of the game's row: it is still read at one stroke.
ALTER TABLE games
  ADD COLUMN rated       boolean NOT NULL DEFAULT false,
  ADD COLUMN clock       jsonb,
  ADD COLUMN offers      jsonb NOT NULL DEFAULT '{"draw": null, "takeback": null, "pause": null, "refused": {"first": 0, "second": 0}}',
  ADD COLUMN takebacks   jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN wake_at     timestamptz(3),
  ADD COLUMN plans       integer NOT NULL DEFAULT 0,
  ADD COLUMN first_plan  jsonb,
  ADD COLUMN second_plan jsonb;
UPDATE games SET
  clock = jsonb_build_object(
    'allowance', CASE WHEN status = 'pending' THEN NULL ELSE time_control->'seconds' END,
    'given', 0,
    'stops', '[]'::jsonb,
    'reminded', false,
    'bank', NULL,
    'away', '{"first": null, "second": null}'::jsonb),
  wake_at = CASE WHEN status = 'active'
    THEN turn_started_at + ceil((time_control->>'seconds')::integer * 0.8) * interval '1 second' END;
ALTER TABLE games ALTER COLUMN clock SET NOT NULL;
ALTER TABLE games ALTER COLUMN rated DROP DEFAULT;
ALTER TABLE games ALTER COLUMN offers DROP DEFAULT;
ALTER TABLE games ALTER COLUMN takebacks DROP DEFAULT;
ALTER TABLE games ALTER COLUMN plans DROP DEFAULT;
ALTER TABLE games DROP CONSTRAINT games_status_check;
ALTER TABLE games ADD CHECK (status IN ('pending', 'active', 'paused', 'finished', 'aborted'));
ALTER TABLE games DROP CONSTRAINT games_check3;
ALTER TABLE games ADD CONSTRAINT games_over_check CHECK (status IN ('pending', 'active', 'paused')
  OR (turn IS NULL AND deadline_at IS NULL AND wake_at IS NULL AND first_plan IS NULL AND second_plan IS NULL));
CREATE INDEX games_wake_at_idx ON games (wake_at) WHERE wake_at IS NOT NULL;

-- What the mover had left after the ply, where the time control carries it over.
ALTER TABLE plies ADD COLUMN clock integer;

ALTER TABLE challenges
  ADD COLUMN rated      boolean NOT NULL DEFAULT false,
  ADD COLUMN rematch_of uuid REFERENCES games (id);
ALTER TABLE challenges ALTER COLUMN rated DROP DEFAULT;
CREATE UNIQUE INDEX challenges_open_rematch_idx ON challenges (rematch_of)
  WHERE status = 'open' AND rematch_of IS NOT NULL;
CREATE INDEX challenges_rematch_of_idx ON challenges (rematch_of);

-- In whole days; ends_at comes nearer when the vacation is ended early.
CREATE TABLE vacations (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users (id),
  starts_at  timestamptz(3) NOT NULL,
  ends_at    timestamptz(3) NOT NULL,
  days       integer NOT NULL CHECK (days >= 0),
  -- Do the user's games know of it as it now is?
  settled    boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CHECK (ends_at >= starts_at)
);
CREATE INDEX vacations_user_id_starts_at_idx ON vacations (user_id, starts_at);
CREATE INDEX vacations_unsettled_idx ON vacations (starts_at) WHERE NOT settled;

CREATE TABLE messages (
  id         uuid PRIMARY KEY,
  game_id    uuid NOT NULL REFERENCES games (id),
  player     text NOT NULL CHECK (player IN ('first', 'second')),
  text       text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX messages_game_id_id_idx ON messages (game_id, id);

-- What a player keeps at his seat of a game: seen by nobody else.
CREATE TABLE game_seats (
  game_id uuid NOT NULL REFERENCES games (id),
  player  text NOT NULL CHECK (player IN ('first', 'second')),
  note    text NOT NULL,
  -- Does he refuse the messages of his opponent?
  muted   boolean NOT NULL,
  PRIMARY KEY (game_id, player)
);

CREATE TABLE blocks (
  blocker_id uuid NOT NULL REFERENCES users (id),
  blocked_id uuid NOT NULL REFERENCES users (id),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
);
CREATE INDEX blocks_blocked_id_idx ON blocks (blocked_id);

-- The newest of each kind from each game: it does not grow with the moves. A challenge has the id of its game.
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
