-- The running games of one rule set, which may be few among many of another.
CREATE INDEX games_ruleset_running_activity_idx ON games (ruleset, last_activity_at, id) WHERE ended_at IS NULL;
CREATE INDEX games_ruleset_running_created_idx ON games (ruleset, created_at, id) WHERE ended_at IS NULL;
