-- Accounts that a person can live with.

-- The one row that every token hangs on.
ALTER TABLE sessions
  -- `password`: opened with one. `personal`: a token of its own, without refresh tokens. `guest`: of a guest.
  ADD COLUMN kind         text NOT NULL DEFAULT 'password',
  -- With spaces between; null for all that the kind may have.
  ADD COLUMN scopes       text,
  -- The user's, of a personal token.
  ADD COLUMN name         text,
  -- Of a personal token.
  ADD COLUMN token_hash   text UNIQUE,
  -- The client in words, as "Firefox on Linux".
  ADD COLUMN device       text NOT NULL DEFAULT '',
  -- Written at most once a minute; null until then.
  ADD COLUMN last_used_at timestamptz(3),
  -- When the user last gave the password in it.
  ADD COLUMN confirmed_at timestamptz(3);

-- Players are found by the beginning of a name, of display names by their look in lower case, which the next start works
-- out. A display name may be that of others, too.
UPDATE users SET username_look = NULL, display_look = NULL WHERE closed_at IS NULL;
DROP INDEX users_display_look_idx;
CREATE INDEX users_username_beginning_idx ON users (username text_pattern_ops) WHERE closed_at IS NULL;
CREATE INDEX users_display_look_beginning_idx ON users (display_look text_pattern_ops) WHERE display_look IS NOT NULL;

-- Seen by nobody but its user; several accounts may share one.
ALTER TABLE users
  -- Verified.
  ADD COLUMN email         text,
  -- To be verified by the link that was sent there.
  ADD COLUMN pending_email text,
  -- The session that named it, with which it ends.
  ADD COLUMN pending_session uuid;
CREATE INDEX users_email_idx ON users (lower(email)) WHERE email IS NOT NULL;

-- Links of mails, each of which works once; only hashes, so that a stolen table opens nothing.
CREATE TABLE account_links (
  hash       text PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users (id),
  -- `verification` of an address, or `recovery` of an account.
  kind       text NOT NULL,
  -- Where it was sent; null for a recovery by the operator.
  email      text,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX account_links_user_id_idx ON account_links (user_id);
CREATE INDEX account_links_expires_at_idx ON account_links (expires_at);

-- Mails that are to be sent, without the links in them, which are made when they are.
CREATE TABLE mails (
  id         uuid PRIMARY KEY,
  kind       text NOT NULL,
  -- Null for a recovery, of which nobody has looked yet whom it names.
  user_id    uuid REFERENCES users (id),
  -- To whom; null for the same reason.
  email      text,
  -- What the mail tells.
  about      jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- When it is tried next.
  due_at     timestamptz(3) NOT NULL,
  tries      integer NOT NULL DEFAULT 0
);
CREATE INDEX mails_due_at_idx ON mails (due_at);
CREATE INDEX mails_user_id_idx ON mails (user_id);

-- From where users have signed in: keyed hashes of device and network.
CREATE TABLE known_devices (
  user_id uuid NOT NULL REFERENCES users (id),
  mark    text NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, mark)
);
CREATE INDEX known_devices_seen_at_idx ON known_devices (seen_at);

-- What rate-limiter-flexible counts, by keyed hashes; a crash may forget it, and so it costs no write ahead.
CREATE UNLOGGED TABLE rate_counts (
  key    text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- In milliseconds since 1970.
  expire bigint
);
CREATE INDEX rate_counts_expire_idx ON rate_counts (expire);

-- A `person` has ways to sign in; a `guest` has none until the claim, and is forgotten when idle.
ALTER TABLE users ADD COLUMN kind text NOT NULL DEFAULT 'person';
CREATE INDEX users_guest_idx ON users (created_at) WHERE kind = 'guest' AND closed_at IS NULL;

-- Of a link or a seek that only persons may accept.
ALTER TABLE challenges ADD COLUMN persons_only boolean NOT NULL DEFAULT false;
