import { UserError, main } from '../scripts/support.mjs';

/**
 * Runs a benchmark; without a name lists them:
 *
 *   npm run bench -- NAME [ARGUMENTS]     bench/NAME.mjs, whose head explains the arguments
 */

const BENCHES = {
  rules: 'the rules next to other programs',
  'whole-path': 'a stored move from client to database and back, next to boardgame.io and prototypes',
  'move-cost': 'the CPU time of a move as a multiple of that of {__typename}; fails above a limit, in CI too',
  floods: 'moves and reads of some clients while another address sends all that it can',
  'synchronous-commit': 'what each synchronous_commit costs moves, on a primary with a standby',
  flat: 'pages, log and row width of a move with few and with many stored plies, and late in a game',
  'first-board': 'the first board in a browser over Fast 3G: bytes, times and long tasks',
  bulk: 'players and games of an application in bulk, each request cut once and sent again; statements and bytes of log',
  soak: 'live heap and resident memory over an hour of playing, reading and watching',
  memory: 'resident memory over 100,000 moves of 32 clients',
  'fan-out': 'an event to 1,000 sockets, next to bare ws',
  'two-processes':
    'how soon an event is with 1,000 subscribers on each of two processes, with and without nudges',
  webhooks:
    'statements and CPU time of moves with 1,000 webhooks, and how soon a message comes while 10,000 addresses hang',
  seed: 'fills a database with years of play, for queries',
  queries: 'the queries of a site on a large history; writes docs/queries.md',
};

const list = () =>
  Object.entries(BENCHES)
    .map(([name, what]) => `  ${name.padEnd(20)}${what}`)
    .join('\n');

await main(async () => {
  const [, , name] = process.argv;
  if (name === undefined || !Object.hasOwn(BENCHES, name)) {
    const wrong = name === undefined ? 'Name a benchmark' : `There is no benchmark ${name}`;
    throw new UserError(`${wrong}: npm run bench -- NAME [ARGUMENTS]\n\n${list()}`);
  }
  process.argv.splice(1, 2, new URL(`${name}.mjs`, import.meta.url).pathname);
  await import(`./${name}.mjs`);
});
