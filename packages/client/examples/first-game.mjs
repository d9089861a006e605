// Two new players play Fool's mate: node packages/client/examples/first-game.mjs [ADDRESS]
import { createClient, operations } from '@halfmove/client';

const url = process.argv[2] ?? 'http://localhost:3000';

const suffix = Date.now().toString(36);
const password = `a long phrase ${suffix}`;
const ann = createClient({ url });
const ben = createClient({ url });
await ann.register({ username: `ann-${suffix}`, password });
await ben.register({ username: `ben-${suffix}`, password });

const { createChallenge } = await ann.graphql(operations.createChallenge, {
  input: {
    ruleset: 'chess',
    opponent: { username: `ben-${suffix}` },
    side: 'FIRST',
    timeControl: { perMove: { seconds: 259_200 } },
  },
});
const gameId = createChallenge.challenge.id;
await ben.graphql(operations.acceptChallenge, { input: { id: gameId } });

/** Plays whenever it is this player's turn, until the game is over. */
async function play(player, moves) {
  const events = player.gameEvents(gameId);
  await events.opened;
  for (;;) {
    const { game } = await player.graphql(operations.game, { id: gameId });
    if (game.turn === null) break;
    if (game.turn === game.viewer.seat) {
      const input = { gameId, ply: game.plyCount + 1, move: moves.shift() };
      const { makeMove } = await player.graphql(operations.makeMove, { input });
      console.log(`${makeMove.ply.san}: ${makeMove.game.position}`);
    } else {
      await events.next();
    }
  }
  await events.return();
}

await Promise.all([play(ann, ['f3', 'g4']), play(ben, ['e5', 'Qh4'])]);

const { game } = await ann.graphql(operations.game, { id: gameId });
console.log(`${game.outcome.winner} wins by ${game.outcome.reason}.`);
