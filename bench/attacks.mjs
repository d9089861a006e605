import { parseArgs } from 'node:util';
import { Complaint, main } from '../scripts/support.mjs';
import { killServers } from './attacks/server.mjs';

/**
 * Attacks the built server over HTTP and WebSocket, as a child process on an embedded database, and prints one table
 * of counts. Ends with 1 when anything is found; each finding comes with the request and its answer.
 *
 *   npm run attacks [-- --requests 40000 --seed 1 --only fuzz,access --postgres URL]
 *
 * fuzz     random requests, half of them nearly right, to every route and every field of the schema
 * access   every operation, asked by nobody, a stranger, the opponent and the owner; what is private looked for in all
 * worlds   two servers with the same games and other pieces face-down, compared byte for byte
 * tokens   forged tokens over REST, GraphQL and sockets
 *
 * `--postgres` takes an empty database for all but the worlds: these repeat their ids, and need one each.
 */

const ATTACKS = {
  tokens: async (options) => (await import('./attacks/tokens.mjs')).attackTokens(options),
  access: async (options) => (await import('./attacks/access.mjs')).attackAccess(options),
  worlds: async (options) => (await import('./attacks/worlds.mjs')).compareWorlds(options),
  fuzz: async (options) => (await import('./attacks/fuzz.mjs')).attackWithJunk(options),
};

const given = {
  requests: { type: 'string', default: '40000' },
  seed: { type: 'string', default: '1' },
  postgres: { type: 'string' },
  only: { type: 'string', default: Object.keys(ATTACKS).join(',') },
};

function optionsOf({ values }) {
  const only = values.only.split(',');
  const unknown = only.find((name) => !Object.hasOwn(ATTACKS, name));
  if (unknown !== undefined) throw new Complaint(`There is no attack ${unknown}: ${Object.keys(ATTACKS)}.`);
  const [requests, seed] = [values.requests, values.seed].map(Number);
  if (!(requests > 0) || !Number.isInteger(seed)) throw new Complaint('--requests and --seed are numbers.');
  return { requests, seed, only, postgres: values.postgres ?? null };
}

function print(reports) {
  console.log('| attack | what | count |\n| --- | --- | --- |');
  for (const report of reports) console.log(report.rows().join('\n'));
  const findings = reports.flatMap((report) => report.findings);
  for (const finding of findings) console.error(`\nFOUND  ${finding}`);
  console.log(findings.length === 0 ? '\nNothing was found.' : `\n${findings.length} findings.`);
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
