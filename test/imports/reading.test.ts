import { setImmediate } from 'node:timers/promises';
import { read, readInSteps, write } from '../../src/formats/formats.js';
import { LIMITS } from '../../src/formats/score.js';
import { readGames } from '../../src/features/imports/reading.js';
import type { DomainError } from '../../src/platform/errors/errors.js';
import { scoresOf } from '../formats/lines.js';

/** A text is read in steps, so that the server can serve others in between. */

const MOST = { games: 100, plies: 20_000 };

const games = scoresOf('chess').filter(({ outcome }) => outcome !== null);
const texts = (['pgn', 'json'] as const).map(
  (format) => [format, games.map((game) => write(game, format)).join('')] as const,
);
const LINE = '{"format":"halfmove-game","version":1,"ruleset":"chess","plies":';

test.each(texts)('%s: there is a step before each ply, and the games are the same', (_, text) => {
  const found = [];
  let steps = 0;
  for (const game of readInSteps(text)) {
    if (game === null) steps += 1;
    else if (game.ok) {
      expect(steps).toBeGreaterThanOrEqual(game.value.score.plies.length);
      steps = 0;
      found.push(game.value.score);
    }
  }
  expect({ ok: true, value: found }).toEqual(read(text));
});

test('others are served while a long text is read', async () => {
  const text = Array.from({ length: 60 }, () =>
    write(
      games.reduce((a, b) => (a.plies.length > b.plies.length ? a : b)),
      'pgn',
    ),
  ).join('');
  let isRead = false;
  let turns = 0;
  const reading = readGames(text, {}, MOST).finally(() => (isRead = true));
  while (!isRead) {
    await setImmediate();
    turns += 1;
  }
  expect(await reading).toHaveLength(60);
  expect(turns).toBeGreaterThan(1);
});

test('limits the total plies of a text, and refuses at the first one too many', async () => {
  const most = { games: 100, plies: 2000 };
  const longest = games.reduce((a, b) => (a.plies.length > b.plies.length ? a : b));
  const text = write(longest, 'pgn')!;
  const whole = Math.floor(most.plies / longest.plies.length);
  const lines = text.split('\n').length - 1;
  expect(await readGames(text.repeat(whole), {}, most)).toHaveLength(whole);
  const refusal = await readGames(text.repeat(whole + 2), {}, most).catch(
    (error: DomainError) => error.details,
  );
  const { line } = refusal as { readonly line: number };
  expect(Math.ceil(line / lines)).toBe(whole + (most.plies % longest.plies.length === 0 ? 2 : 1));
});

test('limits the values of a game to what a game needs', () => {
  const fault = (text: string) => {
    const answer = read(text, { format: 'json' });
    return answer.ok ? null : answer.refusal.message;
  };
  expect(fault(`${LINE}[${'{"move":"e2e4"},'.repeat(LIMITS.plies * 10)}1]}`)).toContain(
    'at most 20000 values',
  );
  expect(fault(`[${'[],'.repeat(30_000)}1]`)).toContain('A game must be an object');
});

test('refuses numbers and strings that no answer can contain', () => {
  const clocked = read('1. e4 {[%clk 999999:00:00]} e5 {[%clk 596523:14:07]} 1-0');
  expect(clocked.ok && clocked.value[0]!.plies.map(({ clock }) => clock)).toEqual([null, 2 ** 31 - 1]);
  expect(read(`${LINE}[{"move":"e2e4","clock":2147483648}]}`)).toMatchObject({
    refusal: {
      message: 'Line 1, column 89: "clock" must be a whole number from 0 to 2147483647; got 2147483648.',
    },
  });
  expect(read(`${LINE}[],"event":"\\ud800"}`)).toMatchObject({ refusal: { line: 1, column: 76 } });
});
