import type { BoardSize } from '../../rules/board.js';
import { identity } from '../../rules/deal.js';
import { rulesetById } from '../../rules/registry.js';
import { opponent } from '../../rules/ruleset.js';
import { chosenSetup } from '../../rules/setup.js';
import { shown as shownValue } from '../../rules/shown.js';
import { plyHash, termsHash, type Terms } from '../chain.js';
import { clientSeedHash, commitment, parseOldClientSeed } from '../commitment.js';
import { canBeDrawn, sides, type Dealt } from '../deal.js';
import { gather, type Evidence, type RulesetById } from './evidence.js';
import { failed, judged, open, passed, unchecked, type Finding } from '../finding.js';
import { dealRoot, verifyProof } from '../merkle.js';
import { outcomeText } from '../outcome-text.js';
import { outcomeFaults } from './outcome.js';
import { checkReceipts } from './receipts.js';
import { parseRecord, type GameRecord, type PlyRow } from './record.js';
import type { TurnUp } from './replay.js';
import type { Signed } from '../signed.js';

/** What a player was shown during a game of format 1, in lower-case hex. */
export interface ShownHashes {
  readonly commitment?: string;
  readonly dealRoot?: string;
  /** The newest ply hash that the player saw. */
  readonly hash?: string;
  readonly receipts?: readonly Signed[];
  /** Proofs of the log, which has no games of format 1. */
  readonly proofs?: readonly Signed[];
}

/** Checks a record of format 1. Source: docs/fairness.md, "Format 1". */
export function verifyFormat1(
  given: unknown,
  shown: ShownHashes = {},
  known: RulesetById = rulesetById,
): readonly Finding[] {
  const parsed = parseRecord(given);
  if (!parsed.ok) return judged('record', parsed.faults, '');
  const evidence = gather(parsed.record, known);
  return [
    ...judged('record', playersFaults(parsed.record), 'every field has its form'),
    ...checks.flatMap((check) => check(evidence)),
    ...checkShown(evidence, shown),
    ...checkReceipts(parsed.record, shown.receipts ?? []),
    ...(shown.proofs ?? []).map(() => failed('log', 'games of format 1 are in no log, so the proof is of another game')), // prettier-ignore
  ];
}

const playersFaults = ({ players }: GameRecord): readonly string[] =>
  players.first.id === players.second.id ? ['both players have the same id'] : [];

type Findings = readonly Finding[];

const NO_SEED_YET = 'not yet: it takes both client seeds and the server seed, published when the game ends';
const NOT_PLAYED = 'the game cannot be replayed';

function checkRuleset({ record, ruleset, options }: Evidence): Findings {
  if (ruleset === null) return [failed('ruleset', `there is no rule set ${shownValue(record.ruleset)}`)];
  const faults = options === null ? ['the options are not valid for this rule set'] : [];
  return judged('ruleset', [...faults, ...strayFaults(ruleset, record)], ruleset.name);
}

/** A set-up or deal in a rule set without one. */
function strayFaults({ chance }: Dealt, record: GameRecord): readonly string[] {
  const dealt = record.deal ?? record.dealRoot;
  const faults: string[] = [];
  if (chance !== 'setup' && record.setup !== null) faults.push('this rule set has no set-up');
  if (chance !== 'deal' && dealt !== null) faults.push('this rule set has no deal');
  return faults;
}

function checkCommitment({ record, serverSeed }: Evidence): Findings {
  if (serverSeed === null && record.outcome === null) return [open('commitment', NO_SEED_YET)];
  if (serverSeed === null) return [failed('commitment', 'the game is over and the server seed is missing')];
  if (record.outcome === null)
    return [failed('commitment', 'the server seed was published before the game ended')];
  const found = commitment(serverSeed);
  const fault = `the server seed has the hash ${found}, not ${record.commitment}`;
  return judged('commitment', found === record.commitment ? [] : [fault], found);
}

function checkClientSeeds({ record }: Evidence): Findings {
  const { first, second } = record.clientSeeds;
  const faults = [first, second].flatMap((seed) => seedFaults(record, seed));
  return judged('clientSeeds', [...faults, ...announcementFaults(record)], announcement(record));
}

function seedFaults({ plies }: GameRecord, seed: string | null): readonly string[] {
  if (seed === null) return plies.length === 0 ? [] : ['a seed is missing although the game has begun'];
  const parsed = parseOldClientSeed(seed);
  return parsed.ok ? [] : [parsed.refusal.message];
}

