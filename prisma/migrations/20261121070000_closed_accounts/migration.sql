-- Whoever closes his account keeps his row, which his games need. His name is free again after a while, then it is null.
ALTER TABLE users
  ADD COLUMN closed_at timestamptz(3),
  -- Is something of a closed account still to be ended: games, seeks, challenges?
  ADD COLUMN leaving boolean NOT NULL DEFAULT false,
  ALTER COLUMN username DROP NOT NULL,
  ADD CONSTRAINT users_closed_check CHECK (closed_at IS NOT NULL OR (username IS NOT NULL AND NOT leaving));
-- Those of which something is still to be done.
CREATE INDEX users_closed_at_idx ON users (closed_at) WHERE closed_at IS NOT NULL AND (leaving OR username IS NOT NULL);

-- Who is gone has no news of himself.
CREATE OR REPLACE FUNCTION change_users() RETURNS trigger LANGUAGE plpgsql AS $$
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
