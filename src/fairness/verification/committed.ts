import { ROLES, type Role } from '../deal.js';
import { failed, open, passed, unchecked, type Finding } from '../finding.js';
import { isPlayer, seatOf, type Beginning } from './beginning.js';
import type { Evidence } from './evidence.js';
import { isEarlierInLog } from './log.js';
import { notStarted } from './seeds.js';
import { receiptFindings, versionsShown, type Shown } from './shown.js';

/**
 * Checks that the server was committed before it knew a player's seed. Only what was signed before shows that, since
 * it could have drawn its own seed again. See docs/fairness.md, "What a verifier checks".
 */
export function checkCommitted(evidence: Evidence, shown: Shown): readonly Finding[] {
  const { start } = evidence.beginning;
  if (start === null) return notStarted('committed', evidence);
  const roles = ROLES.filter(
    (role) => shown.player === undefined || isPlayer(role, shown.player, start.data),
  );
  if (roles.length === 0) return [failed('committed', NOBODY)];
  return isDecidedBySeeds(evidence)
    ? roles.map((role) => withPairing(findingOf(role, evidence, shown), role, evidence.beginning))
    : [unchecked('committed', 'the seeds decide nothing here')];
}

const NOBODY =
  'the player that you name is neither the creator nor the accepter of this game: ' +
  'give creator, accepter, first, second or a user id';

function isDecidedBySeeds({ beginning, ruleset, chosen }: Evidence): boolean {
  const isDrawn = ruleset !== null && ruleset.chance !== 'none' && chosen === null;
  return isDrawn || seatOf(beginning).by === 'seeds';
}

function findingOf(role: Role, evidence: Evidence, shown: Shown): Finding {
  const { create, seeds, accept, start } = evidence.beginning;
  const seed = role === 'creator' ? start!.data.creatorSeed : start!.data.accepterSeed;
  if (seed === null) return unchecked('committed', `the ${role}: left to the server`);
  const isGivenToSeek = role === 'accepter' && isSeedOfSeek(accept);
  const given = (seeds.find(({ data }) => data.by === role) ?? accept).seq;
  const from = isGivenToSeek ? 0 : oldestFor(evidence.beginning, role, given);
  if (from === 0 && shown.commitment === create.data.commitment)
    return passed('committed', `the ${role}: you say that you had the commitment before the seed was given`);
  if (isGivenToSeek) return beforeSeek(evidence, shown);
  const version = versionsShown(evidence, shown).find((each) => from <= each && each < given);
  return version === undefined
    ? open('committed', `the ${role}: give the receipt that you had before you gave your seed, ${from === 0 ? `of a version below ${given}: --receipt, or --commitment` : `with the seed of your opponent, of version ${from}${from + 1 < given ? ` to ${given - 1}` : ''}: --receipt`}`) // prettier-ignore
    : passed('committed', `the ${role}: the receipt of version ${version} is from before the seed of version ${given}`); // prettier-ignore
}

/** The server pairs open seeks, and knows the seeds that were given to them. */
function withPairing(finding: Finding, role: Role, { create, early, accept }: Beginning): Finding {
  const isGivenToSeek =
    role === 'creator' ? create.data.kind === 'seek' && early !== null : isSeedOfSeek(accept);
  return isGivenToSeek
    ? { ...finding, detail: `${finding.detail}. The seed was given to an open seek: the server knew it when it chose the opponent, so it does not bind the pairing` } // prettier-ignore
    : finding;
}

/** True if the seed was given to the accepter's own seek, whose versions are not those of the game. */
const isSeedOfSeek = ({ data }: Beginning['accept']): boolean =>
  data.seek !== null && data.clientSeed !== null;

/** The first version that binds an earlier seed of the opponent, since a later one could have been chosen to fit. */
function oldestFor({ create, early, accept }: Beginning, role: Role, given: number): number {
  const ofCreator = create.data.clientSeedHash === null ? (early?.seq ?? 0) : 0;
  const ofAccepter = accept.data.clientSeedHash === null ? 0 : accept.seq;
  const bound = role === 'creator' ? ofAccepter : ofCreator;
  return bound < given ? bound : 0;
}

/** The seed came with the accepter's own seek, so the game's opening must be older than that seek. */
function beforeSeek(evidence: Evidence, shown: Shown): Finding {
  const receipts = (shown.receipts ?? []).filter((each) =>
    receiptFindings(evidence, each).every(({ ok }) => ok),
  );
  return isEarlierInLog(evidence, { ...shown, receipts })
    ? passed('committed', 'the accepter: the opening of the game is in the log before that of the seek with the seed')
    : open('committed', 'the accepter: the seed came with a seek: give --proof of both openings, and --receipt of the seek, of version 0'); // prettier-ignore
}
