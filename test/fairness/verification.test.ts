import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { CHECKS, type Check } from '../../src/fairness/finding.js';
import type { GameRecord, Row } from '../../src/fairness/record.js';
import { holds, isComplete, verify } from '../../src/fairness/verify.js';
import { rulesetById } from '../../src/rules/registry.js';
import { GAMES } from './games.js';
import { ACCEPTER_SEED, Made, rechained, SEEK_ID } from './made.js';
import { changed, leavesOf, other, type Path } from './leaves.js';

const failures = (record: unknown): readonly Check[] => [
  ...new Set(verify(record).flatMap(({ ok, check }) => (ok === false ? [check] : []))),
];
const resultOf = (record: unknown, check: Check): boolean | null | undefined =>
  verify(record).find((finding) => finding.check === check)?.ok;

const chess = rulesetById('chess')!;
const banqi = rulesetById('banqi-taiwan')!;
const record = new Made(banqi).wander(12).act('first', 'resign').record;
const talked = GAMES.find(([name]) => name === 'takeback of two, countered')![1]().record;
const drawn = GAMES.find(([name]) => name === 'draw agreed')![1]().record;
const late = GAMES.find(([name]) => name === 'time-out')![1]().record;
const met = GAMES.find(([name]) => name === 'seek met')![1]().record;

/** The record with the first row of a type altered, and the chain rewritten after it. */
function forged(from: GameRecord, type: string, change: (row: Row) => Partial<Row>, which = 0): GameRecord {
  const row = from.rows.filter((each) => each.type === type)[which]!;
  return rechained(from, from.rows.with(from.rows.indexOf(row), { ...row, ...change(row) }));
}

const withData = (
  from: GameRecord,
  type: string,
  data: Readonly<Record<string, unknown>>,
  which = 0,
): GameRecord => forged(from, type, (row) => ({ data: { ...row.data, ...data } }), which);

const without = (from: GameRecord, type: string): GameRecord =>
  rechained(from, from.rows.filter((row) => row.type !== type)); // prettier-ignore

const later = (at: string, seconds: number): string =>
  new Date(Date.parse(at) + seconds * 1000).toISOString();

describe('a record as the server writes it', () => {
  it.each(GAMES)('is valid: %s', (_, make) => {
    expect(verify(JSON.parse(JSON.stringify(make().record))).filter(({ ok }) => ok === false)).toEqual([]);
  });

  it('is checked in the order of CHECKS', () => {
    const found = [...new Set(verify(record).map(({ check }) => check))];
    expect(found).toEqual(CHECKS.filter((check) => check !== 'receipt' && check !== 'log'));
  });

  it('leaves open what needs the seed during the game, and what no one was shown', () => {
    const running = new Made(banqi).wander(5).record;
    const opened = verify(running).filter(({ isOpen }) => isOpen).map(({ check }) => check); // prettier-ignore
    expect(opened).toEqual([
      'commitment',
      'sides',
      'deal',
      'dealRoot',
      'reveals',
      'shown',
      'committed',
      'committed',
    ]);
    expect(isComplete(verify(record))).toBe(false);
    const hash = record.rows.at(-1)!.hash;
    expect(isComplete(verify(record, { hash }))).toBe(false);
    const commitment = record.rows[0]!.data['commitment'] as string;
    // The accepter's seed came last.
    const all = verify(record, { hash, commitment, player: 'creator' });
    expect([holds(all), isComplete(all)]).toEqual([true, true]);
  });
});

describe('stored records', () => {
  const folder = new URL('records/', import.meta.url);
  const files = readdirSync(folder);

  it.each(files)('%s stays valid', (file) => {
    expect(failures(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))).toEqual([]);
  });
});

