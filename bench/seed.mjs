import { count } from '../dist/cli/explorer.js';
import { parseConfig } from '../dist/config.js';
import { Complaint } from '../scripts/support.mjs';
import { checkAll } from './seed/check.mjs';
import { makeGames } from './seed/crew.mjs';
import { logGames } from './seed/log.mjs';
import { openPlace } from './seed/place.mjs';
import { rateGames } from './seed/ratings.mjs';

/**
 * Fills a PostgreSQL database with years of correspondence play: users of whom few play much, games of all rule sets
 * with every kind of end, each ply legal, each row in the chain of its game, each deal sealed with SEED_SECRET, ratings as the
 * server reckons them, the log of all games, and the explorer's counts. Made by the rules and the pure functions of the server, written by
 * COPY. It may be ended at any moment, also by kill -9, and goes on where it was when it is started again. The database
 * is made if it is missing; one that holds anything else is refused.
 *
 *   npm run bench:seed [-- DATABASE_URL] [--games N] [--seed N] [--until ISO] [--threads N] [--check-only]
 *
 * SIZE=full are 300,000 games with about 10,000,000 plies, else 2,000 games. The same size, seed and `until` (the
 * moment at which the history ends, by default that of the first start) give the same content, but for the nonces
 * under which the seeds of the deals are sealed and the salt of the password that all users share: PASSWORD in
 * seed/place.mjs.
 */

const SIZES = { full: 300_000, small: 2000 };

const usage =
  'usage: npm run bench:seed [-- DATABASE_URL] [--games N] [--seed N] [--until ISO] [--threads N] [--check-only]';

function wholeNumber(name, text) {
  if (!/^\d{1,7}$/.test(text ?? '') || Number(text) < 1)
    throw new Complaint(`${name} takes a number.\n${usage}`);
  return Number(text);
}

function momentOf(text) {
  const moment = Date.parse(text ?? '');
  if (Number.isNaN(moment)) throw new Complaint(`--until takes a moment, as 2026-01-31T00:00:00Z.\n${usage}`);
  return moment;
}

/** What was asked for; null: not said. */
function parseArguments(args, env) {
  const asked = { databaseUrl: env.DATABASE_URL ?? null, games: null, seed: null, until: null, threads: 2, checkOnly: false }; // prettier-ignore
  const left = [...args];
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === '--check-only') asked.checkOnly = true;
    else if (name === '--until') asked.until = momentOf(left.shift());
    else if (['--games', '--seed', '--threads'].includes(name)) {
      asked[name.slice(2)] = wholeNumber(name, left.shift());
    } else if (!name.startsWith('-')) asked.databaseUrl = name;
    else throw new Complaint(`There is no ${name}.\n${usage}`);
  }
  if (asked.databaseUrl === null)
    throw new Complaint(`Which database? Name it, or set DATABASE_URL.\n${usage}`);
  if (env.SIZE !== undefined && SIZES[env.SIZE] === undefined) throw new Complaint('SIZE is small or full.');
  return { ...asked, size: SIZES[env.SIZE ?? 'small'] };
}

const asked = parseArguments(process.argv.slice(2), process.env);
const config = parseConfig({ ...process.env, DATABASE_URL: asked.databaseUrl });
const place = await openPlace(asked, config.seedSecret);
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
