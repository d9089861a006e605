import { check } from '../../src/cli/conformance/check.js';
import {
  readLine,
  type DealLine,
  type GameLine,
  type InvalidLine,
  type Line,
  type Opening,
  type PerftLine,
} from '../../src/cli/conformance/format.js';
import { readInvalid } from '../../src/cli/conformance/lines.js';
import { rulesets } from '../../src/rules/registry.js';
import { vectors } from '../support/vectors.js';

/** All vectors except the largest counts, which `npm run conformance -- test/vectors` includes. */

const MAX_NODES = 200_000;

const CODES = {
  fen: ['INVALID_POSITION'],
  move: ['ILLEGAL_MOVE', 'GAME_OVER'],
  options: ['INVALID_OPTIONS'],
  deal: ['INVALID_DEAL'],
  setup: ['INVALID_SETUP'],
} as const;

const differences = (type: Line['type'], line: unknown): readonly unknown[] => check({ type, line } as Line);

describe.each(rulesets().map(({ id }) => id))('%s', (id) => {
  const of = <L extends Opening>(file: string): readonly L[] =>
    vectors<L>(file).filter(({ ruleset }) => ruleset === id);
  const counts = of<PerftLine>('perft.jsonl').filter(({ nodes }) => nodes <= MAX_NODES);

  const games = of<GameLine>(`games.${id}.jsonl`);
  const invalid = of<InvalidLine>('invalid.jsonl');

  test('has games, counts of moves and invalid input', () => {
    expect({ games: games.length > 0, perft: counts.length > 0, invalid: invalid.length > 0 }).toEqual({
      games: true,
      perft: true,
      invalid: true,
    });
  });

  // Jest reports an empty table as an error of its own, which would hide the test above.
  const each = <L>(lines: readonly L[]) =>
    lines.length === 0 ? test.skip.each([{}] as L[]) : test.each(lines);

  each(games)('$id', (line) => {
    expect(differences('game', line)).toEqual([]);
  });

  each(counts)('perft $fen $options $moves.length plies on, depth $depth', (line) => {
    expect(differences('perft', line)).toEqual([]);
  });

  const deals = of<DealLine>('deals-2.jsonl');
  (deals.length === 0 ? test.skip : test)('deals', () => {
    expect(deals.flatMap((line) => differences('deal', line))).toEqual([]);
  });

  each(invalid)('$kind $text $value: $why', (line) => {
    const answer = readInvalid(line);
    const message = expect.stringMatching(/^\S.+\.$/s);
    expect(answer).toMatchObject({ ok: false, refusal: { message } });
    expect(CODES[line.kind]).toContain('refusal' in answer && answer.refusal.code);
  });
});

test('every line is in the format', () => {
  const files = ['deals-2', 'invalid', 'perft', ...rulesets().map(({ id }) => `games.${id}`)];
  for (const name of files) {
    const lines = vectors(`${name}.jsonl`).map((line) => readLine(JSON.stringify(line), 'any.jsonl'));
    expect(lines.filter((line) => typeof line === 'string')).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
  }
});
