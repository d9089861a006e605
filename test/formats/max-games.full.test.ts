import fc from 'fast-check';
import { formatsOf, readEach, write } from '../../src/formats/formats.js';
import { maxGamesIn } from '../../src/formats/max-games.js';
import { rulesets } from '../../src/rules/registry.js';
import { runs } from '../support/scale.js';
import { scoresOf } from './lines.js';

/** A text never has more games than the count made before it is read. */

function gamesIn(text: string): number {
  let games = 0;
  for (const game of readEach(text)) games += game.ok ? 1 : 0;
  return games;
}

const piece = fc.constantFrom(
  ...['e4 ', '1. e4 ', '* ', '*', '1-0 ', '1–0 ', '1/2 ', '½-½ ', '1/2-1/2 ', '(e3) ', '$1 ', '... '],
  ...['[A "x"]', '[B "]"] ', '[C "1-0"]\n', '[Result "*"] ', '[Result "1-0"]', '[Date "2020-10-11"]\n'],
  ...[
    '{]} ',
    '{[%clk 0:01:00]}',
    '{[',
    '] }',
    '{"} ',
    ';]\n',
    '; [\n',
    ';"\n',
    '"',
    '\n% ]\n',
    '\n',
    ']',
    '[',
  ],
  ...['startpos ', 'position startpos moves h2e2\n', 'position fen ', '\uFEFF'],
  '{"format":"halfmove-game","version":1,"ruleset":"chess","plies":[]}',
  '{"format":"halfmove-game","version":1,"ruleset":"chess","plies" : [ {"move":"e2e4"} ]},',
);

test('is an upper bound for texts of pieces that end games, or seem to', () => {
  let several = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const games = gamesIn(text);
      if (games > 1) several++;
      expect([text, games <= maxGamesIn(text)]).toEqual([text, true]);
    }),
    runs(5000),
  );
  expect(several).toBeGreaterThan(0);
});

test('is at most three times too high for texts as written here, also with a bracket in a tag', () => {
  const scores = rulesets().flatMap(({ id }) => scoresOf(id).slice(0, 3));
  for (const score of scores) {
    for (const { id, between } of formatsOf(score.ruleset)) {
      const text = Array(10).fill(write(score, id)).join(between);
      const most = maxGamesIn(text);
      expect([id, most >= 10, most <= 31]).toEqual([id, true, true]);
    }
  }
});
