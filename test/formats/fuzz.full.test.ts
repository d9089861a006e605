import fc from 'fast-check';
import { FORMATS, formatsOf, read, write } from '../../src/formats/formats.js';
import { maxGamesIn } from '../../src/formats/max-games.js';
import { LIMITS, type Score } from '../../src/formats/score.js';
import { rulesets } from '../../src/rules/registry.js';
import { scoresOf } from './lines.js';
import { FULL, runs } from '../support/scale.js';

/** Any text results in games, or in a refusal with a position. */

const short = (score: Score): boolean => score.plies.length > 3 && score.plies.length < 30;
const scores = rulesets().flatMap(({ id }) => scoresOf(id).filter(short).slice(0, 4));
const texts = scores.flatMap((score) => formatsOf(score.ruleset).map(({ id }) => write(score, id)!));

function answers(text: string): void {
  const result = read(text);
  if (result.ok) {
    expect(result.value.length).toBeLessThanOrEqual(maxGamesIn(text));
    for (const score of result.value) expect(formatsOf(score.ruleset)[0]!.write(score)).not.toBe('');
    return;
  }
  const { line = 0, column = 0, message } = result.refusal;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  expect(message).toMatch(/^\S.*\.$/s);
  expect(line).toBeLessThanOrEqual(lines.length);
  expect(column).toBeLessThanOrEqual([...(lines[line - 1] ?? '')].length + 1);
}

/** Half of them are meaningful. */
const unit = fc.oneof(
  fc.constantFrom(...'"\\[]{}();%#+=-. \n'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const characters = fc.string({ unit, maxLength: 80 });
const parts = fc.constantFrom(
  ...[
    '1.',
    'e4',
    '[',
    ']',
    '"',
    '{',
    '}',
    '(',
    ')',
    ';',
    '%',
    '\\',
    '\n',
    '*',
    '1-0',
    '$1',
    ' ',
    'a1(N)',
    'C2=5',
  ],
  ...[
    '[FEN "',
    '[Ruleset "banqi-taiwan"]',
    'position ',
    'startpos ',
    'moves ',
    '{"format":',
    ',',
    '\uD800',
    'O-O',
  ],
);

test('reads or refuses any characters', () => {
  fc.assert(fc.property(characters, answers), runs(700));
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (list) => answers(list.join(''))),
    runs(700),
  );
});

test('reads or refuses valid texts with changes', () => {
  const change = fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.nat(20), fc.oneof(characters, parts));
  fc.assert(
    fc.property(change, ([text, start, length, put]) => {
      const at = start % text.length;
      answers(text.slice(0, at) + put + text.slice(at + length));
    }),
    runs(700),
  );
});

test('reads back tags of any printable characters', () => {
  const name = fc.stringMatching(/^[A-Z][A-Za-z0-9_]{0,20}Tag$/);
  const value = fc.string({ unit, maxLength: 60 }).map((text) => text.replace(/[\u0000-\u001F\u007F\u0085\u2028\u2029]/g, '')); // prettier-ignore
  const known = value.filter((text) => text !== '' && text !== '?');
  const head = fc.record({
    event: known,
    site: known,
    players: fc.record({ first: known, second: known }),
    tags: fc.dictionary(name, value, { maxKeys: 5 }).map((tags) => Object.fromEntries(Object.entries(tags))),
  });
  fc.assert(
    fc.property(fc.constantFrom(...scores), head, (score, said) => {
      const whole = { ...score, ...said };
      for (const { id } of formatsOf(score.ruleset).filter(({ id }) => id !== 'ucci')) {
        expect(read(write(whole, id)!)).toEqual({ ok: true, value: [whole] });
      }
    }),
    runs(80),
  );
});

test('writes the same game in every format, from any JSON', () => {
  const own = 'FEN SetUp Ruleset Variant Options FaceDown GameId TimeControl TimeCap Vacation UTCDate UTCTime EndDate EndTime Date Event Site Round Result Reason Game Format Imported White Black Red First Second Termination ECO Annotator constructor prototype'; // prettier-ignore
  const said = fc.constantFrom(
    ...['', '?', '????.??.??', '2020.01.01', '2026.01.31', '09:05:00', '2026-01-31T09:05:00Z', '1/86400', '300+5'],
    ...['no', '60', '1-0', '*', 'chess', 'Chess', 'aborted', 'normal', 'unterminated', 'time forfeit', 'x'],
  ); // prettier-ignore
  const tags = fc.dictionary(fc.constantFrom(...own.split(' ')), said, { maxKeys: 2, noNullPrototype: true });
  const timeControl = fc.constantFrom(null, { type: 'perMove', seconds: LIMITS.whole } as const, { type: 'none' } as const); // prettier-ignore
  const startedAt = fc.constantFrom(null, '2026-01-31T09:05:00Z');
  const head = fc.record({ event: said, id: said, date: said, timeControl, startedAt, tags });
  const cases = runs(2000);
  let readable = 0;
  fc.assert(
    fc.property(fc.constantFrom(...scores), head, (score, more) => {
      const back = read(JSON.stringify({ ...(JSON.parse(write(score, 'json')!) as object), ...more }));
      if (!back.ok) return;
      readable++;
      for (const { id } of formatsOf(score.ruleset).filter(({ id }) => id !== 'ucci')) {
        expect(read(write(back.value[0]!, id)!)).toEqual(back);
      }
    }),
    cases,
  );
  expect(readable).toBeGreaterThan(cases.numRuns / 20);
});

test('replaces line breaks in tags by spaces, so that no value adds a tag; JSON keeps them', () => {
  const [score] = scores;
  const event = 'A"]\n[Result "0-1"]\r\n%';
  const pgn = read(write({ ...score!, event }, 'pgn')!);
  expect(pgn.ok && pgn.value[0]!.event).toBe(event.replace(/[\r\n]/g, ' '));
  const json = read(write({ ...score!, event }, 'json')!);
  expect(json.ok && json.value[0]!.event).toBe(event);
});

// The quick suite takes one of the three that are read word by word, and the others.
test.each(FORMATS.filter((name) => FULL || !['wxf', 'text', 'iccs'].includes(name)))(
  'reads the longest texts in linear time: %s',
  (format) => {
    const repeat = (piece: string): string => piece.repeat(Math.floor(LIMITS.text / piece.length));
    const pieces = [
      '(',
      '{',
      '[',
      '"',
      ' ',
      '[A "',
      '\\',
      '1.',
      '%\n',
      '0',
      '$',
      '.',
      '{}',
      ';\n',
      '[{',
      '{"a":',
      'O-O-',
      '8(Q)',
      '…',
      '± ',
      '1–0',
    ];
    for (const piece of pieces) {
      const result = read(repeat(piece), { format });
      expect(result.ok ? result.value.length : result.refusal.message).toBeTruthy();
    }
  },
);
