import { Batcher } from './batcher.ts';
import { openPool, openWithPrisma, type Query } from './connections.ts';
import { DB, RULES } from './kind.ts';
import { step, type Step } from './rules.ts';

/**
 * Stores a move: reads the game, judges the move, writes the result, each in the way of its database kind.
 */

export type Act = {
  gameId: string;
  uci: string;
  ply: number;
  clientId: string;
  offerDraw?: boolean;
  note?: string;
};
export type Move = (act: Act) => Promise<unknown>;

type Game = {
  id: number;
  variant: number;
  white_id: number;
  black_id: number;
  fen: string;
  ply: number;
  status: number;
};

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const MOST_HOT = 50_000;

const COLUMNS = 'SELECT id, variant, white_id, black_id, fen, ply, status FROM game';
const READ_ONE = `${COLUMNS} WHERE id = $1`;
const READ_MANY = `${COLUMNS} WHERE id = ANY($1::int[])`;
const READ_MOVES = 'SELECT uci FROM move WHERE game_id = $1 ORDER BY ply';

const INSERT_MOVE = 'INSERT INTO move (game_id, ply, uci, player_id) VALUES ($1, $2, $3, $4)';
const UPDATE_GAME =
  "UPDATE game SET ply = $2, fen = $3, last_move_at = now(), deadline = now() + interval '3 days' WHERE id = $1";
const INSERT_OUTBOX = 'INSERT INTO outbox (kind, game_id, user_id, payload) VALUES (1, $1, $2, $3)';

/** One move in one statement, which does nothing if the game is at another ply. */
const COMMIT_ONE = `
WITH g AS (
  UPDATE game SET ply = ply + 1, fen = $3, last_move_at = now(), deadline = now() + interval '3 days'
  WHERE id = $1 AND ply = $2 RETURNING id, ply, white_id, black_id
), m AS (
  INSERT INTO move (game_id, ply, uci, player_id) SELECT id, ply, $4, white_id FROM g
), o AS (
  INSERT INTO outbox (kind, game_id, user_id, payload) SELECT 1, id, black_id, $5::jsonb FROM g
) SELECT id, ply FROM g`;

/** The moves of several games in one statement. */
const COMMIT_MANY = `
WITH inp AS (
  SELECT * FROM unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[]) AS t(gid, expected, f, u, p)
), g AS (
  UPDATE game SET ply = ply + 1, fen = inp.f, last_move_at = now(), deadline = now() + interval '3 days'
  FROM inp WHERE id = inp.gid AND ply = inp.expected RETURNING id, ply, white_id, black_id, inp.u, inp.p
), m AS (
  INSERT INTO move (game_id, ply, uci, player_id) SELECT id, ply, u, white_id FROM g
), o AS (
  INSERT INTO outbox (kind, game_id, user_id, payload) SELECT 1, id, black_id, p::jsonb FROM g
) SELECT id, ply FROM g`;

const answerOf = (act: Act, game: Game, { fen, legalMoves, check, over }: Step) => ({
  id: act.gameId,
  variant: 'CHESS',
  status: over ? 'OVER' : 'ACTIVE',
  fen,
  ply: act.ply + 1,
  turn: act.ply % 2 === 1 ? 'WHITE' : 'BLACK',
  whiteId: String(game.white_id),
  blackId: String(game.black_id),
  lastMove: act.uci,
  legalMoveCount: legalMoves,
  check,
  result: null,
  rated: true,
  deadline: '2026-11-23T12:00:00.000Z',
  version: act.ply + 1,
});

const payloadOf = ({ uci, ply }: Act) => ({ uci, ply: ply + 1 });

function judge(act: Act, game: Game, prior: readonly string[] | null): Step {
  if (game.status !== 0 || game.ply !== act.ply) throw new Error('conflict');
  return step(game.fen, prior, act.uci);
}

const replays = RULES === 'chessjs-replay';

const doingNothing: Move = async (act) => {
  const game = { id: 1, variant: 0, white_id: 2, black_id: 3, fen: START, ply: act.ply, status: 0 };
  return answerOf(act, game, { fen: START, legalMoves: 20, check: false, over: false });
};

/** The usual first implementation: an interactive transaction of Prisma. */
const byPrismaTransaction =
  (prisma: any): Move =>
  (act) =>
    prisma.$transaction(async (tx: any) => {
      const id = Number(act.gameId);
      const [game] = await tx.$queryRawUnsafe(`${READ_ONE} FOR UPDATE`, id);
      const moves = { where: { gameId: id }, orderBy: { ply: 'asc' }, select: { uci: true } };
      const prior = replays ? (await tx.move.findMany(moves)).map(({ uci }: { uci: string }) => uci) : null;
      const judged = judge(act, game, prior);
      const ply = game.ply + 1;
      const at = new Date();
      await tx.move.create({ data: { gameId: id, ply, uci: act.uci, playerId: game.white_id } });
      await tx.game.update({ where: { id }, data: { ply, fen: judged.fen, lastMoveAt: at, deadline: at } });
      await tx.outbox.create({
        data: { kind: 1, gameId: id, userId: game.black_id, payload: payloadOf(act) },
      });
      return answerOf(act, game, judged);
    });

