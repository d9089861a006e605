import * as browser from '../dist/fairness/digest.browser.js';
import * as node from '../dist/fairness/digest.js';
import { rowHash } from '../dist/fairness/chain.js';
import { dealRoot, prove, verifyProof } from '../dist/fairness/merkle.js';

/**
 * Measures what fairness costs per move and per deal, in microseconds and as a multiple of one SHA-256 of a
 * row's text, which is comparable between machines; also compares the digest for browsers with that of Node.
 *
 *   npm run bench:fairness
 */

const ROUNDS = 9;
const ROUND_MS = 60;

const game = '01a2ed06-2495-72a0-8a5f-9190cb8ec783';
const serverSeed = Uint8Array.from({ length: 32 }, (_, at) => at);
const board = { files: 8, ranks: 4 };
const sealed = { format: 2, gameId: game, serverSeed, board, deal: 'KAAEERRHHCCPPPPPkaaeerrhhccppppp' };
const data = { ply: 9, move: 'a1', reveals: 'K', san: 'a1(K)', position: '?'.repeat(60), timeUsed: 12, automatic: false }; // prettier-ignore
const row = { seq: 12, type: 'ply', player: 'first', data, at: '2026-01-31T09:05:00.000Z' };
const previousHash = '52b1'.repeat(16);
const text = JSON.stringify({ game, ...row, previousHash });
const [root, proof] = [dealRoot(sealed), prove(sealed, 'c2')];

const WORK = {
  'SHA-256 of a row, Node': () => node.sha256(text),
  'SHA-256 of a row, browser': () => browser.sha256(text),
  'HMAC of a salt, Node': () => node.hmac(serverSeed, game),
  'HMAC of a salt, browser': () => browser.hmac(serverSeed, game),
  'row hash': () => rowHash(game, row, previousHash),
  'deal root': () => dealRoot(sealed),
  'proof made': () => prove(sealed, 'c2'),
  'proof verified': () => verifyProof(root, board, 'c2', sealed.deal[10], proof),
};

/** Microseconds per call, over one round. */
function once(work) {
  let calls = 0;
  const start = performance.now();
  while (performance.now() - start < ROUND_MS) for (let i = 0; i < 50; i++, calls++) work();
  return ((performance.now() - start) / calls) * 1000;
}

const rounds = Array.from({ length: ROUNDS }, () => Object.values(WORK).map(once));
const medians = Object.keys(WORK).map((_, at) => rounds.map((round) => round[at]).sort((a, b) => a - b)[ROUNDS >> 1]); // prettier-ignore
for (const [at, name] of Object.keys(WORK).entries()) {
  const ratio = medians[at] / medians[0];
  console.log(`${name.padEnd(28)} ${medians[at].toFixed(2).padStart(8)} us ${ratio.toFixed(1).padStart(7)}`);
}
