-- Format 2 of fairness (docs/fairness.md). What was opened before it keeps format 1.
ALTER TABLE challenges
  ADD COLUMN format          smallint NOT NULL DEFAULT 1 CHECK (format IN (1, 2)),
  -- When the creator gave his client seed; null before, and in format 1.
  ADD COLUMN creator_seed_at timestamptz(3),
  -- The hashes of the first and of the newest row of the chain before the acceptance.
  ADD COLUMN create_hash     text,
  ADD COLUMN head_hash       text,
  DROP CONSTRAINT challenges_check1,
  ADD CHECK (format = 2 OR (creator_client_seed IS NULL) <> (creator_client_seed_hash IS NULL)),
  ADD CHECK (format = 1 OR (creator_client_seed IS NULL) = (creator_seed_at IS NULL)),
  ADD CHECK ((format = 2) = (create_hash IS NOT NULL AND head_hash IS NOT NULL));
ALTER TABLE challenges ALTER COLUMN format DROP DEFAULT;

ALTER TABLE games
  ADD COLUMN format             smallint NOT NULL DEFAULT 1 CHECK (format IN (1, 2)),
  -- That of the creator has its column, client_seed_hash.
  ADD COLUMN accepter_seed_hash text,
  -- What decided who makes ply 1; null in format 1.
  ADD COLUMN sides_by           text CHECK (sides_by IN ('wish', 'balance', 'seeds')),
  ADD CHECK ((format = 2) = (sides_by IS NOT NULL)),
  ADD CHECK (format = 1 OR head_hash IS NOT NULL);
ALTER TABLE games ALTER COLUMN format DROP DEFAULT;

-- Rows of the chain; null in format 1, whose chain has plies alone.
ALTER TABLE game_events
  ADD COLUMN previous_hash text,
  ADD COLUMN hash          text,
  DROP CONSTRAINT game_events_seq_check,
  ADD CHECK (seq >= 0);

-- Each client seed of format 2 is used once.
CREATE TABLE client_seeds (
  -- SHA-256 of the seed.
  hash         text PRIMARY KEY,
  challenge_id uuid NOT NULL,
  created_at   timestamptz(3) NOT NULL
);
