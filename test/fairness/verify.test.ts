import fc from 'fast-check';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { sides } from '../../src/fairness/deal.js';
import { CHECKS_1 } from '../../src/fairness/finding.js';
import type { GameRecord } from '../../src/fairness/format-1/record.js';
import { verifyFormat1 as verify, type ShownHashes as Shown } from '../../src/fairness/format-1/verify.js';
import { holds, isComplete } from '../../src/fairness/verify.js';
import { movesOf, played, SERVER_SEED } from './played.js';
import { toy } from './toy.js';
import {
  counted,
  failures,
  isRunning,
  rehashed,
  resultOf,
  results,
  short,
  whole,
  withRow,
} from './verified.js';
import { changed, leavesOf, other } from './leaves.js';

describe('a record as the server writes it', () => {
  it('is valid for a Banqi game that the rules ended', () => {
    expect(whole.outcome?.reason).not.toBe('resignation');
    expect(whole.plies.length).toBeGreaterThan(32);
    expect(failures(whole)).toEqual([]);
    expect([...new Set(results(whole).map(({ check }) => check))]).toEqual(CHECKS_1);
    expect(results(whole).filter(({ ok, isOpen }) => ok === null && !isOpen)).toHaveLength(1);
  });

  it('is valid for a resigned game, and with a drawn set-up', () => {
    expect(failures(short)).toEqual([]);
    expect(counted.setup).toMatch(/^[KQR]{3}\/[kqr]{3}$/);
    expect(failures(counted)).toEqual([]);
    expect(resultOf(counted, 'deal')).toBe(true);
  });

  it('is valid after a round trip through JSON, with unknown fields', () => {
    expect(failures(JSON.parse(JSON.stringify({ ...whole, exportedBy: 'halfmove' })))).toEqual([]);
  });

  it('is valid during the game: proofs and chain are checked, the rest waits for the seed', () => {
    const running = { ...short, ...isRunning };
    expect(failures(running)).toEqual([]);
    for (const check of ['chain', 'plies', 'proofs'] as const) expect(resultOf(running, check)).toBe(true);
    for (const check of ['commitment', 'deal', 'dealRoot', 'reveals'] as const) {
      expect(resultOf(running, check)).toBeNull();
    }
  });

  it('is valid for a game that waited in vain for a seed', () => {
    const waited: Partial<GameRecord> = {
      plies: [],
      clientSeeds: { first: null, second: '' },
      outcome: { winner: null, reason: 'aborted' },
      status: 'aborted',
    };
    expect(failures({ ...short, ...waited, deal: null, dealRoot: null })).toEqual([]);
    expect(failures({ ...counted, ...waited, setup: null })).toEqual([]);
  });
});

