import { BATCH, BOARDGAME, COMMIT, DO_NOTHING, EMBEDDED, ON_POSTGRES } from './candidates.mjs';
import { ratios, row, spread } from './statistics.mjs';

/** The goals of the whole path, and whether they are reached. A goal is a ratio that must be at least or at most so much. */

const TYPENAME = 'GraphQL {__typename}';
const LIVEZ = 'GET /livez';

/** Shares of the rate of a reference, by the name of the read. */
const READ_GOALS = [
  [LIVEZ, 0.35, ['REST game by id', 'REST moves of a game (100)', 'REST legal moves']],
  [LIVEZ, 0.2, ['REST my games (20)', 'REST search, a player (20)', 'REST search, all (20)', 'REST leaderboard (20)']], // prettier-ignore
  [LIVEZ, 0.6, ['REST game, If-None-Match (304)']],
  [TYPENAME, 0.5, ['GraphQL game by id', 'GraphQL moves of a game (100)', 'GraphQL legal moves']],
  [TYPENAME, 0.3, ['GraphQL my games (20)', 'GraphQL search, a player (20)', 'GraphQL search, all (20)', 'GraphQL leaderboard (20)']], // prettier-ignore
];
const GAME_READS = ['REST game by id', 'GraphQL game by id'];

const atLeast = (goal, least, measured) => ({ goal, least, most: Infinity, measured });
const atMost = (goal, most, measured) => ({ goal, least: -Infinity, most, measured });

const ratioOf = (of, column, one, other) => ratios(of(one, column), of(other, column));

const ofTogether = ({ of }) => [
  atLeast('move, x batch prototype', 0.6, ratioOf(of, 'rate', ON_POSTGRES, BATCH)),
  atLeast('move, x do-nothing', 0.5, ratioOf(of, 'rate', ON_POSTGRES, DO_NOTHING)),
  atLeast('move, x boardgame.io', 12, ratioOf(of, 'rate', ON_POSTGRES, BOARDGAME)),
  atLeast('move, embedded, x boardgame.io', 6, ratioOf(of, 'rate', EMBEDDED, BOARDGAME)),
  atMost('CPU of a move with PostgreSQL, x batch prototype', 2, ratioOf(of, 'allCpu', ON_POSTGRES, BATCH)),
];

const ofAlone = ({ of }) => [
  atMost('move of one client, p50 x commit', 3, ratioOf(of, 'p50', ON_POSTGRES, COMMIT)),
];

function ofCounts(counts) {
  const clients = Math.max(...counts.map((one) => one.clients));
  const find = (wanted, number) => counts.find((one) => wanted.test(one.name) && one.clients === number);
  const [one, many, batch] = [find(ON_POSTGRES, 1), find(ON_POSTGRES, clients), find(BATCH, clients)];
  const per = (column, count) => count && count[column] / count.moves;
  const listed = (number) => (number === undefined || Number.isNaN(number) ? undefined : [number]);
  return [
    atMost('statements a move, one client', 1.05, listed(per('sent', one))),
    atMost(`statements a move, ${clients} clients`, 1.05, listed(per('sent', many))),
    atMost(
      'WAL bytes a move, x batch prototype',
      3,
      batch && listed(per('bytes', many) / per('bytes', batch)),
    ),
  ];
}

const ofReads = ({ of }) => [
  ...READ_GOALS.flatMap(([reference, least, names]) =>
    names.map((name) => atLeast(`${name}, x ${reference}`, least, ratioOf(of, 'rate', name, reference))),
  ),
  ...GAME_READS.map((name) =>
    atMost(`CPU of ${name}, x ${TYPENAME}`, 2, ratioOf(of, 'serverCpu', name, TYPENAME)),
  ),
];

/** Claims nothing when some rounds reach the goal and others do not. */
function verdict({ least, most, measured }) {
  const reached = measured.filter((one) => one >= least && one <= most).length;
  if (reached === measured.length) return 'reached';
  return reached === 0 ? 'not reached' : 'noise wider than the distance';
}

/** Prints the goals for which everything was measured. */
export function printGoals({ counts, moves, reads }) {
  const [together] = moves;
  const alone = moves.find(({ clients }) => clients === 1);
  const goals = [
    ...(together ? ofTogether(together) : []),
    ...(alone ? ofAlone(alone) : []),
    ...(counts.length > 0 ? ofCounts(counts) : []),
    ...(reads ? ofReads(reads) : []),
  ].filter(({ measured }) => measured !== undefined);
  if (goals.length === 0) return;
  console.log('\n### Goals\n');
  console.log(row(['what', 'goal', 'measured', 'verdict']));
  console.log(row(['---', '---', '---', '---']));
  for (const one of goals) {
    const bound = one.most === Infinity ? `at least ${one.least}` : `at most ${one.most}`;
    console.log(row([one.goal, bound, spread(one.measured), verdict(one)]));
  }
}
