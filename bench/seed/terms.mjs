import { clientSeedHash, commitment } from '../../dist/fairness/commitment.js';
import { sides } from '../../dist/fairness/deal.js';
import { acceptance, seedGiven } from '../../dist/features/matchmaking/opening-rows.js';
import { termsKeyOf } from '../../dist/features/matchmaking/terms.js';
import { parseOptions } from '../../dist/rules/options.js';
import { rulesetById } from '../../dist/rules/registry.js';
import { setupCount, setupOf } from '../../dist/rules/setup.js';
import { bytesOf, idOf } from './chance.mjs';

/** The terms of a seeded game, and the challenge that it came from. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const VALID = 14 * DAY;

const RULESETS = [
  ['chess', 62],
  ['half-court-chess', 6],
  ['xiangqi', 15],
  ['xiangqi-tournament', 4],
  ['banqi-hongkong', 4],
  ['banqi-taiwan', 5],
  ['half-chess', 4],
];
const RATED = 0.62;
const OTHER_OPTION = 0.15;
const SIDES = [['any', 76], ['first', 14], ['second', 10]]; // prettier-ignore
const KINDS = [['seek', 50], ['direct', 38], ['link', 12]]; // prettier-ignore

const perMove = (days) => ({ type: 'perMove', seconds: days * 86_400 });
const bank = (days, hours, cap) => ({
  type: 'bank',
  initial: days * 86_400,
  increment: hours * 3600,
  cap: cap * 86_400,
});
const TIME_CONTROLS = [
  [perMove(1), 18],
  [perMove(3), 30],
  [perMove(5), 10],
  [perMove(7), 14],
  [perMove(14), 6],
  [bank(3, 12, 5), 9],
  [bank(10, 24, 14), 8],
  [{ ...perMove(2), noVacation: true }, 2],
  [{ type: 'none' }, 3],
];

function valueOf(ruleset, spec, chance) {
  if (spec.type === 'boolean') return !spec.default;
  if (spec.type === 'integer') return spec.min + chance.pick(spec.max - spec.min + 1);
  if (spec.type === 'setup') return setupOf(ruleset, chance.pick(setupCount(ruleset))).value;
  return chance.oneOf(spec.values);
}

/** Mostly the default options. */
function optionsOf(ruleset, chance) {
  const specs = Object.entries(ruleset.options);
  const other = specs.length > 0 && chance.happens(OTHER_OPTION) ? chance.oneOf(specs) : null;
  const given = other === null ? {} : { [other[0]]: valueOf(ruleset, other[1], chance) };
  return parseOptions(ruleset, given).value;
}

/** The density of games grows from `from` to `until`. */
const beginningOf = ({ from, until, games }, number, chance) =>
  Math.floor(from + (until - from) * ((number + chance.unit()) / games) ** 0.8);

/**
 * When the game was created, accepted and begun. With an announced seed it begins later than it is accepted.
 */
function momentsOf(plan, like, chance) {
  const beginsAt = beginningOf(plan, like, chance);
  const createdAt = Math.max(plan.from, beginsAt - Math.floor(chance.unit() * 2 * DAY));
  return { createdAt, takenAt: createdAt + Math.floor((beginsAt - createdAt) * 0.9), beginsAt };
}

const seedOf = (name) => bytesOf(name).subarray(0, 16).toString('hex');

/** The client seeds of both players; most leave them to the server. */
function partsOf(name, chance) {
  const announces = chance.happens(0.02);
  const gives = announces || chance.happens(0.3);
  return {
    announces,
    creator: gives ? seedOf(`${name}:creator`) : null,
    accepter: chance.happens(0.3) ? seedOf(`${name}:accepter`) : null,
  };
}

/**
 * The terms of the game with this number: its secret, its challenge, and its times, which are those of game
 * `like`.
 */
