import { parseArgs } from 'node:util';
import { UserError, main } from '../../scripts/support.mjs';
import { killServers } from './server.mjs';

/**
 * Attacks the built server over HTTP and WebSocket, running as a child process on an embedded database, and
 * prints a table of counts. Exits with 1 if there is any finding; each is printed with its request and
 * answer.
 *
 *   npm run attacks [-- --requests 40000 --seed 1 --only fuzz,access --postgres URL]
 *
 *   --requests N    number of random requests (default 40000)
 *   --seed N        seed of all random choices (default 1)
 *   --players N     players that "bulk" makes (default 10000)
 *   --games N       games that "bulk" begins (default 5000)
 *   --kills N       how often "bulk" kills the server (default 4)
 *   --acts N        acts that "delivery" makes, in a game for each 50, with a kill for each 500 (default 10000)
 *   --only NAMES    comma-separated attacks to run (default all)
 *   --postgres URL  run all attacks except "worlds" on this empty PostgreSQL database; "delivery" makes one of its own on
 *                   that server
 *
 *   fuzz     random requests, half of them nearly valid, to every route and every field of the schema
 *   access   every operation as an anonymous caller, a stranger, the opponent and the owner; every answer is
 *            searched for private data
 *   worlds   two servers with the same games but different face-down pieces, compared byte for byte
 *   tokens   forged tokens over REST, GraphQL and WebSocket
 *   enumeration  whether answers or their times tell which names and addresses are known
 *   guests   guests by the thousand from many addresses, while others play
 *   unread   large answers that nobody reads, and the memory that they take
 *   claims   players of an application who become persons, against its will, beside what else happens, and back
 *   bulk     players and games made in bulk by an application, while connections are cut and the server is killed
 *   delivery  what happens in the games of a person, played on two servers that are killed in turn, compared with what
 *            came by a socket, two streams, a webhook, mail and push; left out without a PostgreSQL server
 */

const ATTACKS = {
  tokens: async (options) => (await import('./tokens.mjs')).attackTokens(options),
  access: async (options) => (await import('./access.mjs')).attackAccess(options),
  worlds: async (options) => (await import('./worlds.mjs')).compareWorlds(options),
  enumeration: async (options) => (await import('./enumeration.mjs')).enumerate(options),
  guests: async (options) => (await import('./guests.mjs')).comeAsGuests(options),
  unread: async (options) => (await import('./unread.mjs')).readNothing(options),
  claims: async (options) => (await import('./claims.mjs')).attackClaims(options),
  bulk: async (options) => (await import('./bulk.mjs')).sendInBulk(options),
  delivery: async (options) => (await import('./delivery.mjs')).deliver(options),
  fuzz: async (options) => (await import('./fuzz.mjs')).attackWithJunk(options),
};

const given = {
  requests: { type: 'string', default: '40000' },
  seed: { type: 'string', default: '1' },
  players: { type: 'string', default: '10000' },
  games: { type: 'string', default: '5000' },
  kills: { type: 'string', default: '4' },
  acts: { type: 'string', default: '10000' },
  postgres: { type: 'string' },
  only: { type: 'string', default: Object.keys(ATTACKS).join(',') },
};

const NUMBERS = ['requests', 'seed', 'players', 'games', 'kills', 'acts'];

function optionsOf({ values }) {
  const only = values.only.split(',');
  const unknown = only.find((name) => !Object.hasOwn(ATTACKS, name));
  if (unknown !== undefined)
    throw new UserError(`Unknown attack: ${unknown}. Use one of ${Object.keys(ATTACKS)}.`);
  const [requests, seed, players, games, kills, acts] = NUMBERS.map((name) => Number(values[name]));
  if (!(requests > 0 && players > 1 && games > 0 && kills >= 0 && acts > 0) || !Number.isInteger(seed))
    throw new UserError(`${NUMBERS.map((name) => `--${name}`).join(', ')} must be numbers.`);
  return { requests, seed, players, games, kills, acts, only, postgres: values.postgres ?? null };
}

function print(reports) {
  console.log('| attack | what | count |\n| --- | --- | --- |');
  for (const report of reports) console.log(report.rows().join('\n'));
  const findings = reports.flatMap((report) => report.findings);
  for (const finding of findings) console.error(`\nFOUND  ${finding}`);
  console.log(findings.length === 0 ? '\nNo findings.' : `\n${findings.length} findings.`);
  if (findings.length > 0) process.exitCode = 1;
}

await main(async () => {
  const options = optionsOf(parseArgs({ options: given }));
  const reports = [];
  for (const name of options.only) {
    const began = performance.now();
    const report = await ATTACKS[name](options);
    report.set('seconds', Math.round((performance.now() - began) / 1000));
    reports.push(report);
  }
  print(reports);
});
killServers();
