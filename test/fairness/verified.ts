import { plyHash } from '../../src/fairness/chain.js';
import type { Check, Finding } from '../../src/fairness/finding.js';
import type { GameRecord, PlyRow } from '../../src/fairness/format-1/record.js';
import { verifyFormat1 } from '../../src/fairness/format-1/verify.js';
import { rulesetById } from '../../src/rules/registry.js';
import { movesOf, played, wandering } from './played.js';
import { toy } from './toy.js';

/** Three records of format 1, and how verification answers to what is made of them. */

const taiwan = rulesetById('banqi-taiwan')!;
const OPTIONS = { darkCaptures: true, multipleCaptures: true };

export const short = played(taiwan, wandering(12), OPTIONS);
export const whole = played(taiwan, wandering(2000), OPTIONS);
export const counted = played(toy, movesOf(['up', 'on', 'on', 'up', 'up', 'up']));

/** What a toy record is verified with; the registry does not know it. */
const known = (id: string): ReturnType<typeof rulesetById> => (id === 'toy' ? toy : rulesetById(id));

export const results = (record: unknown): readonly Finding[] => verifyFormat1(record, {}, known);

export const failures = (record: unknown): readonly Check[] => [
  ...new Set(
    results(record)
      .filter(({ ok }) => ok === false)
      .map(({ check }) => check),
  ),
];

export const resultOf = (record: unknown, check: Check): boolean | null | undefined =>
  results(record).find((finding) => finding.check === check)?.ok;

export const isRunning: Partial<GameRecord> = {
  serverSeed: null,
  deal: null,
  outcome: null,
  status: 'active',
};

/** The chain written again over altered rows, as a server that forges a game would. */
export function rehashed(record: GameRecord, plies: readonly PlyRow[]): GameRecord {
  let previousHash = record.termsHash;
  const rows = plies.map((row) => {
    const hash = plyHash(previousHash, { ...row, game: record.id });
    const linked = { ...row, previousHash, hash };
    previousHash = hash;
    return linked;
  });
  return { ...record, plies: rows };
}

export const withRow = (record: GameRecord, at: number, change: Partial<PlyRow>): GameRecord =>
  rehashed(record, record.plies.with(at, { ...record.plies[at]!, ...change }));