/** The forgeries, and the check that must find each. */
const FORGED: readonly (readonly [string, unknown, Check])[] = [
  ['an extra field', { ...record, comment: 'x' }, 'record'],
  ['an extra field in a row', { ...record, rows: record.rows.with(0, { ...record.rows[0]!, note: 1 } as Row) }, 'record'], // prettier-ignore
  ['an extra field in the data', withData(record, 'create', { note: 1 }), 'record'],
  ['an unknown format', { ...record, format: 3 }, 'record'],
  ['no format', { ...record, format: undefined }, 'record'],
  ['an invalid date', forged(record, 'ply', () => ({ at: '2026-02-30T00:00:00.000Z' })), 'record'],
  ['a row of unknown type', forged(record, 'resign', () => ({ type: 'surrender' })), 'record'],
  ['an end with an unknown reason', withData(record, 'end', { reason: 'boredom' }), 'record'],
  ['a proof without a turn-up', { ...record, rows: record.rows.with(0, { ...record.rows[0]!, proof: record.rows.find(({ proof }) => proof)!.proof! }) }, 'record'], // prettier-ignore
  ['other players', { ...record, players: { first: record.players!.second, second: record.players!.first } }, 'record'], // prettier-ignore
  ['a row altered', { ...record, rows: record.rows.with(4, { ...record.rows[4]!, seq: 99 }) }, 'chain'],
  ['a row left out', { ...record, rows: record.rows.toSpliced(5, 1) }, 'chain'],
  ['a row left out, hashed again', rechained(record, record.rows.toSpliced(5, 1)), 'chain'],
  ['a row after the end', rechained(record, [...record.rows, record.rows.at(-2)!]), 'chain'],
  ['a missing acceptance', without(record, 'accept'), 'begin'],
  ['two starts', rechained(record, record.rows.toSpliced(3, 0, record.rows[3]!)), 'begin'],
  ['no rows', { ...record, rows: [] }, 'begin'],
  ['an invalid time control', withData(record, 'create', { timeControl: { type: 'perMove', seconds: 1 } }), 'begin'], // prettier-ignore
  ['another opponent', withData(record, 'create', { opponent: 'u-3' }), 'begin'],
  ['a challenge to oneself', withData(withData(record, 'accept', { accepter: 'u-1' }), 'create', { opponent: 'u-1' }), 'begin'], // prettier-ignore
  ['an inverted rating range', withData(record, 'create', { minRating: 2000, maxRating: 1000 }), 'begin'],
  ['an acceptance too late', withData(record, 'create', { expiresAt: record.rows[0]!.at }), 'begin'],
  ['players who did not agree', withData(record, 'start', { second: 'u-3' }), 'begin'],
  ['another seat before the start', withData(record, 'accept', { creator: record.rows[2]!.data['creator'] === 'first' ? 'second' : 'first' }), 'begin'], // prettier-ignore
  ['an unknown rule set', withData(record, 'create', { ruleset: 'draughts' }), 'ruleset'],
  ['options that are incomplete', withData(record, 'create', { options: {} }), 'ruleset'],
  ['another server seed', { ...record, serverSeed: '0'.repeat(64) }, 'commitment'],
  ['no server seed', { ...record, serverSeed: null }, 'commitment'],
  ['a server seed before the end', { ...new Made(banqi).wander(3).record, serverSeed: record.serverSeed }, 'commitment'], // prettier-ignore
  ['another client seed', withData(record, 'start', { creatorSeed: '0'.repeat(32) }), 'clientSeeds'],
  ['a client seed left out', withData(record, 'start', { accepterSeed: null }), 'clientSeeds'],
  ['a client seed that was never given', withData(withData(record, 'accept', { clientSeedHash: null }), 'start', { accepterSeed: ACCEPTER_SEED }), 'clientSeeds'], // prettier-ignore
  ['a client seed shown too early', withData(record, 'seed', { clientSeed: '0'.repeat(32) }), 'clientSeeds'],
  ['a seed of the accepter after a plain acceptance', rechained(met, met.rows.map((row) => (row.type === 'accept' ? { ...row, data: { ...row.data, seek: null } } : row))), 'clientSeeds'], // prettier-ignore
  ['another seed than announced', withData(met, 'seed', { clientSeed: '0'.repeat(32) }), 'clientSeeds'],
  ['swapped sides', forged(record, 'start', ({ data }) => ({ data: { ...data, creator: data['creator'] === 'first' ? 'second' : 'first', first: data['second'], second: data['first'] } })), 'sides'], // prettier-ignore
  ['a preference ignored', withData(record, 'create', { side: 'first' }), 'sides'],
  ['a preference never given', withData(record, 'start', { sidesBy: 'wish' }), 'sides'],
  [
    'sides against earlier games',
    withData(record, 'accept', { earlier: { creator: 1, accepter: 0 } }),
    'sides',
  ],
  ['earlier games counted despite a preference', withData(new Made(chess, { side: 'first' }).record, 'accept', { earlier: { creator: 0, accepter: 0 } }), 'begin'], // prettier-ignore
  ['earlier games not counted', withData(record, 'accept', { earlier: null }), 'begin'],
  [
    'another seed than came with the acceptance',
    withData(record, 'accept', { clientSeed: '0'.repeat(32) }),
    'clientSeeds',
  ],
  ['a seed that came with the acceptance said to be announced', withData(record, 'accept', { clientSeed: null }), 'begin'], // prettier-ignore
  ['a seed withheld that came with the acceptance', withData(new Made(banqi, { kind: 'seek', seek: SEEK_ID, announced: ['creator'], withheld: ['creator'] }).wait(86_401).record, 'flag', { withheld: ['creator', 'accepter'] }), 'acts'], // prettier-ignore
  ['a set-up in a game without one', withData(record, 'start', { setup: 'NQRBK/qbnrk' }), 'deal'],
  ['another set-up', withData(new Made(rulesetById('half-court-chess')!).wander(3).act('first', 'resign').record, 'start', { setup: 'KQRBN/kqrbn' }), 'deal'], // prettier-ignore
  ['another deal root', withData(record, 'start', { dealRoot: '0'.repeat(64) }), 'dealRoot'],
  ['no deal root', withData(record, 'start', { dealRoot: null }), 'dealRoot'],
  ['another move', withData(drawn, 'ply', { move: 'e2e3' }), 'plies'],
  ['an illegal move', withData(drawn, 'ply', { move: 'e2e5' }), 'plies'],
  ['another san', withData(drawn, 'ply', { san: 'e5' }), 'plies'],
  ['another position', withData(drawn, 'ply', { position: 'x' }), 'plies'],
  ['another number', withData(drawn, 'ply', { ply: 2 }), 'plies'],
  ['the other player', forged(drawn, 'ply', () => ({ player: 'second' })), 'plies'],
  ['another piece turned up', withData(record, 'ply', { reveals: 'K' }), 'reveals'],
  ['a wrong proof', { ...record, rows: record.rows.map((row) => (row.proof ? { ...row, proof: { ...row.proof, salt: '0'.repeat(64) } } : row)) }, 'proofs'], // prettier-ignore
  ['no proof', { ...record, rows: record.rows.map(({ proof: _, ...row }) => row) }, 'proofs'],
  ['two plies in one version', rechained(drawn, drawn.rows.toSpliced(5, 0, drawn.rows.find(({ type }) => type === 'ply')!)), 'plies'], // prettier-ignore
  ['less time used', withData(drawn, 'ply', { timeUsed: 1 }, 2), 'times'],
  ['a ply after its deadline', forged(drawn, 'ply', ({ at, data }) => ({ at: later(at, 86_400), data: { ...data, timeUsed: 86_460 } }), 3), 'times'], // prettier-ignore
  ['a flag before the deadline', forged(late, 'flag', ({ at }) => ({ at: later(at, -1) })), 'times'],
  ['a flag of the wrong player', forged(late, 'flag', () => ({ player: 'second' })), 'acts'],
  ['a ply before its turn', forged(drawn, 'ply', ({ at }) => ({ at: later(at, -600) }), 3), 'times'],
  ['a conditional move with time used', withData(drawn, 'ply', { automatic: true }), 'times'],
  ['a draw that was not offered', without(drawn, 'offerDraw'), 'acts'],
  ['an own offer accepted', forged(drawn, 'acceptDraw', () => ({ player: 'first' })), 'acts'],
  ['a takeback in a rated game', withData(talked, 'create', { rated: true }), 'acts'],
  ['a takeback to another ply', withData(talked, 'acceptTakeback', { ply: 3 }), 'acts'],
  ['an offer that did not lapse', without(talked, 'declinePause'), 'acts'],
  ['an abort too late', forged(record, 'resign', () => ({ type: 'abort' })), 'acts'],
  ['a draw instead of a win', withData({ ...record, outcome: { winner: null, reason: 'agreement' } }, 'end', { winner: null, reason: 'agreement' }), 'outcome'], // prettier-ignore
  ['another winner', withData({ ...record, outcome: { winner: 'first', reason: 'resignation' } }, 'end', { winner: 'first' }), 'outcome'], // prettier-ignore
  ['an outcome not in the rows', { ...record, outcome: null, serverSeed: null }, 'outcome'],
  ['an end left out', { ...without(record, 'end'), outcome: null, serverSeed: null }, 'outcome'],
];

