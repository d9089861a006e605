import { identity, parseDeal } from '../../src/rules/deal.js';
import { banqiHongkong, banqiTaiwan } from '../../src/rules/facedown/banqi.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, legalMoves, play, position, resume, type Game } from '../../src/rules/play.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { RefusalCode } from '../../src/rules/result.js';
import { must, randomGame } from '../support/random-games.js';

const DEAL = banqiHongkong.dealing.join('');

const at = (id: string, given: object, fen: string, unseen?: string): Game<unknown> => {
  const ruleset = rulesetById(id)!;
  const options = must(parseOptions(ruleset, given));
  return must(resume(ruleset, options, { fen, plies: [], ...(unseen === undefined ? {} : { unseen }) }));
};

/** Plays moves, each with what it turns up after a slash: `a1`, `a1/N`. */
const after = (game: Game<unknown>, plies: string): Game<unknown> =>
  plies.split(' ').reduce((now, ply) => {
    const [move, reveals] = ply.split('/');
    return must(play(now, move!, reveals ?? null)).game;
  }, game);

const fen = (game: Game<unknown>): string => game.ruleset.fen(position(game));

describe('the spot checks', () => {
  const checks: readonly [string, string, object, string, string][] = [
    ['the general and the soldier', 'banqi-hongkong', {}, '4/4/4/4/4/4/p3/Kr2 first r - 0 61', 'a1b1'],
    ['the ranking', 'banqi-hongkong', {}, '4/4/4/4/4/1n2/bCr1/1c2 first r - 0 61', 'b2a2 b2b1'],
    ['the cannon', 'banqi-taiwan', {}, '4/4/4/4/4/k3/x3/Cpn1 first r - 0 61', 'a1a3 a1c1 a2'],
    ['soldier and cannon', 'banqi-taiwan', {}, '4/4/4/4/4/4/c3/Pk2 first r - 0 61', 'a1b1'],
    [
      'adjacentCannons',
      'banqi-taiwan',
      { adjacentCannons: true },
      '4/4/4/4/4/1p2/nCc1/1P2 first r - 0 61',
      'b1a1 b1c1 b2b3 b2c2',
    ],
    [
      'slidingChariots',
      'banqi-hongkong',
      { slidingChariots: true },
      '4/4/4/k3/4/4/4/R1xn first r - 0 61',
      'a1a2 a1a5 a1b1 c1',
    ],
    [
      'darkCaptures',
      'banqi-taiwan',
      { darkCaptures: true },
      '4/4/4/4/4/x3/x3/CxP1 first r - 0 61',
      'a1a3 a2 a3 b1 c1b1 c1c2 c1d1',
    ],
    [
      'a turn of several captures',
      'banqi-hongkong',
      { multipleCaptures: true },
      '4/4/4/4/4/4/pn2/R1Kx first r a1 0 62',
      'a1a2 pass',
    ],
    ['shut in', 'banqi-hongkong', {}, '4/4/4/4/4/4/R3/pN2 second r - 3 62', ''],
  ];

  test.each(checks)('%s', (_name, id, options, text, legal) => {
    expect([...legalMoves(at(id, options, text))].sort().join(' ')).toBe(legal);
  });

  test('a player without a legal move loses', () => {
    const { outcome } = at('banqi-hongkong', {}, '4/4/4/4/4/4/R3/pN2 second r - 3 62');
    expect(outcome).toEqual({ winner: 'first', reason: 'noLegalMove' });
  });
});

describe('a turn of several captures', () => {
  const options = { multipleCaptures: true, darkCaptures: true };

  test('continues, or ends by a pass, which leaves the quiet plies at 0', () => {
    const game = at('banqi-hongkong', { multipleCaptures: true }, '4/4/4/4/4/4/pn2/R2n first r - 4 62');
    const chained = after(game, 'a1a2');
    expect(fen(chained)).toBe('4/4/4/4/4/4/Rn2/3n first r a2 0 63');
    expect(fen(after(chained, 'pass'))).toBe('4/4/4/4/4/4/Rn2/3n second r - 0 64');
    expect(fen(after(chained, 'a2b2'))).toBe('4/4/4/4/4/4/1R2/3n second r - 0 64');
  });

  test('differs from the same board without it, and cannot begin before ply 3', () => {
    const board = '4/4/4/4/4/4/pn2/R2n first r';
    const [going, fresh] = ['a1 0 62', '- 0 62'].map((rest) =>
      at('banqi-hongkong', options, `${board} ${rest}`),
    );
    expect(banqiHongkong.same(position(going!) as never, position(fresh!) as never)).toBe(false);
    const parsed = (text: string) => banqiHongkong.parse(text, must(parseOptions(banqiHongkong, options)));
    const refusal = { field: 'position.turn' };
    expect(parsed(`${'xxxx/'.repeat(7)}xxxP first r - 0 2`)).toMatchObject({ ok: false, refusal });
    expect(parsed(`${'xxxx/'.repeat(7)}xxRP first r - 0 4`)).toMatchObject({ ok: true });
  });

  test('ends with a failed attempt', () => {
    const game = at('banqi-hongkong', options, '4/4/4/4/4/4/px2/R2n first r a1 0 62', 'r');
    expect(() => after(game, 'a1b2')).toThrow('ILLEGAL_MOVE');
    const chained = after(game, 'a1a2');
    expect(fen(after(chained, 'a2b2/r'))).toBe('4/4/4/4/4/4/1R2/3n second r - 0 64');
    const other = at('banqi-hongkong', options, '4/4/4/4/4/4/px2/N2n first r a1 0 62', 'r');
    expect(fen(after(other, 'a1a2 a2b2/r'))).toBe('4/4/4/4/4/4/Nr2/3n second r - 0 64');
  });
});

