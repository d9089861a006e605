import type { Check } from '../../src/fairness/finding.js';
import type { GameRecord } from '../../src/fairness/format-1/record.js';
import { begin, play } from '../../src/rules/play.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { Outcome } from '../../src/rules/ruleset.js';
import { movesOf, played, rowsFrom, value } from './played.js';
import { toy } from './toy.js';
import { counted, failures, short, whole } from './verified.js';

describe('the end', () => {
  const ended = (outcome: Outcome | null, status = 'finished'): readonly Check[] =>
    failures({ ...counted, outcome, status });

  it('may be one that the rules leave to the players and the clock', () => {
    expect(ended({ winner: 'first', reason: 'resignation' })).toEqual([]);
    expect(ended({ winner: null, reason: 'agreement' })).toEqual([]);
    expect(ended({ winner: null, reason: 'aborted' }, 'aborted')).toEqual([]);
    expect(ended({ winner: null, reason: 'threefoldRepetition' })).toEqual([]);
    expect(ended({ winner: null, reason: 'timeout' })).toEqual([]);
    const oneOn = played(toy, movesOf(['up', 'on', 'on', 'up', 'up']));
    expect(failures({ ...oneOn, outcome: { winner: 'first', reason: 'timeout' } })).toEqual([]);
  });

  it.each([
    ['a resignation without a winner', { winner: null, reason: 'resignation' }, 'finished'],
    ['an agreement with a winner', { winner: 'first', reason: 'agreement' }, 'finished'],
    ['an abort with a winner', { winner: 'first', reason: 'aborted' }, 'aborted'],
    ['an abort that is called finished', { winner: null, reason: 'aborted' }, 'finished'],
    ['an invalid claim', { winner: null, reason: 'fiftyMoves' }, 'finished'],
    ['a claim with a winner', { winner: 'first', reason: 'threefoldRepetition' }, 'finished'],
    ['a timeout won by a player who could not win', { winner: 'second', reason: 'timeout' }, 'finished'],
    ['a timeout won by the player whose time ran out', { winner: 'first', reason: 'timeout' }, 'finished'],
    ['a checkmate that is not on the board', { winner: 'first', reason: 'checkmate' }, 'finished'],
    ['a game that is called active', { winner: 'first', reason: 'resignation' }, 'active'],
    ['a finished game without an end', null, 'finished'],
  ] as const)('may not be %s', (_, outcome, status) => {
    expect(ended(outcome, status)).toContain('outcome');
  });

  it('is the result of the rules if they give one', () => {
    expect(failures({ ...whole, outcome: { winner: 'first', reason: 'resignation' } })).toEqual(['outcome']);
    expect(failures({ ...whole, outcome: { ...whole.outcome!, reason: 'stalemate' } })).toEqual(['outcome']);
    expect(failures({ ...whole, outcome: { ...whole.outcome!, winner: null } })).toEqual(
      whole.outcome!.winner === null ? [] : ['outcome'],
    );
    expect(failures({ ...whole, outcome: null, status: 'active' })).toEqual(['commitment', 'outcome']);
  });
});

describe('a game of chess', () => {
  const chess = rulesetById('chess')!;
  const mate = played(chess, movesOf(['f2f3', 'e7e5', 'g2g4', 'd8h4']));
  const knights = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  const repeated = played(chess, movesOf([...knights, ...knights]));

  it('is verified to the mate', () => {
    expect(mate.outcome).toEqual({ winner: 'second', reason: 'checkmate' });
    expect(failures(mate)).toEqual([]);
    expect(failures({ ...mate, outcome: { winner: 'first', reason: 'checkmate' } })).toEqual(['outcome']);
  });

  it('ends by a claim only if the claim is valid', () => {
    const draw = { winner: null, reason: 'threefoldRepetition' };
    expect(failures({ ...repeated, outcome: draw })).toEqual([]);
    expect(failures({ ...repeated, outcome: { ...draw, reason: 'fiftyMoves' } })).toEqual(['outcome']);
    expect(failures({ ...repeated, plies: repeated.plies.slice(0, 7), outcome: draw })).toEqual(['outcome']);
  });

  it('counts positions across a takeback by the current line', () => {
    const draw = { winner: null, reason: 'threefoldRepetition' };
    const takebacks = [{ seq: 8, ply: 7 }];
    expect(failures({ ...repeated, outcome: draw, takebacks })).toEqual(['outcome']);
  });

  it('is lost on time to the opponent', () => {
    expect(failures({ ...repeated, outcome: { winner: 'second', reason: 'timeout' } })).toEqual([]);
    expect(failures({ ...repeated, outcome: { winner: 'first', reason: 'timeout' } })).toEqual(['outcome']);
    expect(failures({ ...repeated, outcome: { winner: null, reason: 'timeout' } })).toEqual(['outcome']);
  });
});

describe('takebacks', () => {
  /** Four plies, two of them taken back, then one more. */
  function returned(): GameRecord {
    const record = played(toy, movesOf(['up', 'on', 'on', 'up']));
    const start = begin<unknown>(toy, {}, record.setup);
    const after = value(play(value(play(start, 'up', null)).game, 'on', null)).game;
    const { hash: previousHash, seq } = record.plies.at(-1)!;
    const at = { seq: seq + 2, ply: 3, previousHash };
    const again = rowsFrom(after, (_, ply) => (ply > 3 ? null : 'up'), at, record.id, null);
    return { ...record, plies: [...record.plies, ...again.rows], takebacks: [{ seq: seq + 1, ply: 2 }] };
  }

  it('return to an earlier ply, whose number is used again', () => {
    expect(failures(returned())).toEqual([]);
    expect(failures({ ...returned(), takebacks: [{ seq: 4, ply: 2 }] })).toEqual([]);
  });

  it('must be recorded at their place', () => {
    expect(failures({ ...returned(), takebacks: [] })).toEqual(['plies']);
    expect(failures({ ...returned(), takebacks: [{ seq: 3, ply: 2 }] })).toEqual(['plies']);
    expect(failures({ ...returned(), takebacks: [{ seq: 5, ply: 3 }] })).toEqual(['plies']);
  });

  it('take back one ply or two', () => {
    const { plies } = counted;
    expect(failures({ ...counted, takebacks: [{ seq: plies.length, ply: 5 }] })).toEqual([]);
    expect(failures({ ...counted, takebacks: [{ seq: plies.length, ply: 3 }] })).toEqual(['plies']);
    expect(failures({ ...counted, takebacks: [{ seq: plies.length, ply: 6 }] })).toEqual(['plies']);
    expect(failures({ ...counted, takebacks: [{ seq: plies.length, ply: 99 }] })).toEqual(['plies']);
  });

  it('never turn a piece face-down again', () => {
    expect(failures({ ...short, takebacks: [{ seq: 1, ply: 0 }], plies: short.plies.slice(0, 1) })).toEqual([
      'plies',
    ]);
  });
});
