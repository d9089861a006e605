import { setTimeout as pause } from 'node:timers/promises';
import { openServerSession } from '../../src/platform/database/session.js';
import type { Place } from './databases.js';

/** Holds an advisory lock, so that every statement that requests it waits until `end`. */
export async function holdAdvisoryLock(place: Place, gate: number) {
  const session = await openServerSession(place.databaseUrl!, 'halfmove tests');
  await session.run(`SELECT pg_advisory_lock(${gate})`);
  const held = `
    SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE datname = current_database() AND locktype = 'advisory' AND objid = ${gate} AND NOT granted`;
  return {
    until: async (many: number) => {
      while ((await session.query(held)).length < many) await pause(20);
    },
    end: () => session.close(),
  };
}
