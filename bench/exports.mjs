import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { urlOf } from './queries/server.mjs';
import { parseConfig } from '../dist/config.js';
import { UserError } from '../scripts/support.mjs';

/**
 * Measures the server's memory while it streams an export of 100,000 games with a small heap: the resident
 * set over time, and its maximum as a multiple of that after the first tenth. Works on a database made by
 * bench:seed, or any other.
 *
 *   npm run bench:exports -- DATABASE_URL [ndjson|pgn|wxf|iccs|text]
 */

const DATABASE_URL = process.argv[2] ?? process.env.DATABASE_URL;
if (!DATABASE_URL) throw new UserError('Give the database: npm run bench:exports -- postgresql://...');
const FORMAT = process.argv[3] ?? 'ndjson';
const GAMES = 100_000;
const TOLD_EVERY = GAMES / 10;
const HEAP_MB = 128;
const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;
const MEMORY = new URL('exports/memory.mjs', import.meta.url).href;
/** A text that occurs exactly once in each game. */
const MARKS = { ndjson: '"format":"halfmove-game"' };

const MB = 1 << 20;
const dataDir = mkdtempSync(join(tmpdir(), 'halfmove-exports-'));
const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', SWEEP_SECONDS: '3600', DATABASE_URL, DATA_DIR: dataDir, SEED_SECRET: parseConfig(process.env).seedSecret }; // prettier-ignore
const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, '--import', MEMORY, PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }); // prettier-ignore

async function rss() {
  const answered = once(child, 'message');
  child.send('rss');
  return (await answered)[0] / MB;
}

/** Counts a text in a stream, even where it is split between two chunks. */
function counter(mark) {
  let tail = '';
  return (piece) => {
    const text = tail + piece;
    tail = text.slice(-(mark.length - 1));
    return text.split(mark).length - 1;
  };
}

try {
  const url = new URL(await urlOf(child));
  const idle = await rss();
  console.log(`Idle, with a heap of at most ${HEAP_MB} MB: ${idle.toFixed(0)} MB.`);
  const answer = await fetch(new URL(`/v1/games/export?format=${FORMAT}&max=${GAMES}`, url));
  if (!answer.ok) throw new Error(await answer.text());
  const decoder = new TextDecoder();
  const gamesIn = counter(MARKS[FORMAT] ?? '[GameId "');
  const seen = [];
  let [games, bytes] = [0, 0];
  for await (const piece of answer.body) {
    bytes += piece.length;
    games += gamesIn(decoder.decode(piece, { stream: true }));
    if (games < (seen.length + 1) * TOLD_EVERY) continue;
    seen.push(await rss());
    console.log(
      `${games.toLocaleString('en').padStart(8)} games  ${(bytes / MB).toFixed(0).padStart(5)} MB sent  ${seen.at(-1).toFixed(0).padStart(4)} MB resident`,
    );
  }
  console.log(`Maximum: ${(Math.max(...seen) / seen[0]).toFixed(2)} times the memory after the first tenth.`);
} finally {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  rmSync(dataDir, { recursive: true });
}
