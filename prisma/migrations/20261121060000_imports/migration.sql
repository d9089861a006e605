-- Games that were played elsewhere, brought here as texts: finished, casual, and no part of what was played here.
CREATE TABLE imported_games (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES users (id),
  -- The id of the first game of its text: all games of one text come together.
  import_id   uuid NOT NULL,
  -- Everything that the text says but the plies (src/formats/score.ts), in its order.
  score       json NOT NULL,
  -- Each of them legal.
  plies       json NOT NULL,
  ply_count   integer NOT NULL,
  -- After the last ply.
  position    text NOT NULL,
  imported_at timestamptz(3) NOT NULL
);
CREATE INDEX imported_games_user_id_imported_at_id_idx ON imported_games (user_id, imported_at, id);

CREATE INDEX imported_games_import_id_id_idx ON imported_games (import_id, id);

CREATE FUNCTION change_imported_games() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_changes('import', array_agg(user_id), array_agg(id::text), TG_OP = 'DELETE') FROM touched;
  RETURN NULL;
END
$$;
CREATE TRIGGER imported_games_change_on_insert AFTER INSERT ON imported_games
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION change_imported_games();
CREATE TRIGGER imported_games_change_on_delete AFTER DELETE ON imported_games
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION change_imported_games();
