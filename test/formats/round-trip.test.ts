import { FORMATS, formatById, formatsOf, read, write } from '../../src/formats/formats.js';
import { rulesets } from '../../src/rules/registry.js';
import { scoresOf } from './lines.js';

/** Every game of the vectors through every format of its rule set, and back to the same game. */

describe.each(rulesets().map(({ id }) => id))('%s', (ruleset) => {
  const scores = scoresOf(ruleset);
  const formats = formatsOf(ruleset);

  test('has JSON and a format for people', () => {
    expect(formats.map(({ id }) => id)).toContain('json');
    expect(formats.length).toBeGreaterThan(1);
    for (const { id } of formats) expect(formatById(id)?.id).toBe(id);
  });

  test.each(formats.filter(({ id }) => id !== 'ucci'))('$id', ({ id, write: writeIn, between }) => {
    const texts = scores.map((score) => writeIn(score));
    for (const [at, text] of texts.entries()) {
      const back = read(text, { ruleset, format: id });
      expect(back).toEqual({ ok: true, value: [scores[at]] });
      if (back.ok) expect(write(back.value[0]!, id)).toBe(text);
    }
    const few = texts.slice(0, 8);
    expect(read(few.join(between))).toEqual({ ok: true, value: scores.slice(0, few.length) });
  });

  if (formats.some(({ id }) => id === 'ucci')) {
    test('writes ucci with the moves and their result by the rules', () => {
      const text = scores.map((score) => write(score, 'ucci')).join('');
      const back = read(text, { ruleset });
      if (!back.ok) throw new Error(JSON.stringify(back.refusal));
      expect(back.value.map((score) => write(score, 'ucci')).join('')).toBe(text);
      expect(back.value).toHaveLength(scores.length);
      for (const [at, { start, plies, outcome }] of back.value.entries()) {
        const score = scores[at]!;
        expect({ start, moves: plies.map(({ san }) => san) }).toEqual({
          start: score.start,
          moves: score.plies.map(({ san }) => san),
        });
        if (outcome !== null) expect(outcome).toEqual(score.outcome);
      }
    });
  }

  test('keeps the lines of moves short', () => {
    for (const { id } of formats.filter(({ id }) => id !== 'json' && id !== 'ucci')) {
      const lines = scores.flatMap((score) => write(score, id)!.split('\n'));
      const moves = lines.filter((line) => !line.startsWith('['));
      expect(Math.max(...moves.map(({ length }) => length))).toBeLessThan(80);
    }
  });
});

test('writes nothing in a format that a rule set does not have', () => {
  const [score] = scoresOf('chess');
  expect(FORMATS.filter((format) => write(score!, format) === null)).toEqual(['wxf', 'iccs', 'ucci', 'text']);
  expect(formatsOf('checkers')).toEqual([]);
});
