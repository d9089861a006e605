-- How often each move was played in a position, and how those games ended: of finished games in which nothing lies
-- face-down. Counted after the end of each game, of those that wait in unexplored_games.
CREATE TABLE opening_moves (
  -- The first 16 bytes of the SHA-256 of the rule set and the position without its counters (src/history/explorer.ts).
  position   uuid NOT NULL,
  -- Canonical; empty for the games that ended in the position.
  move       text COLLATE "C" NOT NULL,
  first_won  integer NOT NULL CHECK (first_won >= 0),
  drawn      integer NOT NULL CHECK (drawn >= 0),
  second_won integer NOT NULL CHECK (second_won >= 0),
  PRIMARY KEY (position, move)
);

CREATE TABLE unexplored_games (
  game_id uuid PRIMARY KEY REFERENCES games (id)
);

CREATE FUNCTION leave_unexplored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unexplored_games VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER games_unexplored AFTER UPDATE ON games FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.status = 'finished') EXECUTE FUNCTION leave_unexplored();

INSERT INTO unexplored_games SELECT id FROM games WHERE status = 'finished';
