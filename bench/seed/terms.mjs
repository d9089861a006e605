import { clientSeedHash, commitment } from '../../dist/fairness/commitment.js';
import { sides } from '../../dist/fairness/deal.js';
import { termsKeyOf } from '../../dist/features/matchmaking/terms.js';
import { parseOptions } from '../../dist/rules/options.js';
import { rulesetById } from '../../dist/rules/registry.js';
import { setupCount, setupOf } from '../../dist/rules/setup.js';
import { bytesOf, idOf } from './chance.mjs';

/** What the players of a seeded game have agreed on, and the challenge that it came of. */

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

/** Mostly the default ones. */
function optionsOf(ruleset, chance) {
  const specs = Object.entries(ruleset.options);
  const other = specs.length > 0 && chance.happens(OTHER_OPTION) ? chance.oneOf(specs) : null;
  const given = other === null ? {} : { [other[0]]: valueOf(ruleset, other[1], chance) };
  return parseOptions(ruleset, given).value;
}

/** Games begin more and more often, from `from` to `until`. */
const beginningOf = ({ from, until, games }, number, chance) =>
  Math.floor(from + (until - from) * ((number + chance.unit()) / games) ** 0.8);

function seatsOf({ id, serverSeed, side, creatorId, accepterId, seeds }) {
  const drawn = side === 'any' ? sides(id, serverSeed, ...seeds) : null;
  const isFirst = drawn === null ? side === 'first' : drawn === 'creator';
  const seated = (creator, accepter) => (isFirst ? [creator, accepter] : [accepter, creator]);
  const [firstId, secondId] = seated(creatorId, accepterId);
  const [firstClientSeed, secondClientSeed] = seated(...seeds);
  return {
    firstId,
    secondId,
    firstClientSeed,
    secondClientSeed,
    creator: isFirst ? 'first' : 'second',
    sidesDrawn: drawn !== null,
  };
}

/** The terms of the game with this number, its secret, its challenge, and when it begins: as the game `like` does. */
export function termsOf(plan, crowd, number, chance, like = number) {
  const ruleset = rulesetById(chance.weighed(RULESETS));
  const beginsAt = beginningOf(plan, like, chance);
  const createdAt = Math.max(plan.from, beginsAt - Math.floor(chance.unit() * 2 * DAY));
  const name = `${plan.seed}:game:${number}`;
  const id = idOf(name, createdAt);
  const serverSeed = bytesOf(`${name}:server`);
  const [creatorId, accepterId] = crowd(chance);
  const seeds = [0, 1].map(() => (chance.happens(0.3) ? chance.pick(2 ** 32).toString(36) : ''));
  const side = chance.weighed(SIDES);
  const shared = {
    id,
    ruleset: ruleset.id,
    options: optionsOf(ruleset, chance),
    timeControl: chance.weighed(TIME_CONTROLS),
    rated: chance.happens(RATED),
    commitment: commitment(serverSeed),
  };
  const announced = chance.happens(0.02) ? clientSeedHash(seeds[0]) : null;
  const terms = {
    ...shared,
    ...seatsOf({ id, serverSeed, side, creatorId, accepterId, seeds }),
    clientSeedHash: announced,
  };
  const agreed = { creatorId, accepterId, side, createdAt, beginsAt, seed: seeds[0], announced };
  return { ruleset, terms, serverSeed, beginsAt, challenge: challengeOf(shared, agreed, chance) };
}

/** The accepted challenge of a game. */
function challengeOf(shared, { creatorId, accepterId, side, createdAt, beginsAt, seed, announced }, chance) {
  const kind = chance.weighed(KINDS);
  return {
    ...shared,
    kind,
    creatorId,
    opponentId: accepterId,
    status: 'accepted',
    side,
    creatorClientSeed: announced === null ? seed : null,
    creatorClientSeedHash: announced,
    createdAt: new Date(createdAt),
    expiresAt: new Date(createdAt + VALID),
    answeredAt: new Date(beginsAt),
    termsKey: kind === 'seek' ? termsKeyOf(shared) : null,
    gameId: shared.id,
  };
}
