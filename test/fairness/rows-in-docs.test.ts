import { readFileSync } from 'node:fs';
import { EVENT_TYPES } from '../../src/arbiter/acts/registry.js';
import { rulesetById } from '../../src/rules/registry.js';
import { GAMES } from './games.js';
import { Made } from './made.js';

/** The tables of docs/fairness.md name every type of row, and all fields of its data. */

const page = readFileSync('docs/fairness.md', 'utf8');
const BEGINNING = ['create', 'seed', 'accept', 'start', 'end'];

/** The names in the second column of the row of a type. */
function told(type: string): readonly string[] | null {
  const [, data] = new RegExp(`^\\| \`${type}\` \\|(.*?)\\|`, 'm').exec(page) ?? [];
  return data === undefined ? null : [...data.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}

/** A game of chess with every kind of offer. */
const offering = (): Made =>
  ['e2e4', 'e7e5', 'g1f3', 'b8c6']
    .reduce((game, move) => game.play(move), new Made(rulesetById('chess')!))
    .act('second', 'offerDraw')
    .act('second', 'offerPause')
    .act('second', 'offerTakeback')
    .act('first', 'requestTime');
const LAPSING = [() => offering().play('f1c4'), () => offering().act('first', 'acceptTakeback')];

/** The fields of each row type in the games that the tests play. */
const held = new Map<string, Set<string>>();
for (const game of [...GAMES.map(([, made]) => made), ...LAPSING]) {
  for (const { type, data } of game().record.rows) {
    const names = held.get(type) ?? new Set();
    held.set(type, names);
    for (const name of Object.keys(data)) if (name !== 'automatic') names.add(name);
  }
}

test.each(EVENT_TYPES.filter((type) => !BEGINNING.includes(type)))('%s is in the table', (type) => {
  expect(told(type)).not.toBeNull();
  expect([...(told(type) ?? [])].sort()).toEqual([...(held.get(type) ?? [])].sort());
});
