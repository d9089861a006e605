import { identity } from '../../rules/deal.js';
import { clientSeedHash, commitment, parseServerSeed } from '../commitment.js';
import { ROLES, canBeDrawn, sides, type Role } from '../deal.js';
import { failed, judged, open, passed, unchecked, type Check, type Finding } from '../finding.js';
import { dealRoot, verifyProof } from '../merkle.js';
import { announcedBy, seatOf, type Beginning } from './beginning.js';
import type { Evidence } from './evidence.js';
import type { AcceptData, StartData } from '../record.js';

/** What chance decided. Source: docs/fairness.md, "The protocol", "What the seeds decide". */

type Findings = readonly Finding[];

const NO_SEED_YET = 'not yet: the server seed is published when the game ends';
/** If the game ended without starting, nothing is left to check. */
export const notStarted = (check: Check, { record: { rows } }: Evidence): Findings =>
  rows.at(-1)!.type === 'end'
    ? [unchecked(check, 'the game never started: nothing was drawn')]
    : [open(check, 'the game has not started: nothing is drawn')];

export function checkCommitment({ record, beginning }: Evidence): Findings {
  const due = beginning.create.data.commitment;
  const isOver = record.rows.at(-1)!.type === 'end';
  if (record.serverSeed === null)
    return [isOver ? failed('commitment', 'the game is over and the server seed is missing') : open('commitment', NO_SEED_YET)]; // prettier-ignore
  if (!isOver) return [failed('commitment', 'the server seed was published before the game ended')];
  const seed = parseServerSeed(record.serverSeed);
  const found = seed.ok ? commitment(seed.value) : 'none';
  return judged(
    'commitment',
    found === due ? [] : [`the server seed has the hash ${found}, not ${due}`],
    found,
  );
}

export function checkClientSeeds({ record, beginning }: Evidence): Findings {
  const { start } = beginning;
  const faults = ROLES.flatMap((role) => roleFaults(beginning, role).map((fault) => `the ${role}: ${fault}`));
  const told = ROLES.map((role) => `${role}: ${toldOf(beginning, role)}`).join('; ');
  if (faults.length > 0 || start !== null)
    return judged('clientSeeds', [...faults, ...twiceFaults(start)], told);
  if (record.rows.at(-1)!.type === 'end') return [unchecked('clientSeeds', `none was used: the game never started (${told})`)]; // prettier-ignore
  return [open('clientSeeds', `not yet: the game is waiting for a client seed (${told})`)];
}

/** The seed hash to which a player is bound, announced or of the given seed. */
export function boundHash({ create, seeds, accept }: Beginning, role: Role): string | null {
  const bound = role === 'creator' ? create.data.clientSeedHash : accept.data.clientSeedHash;
  return bound ?? seeds.find(({ data }) => data.by === role)?.data.clientSeedHash ?? null;
}

const seedOf = (start: StartData, role: Role): string | null =>
  role === 'creator' ? start.creatorSeed : start.accepterSeed;

function toldOf(beginning: Beginning, role: Role): string {
  const bound = boundHash(beginning, role);
  return bound === null ? 'left to the server' : `bound to ${bound}`;
}

function roleFaults(beginning: Beginning, role: Role): readonly string[] {
  const { start } = beginning;
  const bound = boundHash(beginning, role);
  const seed = start === null ? null : seedOf(start.data, role);
  const faults = [
    ...rowFaults(beginning, role, bound),
    ...(role === 'accepter' ? acceptanceFaults(beginning, seed) : []),
  ];
  if (start !== null && seed === null && bound !== null) faults.push('the seed is missing');
  if (seed !== null && bound === null) faults.push('the game started with a seed that was not given');
  if (seed !== null && bound !== null && clientSeedHash(seed) !== bound)
    faults.push(`the seed has the hash ${clientSeedHash(seed)}, not ${bound}`);
  return faults;
}

/** The acceptance must bring a seed; only its hash is enough in a rematch or if two seeks met. */
function acceptanceFaults({ create, accept }: Beginning, used: string | null): readonly string[] {
  const { clientSeed: seed, clientSeedHash: hash, seek } = accept.data;
  if (seed === null)
    return hash !== null && seek === null && create.data.rematchOf === null
      ? [
          'the seed was only announced with the acceptance, which is possible only in a rematch or where two seeks met',
        ]
      : [];
  const faults: string[] = [];
  if (clientSeedHash(seed) !== hash) faults.push('the seed that came with the acceptance has another hash');
  if (used !== null && used !== seed)
    faults.push('the game started with another seed than the one that came with the acceptance');
  return faults;
}

/** A seed may be given once: before the acceptance by the creator, after it only if it was announced. */
function rowFaults(beginning: Beginning, role: Role, bound: string | null): readonly string[] {
  const { seeds, early, start } = beginning;
  const own = seeds.filter(({ data }) => data.by === role);
  const announced = announcedBy(beginning, role);
  const faults = own.length > 1 ? ['the seed was given twice'] : [];
  for (const seed of own) {
    const { data } = seed;
    const isLater = seed !== early;
    if (data.clientSeedHash !== bound) faults.push(`the seed that was given has another hash than ${bound}`);
    if (!isLater && role === 'accepter') faults.push('the seed came before the acceptance');
    if (isLater && announced === null)
      faults.push('a seed was given after the acceptance without having been announced');
    if (isLater !== (data.clientSeed !== null))
      faults.push('a seed must be shown from the acceptance on, and not before');
    if (data.clientSeed !== null && clientSeedHash(data.clientSeed) !== data.clientSeedHash)
      faults.push('the seed that was given has another hash than its row says');
    if (isLater && start !== null && seedOf(start.data, role) !== data.clientSeed)
      faults.push('the game started with another seed than the one that was given');
  }
  return faults;
}

