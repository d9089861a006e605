-- What goes out to everybody.

-- The events of all public games, in their order: changes of games and of ratings, without those of applications.
CREATE INDEX events_public_idx ON events (tide, id)
  WHERE application_id IS NULL AND coalesce(type, 'ratingChanged') = 'ratingChanged' AND steps IS DISTINCT FROM 0;

-- Readers of the whole log, which go on where they stood after a restart: what goes out is decided behind each commit.
CREATE TABLE log_readers (
  name text PRIMARY KEY,
  tide bigint NOT NULL,
  id   bigint NOT NULL
);
-- What happened before is no news.
INSERT INTO log_readers (name, tide, id)
SELECT 'webhooks', coalesce(max(tide), 0), coalesce(max(id), 0)
FROM (SELECT tide, id FROM events ORDER BY tide DESC, id DESC LIMIT 1) last;

-- Addresses to which the events of a person or an application are sent.
CREATE TABLE webhooks (
  id               uuid PRIMARY KEY,
  user_id          uuid REFERENCES users (id),
  application_id   uuid REFERENCES applications (id),
  -- The personal token that made it, with which it ends.
  session_id       uuid,
  -- Of the token that made it, with spaces between: they say what it may send.
  scopes           text NOT NULL,
  url              text NOT NULL,
  -- With spaces between; empty for all.
  types            text NOT NULL,
  -- Encrypted; the old one signs as well for a while.
  secret           bytea NOT NULL,
  old_secret       bytea,
  old_secret_until timestamptz(3),
  created_at       timestamptz(3) NOT NULL,
  -- All before was sent.
  place_tide       bigint NOT NULL,
  place_id         bigint NOT NULL,
  place_part       bigint NOT NULL,
  -- The last event of its owner that the reader of the log has seen.
  last_tide        bigint NOT NULL,
  last_id          bigint NOT NULL,
  -- How often deliveries were asked for, and how many of these requests are dealt with.
  asks             integer NOT NULL DEFAULT 0,
  asks_met         integer NOT NULL DEFAULT 0,
  -- Who sends for it: 0 if the last delivery succeeded at once, 1 if it is new or slow, 2 if it fails.
  pool             smallint NOT NULL DEFAULT 1,
  -- Before, nobody sends for it; while somebody does, the end of the lease.
  due_at           timestamptz(3) NOT NULL,
  lease            uuid,
  -- How often the next message has failed, and since when.
  tries            integer NOT NULL DEFAULT 0,
  failing_since    timestamptz(3),
  off_at           timestamptz(3),
  off_reason       text,
  CHECK ((user_id IS NULL) <> (application_id IS NULL))
);
CREATE INDEX webhooks_user_id_idx ON webhooks (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX webhooks_application_id_idx ON webhooks (application_id) WHERE application_id IS NOT NULL;
CREATE INDEX webhooks_on_idx ON webhooks (id) WHERE off_at IS NULL;
CREATE INDEX webhooks_due_idx ON webhooks (pool, due_at)
  WHERE off_at IS NULL AND (asks > asks_met OR (place_tide, place_id) < (last_tide, last_id));

-- A log that begins anew (begin_log) has other numbers: who reads it begins with it.
CREATE FUNCTION begin_readers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log_readers SET tide = 0, id = 0;
  UPDATE webhooks SET place_tide = 0, place_id = 0, place_part = 0, last_tide = 0, last_id = 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER event_state_readers AFTER UPDATE OF cluster ON event_state FOR EACH ROW EXECUTE FUNCTION begin_readers();

-- What was sent, for 30 days: a row for each message.
CREATE TABLE webhook_deliveries (
  id         uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  -- The same at each try.
  message_id text NOT NULL,
  type       text NOT NULL,
  body       text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Whether it is to be sent because somebody asked for it.
  waits      boolean NOT NULL DEFAULT false,
  tries      integer NOT NULL DEFAULT 0,
  -- Of the last try.
  tried_at   timestamptz(3),
  took_ms    integer,
  -- Of the answer; null without one.
  status     integer,
  failure    text,
  -- The first bytes of the answer.
  answer     text,
  UNIQUE (webhook_id, message_id)
);
CREATE INDEX webhook_deliveries_list_idx ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_waits_idx ON webhook_deliveries (webhook_id, id) WHERE waits;
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);

