import { readFileSync } from 'node:fs';
import { termsHash } from '../../../src/fairness/chain.js';
import { clientSeedHash } from '../../../src/fairness/commitment.js';
import type { GameRecord, PlyRow } from '../../../src/fairness/format-1/record.js';
import type { Shown } from '../../../src/fairness/format-2/shown.js';
import { receiptText, type Receipt } from '../../../src/fairness/receipt.js';
import { opponent } from '../../../src/rules/ruleset.js';
import { rehashed } from '../verified.js';
import { asReceipt, server, signed } from './held.js';
import { findingsOf, found, type Tampering } from './tampering.js';

/** Records of format 1: the chain has plies alone, and what a player holds is hashes. */

const kept = (name: string): GameRecord =>
  JSON.parse(readFileSync(new URL(`../records/1-${name}.json`, import.meta.url), 'utf8')) as GameRecord;
const RECORDS = { banqi: kept('banqi-taiwan'), chess: kept('chess'), takenBack: kept('chess-takeback'), setUp: kept('half-court-chess') }; // prettier-ignore

const whole = (record: GameRecord): GameRecord => {
  const { id: game, ruleset, options, players, timeControl, commitment } = record;
  const ids = { first: players.first.id, second: players.second.id };
  const terms = termsHash({ game, ruleset, options, players: ids, timeControl, commitment });
  return rehashed({ ...record, termsHash: terms }, record.plies);
};

const old = (
  name: string,
  base: keyof typeof RECORDS,
  change: (record: GameRecord) => GameRecord,
  more: Partial<Tampering> = {},
): Tampering => ({
  name,
  ...more,
  async verdicts() {
    const record = RECORDS[base];
    const altered = change(record);
    const given = (each: GameRecord): string => JSON.stringify(each);
    const root = record.dealRoot === null ? {} : { dealRoot: record.dealRoot };
    const hashes = { commitment: record.commitment, hash: record.plies.at(-1)!.hash, ...root };
    const receipts = [await asReceipt(signed(receiptText(receiptOf(record)), server))];
    const by = (check: string, shown: Shown): string =>
      found(findingsOf(given(whole(altered)), shown).filter((each) => each.check === check));
    return [
      found(findingsOf(given(altered)), findingsOf(given(record))),
      found(findingsOf(given(whole(altered))), findingsOf(given(record))),
      by('shown', hashes),
      by('receipt', { receipts }),
    ];
  },
});

/** That of the end. */
const receiptOf = (record: GameRecord): Receipt => ({
  ...{ game: record.id, version: record.plies.at(-1)!.seq + 1, commitment: record.commitment },
  creatorSeed: clientSeedHash(record.clientSeeds[record.creator!]!),
  accepterSeed: clientSeedHash(record.clientSeeds[opponent(record.creator!)]!),
  ...{ dealRoot: record.dealRoot, hash: record.plies.at(-1)!.hash, outcome: record.outcome },
});

const ply = (at: number, more: Partial<PlyRow>) => (record: GameRecord) => ({
  ...record,
  plies: record.plies.with(at, { ...record.plies[at]!, ...more }),
});
const part = (more: Partial<GameRecord>) => (record: GameRecord) => ({ ...record, ...more });
const ZEROS = '0'.repeat(64);
const limit = (why: string): Partial<Tampering> => ({ unfound: { word: 'not found', why } });
const TERMS = limit('The terms of format 1 do not cover this. New games have format 2.');

// A line each.
// prettier-ignore
export const FORMAT_1: readonly Tampering[] = [
  old('another move', 'chess', ply(0, { move: 'd2d4' })),
  old('another SAN', 'chess', ply(0, { san: 'd4' })),
  old('another position', 'chess', ply(0, { position: 'x' })),
  old('another time used', 'chess', ply(1, { timeUsed: 1 })),
  old('another moment', 'chess', ply(1, { playedAt: '2026-01-31T09:05:59.000Z' })),
  old('a ply left out', 'chess', (record) => ({ ...record, plies: record.plies.toSpliced(1, 1) })),
  old('the last ply left out', 'chess', (record) => ({ ...record, plies: record.plies.slice(0, -1) })),
  old('two plies swapped', 'chess', (record) => ({ ...record, plies: record.plies.with(0, record.plies[2]!).with(2, record.plies[0]!) })),
  old('another piece turned up', 'banqi', ply(0, { reveals: 'K' })),
  old('a proof with another salt', 'banqi', (record) => ply(0, { proof: { ...record.plies[0]!.proof!, salt: ZEROS } })(record)),
  old('another deal root', 'banqi', part({ dealRoot: ZEROS })),
  old('another server seed', 'banqi', part({ serverSeed: '5'.repeat(64) })),
  old('the server seed withheld', 'banqi', part({ serverSeed: null })),
  old('another commitment', 'banqi', part({ commitment: ZEROS })),
  old('another client seed', 'banqi', part({ clientSeeds: { first: 'other', second: '' } })),
  old('another set-up', 'setUp', part({ setup: 'KQRBN/kqrbn' })),
  old('another time control', 'chess', part({ timeControl: { kind: 'perMove', seconds: 172_800 } })),
  old('another rule set', 'chess', part({ ruleset: 'xiangqi' })),
  old('the players swapped', 'chess', ({ players, ...record }) => ({ ...record, players: { first: players.second, second: players.first } })),
  old('both players are the same user', 'chess', ({ players, ...record }) => ({ ...record, players: { first: players.first, second: players.first } })),
  old('the rows of a takeback left out', 'takenBack', part({ takebacks: [] })),
  old('a takeback invented after the last ply', 'chess', (record) => ({ ...record, takebacks: [{ seq: record.plies.at(-1)!.seq + 1, ply: 1 }] })),
  old('a takeback to another ply', 'takenBack', part({ takebacks: [{ seq: 4, ply: 0 }] })),
  old('a client seed shown as announced', 'chess', part({ clientSeedHash: clientSeedHash('lucky') }), TERMS),
  old('sides drawn by the seeds shown as agreed', 'chess', part({ sidesDrawn: false }), TERMS),
  old('the other winner', 'takenBack', part({ outcome: { winner: 'first', reason: 'resignation' } })),
  old('a resignation turned into a timeout', 'takenBack', part({ outcome: { winner: 'first', reason: 'timeout' } })),
  old('a resignation turned into an agreement', 'takenBack', part({ outcome: { winner: null, reason: 'agreement' } })),
  old('a resignation turned into a mate', 'takenBack', part({ outcome: { winner: 'second', reason: 'checkmate' } })),
];