export function termsOf(plan, drawPair, number, chance, like = number) {
  const ruleset = rulesetById(chance.weighed(RULESETS));
  const moments = momentsOf(plan, like, chance);
  const name = `${plan.seed}:game:${number}`;
  const serverSeed = bytesOf(`${name}:server`);
  const [creatorId, accepterId] = drawPair(chance);
  const parts = partsOf(name, chance);
  const shared = {
    id: idOf(name, moments.createdAt),
    ruleset: ruleset.id,
    options: optionsOf(ruleset, chance),
    timeControl: chance.weighed(TIME_CONTROLS),
    rated: chance.happens(RATED),
    side: chance.weighed(SIDES),
    commitment: commitment(serverSeed),
  };
  const challenge = challengeOf(shared, { creatorId, accepterId, parts, moments }, chance);
  return { ruleset, serverSeed, challenge, accepterId, parts, moments };
}

/** The accepted challenge of a game, without its hashes. */
function challengeOf(shared, { creatorId, accepterId, parts, moments }, chance) {
  const kind = chance.weighed(KINDS);
  const gaveFirst = parts.creator !== null && !parts.announces;
  return {
    ...shared,
    kind,
    creatorId,
    opponentId: accepterId,
    status: 'accepted',
    creatorClientSeed: gaveFirst ? parts.creator : null,
    creatorClientSeedHash: parts.announces ? clientSeedHash(parts.creator) : null,
    creatorSeedAt: gaveFirst ? new Date(moments.createdAt) : null,
    createdAt: new Date(moments.createdAt),
    expiresAt: new Date(moments.createdAt + VALID),
    answeredAt: new Date(moments.takenAt),
    minRating: null,
    maxRating: null,
    rematchOf: null,
    counterTo: null,
    termsKey: kind === 'seek' ? termsKeyOf(shared) : null,
    gameId: shared.id,
    declineReason: null,
  };
}

/** The seat of the creator: as wished, else drawn by the seeds. */
function creatorSeat({ id, side }, { serverSeed, parts }) {
  if (side !== 'any') return side;
  const drawn = sides({ gameId: id, serverSeed, creatorSeed: parts.creator, accepterSeed: parts.accepter }); // prettier-ignore
  return drawn === 'creator' ? 'first' : 'second';
}

/** The terms of the game at its start. */
export function agreedTerms(begun) {
  const { challenge, accepterId, parts } = begun;
  const { id, ruleset, options, timeControl, rated, commitment: promise, createHash } = challenge;
  const creator = creatorSeat(challenge, begun);
  const seated = (one, other) => (creator === 'first' ? [one, other] : [other, one]);
  const [firstId, secondId] = seated(challenge.creatorId, accepterId);
  const [firstClientSeed, secondClientSeed] = seated(parts.creator, parts.accepter);
  const hashOf = (seed) => (seed === null ? null : clientSeedHash(seed));
  return {
    ...{ id, ruleset, options, timeControl, rated, commitment: promise, createHash },
    ...{ firstId, secondId, firstClientSeed, secondClientSeed, creator },
    clientSeedHash: hashOf(parts.creator),
    accepterSeedHash: hashOf(parts.accepter),
    sidesBy: challenge.side === 'any' ? 'seeds' : 'wish',
  };
}

/** The rows of the hash chain before the start. */
export function happenedBefore({ challenge, accepterId, parts, moments }, creator) {
  const joining = { userId: accepterId, seed: { clientSeed: parts.accepter, clientSeedHash: null }, side: 'any', seek: null }; // prettier-ignore
  // While the seed that decides the sides is awaited, the creator has the first seat.
  const isDrawn = challenge.side === 'any';
  const seating = {
    creator: parts.announces && isDrawn ? 'first' : creator,
    // Each game is made independently, as if the two players had never met before.
    earlier: isDrawn ? { creator: 0, accepter: 0 } : null,
  };
  const taken = acceptance(challenge, joining, seating, new Date(moments.takenAt));
  if (!parts.announces) return taken;
  const seq = taken.at(-1).seq + 1;
  return [...taken, seedGiven(challenge.id, seq, 'creator', parts.creator, new Date(moments.beginsAt))];
}

/** The client seeds of a game or challenge, recorded so that none is used twice. */
export const usedSeeds = ({ challenge: { id, createdAt }, parts }) =>
  [parts.creator, parts.accepter]
    .filter((seed) => seed !== null)
    .map((seed) => ({ hash: clientSeedHash(seed), challengeId: id, createdAt }));
