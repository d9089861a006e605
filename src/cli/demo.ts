import { createHash, randomBytes, randomInt } from 'node:crypto';
import { createClient, hasCode, type components, type Halfmove } from '../../packages/client/dist/client.js';

/** Two new users play two complete games on a running server over the REST API. */

const USAGE = `npm run demo [-- ADDRESS]

Two new users play two complete games on a running server, and every board is printed. Start a server with npm start first.
ADDRESS is where it is: HALFMOVE_URL by default, else http://localhost:3000.`;

const [given] = process.argv.slice(2);
if (given !== undefined && !URL.canParse(given)) {
  const isHelp = given === '--help' || given === '-h';
  (isHelp ? console.log : console.error)(isHelp ? USAGE : `${given} is not an address.\n\n${USAGE}`);
  process.exit(isHelp ? 0 : 2);
}
const address = (given ?? process.env['HALFMOVE_URL'] ?? 'http://localhost:3000').replace(/\/+$/, '');

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', () => process.exit(0));

/** Paul Morphy against the Duke of Brunswick and Count Isouard, Paris 1858: the Opera Game. */
const OPERA_GAME = (
  'e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 ' +
  'Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#'
).split(' ');

interface Player {
  readonly username: string;
  readonly halfmove: Halfmove;
}

type Game = components['schemas']['Game'];
type LegalMove = components['schemas']['LegalMove'];

type Policy = (legal: readonly LegalMove[], ply: number) => LegalMove;

async function register(name: string): Promise<Player> {
  const username = `${name}-${randomBytes(4).toString('hex')}`;
  const halfmove = createClient({ url: address, retries: 2 });
  await halfmove.register({ username, password: randomBytes(18).toString('base64url') });
  return { username, halfmove };
}

const newSeed = (): string => randomBytes(16).toString('hex');

/** The rows of a position with their ranks, a dot for an empty square and ? for a face-down piece. */
function board(position: string): string {
  const rows = position.split(' ', 1)[0]!.split('/');
  const cells = rows.map((row) => [
    ...row.replace(/\d/g, (run) => '.'.repeat(Number(run))).replaceAll('x', '?'),
  ]);
  const ranks = cells.map((row, i) => `${String(rows.length - i).padStart(4)}  ${row.join(' ')}`);
  const files = cells[0]!.map((_, i) => String.fromCharCode(97 + i));
  return [...ranks, `      ${files.join(' ')}`].join('\n');
}

/** `1.` and `1...`; with face-down pieces each ply has its own number, as a turn may have several plies. */
const numberOf = (ply: number, hidden: boolean): string =>
  hidden ? `${ply}.` : `${Math.ceil(ply / 2)}${ply % 2 === 1 ? '.' : '...'}`;

/** The moves of a game as one line: `1. f3 e5 2. g4 Qh4#`. */
const lineOf = (sans: readonly string[], hidden: boolean): string =>
  sans.map((san, i) => (hidden || i % 2 === 0 ? `${numberOf(i + 1, hidden)} ${san}` : san)).join(' ');

/** Creates and accepts a challenge; both players give a client seed. */
async function begin(ruleset: string, first: Player, second: Player): Promise<Game> {
  const seed = newSeed();
  const clientSeedHash = createHash('sha256').update(seed).digest('hex');
  const terms = {
    ruleset,
    opponent: { username: second.username },
    seat: 'first',
    timeControl: { perMove: { seconds: 3 * 86_400 } },
    clientSeedHash,
  } as const;
  const { data } = await first.halfmove.rest.POST('/v1/challenges', { body: terms });
  const params = { path: { id: data.challenge.id } };
  await second.halfmove.rest.POST('/v1/challenges/{id}/accept', { params, body: { clientSeed: newSeed() } });
  const given = await first.halfmove.rest.POST('/v1/challenges/{id}/client-seed', {
    params,
    body: { clientSeed: seed },
  });
  return given.data.game!;
}

async function play(ruleset: string, first: Player, second: Player, choose: Policy): Promise<Game> {
  let game = await begin(ruleset, first, second);
  const params = { path: { id: game.id } };
  const rules = await first.halfmove.rest.GET('/v1/rulesets/{id}', { params: { path: { id: ruleset } } });
  const { hidden } = rules.data;
  const sans: string[] = [];
  while (game.turn !== null) {
    const { username, halfmove } = game.turn === 'first' ? first : second;
    const legal = await halfmove.rest.GET('/v1/games/{id}/legal-moves', { params });
    const ply = game.plyCount + 1;
    const { move } = choose(legal.data.items, ply);
    const made = await halfmove.rest.POST('/v1/games/{id}/moves', { params, body: { ply, move } });
    game = made.data.game;
    const { san } = made.data.ply;
    sans.push(san);
    console.log(`\n${numberOf(ply, hidden)} ${san} (${username})\n${board(game.position)}`);
  }
  console.log(`\n${lineOf(sans, hidden)}`);
  return game;
}

const asMorphyDid: Policy = (legal, ply) => {
  const wanted = OPERA_GAME[ply - 1];
  const found = legal.find(({ san }) => san === wanted);
  if (found === undefined) throw new Error(`Ply ${ply} must be ${wanted}, which is not legal.`);
  return found;
};

/** Captures if possible, else turns up a piece, else plays any move. */
const greedily: Policy = (legal) => {
  const captures = legal.filter(({ san }) => san.includes('x'));
  const turnUps = legal.filter(({ san }) => san.includes('?'));
  const best = [captures, turnUps, legal].find((moves) => moves.length > 0)!;
  return best[randomInt(best.length)]!;
};

function report(title: string, { id, outcome, plyCount, boardUrl }: Game): void {
  const winner = outcome?.winner == null ? 'a draw' : `the ${outcome.winner} player wins`;
  console.log(`
${title}: ${winner} by ${outcome?.reason} after ${plyCount} plies. To export the game and verify that it was fair:
  curl -s ${address}/v1/games/${id}/export
  curl -s ${address}/v1/games/${id}/record | npm run -s verify -- -
A picture of the last position:
  ${boardUrl}`);
}

try {
  const morphy = await register('morphy');
  const duke = await register('duke');
  console.log(`The Opera Game, Paris 1858, played by ${morphy.username} and ${duke.username}.`);
  const chess = await play('chess', morphy, duke, asMorphyDid);
  report('Chess', chess);
  console.log(`\nBanqi (Taiwanese rules) by the same players; ? is a face-down piece.`);
  report('Banqi', await play('banqi-taiwan', duke, morphy, greedily));
} catch (error) {
  const words = hasCode(error, 'NO_ANSWER')
    ? `No server answers at ${address}. Start one with npm start.`
    : (error as Error).message;
  console.error(words);
  process.exitCode = 1;
}