-- What a user wants to be told, and when; without a row, the defaults of src/features/news/news-kinds.ts.
CREATE TABLE news_settings (
  user_id     uuid PRIMARY KEY REFERENCES users (id),
  -- When to tell what by mail and by push: of each kind that the user chose something for.
  mail        jsonb NOT NULL DEFAULT '{}',
  push        jsonb NOT NULL DEFAULT '{}',
  -- Hours of the day in the time zone; both or none.
  quiet_from  smallint,
  quiet_until smallint,
  digest_hour smallint NOT NULL,
  time_zone   text NOT NULL,
  -- Seconds before a deadline.
  reminders   jsonb NOT NULL,
  CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);
-- Since when the mail server refuses the address; cleared when an address is verified.
ALTER TABLE users ADD COLUMN email_off_at timestamptz(3);
CREATE INDEX users_told_idx ON users (id) WHERE email IS NOT NULL AND email_off_at IS NULL AND closed_at IS NULL;

-- What is to be told to whom, until it is posted: deleted in the statement that posts it, so that it is told once.
CREATE TABLE news_items (
  user_id uuid NOT NULL REFERENCES users (id),
  channel text NOT NULL,
  -- Of the game, or of a challenge.
  game_id uuid NOT NULL,
  -- As of a notification.
  type    text NOT NULL,
  -- Of a reminder: how many seconds before the deadline the user wants it; else 0.
  before  integer NOT NULL DEFAULT 0,
  -- When it happened; of a reminder the deadline.
  at      timestamptz(3) NOT NULL,
  -- Of a turn: the plies before it, and when it began.
  ply     integer,
  began   timestamptz(3),
  due_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, channel, game_id, type, before)
);
CREATE INDEX news_items_due_at_idx ON news_items (channel, due_at);

INSERT INTO log_readers (name, tide, id)
SELECT 'news', coalesce(max(tide), 0), coalesce(max(id), 0)
FROM (SELECT tide, id FROM events ORDER BY tide DESC, id DESC LIMIT 1) last;

-- Browsers in which a user is told (Web Push); each ends with the session that it belongs to.
CREATE TABLE push_subscriptions (
  id            uuid PRIMARY KEY,
  user_id       uuid NOT NULL REFERENCES users (id),
  session_id    uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- Where its push service takes messages, and the keys with which they are encrypted, as browsers give them.
  endpoint      text NOT NULL UNIQUE,
  p256dh        text NOT NULL,
  auth          text NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  -- Who sends to it: 0 if the last message was taken at once, 1 if it is new or slow, 2 if it fails.
  pool          smallint NOT NULL DEFAULT 1,
  failing_since timestamptz(3)
);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions (user_id);
CREATE INDEX push_subscriptions_session_id_idx ON push_subscriptions (session_id);

-- What a browser is to be told of a game or challenge, and whether it shows that it is the user's turn.
CREATE TABLE pushes (
  subscription_id uuid NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
  -- The id of the game or challenge; 'news' for several at once.
  tag             text NOT NULL,
  -- The same at each try, another one when there is more to tell.
  id              uuid NOT NULL UNIQUE,
  -- As a mail has them.
  items           jsonb NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  pool            smallint NOT NULL,
  tries           integer NOT NULL DEFAULT 0,
  -- Before, nobody sends it; null when it was sent.
  due_at          timestamptz(3),
  is_shown        boolean NOT NULL DEFAULT false,
  PRIMARY KEY (subscription_id, tag)
);
CREATE INDEX pushes_due_at_idx ON pushes (pool, due_at) WHERE due_at IS NOT NULL;