describe('all pieces captured', () => {
  const won = { winner: 'first', reason: 'allPiecesCaptured' };
  const text = '4/4/4/4/4/4/3x/Rp2 first r - 0 61';

  test('is detected with pieces face-down if they are known', () => {
    const game = after(at('banqi-hongkong', {}, text, 'A'), 'a1b1');
    expect(game.outcome).toEqual(won);
    expect(game.ruleset.legalMoves(position(game))).toEqual([]);
    expect(after(at('banqi-hongkong', {}, text, 'a'), 'a1b1').outcome).toBeNull();
  });

  test('is otherwise detected when the last piece is turned up', () => {
    const game = after(at('banqi-hongkong', {}, text), 'a1b1');
    expect(game.outcome).toBeNull();
    expect(after(game, 'd2/A').outcome).toEqual(won);
  });

  test('face-down pieces are determined by elimination, in the order of the deal', () => {
    const game = at('banqi-hongkong', {}, '4/4/4/4/4/4/xxxx/Rpxx first r - 0 61', 'pKaNpA');
    expect(game.ruleset.unseen(position(game))).toBe('KANapp');
    expect(game.ruleset.unseen(position(after(game, 'd1/a')))).toBe('KANpp');
    const all = at('banqi-hongkong', {}, `${'xxxx/'.repeat(7)}Rpxx first r - 0 3`);
    expect(all.ruleset.unseen(position(all))).toBe(DEAL.replace('R', '').replace('p', ''));
    expect(all.ruleset.unseen(position(at('banqi-hongkong', {}, text)))).toBeNull();
  });

  test('impossible letters for the face-down pieces are refused also before any capture', () => {
    const options = must(parseOptions(banqiHongkong, {}));
    for (const unseen of ['', 'zzz', DEAL]) {
      const answer = banqiHongkong.parse(`${'xxxx/'.repeat(7)}Kxxx second r - 0 2`, options, unseen);
      expect(answer).toMatchObject({ ok: false, refusal: { field: 'position.faceDown' } });
    }
  });

  test.each([
    ['AA', 'one too many'],
    ['', 'one too few'],
    ['Q', 'of another game'],
    ['x', 'still hidden'],
  ])('refuses unseen %j: %s', (unseen) => {
    const options = must(parseOptions(banqiHongkong, {}));
    const answer = banqiHongkong.parse(text, options, unseen);
    expect(answer).toMatchObject({
      ok: false,
      refusal: { code: 'INVALID_POSITION', field: 'position.faceDown' },
    });
  });
});

describe('repetition', () => {
  const chase = 'a1a2 b3b2 a2a1 b2b3';
  const text = '4/4/4/4/4/1p2/4/R3 first r - 0 61';

  test('is a draw at the third occurrence', () => {
    const { outcome } = after(at('banqi-hongkong', {}, text), `${chase} ${chase}`);
    expect(outcome).toEqual({ winner: null, reason: 'threefoldRepetition' });
  });

  /** The chariot steps next to the soldier, which steps away, and so on around a block of four squares. */
  const hunt = 'a1a2 b2b1 a2a1 b1b2';
  const hunted = '4/4/4/4/4/4/1p2/R3 first r - 0 61';

  test('by a perpetual attack is a draw as well, or a loss where that is forbidden', () => {
    const draw = after(at('banqi-hongkong', {}, hunted), `${hunt} ${hunt}`);
    expect(draw.outcome).toEqual({ winner: null, reason: 'threefoldRepetition' });
    const lost = after(at('banqi-hongkong', { perpetualAttack: 'forbidden' }, hunted), `${hunt} ${hunt}`);
    expect(lost.outcome).toEqual({ winner: 'second', reason: 'perpetualAttack' });
  });

  test('is a draw also if nothing is newly threatened', () => {
    const game = after(at('banqi-hongkong', { perpetualAttack: 'forbidden' }, text), `${chase} ${chase}`);
    expect(game.outcome).toEqual({ winner: null, reason: 'threefoldRepetition' });
  });
});

test('the game is a draw after quietLimit plies without a capture or a turn-up', () => {
  const game = at('banqi-taiwan', { quietLimit: 20 }, 'p3/4/4/4/4/4/4/R3 first r - 19 61');
  expect(after(game, 'a1b1').outcome).toEqual({ winner: null, reason: 'quietLimit' });
});

