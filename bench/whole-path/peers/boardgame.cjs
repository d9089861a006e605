const { PostgresStore } = require('bgio-postgres');
const { Origins, Server } = require('boardgame.io/server');
const { Chess } = require('chess.js');

/**
 * boardgame.io with its chess example: the state is the PGN, and every move loads it again with chess.js.
 *
 *   DATABASE_URL=... node boardgame.cjs PORT
 */

function move({ G: { pgn } }, san) {
  const game = new Chess();
  if (pgn) game.loadPgn(pgn);
  try {
    game.move(san);
  } catch {
    return 'INVALID_MOVE';
  }
  return { pgn: game.pgn() };
}

const chess = {
  name: 'chess',
  setup: () => ({ pgn: '' }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { move },
};

const db = new PostgresStore(process.env.DATABASE_URL, { logging: false });
const server = Server({ games: [chess], db, origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]), callback: () => console.log('ready') });
