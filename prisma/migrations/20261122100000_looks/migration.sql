-- What a name looks like (Unicode's skeleton), so that nobody passes for somebody else. Null: not worked out yet, or the
-- account is closed.
ALTER TABLE users ADD COLUMN username_look text, ADD COLUMN display_look text;
CREATE INDEX users_username_look_idx ON users (username_look) WHERE username_look IS NOT NULL;
CREATE INDEX users_display_look_idx ON users (display_look) WHERE display_look IS NOT NULL;
CREATE INDEX users_unlooked_idx ON users (id) WHERE username_look IS NULL AND closed_at IS NULL;