/** Where the record does not say who created the game, the announced seed may be either player's. */
function announcementFaults(record: GameRecord): readonly string[] {
  const { clientSeedHash: announced, clientSeeds, creator } = record;
  if (!announced) return [];
  const seeds = creator ? [clientSeeds[creator]] : [clientSeeds.first, clientSeeds.second];
  const fits = seeds.some((seed) => seed === null || clientSeedHash(seed) === announced);
  return fits ? [] : [`no seed of the creator has the announced hash ${announced}`];
}

const announcement = ({ clientSeedHash: announced }: GameRecord): string =>
  announced
    ? `the creator's seed was announced by its hash ${announced}`
    : "the creator's seed was given with the challenge";

function checkSides({ record, serverSeed }: Evidence): Findings {
  const { creator, clientSeeds } = record;
  if (!record.sidesDrawn) return [unchecked('sides', 'not drawn by the seeds')];
  if (!creator) return [failed('sides', 'the record does not say who created the game')];
  if (serverSeed === null) return [open('sides', NO_SEED_YET)];
  const accepter = opponent(creator);
  const [own, other] = [clientSeeds[creator], clientSeeds[accepter]];
  if (own === null || other === null)
    return [open('sides', 'not yet: the game is waiting for a client seed')];
  const seeds = { format: 1, gameId: record.id, serverSeed, creatorSeed: own, accepterSeed: other } as const;
  const drawn = sides(seeds) === 'creator' ? creator : accepter;
  const faults = drawn === 'first' ? [] : ['the seeds give the first side to the other player'];
  return judged('sides', faults, 'as the seeds give them');
}

function checkDeal({ ruleset, options, record, drawn }: Evidence): Findings {
  if (ruleset === null || ruleset.chance === 'none') return [unchecked('deal', 'nothing is drawn here')];
  const isSetup = ruleset.chance === 'setup';
  const recorded = (isSetup ? record.setup : record.deal) ?? null;
  // The players may have agreed on a set-up; then chance has no part in it.
  const due = (options === null ? null : chosenSetup(ruleset, options)) ?? drawn;
  const begun = due !== null || record.plies.length > 0;
  const fault = recorded === null ? absenceFault(isSetup && begun) : drawFault(ruleset, recorded, due);
  if (fault !== null) return [failed('deal', fault)];
  return [due === null ? open('deal', NO_SEED_YET) : passed('deal', due)];
}

/** A set-up is public from the start; a deal need never be written out. */
const absenceFault = (mustBeThere: boolean): string | null => (mustBeThere ? 'the set-up is missing' : null);

function drawFault(ruleset: Dealt, recorded: string, due: string | null): string | null {
  if (!canBeDrawn(ruleset, recorded)) return 'its letters are not those of the rule set';
  return due === null || recorded === due ? null : `it should be ${due}, the record says ${recorded}`;
}

function checkDealRoot({ ruleset, record, serverSeed, drawn }: Evidence): Findings {
  if (ruleset?.chance !== 'deal') return [unchecked('dealRoot', 'nothing is dealt here')];
  if (record.dealRoot === null) return [missingRoot(record)];
  if (serverSeed === null || drawn === null) return [open('dealRoot', NO_SEED_YET)];
  const root = dealRoot({ format: 1, gameId: record.id, serverSeed, board: ruleset.board, deal: drawn });
  const fault = `the deal has the root ${root}, not ${record.dealRoot}`;
  return judged('dealRoot', root === record.dealRoot ? [] : [fault], root);
}

const missingRoot = ({ plies }: GameRecord): Finding =>
  plies.length > 0
    ? failed('dealRoot', 'it is missing although the game has begun')
    : open('dealRoot', 'not yet: it is published when both client seeds are known');

function checkChain({ record }: Evidence): Findings {
  const terms = termsHash(termsOf(record));
  const fault = `the terms have the hash ${terms}, not ${record.termsHash}`;
  const links = record.plies.flatMap((row, at) => linkFaults(record, row, record.plies[at - 1]));
  const newest = record.plies.at(-1)?.hash ?? record.termsHash;
  const faults = terms === record.termsHash ? links : [fault, ...links];
  return judged('chain', faults, `${record.plies.length} rows, the newest hash is ${newest}`);
}

