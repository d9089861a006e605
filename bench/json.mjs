import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { JsonReader } from '../dist/formats/json-nodes.js';
import { inRoot } from '../scripts/support.mjs';

/**
 * Measures the time to parse JSON with positions, for the longest text that can be imported (2^20
 * characters): our parser and several npm packages, which are installed in a temporary folder.
 * docs/architecture.md says why we keep our own.
 *
 *   npm run bench:json
 */

const PEERS = ['jsonc-parser@3.3.1', '@humanwhocodes/momoa@3.3.13'];
const ROUNDS = 9;
const LENGTH = 1 << 20;
const MB = 1 << 20;

const folder = inRoot('.cache/json');
mkdirSync(folder, { recursive: true });
const npm = [
  'install',
  '--prefix',
  folder,
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
];
execFileSync('npm', [...npm, ...PEERS], { stdio: 'inherit' });
const peer = createRequire(`${folder}/package.json`);
const [jsonc, momoa] = [peer('jsonc-parser'), peer('@humanwhocodes/momoa')];

const READERS = {
  ours: (text) => {
    let games = 0;
    for (const game of new JsonReader(text).games()) {
      if (!game.ok) return `refused: ${game.message}`;
      games += 1;
    }
    return games;
  },
  'jsonc-parser': (text) => {
    const errors = [];
    const tree = jsonc.parseTree(text, errors, { disallowComments: true });
    return errors.length > 0 ? 'refused' : (tree.children?.length ?? 1);
  },
  momoa: (text) => momoa.parse(text, { mode: 'json' }).body.elements?.length ?? 1,
};

const ply = { player: 'first', move: 'e2e4', reveals: null, captured: null, san: 'e4', clock: 86400, automatic: false }; // prettier-ignore
const game = JSON.stringify({
  format: 'halfmove-game',
  version: 1,
  ruleset: 'chess',
  plies: Array(80).fill(ply),
});
const games = Array(Math.floor((LENGTH - 2) / (game.length + 1))).fill(game);
const TEXTS = {
  'games in a list': `[${games.join()}]`,
  'a game on each line': games.join('\n'),
  'small values': `[${Array(Math.floor((LENGTH - 2) / 14))
    .fill('{"a":[1,2,3]}')
    .join()}]`,
  'one deep list': '['.repeat(LENGTH),
};

function once(read, text) {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const start = performance.now();
  let answer;
  try {
    answer = read(text);
  } catch (error) {
    answer = `throws ${error.name}: ${error.message.slice(0, 40)}`;
  }
  return { answer, ms: performance.now() - start, heap: process.memoryUsage().heapUsed - before };
}

for (const [name, text] of Object.entries(TEXTS)) {
  console.log(`\n${name}, ${text.length} characters`);
  for (const [reader, read] of Object.entries(READERS)) {
    const runs = Array.from({ length: ROUNDS }, () => once(read, text)).sort((a, b) => a.ms - b.ms);
    const [least, median, most] = [0, ROUNDS >> 1, ROUNDS - 1].map((at) => runs[at].ms.toFixed(0));
    const heap = Math.max(...runs.map((run) => run.heap)) / MB;
    console.log(
      `  ${reader.padEnd(14)} ${median} ms (${least} to ${most}), ${heap.toFixed(0)} MB: ${runs[0].answer}`,
    );
  }
}
