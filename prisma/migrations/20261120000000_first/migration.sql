CREATE TABLE users (
  id            uuid PRIMARY KEY,
  username      text NOT NULL,
  display_name  text NOT NULL,
  password_hash text NOT NULL,
  created_at    timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX users_username_key ON users (username);

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

CREATE TABLE challenges (
  id                       uuid PRIMARY KEY,
  creator_id               uuid NOT NULL REFERENCES users (id),
  opponent_id              uuid REFERENCES users (id),
  status                   text NOT NULL CHECK (status IN ('open', 'accepted', 'declined', 'cancelled', 'expired')),
  ruleset                  text NOT NULL,
  options                  jsonb NOT NULL,
  time_control             jsonb NOT NULL,
  side                     text NOT NULL CHECK (side IN ('first', 'second', 'any')),
  commitment               text NOT NULL,
  creator_client_seed      text,
  creator_client_seed_hash text,
  created_at               timestamptz(3) NOT NULL,
  expires_at               timestamptz(3) NOT NULL,
  answered_at              timestamptz(3),
  CHECK (creator_id <> opponent_id),
  CHECK ((creator_client_seed IS NULL) <> (creator_client_seed_hash IS NULL))
);
CREATE INDEX challenges_creator_id_status_id_idx ON challenges (creator_id, status, id);
CREATE INDEX challenges_opponent_id_status_id_idx ON challenges (opponent_id, status, id);
CREATE INDEX challenges_open_expires_at_idx ON challenges (expires_at) WHERE status = 'open';

CREATE TABLE games (
  id                 uuid PRIMARY KEY,
  ruleset            text NOT NULL,
  options            jsonb NOT NULL,
  setup              text,
  time_control       jsonb NOT NULL,
  first_id           uuid NOT NULL REFERENCES users (id),
  second_id          uuid NOT NULL REFERENCES users (id),
  status             text NOT NULL CHECK (status IN ('pending', 'active', 'finished', 'aborted')),
  version            integer NOT NULL CHECK (version > 0),
  ply_count          integer NOT NULL CHECK (ply_count >= 0),
  turn               text CHECK (turn IN ('first', 'second')),
  position           text NOT NULL,
  anchor_position    text NOT NULL,
  anchor_ply         integer NOT NULL,
  moves              text NOT NULL,
  terms_hash         text,
  head_hash          text,
  commitment         text NOT NULL,
  deal_root          text,
  first_client_seed  text,
  second_client_seed text,
  client_seed_hash   text,
  creator            text NOT NULL CHECK (creator IN ('first', 'second')),
  sides_drawn        boolean NOT NULL,
  turn_started_at    timestamptz(3) NOT NULL,
  deadline_at        timestamptz(3),
  winner             text CHECK (winner IN ('first', 'second')),
  reason             text,
  created_at         timestamptz(3) NOT NULL,
  last_activity_at   timestamptz(3) NOT NULL,
  ended_at           timestamptz(3),
  CHECK (first_id <> second_id),
  CHECK ((status IN ('finished', 'aborted')) = (reason IS NOT NULL)),
  CHECK ((status IN ('finished', 'aborted')) = (ended_at IS NOT NULL)),
  CHECK (status IN ('pending', 'active') OR (turn IS NULL AND deadline_at IS NULL)),
  CHECK (winner IS NULL OR status = 'finished'),
  CHECK (status IN ('pending', 'aborted') OR (terms_hash IS NOT NULL AND head_hash IS NOT NULL))
);
CREATE INDEX games_first_id_last_activity_at_id_idx ON games (first_id, last_activity_at, id);
CREATE INDEX games_second_id_last_activity_at_id_idx ON games (second_id, last_activity_at, id);
-- Running games stay few, however long a player's history grows.
CREATE INDEX games_first_id_running_idx ON games (first_id, last_activity_at, id) WHERE ended_at IS NULL;
CREATE INDEX games_second_id_running_idx ON games (second_id, last_activity_at, id) WHERE ended_at IS NULL;
CREATE INDEX games_deadline_at_idx ON games (deadline_at);

CREATE TABLE plies (
  game_id       uuid NOT NULL REFERENCES games (id),
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
  PRIMARY KEY (game_id, seq)
);

CREATE TABLE game_events (
  game_id uuid NOT NULL REFERENCES games (id),
  seq     integer NOT NULL CHECK (seq > 0),
  type    text NOT NULL,
  player  text CHECK (player IN ('first', 'second')),
  data    jsonb NOT NULL,
  at      timestamptz(3) NOT NULL,
  PRIMARY KEY (game_id, seq, type)
);

CREATE TABLE deal_secrets (
  game_id    uuid PRIMARY KEY,
  sealed     bytea NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE outbox (
  id         bigserial PRIMARY KEY,
  xid        xid8 NOT NULL DEFAULT pg_current_xact_id(),
  game_id    uuid NOT NULL,
  version    integer NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX outbox_xid_id_idx ON outbox (xid, id);
CREATE INDEX outbox_created_at_idx ON outbox (created_at);

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

-- What was played stays as it was played.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER plies_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON plies
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER game_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON game_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
