import { resolve } from 'node:path';
import { inRoot, root } from '../../scripts/support.mjs';

/** Settings from arguments and environment variables; see the head of whole-path.mjs. */

const numbers = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const {
  M = '32',
  M1,
  ONLY = '',
  READS,
  WARM = '3000',
  KINDS,
  GAMES = '10',
  PERF,
  HALFMOVE,
  PG_URL,
  PRODUCT_ARGS = '',
  PRODUCT_ENV = '',
} = process.env;

const wordsOf = (text) => text.split(' ').filter(Boolean);

function pairOf(word) {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}

export const INSTALL = process.argv.includes('--install');
export const ROUNDS = Number(numbers[0] ?? 5);
export const MS = Number(numbers[1] ?? 3000);

export const CLIENTS = M.split(',').map(Number);
export const ALONE = M1 !== '0' && !CLIENTS.includes(1);
export const WANTED = new RegExp(ONLY);
/** READS=1 measures only the reads, READS=0 all but them. */
export const MOVES = READS !== '1';
export const READS_TOO = READS !== '0';
/** Requests to each candidate before it is measured. */
export const WARM_UP = Number(WARM);
/** Games of each client that the reads use. */
export const GAMES_TO_READ = Number(GAMES);

/** Prototypes, as <http>/<auth>/<rules>/<db>; see peers/prototypes/server.ts. */
export const PROTOTYPES = (
  KINDS ||
  [
    'nest-express/jwt-naive/chessjs-replay/prisma-itx',
    'nest-fastify/jwt-cache/proto-fen/prisma-batch',
    'nest-fastify/jwt-cache/proto-fen/pg-batch',
    'nest-fastify/jwt-cache/none/none',
  ].join(',')
).split(',');

/** The folder for the peers and the samples. */
export const FOLDER = PERF ? resolve(PERF) : inRoot('.cache', 'whole-path');
/** The checkout to measure. */
export const CHECKOUT = HALFMOVE ? resolve(HALFMOVE) : root;
export const PG_SERVER = PG_URL || 'postgresql://postgres@127.0.0.1:5432';

export const NODE_ARGS = wordsOf(PRODUCT_ARGS);
export const FURTHER_ENV = Object.fromEntries(wordsOf(PRODUCT_ENV).map(pairOf));
