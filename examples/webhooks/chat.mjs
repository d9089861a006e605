// Tells a chat whose turn it is, by an incoming webhook of the chat that takes {"text": "..."}, as those of Slack,
// Mattermost and Rocket.Chat do:
//
//   WEBHOOK_SECRET=whsec_... CHAT_URL=https://chat.example.org/hooks/... HALFMOVE_URL=http://localhost:3000 \
//     PORT=4000 node examples/webhooks/chat.mjs
//
// Register the address with the types game.start and game.move.
import { receive } from './receive.mjs';

const { CHAT_URL, HALFMOVE_URL = 'http://localhost:3000' } = process.env;

/** A name without what a chat takes for a mention, a link or a style. */
const plain = (name) => name.replace(/[^\p{L}\p{N} -]/gu, '');

/** What is told of a game; null while nobody is to move. */
function wordsOn({ url, status, turn, players, deadlineAt }) {
  if (status !== 'active' || turn === null) return null;
  const { player } = players.find(({ seat }) => seat === turn);
  const name = plain(player.displayName || player.username || 'A player');
  const until = deadlineAt === null ? '' : ` until ${deadlineAt.slice(0, 16).replace('T', ' ')} UTC`;
  return `${name} is to move${until}: ${url}`;
}

/** The newest version of each game that was told: a message that comes again, or late, is none. */
const told = new Map();

async function tell({ data: { gameId } }) {
  // A test is about no game, nor is a challenge that nobody has accepted.
  if (gameId === undefined || gameId === null) return;
  const response = await fetch(`${HALFMOVE_URL}/v1/games/${gameId}`);
  if (!response.ok) throw new Error(`The game was answered with ${response.status}.`);
  const game = await response.json();
  const text = wordsOn(game);
  if (text === null || told.get(gameId) === game.version) return;
  told.set(gameId, game.version);
  await fetch(CHAT_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
}

receive(tell);