const termsOf = ({ id, players, ...terms }: GameRecord): Terms => ({
  ...terms,
  game: id,
  players: { first: players.first.id, second: players.second.id },
});

function linkFaults(record: GameRecord, row: PlyRow, before: PlyRow | undefined): readonly string[] {
  const { previousHash, seq } = row;
  const faults: string[] = [];
  if (before !== undefined && seq <= before.seq) faults.push(`it comes after seq ${before.seq}`);
  if (previousHash !== (before?.hash ?? record.termsHash))
    faults.push('previousHash is not the hash of the row before it');
  if (row.hash !== plyHash(previousHash, { ...row, game: record.id }))
    faults.push('its hash is not that of its content');
  return faults.map((fault) => `seq ${seq}: ${fault}`);
}

function checkPlies({ replay }: Evidence): Findings {
  if (replay === null) return [open('plies', NOT_PLAYED)];
  return judged('plies', replay.faults, `${replay.standing} plies stand, all legal and as recorded`);
}

function checkReveals({ ruleset, replay, drawn }: Evidence): Findings {
  if (ruleset?.chance !== 'deal') return [unchecked('reveals', 'nothing is dealt here')];
  if (replay === null) return [open('reveals', NOT_PLAYED)];
  if (drawn === null) return [open('reveals', NO_SEED_YET)];
  const faults = replay.turnUps
    .filter(({ row, square }) => row.reveals !== identity(ruleset, drawn, square))
    .map(
      ({ row, square }) =>
        `seq ${row.seq}: ${row.reveals} was turned up on ${square}, but another piece was dealt to it`,
    );
  return judged('reveals', faults, `${replay.turnUps.length} turned up, each as dealt`);
}

function checkProofs({ ruleset, record: { dealRoot: root }, replay }: Evidence): Findings {
  if (ruleset?.chance !== 'deal' || root === null) return [unchecked('proofs', 'there is no deal root')];
  if (replay === null) return [open('proofs', NOT_PLAYED)];
  const faults = replay.turnUps
    .filter((turnUp) => !isProven(root, ruleset.board, turnUp))
    .map(
      ({ row, square }) =>
        `seq ${row.seq}: ${row.proof ? 'a wrong' : 'no'} proof for ${row.reveals} on ${square}`,
    );
  return judged('proofs', faults, `${replay.turnUps.length} proofs lead to the deal root`);
}

const isProven = (root: string, board: BoardSize, { row: { proof, reveals }, square }: TurnUp): boolean =>
  reveals !== null && proof != null && verifyProof(root, board, square, reveals, proof);

function checkOutcome({ record, replay }: Evidence): Findings {
  if (replay === null || replay.final === null) return [open('outcome', NOT_PLAYED)];
  const decided = replay.final.outcome === null ? 'not decided by the rules' : 'decided by the rules';
  return judged('outcome', outcomeFaults(replay.final, record), `${outcomeText(record.outcome)}; ${decided}`);
}

const NOT_GIVEN = 'give the value that you were shown while you played';

/** Checks that the record is of the game that the player saw. */
function checkShown({ record, ruleset }: Evidence, shown: ShownHashes): Findings {
  const hashes = [record.termsHash, ...record.plies.map(({ hash }) => hash)];
  const roots = record.dealRoot === null ? [] : [record.dealRoot];
  const found = [
    compared('the commitment', shown.commitment, [record.commitment]),
    ...(ruleset?.chance === 'deal' ? [compared('the deal root', shown.dealRoot, roots)] : []),
    compared('the newest hash', shown.hash, hashes),
  ];
  // A receipt says all of these.
  return (shown.receipts ?? []).length > 0 ? found.filter(({ isOpen }) => !isOpen) : found;
}

function compared(what: string, shown: string | undefined, recorded: readonly string[]): Finding {
  if (shown === undefined) return open('shown', `${what}: ${NOT_GIVEN}`);
  return recorded.includes(shown)
    ? passed('shown', `${what} is in the record`)
    : failed('shown', `${what} that you were shown is not in the record, so this is another game`);
}

/** In the order of CHECKS_1. */
const checks: readonly ((evidence: Evidence) => Findings)[] = [
  checkRuleset,
  checkCommitment,
  checkClientSeeds,
  checkSides,
  checkDeal,
  checkDealRoot,
  checkChain,
  checkPlies,
  checkReveals,
  checkProofs,
  checkOutcome,
];
