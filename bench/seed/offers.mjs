import { withHashes } from '../../dist/features/matchmaking/opening-rows.js';
import { chanceOf } from './chance.mjs';
import { pairDrawer } from './users.mjs';
import { sealer } from './secrets.mjs';
import { termsOf, usedSeeds } from './terms.mjs';

/** Seeks and challenges that did not become games: most have ended, some are open. */

const GAMES_AN_OFFER = 25;
const OPEN_SHARE = 0.1;
const DAY = 86_400_000;
const ENDS = [['expired', 4], ['cancelled', 3], ['declined', 3]]; // prettier-ignore
const DECLINES = ['later', 'timeControl', 'rated', 'casual', 'ruleset', 'generic'];

/** An open offer was created within the last ten days. */
function openRow(challenge, plan, chance) {
  const createdAt = new Date(plan.until - Math.floor(chance.unit() * 10 * DAY));
  const expiresAt = new Date(createdAt.getTime() + 14 * DAY);
  return { ...challenge, status: 'open', createdAt, expiresAt, answeredAt: null };
}

function closedRow(challenge, chance) {
  const drawn = chance.weighed(ENDS);
  const status = challenge.kind === 'direct' || drawn !== 'declined' ? drawn : 'expired';
  const answeredAt = status === 'expired' ? null : challenge.answeredAt;
  const declineReason = status === 'declined' ? chance.oneOf(DECLINES) : null;
  return { ...challenge, status, answeredAt, declineReason };
}

export async function addOffers(plan, seedSecret, add) {
  const seal = sealer(seedSecret);
  const drawPair = pairDrawer(plan);
  for (let number = 0; number < plan.games / GAMES_AN_OFFER; number++) {
    const chance = chanceOf(`${plan.seed}:offer:${number}`);
    // Numbers after those of the games, and times within their range.
    const begun = termsOf(plan, drawPair, plan.games + number, chance, number * GAMES_AN_OFFER); // prettier-ignore
    const { serverSeed, parts } = begun;
    // Offers with an announced seed occur only among the games.
    const challenge = { ...begun.challenge, creatorClientSeed: null, creatorSeedAt: null };
    const isOpen = chance.happens(OPEN_SHARE);
    const row = isOpen ? openRow(challenge, plan, chance) : closedRow(challenge, chance);
    const opponentId = row.kind === 'direct' ? row.opponentId : null;
    const { minRating, maxRating } =
      row.kind === 'seek' && chance.happens(0.2) ? { minRating: 1300, maxRating: 1800 } : row;
    add('challenges', withHashes({ ...row, opponentId, minRating, maxRating, gameId: null }));
    if (parts.announces) for (const used of usedSeeds({ challenge: row, parts: { ...parts, accepter: null } })) add('client_seeds', used); // prettier-ignore
    add('deal_secrets', await seal(row.id, serverSeed, row.createdAt));
  }
}
