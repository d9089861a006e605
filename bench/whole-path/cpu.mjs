import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/** CPU times (user and system) of processes from Linux' /proc, in milliseconds. */

const TICK_MS = 10;
/** The times of a process, then those of its children that have ended. */
const OWN = [11, 12];
const ENDED_CHILDREN = [13, 14];

function timesOf(pid, kinds) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return kinds.reduce((sum, kind) => sum + Number(fields[kind]) * TICK_MS, 0);
}

/** NaN without a process. */
export const cpuOf = (pid) => (pid === null ? NaN : timesOf(pid, OWN));

/** Includes children that have ended, so that the sum does not fall when PostgreSQL closes a connection. */
function cpuIfPostgres(pid) {
  try {
    const isPostgres = readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n';
    return isPostgres ? timesOf(pid, [...OWN, ...ENDED_CHILDREN]) : 0;
  } catch {
    // The process has ended meanwhile.
    return 0;
  }
}

/** All PostgreSQL processes of the machine, because work that a server hands to its database counts too. */
export const cpuOfPostgres = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => sum + cpuIfPostgres(pid), 0);

export const loadAverage = () =>
  loadavg()
    .map((load) => load.toFixed(2))
    .join(' ');
