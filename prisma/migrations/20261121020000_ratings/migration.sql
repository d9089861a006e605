-- One row for each pool in which a user has a rated game; a pool is a rule set with any of its options.
CREATE TABLE ratings (
  user_id      uuid NOT NULL REFERENCES users (id),
  ruleset      text NOT NULL,
  rating       double precision NOT NULL CHECK (rating >= 400),
  deviation    double precision NOT NULL CHECK (deviation BETWEEN 45 AND 500),
  volatility   double precision NOT NULL CHECK (volatility > 0),
  games        integer NOT NULL CHECK (games = wins + draws + losses),
  wins         integer NOT NULL CHECK (wins >= 0),
  draws        integer NOT NULL CHECK (draws >= 0),
  losses       integer NOT NULL CHECK (losses >= 0),
  -- The end of the game that the deviation is of: it grows from here on.
  rated_at     timestamptz(3) NOT NULL,
  -- How long the leaderboard holds the user, if no other game is rated; null: not even now.
  listed_until timestamptz(3),
  PRIMARY KEY (user_id, ruleset)
);
CREATE INDEX ratings_leaderboard_idx ON ratings (ruleset, rating DESC, user_id) WHERE listed_until IS NOT NULL;
CREATE INDEX ratings_listed_until_idx ON ratings (listed_until) WHERE listed_until IS NOT NULL;
CREATE INDEX ratings_ruleset_rating_idx ON ratings (ruleset, rating);

-- Append-only: what each rated game did to the ratings of its two players.
CREATE TABLE rating_changes (
  game_id           uuid NOT NULL REFERENCES games (id),
  player            text NOT NULL CHECK (player IN ('first', 'second')),
  user_id           uuid NOT NULL REFERENCES users (id),
  ruleset           text NOT NULL,
  -- Counts the rated games of the user in the pool; a second change for one game would count twice.
  number            integer NOT NULL CHECK (number > 0),
  rating_before     double precision NOT NULL,
  deviation_before  double precision NOT NULL,
  volatility_before double precision NOT NULL,
  rating            double precision NOT NULL,
  deviation         double precision NOT NULL,
  volatility        double precision NOT NULL,
  at                timestamptz(3) NOT NULL,
  PRIMARY KEY (game_id, player)
);
CREATE UNIQUE INDEX rating_changes_user_id_ruleset_number_idx ON rating_changes (user_id, ruleset, number);
CREATE TRIGGER rating_changes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON rating_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Why a game that is over was not rated; null: it was, or it goes on.
ALTER TABLE games ADD COLUMN unrated text CHECK (unrated IN ('casual', 'aborted', 'tooShort', 'customSetup'));
UPDATE games SET unrated = CASE
  WHEN status = 'aborted' AND rated THEN 'aborted'
  WHEN ply_count < 2 AND rated THEN 'tooShort'
  ELSE 'casual'
END WHERE ended_at IS NOT NULL;
