import { halfCourtChess } from '../../src/rules/chess/half-court-chess.js';
import type { ChessPosition } from '../../src/rules/chess/position.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, find, play, position, resume, type Game } from '../../src/rules/play.js';
import type { MoveFault, Refusal } from '../../src/rules/result.js';
import { setupNumber, setupOf } from '../../src/rules/setup.js';
import {
  checkGame,
  checkPerft,
  readInvalid,
  vectors,
  type GameLine,
  type InvalidLine,
  type PerftLine,
} from '../support/vectors.js';
import { must } from '../support/random-games.js';

const START = 'NQRBK/qbnrk';

const options = must(parseOptions(halfCourtChess, {}));
const at = (fen: string): ChessPosition => must(halfCourtChess.parse(fen, options));
const game = (fen: string): Game<ChessPosition> => must(resume(halfCourtChess, options, { fen, plies: [] }));
const movesAt = (fen: string): string => halfCourtChess.legalMoves(at(fen)).map(halfCourtChess.text).sort().join(' '); // prettier-ignore
const after = (fen: string, move: string): string => must(play(game(fen), move, null)).ply.fen;
const sanOf = (fen: string, move: string): string => must(play(game(fen), move, null)).ply.san;

function refused(fen: string, move: string): Refusal {
  const found = find(game(fen), move);
  if (found.ok) throw new Error(`${move} is legal`);
  return found.refusal;
}

const fieldOf = (fen: string): string | null => {
  const parsed = halfCourtChess.parse(fen, options);
  return parsed.ok ? null : parsed.refusal.field!;
};

describe('vectors', () => {
  const games = vectors<GameLine>('games.half-court-chess.jsonl');

  test('every game', () => {
    expect(games.length).toBeGreaterThan(0);
    expect(games.map((line) => [line.id, checkGame(line)])).toEqual(games.map(({ id }) => [id, []]));
  });

  const counts = vectors<PerftLine>('perft.jsonl').filter(
    ({ ruleset, nodes }) => ruleset === 'half-court-chess' && nodes <= 300_000,
  );

  test('every count of moves', () => {
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.flatMap((line) => checkPerft(line).map(({ got }) => [line, got]))).toEqual([]);
  });

  const invalid = vectors<InvalidLine>('invalid.jsonl').filter(
    ({ ruleset }) => ruleset === 'half-court-chess',
  );

  test.each(invalid.map((line) => [line.kind, line.why, line] as const))(
    'invalid %s: %s',
    (_kind, _why, line) => {
      expect(readInvalid(line)).toMatchObject({
        ok: false,
        refusal: { message: expect.stringMatching(/^[A-Za-z].+\.$/) },
      });
    },
  );
});

describe('spot checks', () => {
  test.each([
    ['r3k/ppppp/5/PPPPP/K2R1 w Kk - 0 1', 'a1b1 a1d1 a2a3 b2b3 c2c3 d1b1 d1c1 d1e1 d2d3 e2e3'],
    ['4k/ppppp/5/PPPPP/KRN2 w K - 0 1', 'a1b1 a2a3 c1b3 c1d3 b2b3 c2c3 d2d3 e2e3'],
    ['1r2k/p1ppp/5/P1PPP/KR3 w K - 0 1', 'a2a3 b1b2 b1b3 b1b4 b1b5 b1c1 b1d1 b1e1 c2c3 d2d3 e2e3'],
    ['4k/5/5/1PpP1/4K w - c3 0 2', 'b2b3 b2b4 b2c3 d2c3 d2d3 d2d4 e1e2'],
  ])('%s', (fen, moves) => {
    expect(movesAt(fen)).toBe(moves.split(' ').sort().join(' '));
  });

  test('pawns may step two squares and be captured en passant', () => {
    expect(after('4k/5/1p3/P4/4K w - - 0 1', 'a2a3')).toBe('4k/5/Pp3/5/4K b - - 0 1');
    expect(after('4k/1p3/5/P4/4K w - - 0 1', 'a2a4')).toBe('4k/Pp3/5/5/4K b - a3 0 1');
    expect(after('4k/Pp3/5/5/4K b - a3 0 1', 'b4a3')).toBe('4k/5/p4/5/4K w - - 0 2');
  });
});