describe('a record that was tampered with', () => {
  it.each(FORGED)('fails: %s', (_, given, check) => {
    expect(failures(given)).toContain(check);
  });

  it('fails for an abort by a player who has turned a piece up', () => {
    const aborted = { winner: null, reason: 'aborted' };
    const game = new Made(banqi).wander(1).act('first', 'resign').record;
    const abort = forged({ ...game, outcome: aborted as never }, 'resign', () => ({ type: 'abort' }));
    expect(failures(withData(abort, 'end', aborted))).toEqual(['acts']);
    expect(failures(new Made(banqi).wander(1).act('second', 'abort').record)).toEqual([]);
  });

  it('fails for an invalid claim', () => {
    const claimed = GAMES.find(([name]) => name === 'claim')![1]().record;
    const shorter = rechained(claimed, claimed.rows.toSpliced(10, 2));
    expect(failures(shorter)).toContain('acts');
    expect(failures(withData(claimed, 'claimDraw', { reason: 'fiftyMoves' }))).toContain('acts');
  });

  it('has no deal to check if the game never started', () => {
    const withheld = GAMES.find(([name]) => name === 'withheld')![1]().record;
    const hash = withheld.rows.at(-1)!.hash;
    expect(isComplete(verify(withheld, { hash }))).toBe(true);
    const waiting = GAMES.find(([name]) => name === 'waiting')![1]().record;
    expect(resultOf(waiting, 'deal')).toBeNull();
    expect(verify(waiting).find(({ check }) => check === 'deal')?.isOpen).toBe(true);
  });

  it('says what only the server claims', () => {
    const balanced = verify(new Made(chess, { earlier: { creator: 3, accepter: 1 } }).record);
    expect(balanced.find(({ check }) => check === 'sides')).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/the server says .* first in 3 earlier games and the accepter in 1/),
    });
    expect(verify(met).find(({ check }) => check === 'log')?.isOpen).toBe(true);
    expect(met.rows.find(({ type }) => type === 'accept')?.data['seek']).toBe(SEEK_ID);
  });
});