/** The same through `pg`, in six statements. */
function byPgTransaction(): Move {
  const { pool } = openPool();
  const within = async (client: any, act: Act) => {
    const id = Number(act.gameId);
    const run = async (name: string, text: string, values: unknown[]): Promise<any[]> =>
      (await client.query({ name, text, values })).rows;
    const [game] = await run('read', `${READ_ONE} FOR UPDATE`, [id]);
    const prior = replays ? (await run('moves', READ_MOVES, [id])).map(({ uci }) => uci) : null;
    const judged = judge(act, game, prior);
    await run('insert move', INSERT_MOVE, [id, game.ply + 1, act.uci, game.white_id]);
    await run('update game', UPDATE_GAME, [id, game.ply + 1, judged.fen]);
    await run('insert outbox', INSERT_OUTBOX, [id, game.black_id, payloadOf(act)]);
    return answerOf(act, game, judged);
  };
  return async (act) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const answer = await within(client, act);
      await client.query('COMMIT');
      return answer;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  };
}

const byOneStatement =
  (query: Query): Move =>
  async (act) => {
    const [game] = await query('read', READ_ONE, [Number(act.gameId)]);
    const judged = judge(act, game, null);
    const values = [Number(act.gameId), act.ply, judged.fen, act.uci, JSON.stringify(payloadOf(act))];
    const rows = await query('commit', COMMIT_ONE, values);
    if (rows.length === 0) throw new Error('conflict');
    return answerOf(act, game, judged);
  };

type Judged = { act: Act; fen: string };

/** Rows by game id, undefined for a missing game. */
function inOrder<T extends { id: number }>(ids: number[], rows: T[]): (T | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

const gameIdOf = ({ act }: Judged) => Number(act.gameId);

function commitMany(query: Query): (moves: Judged[]) => Promise<({ id: number } | undefined)[]> {
  return async (moves) => {
    // In a fixed order, because two batches could otherwise deadlock.
    const sorted = [...moves].sort((a, b) => gameIdOf(a) - gameIdOf(b));
    const rows = await query('commit many', COMMIT_MANY, [
      sorted.map(gameIdOf),
      sorted.map(({ act }) => act.ply),
      sorted.map(({ fen }) => fen),
      sorted.map(({ act }) => act.uci),
      sorted.map(({ act }) => JSON.stringify(payloadOf(act))),
    ]);
    return inOrder(moves.map(gameIdOf), rows);
  };
}

/** Reads and commits for several clients at once; "batch2" runs two of each, "batchc" caches active games. */
function byBatches(query: Query): Move {
  const parallel = DB.endsWith('2') ? 2 : 1;
  const hot = DB.endsWith('batchc') ? new Map<number, Game>() : null;
  const reads = new Batcher<number, Game>(
    async (ids) => inOrder(ids, await query('read many', READ_MANY, [ids])),
    parallel,
  );
  const commits = new Batcher(commitMany(query), parallel);

  async function gameOf(id: number): Promise<Game> {
    const known = hot?.get(id);
    if (known) return known;
    const game = await reads.submit(id);
    if (hot && hot.size > MOST_HOT) hot.clear();
    hot?.set(id, game);
    return game;
  }

  return async (act) => {
    const id = Number(act.gameId);
    const game = await gameOf(id);
    try {
      const judged = judge(act, game, null);
      await commits.submit({ act, fen: judged.fen });
      if (hot) Object.assign(game, { ply: act.ply + 1, fen: judged.fen });
      return answerOf(act, game, judged);
    } catch (error) {
      hot?.delete(id);
      throw error;
    }
  };
}

export async function openStorage(): Promise<Move> {
  if (DB === 'none') return doingNothing;
  if (DB === 'pg-tx6') return byPgTransaction();
  const throughPrisma = /^(prisma|pglite)/.test(DB);
  const { prisma, query } = throughPrisma ? await openWithPrisma() : { ...openPool(), prisma: null };
  if (throughPrisma && DB.endsWith('-itx')) return byPrismaTransaction(prisma);
  if (DB.endsWith('-cte')) return byOneStatement(query);
  if (/-batch[2c]?$/.test(DB)) return byBatches(query);
  throw new Error(`Unknown database kind ${DB}.`);
}
