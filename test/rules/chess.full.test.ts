import fc from 'fast-check';
import { chess } from '../../src/rules/chess/chess.js';
import type { ChessPosition } from '../../src/rules/chess/position.js';
import { perft } from '../../src/rules/perft.js';
import { begin, find, legalMoves, play, resume, type Game } from '../../src/rules/play.js';
import type { MoveFault, Refusal } from '../../src/rules/result.js';
import { must } from '../support/random-games.js';
import { runs } from '../support/scale.js';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

const at = (fen: string): ChessPosition => must(chess.parse(fen, {}));
const game = (fen: string): Game<ChessPosition> => must(resume(chess, {}, { fen, plies: [] }));
const movesAt = (fen: string): string => chess.legalMoves(at(fen)).map(chess.text).sort().join(' '); // prettier-ignore
const sanOf = (fen: string, move: string): string => must(play(game(fen), move, null)).ply.san;

function refused(fen: string, move: string): Refusal {
  const found = find(game(fen), move);
  if (found.ok) throw new Error(`${move} is legal`);
  return found.refusal;
}

test('castling is counted when king and pinned pieces can move as well', () => {
  const position = at('rn2k1nr/4p2p/5pp1/pppp4/3P4/P1qB1N1P/2QN1Pb1/R1b1K2R w KQkq - 0 22');
  expect([chess.legalMoves(position).length, chess.countLegalMoves(position)]).toEqual([31, 31]);
});

test('perft of the start, depth 5', () => {
  expect(perft(chess, chess.start({}, null), 5)).toBe(4865609);
});

describe('spot checks', () => {
  test('only the rook may pass over an attacked square', () => {
    expect(movesAt('4k3/8/8/8/1r6/8/8/R3K3 w Q - 0 1')).toBe(
      'a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 a1b1 a1c1 a1d1 e1c1 e1d1 e1d2 e1e2 e1f1 e1f2',
    );
  });

  test('refuses en passant that would expose the king along the rank', () => {
    const fen = '4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1';
    expect(movesAt(fen)).toBe('a5a4 a5a6 a5b4 a5b5 a5b6 e5e6');
    expect(chess.fen(at(fen))).toBe('4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1');
  });
});

describe('SAN', () => {
  test.each([
    [START, 'g1f3', 'Nf3'],
    ['4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', 'e1g1', 'O-O'],
    ['3k4/8/8/8/8/8/8/R3K3 w Q - 0 1', 'e1c1', 'O-O-O+'],
    ['4k3/P7/8/8/8/8/8/4K3 w - - 0 1', 'a7a8q', 'a8=Q+'],
    ['1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1', 'a7b8n', 'axb8=N'],
    ['4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2', 'e5d6', 'exd6'],
    ['4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1', 'c3e4', 'Nce4'],
    ['4k3/8/8/2N5/8/2N5/8/4K3 w - - 0 1', 'c3e4', 'N3e4'],
    ['7k/8/8/2N5/8/2N3N1/8/4K3 w - - 0 1', 'c3e4', 'Nc3e4'],
    ['4k3/4r3/8/8/8/2N5/4N3/4K3 w - - 0 1', 'c3d5', 'Nd5'],
    ['4k3/4r3/8/8/8/2N5/4N3/4K3 w - - 0 1', 'c3e4', 'Ne4'],
    ['6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', 'a1a8', 'Ra8#'],
    ['k7/8/1K6/8/8/8/8/6Q1 w - - 0 1', 'g1g2', 'Qg2+'],
    ['k7/8/1K6/8/8/8/8/2Q5 w - - 0 1', 'c1c7', 'Qc7'], // stalemate
  ])('%s %s is %s', (fen, move, san) => {
    expect(sanOf(fen, move)).toBe(san);
  });
});

