import { count } from '../dist/cli/explorer.js';
import { parseConfig } from '../dist/config.js';
import { UserError } from '../scripts/support.mjs';
import { checkAll } from './seed/check.mjs';
import { makeGames } from './seed/workers.mjs';
import { logGames } from './seed/log.mjs';
import { openSeedDatabase } from './seed/database.mjs';
import { rateGames } from './seed/ratings.mjs';

/**
 * Fills a PostgreSQL database with years of correspondence play: users, of whom a few play much; games of all
 * rule sets with legal moves, all kinds of end, hash chains and sealed deals; ratings; the log of all games;
 * the opening explorer. The data is computed by the server's own rules and pure functions and written with
 * COPY.
 *
 * The program can be killed at any time and continues where it stopped when started again. It creates the
 * database if necessary, and refuses one that contains other data.
 *
 *   npm run bench -- seed [DATABASE_URL] [--games N] [--seed N] [--until ISO] [--threads N] [--check-only]
 *
 *   --games N     number of games (default 2,000; 300,000 with SIZE=full, about 10,000,000 plies)
 *   --seed N      seed of all random choices (default 1)
 *   --until ISO   end of the history (default: the time of the first start)
 *   --threads N   number of worker threads (default 2)
 *   --check-only  only check an existing database
 *
 * The same games, seed and until give the same content, except for the nonces of the sealed seeds and the
 * salt of the password that all users share (PASSWORD in seed/database.mjs).
 */

const SIZES = { full: 300_000, small: 2000 };

const usage =
  'usage: npm run bench -- seed [DATABASE_URL] [--games N] [--seed N] [--until ISO] [--threads N] [--check-only]';

function wholeNumber(name, text) {
  if (!/^\d{1,7}$/.test(text ?? '') || Number(text) < 1)
    throw new UserError(`${name} must be a whole number from 1 to 9999999.\n${usage}`);
  return Number(text);
}

function momentOf(text) {
  const moment = Date.parse(text ?? '');
  if (Number.isNaN(moment))
    throw new UserError(`--until must be a time such as 2026-01-31T00:00:00Z.\n${usage}`);
  return moment;
}

/** The arguments; null where not given. */
function parseArguments(args, env) {
  const asked = { databaseUrl: env.DATABASE_URL ?? null, games: null, seed: null, until: null, threads: 2, checkOnly: false }; // prettier-ignore
  const left = [...args];
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === '--check-only') asked.checkOnly = true;
    else if (name === '--until') asked.until = momentOf(left.shift());
    else if (['--games', '--seed', '--threads'].includes(name)) {
      asked[name.slice(2)] = wholeNumber(name, left.shift());
    } else if (!name.startsWith('-')) asked.databaseUrl = name;
    else throw new UserError(`Unknown option ${name}.\n${usage}`);
  }
  if (asked.databaseUrl === null)
    throw new UserError(`Give the database as an argument or in DATABASE_URL.\n${usage}`);
  if (env.SIZE !== undefined && SIZES[env.SIZE] === undefined)
    throw new UserError('SIZE must be small or full.');
  return { ...asked, size: SIZES[env.SIZE ?? 'small'] };
}

const asked = parseArguments(process.argv.slice(2), process.env);
const config = parseConfig({ ...process.env, DATABASE_URL: asked.databaseUrl });
const place = await openSeedDatabase(asked, config.seedSecret);
try {
  if (!asked.checkOnly) {
    await makeGames(place, { threads: asked.threads, seedSecret: config.seedSecret });
    await rateGames(place);
    await logGames(config);
    console.log('Counting for the explorer ...');
    await count(config, console.log);
    console.log('Gathering statistics ...');
    await place.client.query('VACUUM (ANALYZE)');
  }
  process.exitCode = (await checkAll(place, config)) ? 0 : 1;
} finally {
  await place.client.end();
}
