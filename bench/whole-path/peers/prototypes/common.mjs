/**
 * Shared by the prototypes and the benchmark. It imports nothing, so that the benchmark can import it from
 * here.
 */

/** The key that signs the tokens of the prototypes. */
export const TOKEN_SECRET = Buffer.alloc(32, 7);

export const SDL = `
type Move { id: ID! variant: String! status: String! fen: String! ply: Int! turn: String! whiteId: ID! blackId: ID!
  lastMove: String! legalMoveCount: Int! check: Boolean! result: String rated: Boolean! deadline: String! version: Int! }
type Query { hello: String! }
type Mutation {
  makeMove(gameId: ID!, uci: String!, ply: Int!, clientId: String!, offerDraw: Boolean, note: String): Move!
}`;

/** Selects as many fields as the benchmark does from Halfmove. */
export const MOVE =
  'mutation M($gameId: ID!, $uci: String!, $ply: Int!, $clientId: String!, $offerDraw: Boolean, $note: String) { makeMove(gameId: $gameId, uci: $uci, ply: $ply, clientId: $clientId, offerDraw: $offerDraw, note: $note) { id variant status fen ply turn whiteId blackId lastMove legalMoveCount check result rated deadline version } }';