describe('a record that was tampered with', () => {
  // The names are not part of the terms; who resigned, and whether the sides were drawn, is only the server's claim.
  const free = ['players.first.username', 'players.second.username', 'sidesDrawn', 'outcome.winner'];

  it.each(leavesOf(short).filter((path) => !free.includes(path.join('.'))))(
    'fails when %s is altered (%#)',
    (...path) => {
      expect(holds(results(changed(short, path, other)))).toBe(false);
    },
  );

  it('fails when a row is left out, duplicated or moved', () => {
    const { plies } = short;
    expect(failures({ ...short, plies: plies.toSpliced(3, 1) })).toContain('chain');
    expect(failures({ ...short, plies: plies.toSpliced(3, 0, plies[3]!) })).toContain('chain');
    expect(failures({ ...short, plies: plies.slice(1) })).toContain('chain');
    expect(failures({ ...short, plies: plies.toReversed() })).toContain('chain');
    expect(failures(rehashed(short, plies.toReversed()))).toContain('chain');
  });

  it('fails when a ply is taken back after the end, and the result reversed', () => {
    const last = whole.plies.at(-1)!;
    const takebacks = [{ seq: last.seq + 1, ply: last.ply - 1 }];
    const outcome = { winner: whole.outcome!.winner === 'first' ? 'second' : 'first', reason: 'resignation' };
    expect(failures({ ...whole, takebacks, outcome })).toEqual(['plies']);
  });

  it('fails when both players are the same', () => {
    expect(failures({ ...short, players: { first: short.players.first, second: short.players.first } })).toContain('record'); // prettier-ignore
  });

  it('fails when a forged row has a recomputed hash', () => {
    expect(failures(withRow(short, 2, { san: 'a1(K)' }))).toEqual(['plies']);
    expect(failures(withRow(short, 2, { position: short.plies[1]!.position }))).toEqual(['plies']);
    expect(failures(withRow(short, 2, { player: 'second' }))).toEqual(['plies']);
    expect(failures(withRow(short, 2, { ply: 4 }))).toEqual(['plies']);
    expect(failures(withRow(short, 2, { move: 'a9' }))).toEqual(['plies']);
    expect(failures(withRow(short, 2, { reveals: null }))).toContain('plies');
    // The time of a move is only the server's claim: the chain alone covers it.
    expect(failures(withRow(short, 2, { timeUsed: 1 }))).toEqual([]);
  });

  it('fails when another piece was turned up than the one dealt', () => {
    const dealt = short.plies[0]!.reveals!;
    const wrong = dealt === 'P' ? 'p' : 'P';
    const found = failures(withRow(short, 0, { reveals: wrong }));
    expect(found).toEqual(expect.arrayContaining(['reveals', 'proofs']));
  });

  it('fails when the proof of a turn-up is missing, also during the game', () => {
    const { proof: _, ...bare } = short.plies[0]!;
    const plies = short.plies.with(0, bare);
    expect(failures({ ...short, plies })).toEqual(['proofs']);
    expect(failures({ ...short, ...isRunning, plies })).toEqual(['proofs']);
  });

  it('fails when what must be published is missing', () => {
    expect(failures({ ...short, serverSeed: null })).toEqual(['commitment']);
    expect(failures({ ...short, dealRoot: null })).toEqual(['dealRoot']);
    expect(failures({ ...short, clientSeeds: { first: null, second: '' } })).toContain('clientSeeds');
    expect(failures({ ...counted, setup: null })).toContain('deal');
  });

  it('fails when the seeds differ', () => {
    expect(failures({ ...short, serverSeed: '0'.repeat(64) })).toEqual([
      'commitment',
      'deal',
      'dealRoot',
      'reveals',
    ]);
    expect(failures({ ...short, clientSeeds: { first: 'lucky', second: 'x' } })).toEqual([
      'deal',
      'dealRoot',
      'reveals',
    ]);
    expect(failures({ ...short, clientSeeds: { first: 'Lucky', second: '' } })).toContain('clientSeeds');
    expect(failures({ ...short, clientSeeds: { first: 'lücky', second: '' } })).toContain('clientSeeds');
  });

  it('fails when it has fields that its rule set lacks', () => {
    expect(failures({ ...counted, dealRoot: '0'.repeat(64) })).toEqual(['ruleset']);
    expect(failures({ ...counted, deal: 'KQR/kqr' })).toEqual(['ruleset']);
    expect(failures({ ...short, setup: 'KQR/kqr' })).toEqual(['ruleset']);
  });

  it('fails for an unknown rule set or unknown options', () => {
    expect(failures({ ...short, ruleset: 'draughts' })).toContain('ruleset');
    expect(failures({ ...short, options: { ...short.options, quietLimit: 7 } })).toContain('ruleset');
  });
});

describe('what a player was shown', () => {
  const of = (shown: Shown) => verify(short, shown).filter(({ check }) => check === 'shown');
  const { commitment, dealRoot } = short;
  const hash = short.plies.at(-1)!.hash;

  it('is compared with the record, and left open if not given', () => {
    expect(of({}).map(({ ok, isOpen }) => [ok, isOpen])).toEqual([
      [null, true],
      [null, true],
      [null, true],
    ]);
    expect(isComplete(verify(short))).toBe(false);
    const all = verify(short, { commitment, dealRoot: dealRoot!, hash });
    expect([holds(all), isComplete(all)]).toEqual([true, true]);
    expect(isComplete(verify({ ...short, ...isRunning }, { commitment, dealRoot: dealRoot!, hash }))).toBe(
      false,
    );
  });

  it('fails for another game, however consistent', () => {
    const zeros = '0'.repeat(64);
    const forged = of({ commitment: zeros, dealRoot: zeros, hash: zeros });
    expect(forged.map(({ ok }) => ok)).toEqual([false, false, false]);
    const other = rehashed(short, short.plies.with(5, { ...short.plies[5]!, timeUsed: 1 }));
    expect(holds(verify(other))).toBe(true);
    expect(holds(verify(other, { hash }))).toBe(false);
  });

  it('may be the hash of any ply', () => {
    expect(of({ hash: short.plies[2]!.hash }).at(-1)!.ok).toBe(true);
    expect(of({ hash: short.termsHash }).at(-1)!.ok).toBe(true);
  });

  it('has no deal root if nothing is face-down', () => {
    expect(results(counted).filter(({ check }) => check === 'shown')).toHaveLength(2);
  });
});

