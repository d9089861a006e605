import { parse, type ParseTree } from '@mliebelt/pgn-parser';
import { Chess } from 'chess.js';
import { write } from '../../src/formats/formats.js';
import type { Score } from '../../src/formats/score.js';
import { tagsOf } from '../../src/formats/tags.js';
import { clockText } from '../../src/formats/time-text.js';
import { vectors, type GameLine } from '../support/vectors.js';
import { HEAD, scoreOfLine } from './lines.js';

/** Readers of PGN that are independent of this project read the same games. */

const lines = vectors<GameLine>('games.chess.jsonl');

const sans = ({ plies }: Score): readonly string[] => plies.map(({ san }) => san);
const clocks = ({ plies }: Score): readonly string[] =>
  plies.flatMap(({ clock }) => (clock === null ? [] : [clockText(clock)]));

describe('chess.js', () => {
  // It does not know the standard's \" in tags, and keeps \\ as it is.
  const score = (line: GameLine): Score =>
    scoreOfLine(line, { ...HEAD, event: 'A \\ B', players: { first: 'Ada', second: '李 白' } });

  test.each(lines.map((line) => [line.id, line] as const))('%s', (_, line) => {
    const said = score(line);
    const reader = new Chess();
    reader.loadPgn(write(said, 'pgn')!);
    expect(reader.history()).toEqual(sans(said));
    expect(reader.fen()).toBe(line.final);
    const headers = reader.getHeaders();
    for (const [name, value] of tagsOf(said, 'pgn')) expect(headers[name]).toBe(value.replace('\\', '\\\\'));
    const told = reader
      .getComments()
      .flatMap(({ comment = '' }) => /\[%clk ([0-9:]+)\]/.exec(comment)?.[1] ?? []);
    expect(told).toEqual(clocks(said));
  });
});

describe('@mliebelt/pgn-parser', () => {
  const valueOf = (tag: unknown): unknown =>
    typeof tag === 'object' && tag !== null && 'value' in tag ? tag.value : String(tag);

  test.each(lines.map((line) => [line.id, line] as const))('%s', (_, line) => {
    const said = scoreOfLine(line);
    const game = parse(write(said, 'pgn')!, { startRule: 'game' }) as ParseTree;
    // It writes a piece with file and rank in its own way, like Qh4-e1.
    const moves = game.moves.map(({ notation }) => notation.notation.replace(/^([A-Z][a-h][1-8])-/, '$1'));
    expect(moves).toEqual(sans(said));
    const told = game.moves.flatMap(({ commentDiag }) => commentDiag?.clk ?? []);
    expect(told).toEqual(clocks(said));
    const tags = game.tags as unknown as Record<string, unknown>;
    for (const [name, value] of tagsOf(said, 'pgn'))
      expect([name, valueOf(tags[name])]).toEqual([name, value]);
  });
});
