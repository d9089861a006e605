-- Accounts that a person can live with.

-- The one row that every token hangs on.
ALTER TABLE sessions
  -- `password`: opened with one.
  ADD COLUMN kind         text NOT NULL DEFAULT 'password',
  -- The client in words, as "Firefox on Linux".
  ADD COLUMN device       text NOT NULL DEFAULT '',
  -- Written at most once a minute; null until then.
  ADD COLUMN last_used_at timestamptz(3),
  -- When the user last gave the password in it.
  ADD COLUMN confirmed_at timestamptz(3);