describe('the announced client seed', () => {
  it("is the creator's, or either player's if the record does not say who created the game", () => {
    const announced = clientSeedHash('');
    expect(failures({ ...short, clientSeedHash: announced })).toEqual(['clientSeeds']);
    expect(failures({ ...short, clientSeedHash: announced, creator: 'second' })).toEqual([]);
    expect(failures({ ...short, clientSeedHash: announced, creator: null })).toEqual([]);
    expect(failures({ ...short, clientSeedHash: null })).toEqual([]);
  });
});

describe('drawn sides', () => {
  const serverSeed = Buffer.from(SERVER_SEED, 'hex');
  const seedsOf = (creatorSeed: string, accepterSeed: string) =>
    ({ format: 1, gameId: short.id, serverSeed, creatorSeed, accepterSeed }) as const;

  it.each(Array.from({ length: 8 }, (_, n) => `accepter ${n}`))('follow from the seeds (%s)', (second) => {
    const drawn = { ...short, clientSeeds: { first: 'lucky', second }, sidesDrawn: true, creator: 'first' };
    expect(resultOf(drawn, 'sides')).toBe(sides(seedsOf('lucky', second)) === 'creator');
    const turned = { ...drawn, creator: 'second' };
    expect(resultOf(turned, 'sides')).toBe(sides(seedsOf(second, 'lucky')) === 'accepter');
  });

  it('need the creator of the game and the server seed', () => {
    const drawn = { ...short, sidesDrawn: true };
    expect(resultOf({ ...drawn, creator: null }, 'sides')).toBe(false);
    expect(resultOf({ ...drawn, ...isRunning }, 'sides')).toBeNull();
  });
});

describe('a set-up', () => {
  it('is not drawn if the players agreed on it', () => {
    const agreed = played(toy, movesOf([]), { setup: 'RQK/kqr' });
    expect(failures({ ...agreed, setup: 'RQK/kqr' })).toEqual([]);
    expect(failures({ ...agreed, setup: 'KQR/kqr' })).toEqual(['deal']);
  });

  it('has valid letters, also before it can be derived', () => {
    expect(failures({ ...counted, ...isRunning })).toEqual([]);
    expect(failures({ ...counted, ...isRunning, setup: 'KQQ/kqr' })).toEqual(['deal']);
  });
});

describe('malformed input', () => {
  it('is a failed finding in every case', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (given) => {
        expect(failures(given)).toEqual(['record']);
      }),
    );
  });

  it('never throws, wherever it is in the record', () => {
    const paths = [
      'options',
      'timeControl',
      'players',
      'clientSeeds',
      'plies',
      'takebacks',
      'outcome',
      'ruleset',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (field, given) => {
        expect(Array.isArray(results({ ...short, [field]: given }))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(short.plies[0]!)),
        fc.jsonValue(),
        fc.nat(11),
        (field, given, at) => {
          const row = { ...short.plies[at]!, [field]: given };
          expect(Array.isArray(results({ ...short, plies: short.plies.with(at, row) }))).toBe(true);
        },
      ),
    );
  });

  it('never throws for a move that is any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (move) => {
        expect(failures(withRow(short, 3, { move })).length).toBeGreaterThan(
          move === short.plies[3]!.move ? -1 : 0,
        );
      }),
    );
  });

  it('is reported with its place, within a limit', () => {
    expect(results({ ...short, plies: [{}] })[0]).toEqual({
      check: 'record',
      ok: false,
      detail: 'record.plies[0].seq must be a whole number of at least 0',
    });
    expect(results({ ...short, plies: Array.from({ length: 1000 }, () => 0) })).toHaveLength(21);
  });

  it('treats a takeback with the fields of a row as a takeback', () => {
    const takebacks = [{ seq: 1, ply: 0, move: 5 }];
    expect(failures({ ...short, takebacks })).toContain('plies');
  });
});
