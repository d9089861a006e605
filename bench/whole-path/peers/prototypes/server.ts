import 'reflect-metadata';
import { authenticate } from './auth.ts';
import { HTTP } from './kind.ts';
import { openStorage } from './storage.ts';

/**
 * A prototype server with one mutation, makeMove, to find how fast a move can be with different components.
 *
 *   DATABASE_URL=... DATA_DIR=... node --import tsx server.ts <http>/<auth>/<rules>/<db>[/async] PORT
 *
 *   http    nest-express, nest-fastify, nest-fastify-jit, nest-mercurius-jit, gqljit-http; with "lean" in the name
 *           Nest without guard and validation
 *   auth    jwt-naive (the secret as bytes), jwt-key (as a key object), jwt-cache (verified tokens are cached)
 *   rules   chessjs-replay (replays the whole game), chessjs-fen, chessops-fen, proto-fen, none
 *   db      prisma-itx (an interactive transaction), prisma-cte (one statement), prisma-batch (one statement for
 *           several clients), prisman-* (the same with prepared statements), pg-tx6, pg-cte, pg-batch, pg-batch2
 *           (two concurrent batches), pg-batchc (active games are cached), pglite-itx, pglite-batch, none
 *   async   PostgreSQL commits without waiting for its disk
 */

const PORT = Number(process.argv[3]);

async function serve(): Promise<void> {
  const deps = { authenticate, move: await openStorage() };
  if (HTTP === 'gqljit-http') await (await import('./bare-app.ts')).serve(PORT, deps);
  else await (await import('./nest-app.ts')).serve(HTTP, PORT, deps);
}

await serve();
console.log('ready');