describe('the set-up', () => {
  const first = (setup: string | null, chosen?: string): string => {
    const given = must(parseOptions(halfCourtChess, chosen === undefined ? {} : { setup: chosen }));
    return halfCourtChess.fen(position(begin(halfCourtChess, given, setup)));
  };
  const beginning = (white: string, black: string): string => `${black}/ppppp/5/PPPPP/${white} w Kk - 0 1`;

  test('is the drawn one, else that of the options, else the order before the shuffle', () => {
    expect(first(START)).toBe(beginning('NQRBK', 'qbnrk'));
    expect(first(null, START)).toBe(beginning('NQRBK', 'qbnrk'));
    expect(first('RKBNQ/rkbnq', START)).toBe(beginning('RKBNQ', 'rkbnq'));
    expect(first(null)).toBe(beginning('KQRBN', 'kqrbn'));
  });

  test('every set-up begins a game whose text is read back', () => {
    for (let number = 0; number < 14_400; number += 97) {
      const setup = must(setupOf(halfCourtChess, number));
      const fen = first(setup);
      expect([setup, halfCourtChess.fen(at(fen)), setupNumber(halfCourtChess, setup)]).toEqual([
        setup,
        fen,
        number,
      ]);
    }
  });

  test.each(['NQRBK', 'NQRBK/QBNRK', 'nqrbk/QBNRK', 7, null])('%p is not a value of the option', (setup) => {
    expect(parseOptions(halfCourtChess, { setup })).toMatchObject({
      ok: false,
      refusal: { code: 'INVALID_OPTIONS', field: 'options.setup' },
    });
  });
});

