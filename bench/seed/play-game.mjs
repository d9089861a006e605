import { newsOf } from '../../dist/features/notifications/game-news.js';
import { withHashes } from '../../dist/features/matchmaking/opening-rows.js';
import { opponent } from '../../dist/rules/ruleset.js';
import { chanceOf, idOf } from './chance.mjs';
import { SeededGame } from './game.mjs';
import { termsOf, usedSeeds } from './terms.mjs';

/** Plays a seeded game: its length, its end, and the rows it adds. */

const LENGTH = { median: 22, spread: 0.65, least: 2, most: 240 };
const HUNT_PLIES = 40;
const REPEAT_PLIES = 10;
const OUT_PLIES = 120;
const NEWS_KEPT = 30 * 86_400_000;
const TALKS = 0.03;
const WORDS = ['Hello, have a good game.', 'Thank you for the game!', 'Nice move.', 'Good luck.', 'I am away until Monday.', '祝你好运。']; // prettier-ignore

const ENDS = [
  ['resign', 52],
  ['hunt', 17],
  ['runOut', 12],
  ['agree', 9],
  ['repeat', 4],
  ['playOut', 3],
  ['abort', 3],
];

const otherAtRandom = (game) => (game.chance.happens(0.7) ? game.row.turn : opponent(game.row.turn));

/** What happens after the part of the game that is played without an aim. */
const endings = {
  resign: (game) => game.resign(otherAtRandom(game)),
  runOut: (game) => game.runOut(),
  agree: (game) => game.agree(),
  hunt: (game, length) => {
    const by = game.chance.oneOf(['first', 'second']);
    if (game.playTo(length + HUNT_PLIES, { kind: 'win', by }) && !game.isOver) game.resign(opponent(by));
  },
  repeat: (game, length) => {
    if (!game.playTo(length + REPEAT_PLIES, { kind: 'repeat' }) || game.isOver) return;
    game.claim();
    if (!game.isOver) game.agree();
  },
  playOut: (game, length) => {
    if (game.playTo(length + OUT_PLIES) && !game.isOver) game.resign(otherAtRandom(game));
  },
};

function act(game, chance) {
  const end = chance.weighed(ENDS);
  if (end === 'abort') {
    if (game.playTo(chance.pick(2))) game.abort();
    return;
  }
  const { median, spread, least, most } = LENGTH;
  const length = Math.min(most, Math.max(least, Math.round(chance.around(median, spread))));
  if (game.playTo(length) && !game.isOver) endings[end](game, length);
  // The draw offer may have been refused because it came too soon after the last one.
  if (!game.isOver && !game.isPresent) game.resign(otherAtRandom(game));
}

const pliesOf = ({ plies }, player) => plies.filter((ply) => ply.player === player);
const secondsOf = (game, player) => pliesOf(game, player).reduce((sum, { timeUsed }) => sum + timeUsed, 0);

function talk({ row }, chance, add) {
  if (!chance.happens(TALKS)) return;
  for (let n = 1 + chance.pick(3); n > 0; n--) {
    const span = row.lastActivityAt.getTime() - row.createdAt.getTime();
    const at = row.createdAt.getTime() + Math.floor(chance.unit() * span);
    const message = { gameId: row.id, player: chance.oneOf(['first', 'second']), text: chance.oneOf(WORDS) };
    add('messages', { id: idOf(`${row.id}:message:${n}`, at), ...message, createdAt: new Date(at) });
  }
}

/** Older notifications have been read and deleted; only those of the last weeks are added. */
function news({ row, last, until }, add) {
  if (last === null || row.lastActivityAt.getTime() < until - NEWS_KEPT) return;
  for (const { at, ...notice } of newsOf(last).notices) {
    add('notifications', { ...notice, createdAt: at, readAt: null });
  }
}

/** Plays the game with this number and adds its rows; resolves to its number of plies. */
export async function seedGame({ plan, drawPair, seal }, number, add) {
  const chance = chanceOf(`${plan.seed}:course:${number}`);
  const drawn = termsOf(plan, drawPair, number, chance);
  const begun = { ...drawn, challenge: withHashes(drawn.challenge) };
  const game = new SeededGame(begun, plan, chance);
  act(game, chance);
  const { row } = game;
  add('games', {
    ...row,
    firstPlies: pliesOf(game, 'first').length,
    secondPlies: pliesOf(game, 'second').length,
    firstSeconds: secondsOf(game, 'first'),
    secondSeconds: secondsOf(game, 'second'),
  });
  for (const ply of game.plies) add('plies', ply);
  for (const event of game.events) add('game_events', event);
  add('deal_secrets', await seal(row.id, begun.serverSeed, begun.challenge.createdAt));
  add('challenges', begun.challenge);
  for (const used of usedSeeds(begun)) add('client_seeds', used);
  talk(game, chance, add);
  news(game, add);
  return game.plies.length;
}
