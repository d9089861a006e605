-- All records have one form (docs/fairness.md), and every game has a chain from the opening of its challenge on.
DROP TRIGGER challenges_opening_unlogged ON challenges;
DROP TRIGGER challenges_closed_unlogged ON challenges;
DROP TRIGGER challenges_closing_unlogged ON challenges;
DROP TRIGGER games_ended_unlogged ON games;
DROP TRIGGER games_end_unlogged ON games;

-- The checks that name the format go with it.
ALTER TABLE challenges
  DROP COLUMN format,
  ALTER COLUMN create_hash SET NOT NULL,
  ALTER COLUMN head_hash SET NOT NULL,
  ADD CHECK ((creator_client_seed IS NULL) = (creator_seed_at IS NULL));
ALTER TABLE games
  DROP COLUMN format,
  DROP COLUMN sides_drawn,
  DROP CONSTRAINT games_terms_check,
  ALTER COLUMN terms_hash SET NOT NULL,
  ALTER COLUMN head_hash SET NOT NULL,
  ALTER COLUMN sides_by SET NOT NULL;
ALTER TABLE game_events ALTER COLUMN hash SET NOT NULL;

CREATE TRIGGER challenges_opening_unlogged AFTER INSERT ON challenges FOR EACH ROW
  EXECUTE FUNCTION leave_opening_unlogged();
CREATE TRIGGER challenges_closed_unlogged AFTER INSERT ON challenges FOR EACH ROW
  WHEN (became_no_game(NEW.status, NEW.id, NEW.game_id)) EXECUTE FUNCTION leave_closing_unlogged();
CREATE TRIGGER challenges_closing_unlogged AFTER UPDATE ON challenges FOR EACH ROW
  WHEN (OLD.status = 'open' AND became_no_game(NEW.status, NEW.id, NEW.game_id))
  EXECUTE FUNCTION leave_closing_unlogged();
CREATE TRIGGER games_ended_unlogged AFTER INSERT ON games FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION leave_end_unlogged();
CREATE TRIGGER games_end_unlogged AFTER UPDATE ON games FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION leave_end_unlogged();
