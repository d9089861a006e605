-- Seeks are challenges to whoever fits: they share their terms, their deal and their end.
ALTER TABLE challenges
  ADD COLUMN kind           text NOT NULL DEFAULT 'direct' CHECK (kind IN ('direct', 'link', 'seek')),
  -- The ratings that the opponent may have; null: any.
  ADD COLUMN min_rating     integer,
  ADD COLUMN max_rating     integer,
  -- What two seeks must have in common, as one text; null for what is no seek.
  ADD COLUMN terms_key      text,
  -- The game that it became: the one of the same id, or, for a seek that was paired with another, the one of that.
  ADD COLUMN game_id        uuid REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED,
  ADD COLUMN decline_reason text CHECK (decline_reason IN
    ('later', 'timeControl', 'rated', 'casual', 'ruleset', 'options', 'generic')),
  -- The challenge that it answers with other terms.
  ADD COLUMN counter_to     uuid REFERENCES challenges (id) DEFERRABLE INITIALLY DEFERRED;
UPDATE challenges SET game_id = id WHERE status = 'accepted';
UPDATE challenges SET kind = 'link' WHERE id NOT IN (SELECT id FROM games) AND opponent_id IS NULL;
UPDATE challenges SET decline_reason = 'generic' WHERE status = 'declined';
ALTER TABLE challenges ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE challenges DROP CONSTRAINT challenges_status_check;
ALTER TABLE challenges
  ADD CONSTRAINT challenges_status_check
    CHECK (status IN ('open', 'accepted', 'declined', 'countered', 'cancelled', 'expired')),
  ADD CHECK ((status = 'accepted') = (game_id IS NOT NULL)),
  ADD CHECK ((kind = 'seek') = (terms_key IS NOT NULL)),
  ADD CHECK ((status = 'declined') = (decline_reason IS NOT NULL)),
  ADD CHECK (min_rating <= max_rating);
CREATE INDEX challenges_pairing_idx ON challenges (terms_key, created_at, id) WHERE kind = 'seek' AND status = 'open';
CREATE INDEX challenges_lobby_idx ON challenges (created_at, id) WHERE kind = 'seek' AND status = 'open';
-- How often somebody had the first side: the fewer games of a player the shorter the walk, and no row of them is read.
CREATE INDEX games_sides_idx ON games (first_id, ruleset) WHERE status NOT IN ('pending', 'aborted');
CREATE INDEX challenges_counter_to_idx ON challenges (counter_to) WHERE counter_to IS NOT NULL;

-- From whom a user takes challenges: anybody, those rated within so much of his own rating, or nobody.
ALTER TABLE users
  ADD COLUMN challenges_from  text NOT NULL DEFAULT 'everybody' CHECK (challenges_from IN ('everybody', 'rated', 'nobody')),
  ADD COLUMN challenges_within integer CHECK (challenges_within > 0),
  ADD CHECK ((challenges_from = 'rated') = (challenges_within IS NOT NULL));

-- What an announcement is about: a game, or a seek of the lobby.
ALTER TABLE outbox ADD COLUMN topic text NOT NULL DEFAULT 'game' CHECK (topic IN ('game', 'seek'));
