// A club match and its table: HALFMOVE=... APPLICATION_ID=... APPLICATION_SECRET=... node club-match.mjs match.json
import { readFileSync } from 'node:fs';
import { createApplicationClient } from '@halfmove/client/server';

const { HALFMOVE, APPLICATION_ID, APPLICATION_SECRET } = process.env;
const { rest } = createApplicationClient({ url: HALFMOVE, id: APPLICATION_ID, secret: APPLICATION_SECRET });
const { id, home, away } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
if (home.players.length !== away.players.length) throw new Error('Both teams need the same number of players.');

const players = [...home.players, ...away.players].map(({ id, name }) => ({ externalId: id, displayName: name }));
await rest.PUT('/v1/application/players', { body: { players } });

/** The home side moves first on boards 1, 3, 5 and so on. */
const isHomeFirst = (i) => i % 2 === 0;
const games = home.players.map((player, i) => {
  const [first, second] = isHomeFirst(i) ? [player, away.players[i]] : [away.players[i], player];
  return {
    externalId: `${id}-board-${i + 1}`,
    first: { externalId: first.id },
    second: { externalId: second.id },
    ruleset: 'chess',
    rated: true,
    timeControl: { perMove: { seconds: 259_200 } },
  };
});
// The first run begins the games. Each further one gets the same games as they stand.
const { data } = await rest.POST('/v1/application/games', { body: { games } });

/** The points of the home side and of the other one; null while the game runs, and if it was aborted. */
function pointsOf({ status, outcome }, i) {
  if (status !== 'finished') return null;
  if (outcome.winner === null) return [0.5, 0.5];
  return (outcome.winner === 'first') === isHomeFirst(i) ? [1, 0] : [0, 1];
}
const results = data.games.map(({ game }, i) => pointsOf(game, i));
for (const [i, points] of results.entries())
  console.log(`${i + 1}. ${home.players[i].name} - ${away.players[i].name}: ${points?.join(':') ?? data.games[i].game.status}`);
const running = data.games.filter(({ game }) => game.endedAt === null).length;
const sum = (side) => results.reduce((total, points) => total + (points?.[side] ?? 0), 0);
console.log(`${home.name} - ${away.name}: ${sum(0)}:${sum(1)}, ${running} to come`);
