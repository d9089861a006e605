import fc from 'fast-check';
import { appendPly, decodeMoves, type BriefPly } from '../../src/engine/moves-text.js';

const letter = fc.option(fc.constantFrom(...'KABNRCPkabnrcpQq'), { nil: null });
const move = fc.constantFrom('e2e4', 'e7e8q', 'a10a9', 'c5', 'a1a2', 'pass');
const ply: fc.Arbitrary<BriefPly> = fc.record({ move, reveals: letter, captured: letter });

test('reads back the plies of a game from one text', () => {
  fc.assert(
    fc.property(fc.array(ply), (plies) => {
      expect(decodeMoves(plies.reduce(appendPly, ''))).toEqual(plies);
    }),
  );
});

test('writes the text as documented', () => {
  const plies = [
    { move: 'e2e4', reveals: null, captured: null },
    { move: 'c5', reveals: 'N', captured: null },
    { move: 'd4d5', reveals: null, captured: 'p' },
    { move: 'd5d6', reveals: 'n', captured: 'n' },
  ];
  expect(plies.reduce(appendPly, '')).toBe('d5d6=nxn d4d5xp c5=N e2e4');
});
