import { readdirSync, readFileSync } from 'node:fs';
import { cacheBytes, PARTS } from '../../src/platform/process/cache-sizes.js';

/** CACHE_MB bounds all that a process remembers to answer faster, together. */

test('the parts are the whole', () => {
  const names = Object.keys(PARTS) as (keyof typeof PARTS)[];
  const sum = names.reduce((bytes, name) => bytes + cacheBytes({ cacheMb: 128 }, name), 0);
  expect(sum).toBe(128 * 2 ** 20);
  expect(names.every((name) => cacheBytes({ cacheMb: 8 }, name) > 100_000)).toBe(true);
});

test('every cache has a part', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`)
    .filter((file) => readFileSync(file, 'utf8').includes('new LRUCache'));
  // Which seeks were announced is bounded by their number, since it must not be forgotten for the sake of others.
  const bounded = files.filter((file) => /cacheBytes\(|mostBytes/.test(readFileSync(file, 'utf8')));
  expect(files.filter((file) => !bounded.includes(file))).toEqual(['src/platform/events/pubsub.ts']);
  expect(bounded.length).toBeGreaterThan(6);
});
