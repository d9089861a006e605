-- Who seeks a partner looks at those alone whose side goes with his, oldest first.
DROP INDEX challenges_pairing_idx;
CREATE INDEX challenges_sides_idx ON challenges (terms_key, side, created_at, id) WHERE kind = 'seek' AND status = 'open';