describe('every value of a record', () => {
  const kept = JSON.parse(JSON.stringify(record)) as GameRecord;
  const small = JSON.parse(JSON.stringify(talked)) as GameRecord;
  const isName = (path: Path): boolean => path.at(-1) === 'username';

  it('is covered by a check', () => {
    for (const from of [kept, small]) {
      const missed = leavesOf(from).filter(
        (path) => !isName(path) && holds(verify(changed(from, path, other))),
      );
      expect(missed).toEqual([]);
    }
  });

  // Options may not affect the moves. Only what was shown covers times, and terms that no row depends on.
  const FREE = ['create.rematchOf', 'create.counterTo', 'create.expiresAt', 'create.rated', 'create.at', 'seed.at', 'accept.at', 'create.seconds']; // prettier-ignore

  it('is covered also if the chain is hashed again, except for free values', () => {
    const missed = kept.rows.flatMap((row, at) =>
      leavesOf(row)
        .filter(([field, name]) => !['hash', 'previousHash', 'proof'].includes(field!) && name !== 'options')
        .filter((path) =>
          holds(verify(rechained(kept, kept.rows.with(at, changed(row, path, other) as Row)))),
        )
        .map((path) => `${row.type}.${path.at(-1)}`),
    );
    expect(missed.filter((name) => !FREE.includes(name))).toEqual([]);
  });

  it('can be anything without an exception', () => {
    const paths = leavesOf(small).flatMap((path) => path.map((_, depth) => path.slice(0, depth + 1)));
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, given) => {
        const forged = changed(small, path, () => given) as GameRecord;
        expect(Array.isArray(verify(forged))).toBe(true);
        const rows = forged.rows as unknown;
        if (Array.isArray(rows) && rows.every((row) => typeof row === 'object' && row !== null))
          expect(Array.isArray(verify(rechained(small, rows as Row[])))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
