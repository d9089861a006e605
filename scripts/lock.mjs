import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock between processes: a file that names its holder, created atomically by a hard link. */

const WAIT_MS = 100;
/** An older holder counts as dead, even if its process id is in use again. */
const OLDEST_MS = 10 * 60_000;

function holderLives(path, holder) {
  const [pid, host] = holder.split(' ');
  if (Date.now() - statSync(path).mtimeMs > OLDEST_MS) return false;
  if (host !== hostname()) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Moves a dead holder's file away; restores it if another process has already replaced it. */
function removeDead(path, holder, aside) {
  renameSync(path, aside);
  if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, path);
  rmSync(aside, { force: true });
}

async function acquire(path, own, me) {
  for (;;) {
    try {
      linkSync(own, path);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      const holder = readFileSync(path, 'utf8');
      if (holderLives(path, holder)) await sleep(WAIT_MS);
      else removeDead(path, holder, `${path}.${me}.dead`);
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
    }
  }
}

/** Runs `work` while holding the lock. */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  const me = `${process.pid}.${Date.now()}`;
  const own = `${path}.${me}`;
  writeFileSync(own, `${process.pid} ${hostname()} ${me}`);
  try {
    await acquire(path, own, me);
    try {
      return await work();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}
