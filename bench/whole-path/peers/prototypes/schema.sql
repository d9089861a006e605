-- The tables that a move of a prototype touches. The fillfactor leaves room in each page for new versions of its games.
CREATE TABLE game (
  id int PRIMARY KEY,
  variant smallint NOT NULL,
  white_id int NOT NULL,
  black_id int NOT NULL,
  fen text NOT NULL,
  ply int NOT NULL DEFAULT 0,
  status smallint NOT NULL DEFAULT 0,
  result smallint,
  rated boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_move_at timestamptz NOT NULL DEFAULT now(),
  deadline timestamptz NOT NULL DEFAULT now() + interval '3 days'
) WITH (fillfactor = 70);

CREATE TABLE move (
  game_id int NOT NULL,
  ply int NOT NULL,
  uci text NOT NULL,
  player_id int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, ply)
);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind smallint NOT NULL,
  game_id int NOT NULL,
  user_id int NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz
);

INSERT INTO game (id, variant, white_id, black_id, fen)
SELECT i, i % 4, i * 2, i * 2 + 1, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
FROM generate_series(1, 200000) i;
