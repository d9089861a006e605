import { setTimeout as pause } from 'node:timers/promises';

/** Reads the public log of all games. */

const TRIES = 200;
const PAUSE_MS = 100;
const WIDTH = 256;

/** Waits until an entry of the game is in the log, which is written after the commit. */
export async function logged(api, id, entry) {
  for (let tries = 0; tries < TRIES; tries++, await pause(PAUSE_MS)) {
    const { status } = await api.rest(null, 'GET', `/v1/games/${id}/log-proof?entry=${entry}`);
    if (status === 200) return id;
  }
  throw new Error(`The log has no ${entry} entry for ${id}.`);
}

/** All entries as texts, in order. */
export async function readLog(api) {
  const checkpoint = await api.rest(null, 'GET', '/log/checkpoint');
  const size = Number(checkpoint.text.split('\n')[1]);
  const texts = [];
  for (let at = 0; at < size; at += WIDTH) {
    const width = Math.min(WIDTH, size - at);
    const number = String(at / WIDTH).padStart(3, '0');
    const path = `/log/tile/entries/${number}${width < WIDTH ? `.p/${width}` : ''}`;
    texts.push(await api.rest(null, 'GET', path));
  }
  return { size, texts };
}
