-- The keys that the server signs with, and those that it once signed with: old receipts are checked with them.
CREATE TABLE signing_keys (
  key           text PRIMARY KEY,
  use           text NOT NULL CHECK (use IN ('receipts', 'log')),
  first_used_at timestamptz(3) NOT NULL,
  retired_at    timestamptz(3)
);