/** The players must have different seeds. */
const twiceFaults = (start: Beginning['start']): readonly string[] =>
  start?.data.creatorSeed != null && start.data.creatorSeed === start.data.accepterSeed
    ? ['both players have the same seed']
    : [];

export function checkSides(evidence: Evidence): Findings {
  const { beginning, seeds } = evidence;
  const { start, accept } = beginning;
  if (start === null) return notStarted('sides', evidence);
  const { sidesBy, creator } = start.data;
  const seat = seatOf(beginning);
  if (sidesBy !== seat.by)
    return [failed('sides', `they are decided by ${DECIDES[seat.by]}, not by ${DECIDES[sidesBy]}`)];
  if (seat.by === 'seeds' && seeds === null) return [open('sides', NO_SEED_YET)];
  const due = seat.creator ?? (sides(seeds!) === 'creator' ? 'first' : 'second');
  const fault = `${DECIDES[sidesBy]} make the creator ${due}, not ${creator}`;
  return judged('sides', due === creator ? [] : [fault], `by ${DECIDES[sidesBy]}${countsIn(accept.data)}`);
}

const DECIDES = { wish: 'the wishes', balance: 'earlier games', seeds: 'the seeds' } as const;

/** The record cannot prove these counts of the server. */
const countsIn = ({ earlier }: AcceptData): string =>
  earlier === null
    ? ''
    : `; the server says that the creator was first in ${earlier.creator} earlier games and the accepter in ` +
      `${earlier.accepter}: each player knows their own`;

export function checkDeal(evidence: Evidence): Findings {
  const { beginning, ruleset, drawn, chosen, seeds } = evidence;
  const { start } = beginning;
  if (start === null) return notStarted('deal', evidence);
  const { setup } = start.data;
  if (ruleset?.chance !== 'setup') {
    if (setup !== null) return [failed('deal', 'this rule set has no set-up')];
    if (ruleset?.chance !== 'deal') return [unchecked('deal', 'nothing is drawn here')];
    return [drawn === null ? open('deal', NO_SEED_YET) : passed('deal', drawn)];
  }
  const due = chosen ?? (seeds === null ? null : drawn);
  if (setup === null) return [failed('deal', 'the set-up is missing')];
  if (!canBeDrawn(ruleset, setup)) return [failed('deal', 'its letters are not those of the rule set')];
  if (due === null) return [open('deal', NO_SEED_YET)];
  return judged('deal', due === setup ? [] : [`it should be ${due}, the record says ${setup}`], due);
}

export function checkDealRoot(evidence: Evidence): Findings {
  const { beginning, ruleset, seeds, drawn } = evidence;
  const { start } = beginning;
  if (start === null) return notStarted('dealRoot', evidence);
  const recorded = start.data.dealRoot;
  if (ruleset?.chance !== 'deal')
    return [recorded === null ? unchecked('dealRoot', 'nothing is dealt here') : failed('dealRoot', 'this rule set has no deal')]; // prettier-ignore
  if (recorded === null) return [failed('dealRoot', 'it is missing although the game has begun')];
  if (seeds === null || drawn === null) return [open('dealRoot', NO_SEED_YET)];
  const { gameId, serverSeed } = seeds;
  const root = dealRoot({ gameId, serverSeed, board: ruleset.board, deal: drawn });
  return judged(
    'dealRoot',
    root === recorded ? [] : [`the deal has the root ${root}, not ${recorded}`],
    root,
  );
}

const NOT_PLAYED = 'the game cannot be replayed';

export function checkReveals(evidence: Evidence): Findings {
  const { ruleset, replay, drawn, beginning } = evidence;
  if (ruleset?.chance !== 'deal') return [unchecked('reveals', 'nothing is dealt here')];
  if (beginning.start === null) return notStarted('reveals', evidence);
  if (replay === null) return [open('reveals', NOT_PLAYED)];
  if (drawn === null) return [open('reveals', NO_SEED_YET)];
  const faults = replay.turnUps
    .filter(({ row, square }) => row.data.reveals !== identity(ruleset, drawn, square))
    .map(
      ({ row, square }) =>
        `seq ${row.seq}: ${row.data.reveals} was turned up on ${square}, but another piece was dealt to it`,
    );
  return judged('reveals', faults, `${replay.turnUps.length} turned up, each as dealt`);
}

export function checkProofs({ ruleset, beginning: { start }, replay }: Evidence): Findings {
  const root = start?.data.dealRoot ?? null;
  if (ruleset?.chance !== 'deal' || root === null) return [unchecked('proofs', 'there is no deal root')];
  if (replay === null) return [open('proofs', NOT_PLAYED)];
  const faults = replay.turnUps
    .filter(({ row: { data, proof }, square }) =>
      data.reveals === null || proof == null || !verifyProof(root, ruleset.board, square, data.reveals, proof),
    )
    .map(({ row, square }) => `seq ${row.seq}: ${row.proof ? 'a wrong' : 'no'} proof for ${row.data.reveals} on ${square}`); // prettier-ignore
  return judged('proofs', faults, `${replay.turnUps.length} proofs lead to the deal root`);
}
