import { readFileSync } from 'node:fs';
import { Api } from './api.mjs';
import { Report, judgeServer } from './report.mjs';
import { startServer } from './server.mjs';

/**
 * Makes guests by the thousand from many addresses, each of which asks for more than its hour allows, while two persons
 * play. Times are printed as ratios: a machine that does other work has none that prove anything.
 */

const ADDRESSES = 200;
const GUESTS_PER_HOUR = 20;
const ASKED = GUESTS_PER_HOUR + 2;
const AT_ONCE = 8;
const MOVES = 200;
/** Knights go out and home, in a game without repetition claims that end it by themselves: 4 plies again and again. */
const DANCE = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)];

/** Resident memory of a process in MB, and the processor time that it has used in ms. */
function usageOf({ pid }) {
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1] / 1024;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return { rss, cpu: (Number(fields[11]) + Number(fields[12])) * 10 };
}

/** The times of moves of two persons, in games that are begun anew before a position comes back too often. */
async function movesOf(api, players, isOver) {
  const times = [];
  while (!isOver(times)) {
    const { id } = await api.game(players[0], players[1]);
    for (const [ply, move] of [...DANCE, ...DANCE].entries()) {
      const began = performance.now();
      await api.well(players[ply % 2], 'POST', `/v1/games/${id}/moves`, { ply: ply + 1, move });
      times.push(performance.now() - began);
    }
    await api.well(players[0], 'POST', `/v1/games/${id}/resign`);
  }
  return times;
}

async function crowd(api, report) {
  const counts = new Map();
  const made = [];
  const asked = Array.from({ length: ADDRESSES * ASKED }, (_, i) => i % ADDRESSES);
  const worker = async () => {
    for (let n = asked.pop(); n !== undefined; n = asked.pop()) {
      const address = ['X-Forwarded-For', `10.1.${n >> 8}.${n & 255}`];
      const { status, json } = await api.rest(null, 'POST', '/v1/guests', {}, address);
      counts.set(`${status}`, (counts.get(`${status}`) ?? 0) + 1);
      if (status === 201) made.push({ n, username: json.session.user.username });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const [status, count] of counts) report.set(`answered with ${status}`, count);
  const most = Math.max(...byAddress(made));
  if (most > GUESTS_PER_HOUR) report.found('an address got too many guests', [most], [GUESTS_PER_HOUR]);
  return made;
}

function byAddress(made) {
  const counts = new Map();
  for (const { n } of made) counts.set(n, (counts.get(n) ?? 0) + 1);
  return counts.values();
}

export async function comeAsGuests({ postgres }) {
  const report = new Report('guests');
  const env = { TRUST_PROXY: '1', GUESTS_PER_HOUR: String(GUESTS_PER_HOUR), MAX_CONNECTIONS_PER_ADDRESS: '10000' }; // prettier-ignore
  const server = await startServer({ postgres, env });
  const api = new Api(server.port);
  const persons = [await api.register('ann'), await api.register('ben')];
  await movesOf(api, persons, (times) => times.length >= MOVES);
  const usual = await movesOf(api, persons, (times) => times.length >= MOVES);
  const before = usageOf(server.child);
  const began = performance.now();
  let isOver = false;
  const others = movesOf(new Api(server.port), persons, () => isOver);
  const made = await crowd(api, report);
  isOver = true;
  const meanwhile = await others;
  const [seconds, after] = [(performance.now() - began) / 1000, usageOf(server.child)];
  report.set('asked', ADDRESSES * ASKED);
  report.set('guests', made.length);
  report.set('asked for in a second', Math.round((ADDRESSES * ASKED) / seconds));
  report.set('processor time for each, in ms', ((after.cpu - before.cpu) / (ADDRESSES * ASKED)).toFixed(2));
  report.set('resident memory, in MB', `${Math.round(before.rss)} to ${Math.round(after.rss)}`);
  for (const [name, share] of [
    ['median', 0.5],
    ['p99', 0.99],
  ])
    // prettier-ignore
    report.set(`${name} of a move, of what is usual`, (at(meanwhile, share) / at(usual, share)).toFixed(1));
  const listed = await api.well(null, 'GET', '/v1/users?prefix=guest-');
  const shown = listed.items.filter(({ guest }) => guest);
  if (shown.length > 0) report.found('guests are found by the beginning of a name', shown, []);
  await judgeServer(report, server, api.client);
  return report;
}
