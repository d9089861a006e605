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
