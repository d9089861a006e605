import { opponent, type Player } from '../../rules/ruleset.js';
import { clientSeedHash } from '../commitment.js';
import { failed, passed, type Finding } from '../finding.js';
import { contradiction, type Receipt } from '../receipt.js';
import { checkReceipt, type Signed } from '../signed.js';
import type { GameRecord } from './record.js';

/** Receipts of games of format 1. Source: docs/fairness.md, "Receipts", "Format 1". */

export const checkReceipts = (record: GameRecord, receipts: readonly Signed[]): readonly Finding[] =>
  receipts.flatMap((receipt) => checkReceipt(receipt, (said) => compare(record, said)));

function compare(record: GameRecord, receipt: Receipt): Finding {
  if (receipt.game !== record.id) return failed('receipt', `it is of another game, ${receipt.game}`);
  const differs = contradiction(receipt, due(record, receipt));
  return differs.proven
    ? failed('receipt', `version ${receipt.version}: it differs from the record in ${differs.lines.join(', ')}`) // prettier-ignore
    : passed('receipt', `version ${receipt.version}: it matches the record`);
}

/**
 * The receipt that the record gives. A record does not say at which version the game ended, nor, if old, who created
 * it.
 */
function due(record: GameRecord, { version, outcome, ...said }: Receipt): Receipt {
  const newest = record.plies.findLast(({ seq }) => seq <= version);
  const { id: game, commitment, dealRoot, creator, clientSeeds, clientSeedHash: announced } = record;
  const seedHash = (player: Player) =>
    clientSeeds[player] === null ? null : clientSeedHash(clientSeeds[player]);
  return {
    ...{ game, version, commitment, dealRoot },
    creatorSeed: creator ? (seedHash(creator) ?? announced ?? null) : said.creatorSeed,
    accepterSeed: creator ? seedHash(opponent(creator)) : said.accepterSeed,
    hash: newest?.hash ?? record.termsHash,
    outcome: outcome === null ? null : record.outcome,
  };
}
