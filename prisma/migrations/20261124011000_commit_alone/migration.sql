-- The statements that make versions (commit.store.ts, games.store.ts) write their events themselves.
DROP TRIGGER games_event_on_update ON games;

-- Rows of these are only written beside the update of their game, by the same statement: a check of each would lock the
-- game once more. A game is never deleted.
CREATE TRIGGER games_never_deleted BEFORE DELETE OR TRUNCATE ON games FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE plies DROP CONSTRAINT plies_game_id_fkey;
ALTER TABLE game_events DROP CONSTRAINT game_events_game_id_fkey;
DROP TRIGGER games_running_on_delete ON games;
