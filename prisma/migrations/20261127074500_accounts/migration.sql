-- Accounts that a person can live with.

-- The one row that every token hangs on.
ALTER TABLE sessions
  -- `password`: opened with one. `personal`: a token of its own, without refresh tokens.
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