describe('why a move is refused', () => {
  const castle = (rest: string) => `${rest} w KQ - 0 1`;

  test.each<[string, string, MoveFault, RegExp]>([
    [START, 'Nf3', 'malformed', /two squares/],
    [START, 'e2e9', 'offBoard', /no square e9/],
    [START, 'e4e5', 'emptySquare', /no piece on e4/],
    [START, 'e7e5', 'notYours', /pawn on e7 belongs to Black/],
    [START, 'e2e2', 'cannotReach', /another square/],
    [START, 'a1a2', 'ownPiece', /own pawn stands on a2/],
    [START, 'a1a3', 'blocked', /pawn on a2 is in the way/],
    [START, 'f1a6', 'blocked', /on e2/],
    [START, 'b1b3', 'cannotReach', /knight goes/],
    [START, 'e2e5', 'cannotReach', /pawn steps/],
    [START, 'e2d3', 'cannotCapture', /nothing to take on d3/],
    [START, 'e2e4q', 'promotion', /does not promote/],
    [START, 'e1g1', 'castling', /O-O: there is a piece between king and rook, on f1/],
    ['4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1', 'e2e4', 'cannotCapture', /captures only diagonally/],
    ['4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1', 'e2e4', 'blocked', /on e3/],
    ['4k3/P7/8/8/8/8/8/4K3 w - - 0 1', 'a7a8', 'promotion', /Add q, r, b or n to the move\.$/],
    ['4k3/P7/8/8/8/8/8/4K3 w - - 0 1', 'a7a8k', 'promotion', /, not k/],
    ['4k3/8/8/8/8/8/8/R3K2R w - - 0 1', 'e1g1', 'castling', /has moved, or the rook was captured/],
    [
      castle('4k3/8/8/8/8/8/8/R3K2R'),
      'e1g1q',
      'promotion',
      /no promotion letter after its squares. Write e1g1/,
    ],
    [castle('4k3/8/8/8/8/8/8/R3K2R'), 'e1h1', 'ownPiece', /castling is written as the king's move/],
    [castle('4k3/8/8/8/8/8/8/RN2K2R'), 'e1c1', 'castling', /O-O-O: .* on b1/],
    [castle('4k3/8/8/8/8/4r3/8/R3K2R'), 'e1c1', 'castling', /in check from e3/],
    [castle('4k3/8/8/8/8/5r2/8/R3K2R'), 'e1g1', 'castling', /pass over f1, which is attacked from f3/],
    [castle('4k3/8/8/8/8/6r1/8/R3K2R'), 'e1g1', 'castling', /land on g1, which is attacked from g3/],
    [castle('4k3/8/8/8/8/4r3/8/R3K2R'), 'a1a2', 'leavesKingInCheck', /leave the king on e1 in check from e3/],
    ['4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1', 'e2c3', 'leavesKingInCheck', /put the king on e1 in check from e7/],
    ['4k3/8/8/8/8/3r4/8/4K3 w - - 0 1', 'e1d1', 'leavesKingInCheck', /in check from d3/],
    ['4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1', 'e5d6', 'cannotCapture', /only right after the double step/],
    ['4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1', 'e5d6', 'leavesKingInCheck', /in check from h5/],
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
  const field = (fen: string): string | null => {
    const parsed = chess.parse(fen, {});
    return parsed.ok ? null : parsed.refusal.field!;
  };

  test.each([
    [START, null],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0', 'position'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1', 'position.board'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1', 'position.turn'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kqKQ - 0 1', 'position.castling'],
    ['rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 2', 'position.enPassant'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 00 1', 'position.quiet'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0', 'position.number'],
  ])('refuses %s in %s', (fen, wrong) => {
    expect(field(fen)).toBe(wrong);
  });

  test('accepts and drops an en passant square that cannot be used', () => {
    const fen = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1';
    expect(chess.fen(at(fen))).toBe(fen.replace('e3', '-'));
  });

  test('refuses an en passant square after a quiet ply, or with a check that existed before', () => {
    expect(field('4k3/8/8/3pP3/8/8/8/4K3 w - d6 1 2')).toBe('position.enPassant');
    expect(field('4k3/8/8/3pP3/8/8/4r3/4K3 w - d6 0 2')).toBe('position.enPassant');
    expect(field('4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 2')).toBe(null);
  });
});

describe('who can still win', () => {
  test.each([
    ['4k3/8/8/8/8/8/8/4K3', false],
    ['4k2q/8/8/8/8/8/8/4KN2', false],
    ['4k2r/8/8/8/8/8/8/4KN2', true],
    ['4k3/8/8/8/8/8/8/3NKN2', true],
    ['4k2r/8/8/8/8/8/8/4KB2', false],
    ['4k2n/8/8/8/8/8/8/4KB2', true],
    ['4kb2/8/8/8/8/8/8/4KB2', true],
    ['2b1k3/8/8/8/8/8/8/4KB2', false],
    ['4k3/8/8/8/8/8/4P3/4K3', true],
  ])('White in %s: %s', (board, can) => {
    expect(chess.canWin(at(`${board} b - - 0 1`), 'first')).toBe(can);
  });
});

describe('in random games', () => {
  const SQUARES = Array.from('12345678').flatMap((rank) => Array.from('abcdefgh', (file) => file + rank));

  /** The positions of a game in which the choices select the moves. */
  function playout(choices: readonly number[]): readonly Game<ChessPosition>[] {
    const games = [begin(chess, {})];
    for (const choice of choices) {
      const now = games.at(-1)!;
      const moves = legalMoves(now);
      if (moves.length === 0) break;
      games.push(must(play(now, moves[choice % moves.length]!, null)).game);
    }
    return games;
  }

  const games = fc.array(fc.nat(9999), { minLength: 40, maxLength: 120 }).map(playout);
  const present = ({ history }: Game<ChessPosition>): ChessPosition => history.positions.at(-1)!;

  test('every position is read back as it prints', () => {
    fc.assert(
      fc.property(games, (all) => {
        for (const position of all.map(present)) {
          const fen = chess.fen(position);
          expect(chess.fen(at(fen))).toBe(fen);
          expect(chess.same(at(fen), position)).toBe(true);
        }
      }),
      runs(30),
    );
  });

  test('every pair of squares is legal or refused for a reason, and nothing changes the position', () => {
    fc.assert(
      fc.property(games, (all) => {
        const now = all.at(-1)!;
        const position = present(now);
        const before = { ...position, cells: position.cells.slice() };
        const legal = new Set(legalMoves(now));
        for (const text of SQUARES.flatMap((from) => SQUARES.map((to) => from + to))) {
          if (!legal.has(text)) expect(chess.explain(position, text).message).not.toMatch(/not among/);
        }
        for (const move of chess.legalMoves(position)) chess.san(position, move, null);
        expect(position).toEqual(before);
      }),
      runs(30),
    );
  });

  test('any text gets an answer', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        expect(chess.explain(at(START), text).code).toBe('ILLEGAL_MOVE');
        expect(chess.parse(text, {}).ok).toBe(false);
      }),
      runs(100),
    );
  });
});