describe('why a move is illegal', () => {
  const faults: readonly [string, object, string, string, string, string][] = [
    [
      'hongkong',
      {},
      '4/4/4/4/4/4/px2/Kx2 first r - 0 61',
      'a1a2',
      'cannotCapture',
      'A general cannot capture a soldier',
    ],
    [
      'hongkong',
      {},
      '4/4/4/4/4/4/r3/N3 first r - 0 61',
      'a1a2',
      'cannotCapture',
      'A horse cannot capture a chariot',
    ],
    [
      'taiwan',
      {},
      '4/4/4/4/4/4/c3/P3 first r - 0 61',
      'a1a2',
      'cannotCapture',
      'A soldier cannot capture a cannon',
    ],
    ['hongkong', {}, '4/4/4/4/4/4/px2/Kx2 first r - 0 61', 'a1', 'alreadyFaceUp', 'a1 is already face-up'],
    ['hongkong', {}, '4/4/4/4/4/4/px2/Kx2 first r - 0 61', 'a1b1', 'faceDown', 'b1 is face-down'],
    ['hongkong', {}, '4/4/4/4/4/4/px2/Kx2 first r - 0 61', 'b1c1', 'faceDown', 'Turn it up first'],
    ['hongkong', {}, '4/4/4/4/4/4/px2/Kx2 first r - 0 61', 'a2a3', 'notYours', 'a2 is not yours'],
    ['hongkong', {}, '4/4/4/4/4/4/px2/Kx2 first r - 0 61', 'd4', 'emptySquare', 'nothing to turn up on d4'],
    ['hongkong', {}, '4/4/4/4/4/4/px2/Kx2 first r - 0 61', 'd4d5', 'emptySquare', 'no piece on d4'],
    ['hongkong', {}, '4/4/4/4/4/4/4/KRp1 first r - 0 61', 'a1b1', 'ownPiece', 'your own'],
    ['hongkong', {}, '4/4/4/4/4/4/4/KRp1 first r - 0 61', 'a1a3', 'cannotReach', 'moves one square'],
    ['hongkong', {}, '4/4/4/4/4/4/4/KRp1 first r - 0 61', 'a1e1', 'offBoard', 'no square e1'],
    ['hongkong', {}, '4/4/4/4/4/4/4/KRp1 first r - 0 61', 'a1-a2', 'malformed', 'as a1a2'],
    ['hongkong', {}, '4/4/4/4/4/4/4/KRp1 first r - 0 61', 'pass', 'chain', 'You cannot pass in this game'],
    ['taiwan', {}, '4/4/4/4/4/4/p3/C3 first r - 0 61', 'a1a2', 'cannotReach', 'next to it'],
    ['taiwan', {}, '4/4/4/4/4/4/4/C1p1 first r - 0 61', 'a1c1', 'cannotReach', 'none to jump'],
    ['taiwan', {}, '4/4/4/4/4/4/4/CNRp first r - 0 61', 'a1d1', 'blocked', '2 between'],
    ['taiwan', {}, '4/4/4/4/4/4/1p2/C3 first r - 0 61', 'a1b2', 'cannotReach', 'no line'],
    [
      'hongkong',
      { slidingChariots: true },
      '4/4/4/4/4/4/4/RNpp first r - 0 61',
      'a1d1',
      'blocked',
      'nothing between',
    ],
    [
      'hongkong',
      { multipleCaptures: true },
      '4/4/4/4/4/1p2/p3/R2x first r a1 0 62',
      'd1',
      'chain',
      'a1 has just captured',
    ],
  ];

  test.each(faults)('%s %j %s %s: %s', (id, options, text, move, fault, words) => {
    const answer = play(at(`banqi-${id}`, options, text), move, null);
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'ILLEGAL_MOVE', fault } });
    expect(answer).toMatchObject({ refusal: { message: expect.stringContaining(words) } });
  });

  test('at ply 1 only turning up is legal', () => {
    const answer = play(begin(banqiTaiwan, must(parseOptions(banqiTaiwan, {}))), 'a1a2', null);
    expect(answer).toMatchObject({ ok: false, refusal: { fault: 'onlyTurnUp' } });
  });
});

describe('a deal', () => {
  test('is a permutation of the set', () => {
    const { deal } = randomGame(banqiHongkong, {}, 5);
    expect(must(parseDeal(banqiHongkong, deal!))).toBe(deal);
    const code: RefusalCode = 'INVALID_DEAL';
    for (const text of [
      '',
      DEAL.slice(1),
      `${DEAL}p`,
      DEAL.toUpperCase(),
      DEAL.replace('K', 'x'),
      DEAL.replace('K', '🐎'),
    ]) {
      expect(parseDeal(banqiHongkong, text)).toMatchObject({ ok: false, refusal: { code, field: 'deal' } });
    }
  });

  test('returns what lies on a square, rank 1 first', () => {
    const on = (square: string) => identity(banqiHongkong, DEAL, square);
    expect([on('a1'), on('b1'), on('a2'), on('d8'), on('e1'), on('')]).toEqual([
      'K',
      'A',
      'B',
      'p',
      null,
      null,
    ]);
  });
});