describe('castling', () => {
  test.each([
    // The document's own examples.
    ['4k/ppppp/5/PPPPP/2R1K w K - 0 1', 'e1c1', '2KR1'],
    ['r3k/ppppp/5/PPPPP/K2R1 w Kk - 0 1', 'a1d1', '1RK2'],
    // The rook next to the king: it stays where it is, or the two change places.
    ['4k/ppppp/5/PPPPP/KR3 w K - 0 1', 'a1b1', '1RK2'],
    ['4k/ppppp/5/PPPPP/KRN2 w K - 0 1', 'a1b1', 'RKN2'],
    ['4k/ppppp/5/PPPPP/3KR w K - 0 1', 'd1e1', '3RK'],
    ['4k/ppppp/5/PPPPP/R1K2 w K - 0 1', 'c1a1', 'KR3'],
    ['4k/ppppp/5/PPPPP/NRK2 w K - 0 1', 'c1b1', 'NKR2'],
    // With a second rook: only the named one.
    ['4k/ppppp/5/PPPPP/R1K1R w E - 0 1', 'c1e1', 'R2RK'],
  ])('%s %s', (fen, move, row) => {
    const next = after(fen, move);
    expect(next.split(/[/ ]/)[4]).toBe(row);
    expect(next.split(' ')[2]).not.toMatch(/[A-Z]/);
    expect(sanOf(fen, move)).toBe('O-O');
  });

  test('Black castles in the same way', () => {
    expect(after('3kr/ppppp/5/PPPPP/2R1K b Kk - 0 1', 'd5e5')).toBe('3rk/ppppp/5/PPPPP/2R1K w K - 1 2');
    expect(after('r3k/ppppp/5/PPPPP/K2R1 b Kk - 4 3', 'e5a5')).toBe('2kr1/ppppp/5/PPPPP/K2R1 w K - 5 4');
  });

  test('the target square is judged after the rook has left its shielding square', () => {
    const shielded = 'k4/5/5/PPPP1/K2Rr w K - 0 1';
    expect(refused(shielded, 'a1d1')).toMatchObject({
      message: expect.stringMatching(/land on c1.*from e1/),
    });
  });

  test('a move of king or rook, or the capture of the rook, ends the right', () => {
    const fen = 'r3k/1ppp1/5/1PPP1/R3K w Kk - 0 1';
    expect(after(fen, 'e1e2').split(' ')[2]).toBe('k');
    expect(after(fen, 'a1a2').split(' ')[2]).toBe('k');
    expect(after(fen, 'a1a5').split(' ')[2]).toBe('-');
  });

  test('positions with different castling rights are not the same', () => {
    const board = '4k/ppppp/5/PPPPP/R1K1R w';
    const positions = ['A', 'E', '-'].map((right) => at(`${board} ${right} - 0 1`));
    expect(positions.map((a) => positions.map((b) => halfCourtChess.same(a, b)))).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  test.each<[string, string, MoveFault, RegExp]>([
    [
      'r3k/ppppp/5/PPPPP/K2R1 w k - 0 1',
      'a1d1',
      'castling',
      /cannot castle O-O: the king or that rook has moved/,
    ],
    ['4k/ppppp/5/PPPPP/K1NR1 w K - 0 1', 'a1d1', 'castling', /between king and rook, on c1/],
    ['1r2k/p1ppp/5/P1PPP/KR3 w K - 0 1', 'a1b1', 'castling', /pass over b1, which is attacked from b5/],
    ['2r1k/pp1pp/5/PP1PP/KR3 w K - 0 1', 'a1b1', 'castling', /land on c1, which is attacked from c5/],
    ['r3k/1pppp/5/1PPPP/K2R1 w Kk - 0 1', 'a1d1', 'castling', /in check from a5/],
    [
      'r3k/ppppp/5/PPPPP/K2R1 w Kk - 0 1',
      'a1c1',
      'cannotReach',
      /the king's square, then the rook's, as a1d1/,
    ],
    ['r3k/ppppp/5/PPPPP/K2R1 w Kk - 0 1', 'd1a1', 'ownPiece', /own king .* as a1d1/],
    ['r3k/ppppp/5/PPPPP/K2R1 w Kk - 0 1', 'a1a2', 'ownPiece', /own pawn stands on a2\.$/],
    ['r3k/ppppp/5/PPPPP/K2R1 w Kk - 0 1', 'O-O', 'malformed', /the king's square, then the rook's/],
    ['4k/5/5/5/K2R1 w - - 0 1', 'a1c1', 'cannotReach', /a king moves one square\.$/],
  ])('%s %s: %s', (fen, move, fault, message) => {
    expect(refused(fen, move)).toEqual({
      code: 'ILLEGAL_MOVE',
      field: 'move',
      fault,
      message: expect.stringMatching(message),
    });
  });
});

describe('position texts', () => {
  test.each([
    ['qbnrk/ppppp/5/PPPPP/NQRBK w Kk - 0 1', null],
    ['4k/ppppp/5/PPPPP/R1K1R w A - 0 1', null],
    ['qbnrk/ppppp/5/PPPPP/NQRBK w Kk - 0', 'position'],
    ['qbnrk/ppppp/6/PPPPP/NQRBK w Kk - 0 1', 'position.board'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'position.board'],
    ['qbnrk/ppppp/5/PPPPP/NQRBK x Kk - 0 1', 'position.turn'],
    ['qbnrk/ppppp/5/PPPPP/NQRBK w kK - 0 1', 'position.castling'],
    // With one rook on the first rank the letter is K, with several the file's.
    ['qbnrk/ppppp/5/PPPPP/NQRBK w Ck - 0 1', 'position.castling'],
    ['4k/ppppp/5/PPPPP/R1K1R w K - 0 1', 'position.castling'],
    ['4k/ppppp/5/PPPPP/R1K1R w AE - 0 1', 'position.castling'],
    ['4k/5/5/K4/R4 w K - 0 1', 'position.castling'],
    ['4k/5/5/1PpP1/4K w - c2 0 2', 'position.enPassant'],
    ['4k/5/5/1PpP1/4K w - - 01 2', 'position.quiet'],
    ['4k/5/5/1PpP1/4K w - - 0 0', 'position.number'],
  ])('refuses %s in %s', (fen, field) => {
    expect(fieldOf(fen)).toBe(field);
  });
});

describe('SAN and endings', () => {
  test.each([
    ['4k/P4/5/5/K4 w - - 0 1', 'a4a5q', 'a5=Q+'],
    ['4k/5/5/1PpP1/4K w - c3 0 2', 'b2c3', 'bxc3'],
    ['4k/5/5/5/KN1N1 w - - 0 1', 'b1c3', 'Nbc3'],
    ['4k/3pp/5/5/RK3 w - - 0 1', 'a1a5', 'Ra5#'],
  ])('%s %s is %s', (fen, move, san) => {
    expect(sanOf(fen, move)).toBe(san);
  });

  test.each([
    ['k4/5/1K3/5/4R w - - 0 1', 'e1e5', { winner: 'first', reason: 'checkmate' }],
    ['k4/5/5/2Q2/4K w - - 0 1', 'c2b3', { winner: null, reason: 'stalemate' }],
    ['k4/5/1Kr2/5/5 w - - 0 1', 'b3c3', { winner: null, reason: 'insufficientMaterial' }],
    ['k4/5/1K3/5/4R w - - 149 90', 'e1e2', { winner: null, reason: 'seventyFiveMoves' }],
    ['k4/5/1K3/5/4R w - - 149 90', 'e1e5', { winner: 'first', reason: 'checkmate' }],
  ])('%s ends by %s', (fen, move, outcome) => {
    expect(must(play(game(fen), move, null)).game.outcome).toEqual(outcome);
  });
});
