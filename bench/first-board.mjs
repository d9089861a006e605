import { createClient } from '../packages/client/dist/client.js';
import { chromium } from 'playwright-core';
import { UserError } from '../scripts/support.mjs';

/**
 * The first board in Chromium over "Fast 3G" on a processor four times as slow, from an empty cache: bytes and requests,
 * the time until the board and its pieces stand there, the long tasks of the page, and the frames of a move.
 *
 *   HALFMOVE=http://localhost:3000 npm run bench -- first-board [ROUNDS]
 *
 * The server must run; rounds alternate between a game of chess and one of Xiangqi (5 of each by default).
 */

const [rounds = 5] = process.argv.slice(2).map(Number);
const url = process.env.HALFMOVE ?? 'http://localhost:3000';
/** As the developer tools of Chromium have it, in bytes a second and milliseconds. */
const FAST_3G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const SLOWDOWN = 4;
const LONG_MS = 50;
/** In the page: when it has its board and its pieces, in milliseconds since the visit began, and its long tasks. */
const WATCH = `
  globalThis.seen = { tasks: [] };
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    if (document.querySelector('[role=grid]') !== null) seen.board ??= performance.now();
    if (document.querySelector('.paper defs path') !== null) seen.pieces ??= performance.now();
  }).observe(document, { childList: true, subtree: true });`;

async function gameOf(ruleset) {
  const [first, second] = [createClient({ url }), createClient({ url })];
  for (const client of [first, second]) await client.playAsGuest();
  const terms = { ruleset, timeControl: { none: {} }, opponent: { link: true }, seat: 'first' };
  const { data } = await first.rest.POST('/v1/challenges', { body: terms });
  const { id, linkToken } = data.challenge;
  const accepted = await second.rest.POST('/v1/challenges/{id}/accept', { params: { path: { id } }, body: { linkToken } }); // prettier-ignore
  return accepted.data.game.id;
}

async function visit(browser, id) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', FAST_3G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  let [bytes, requests] = [0, 0];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.addInitScript(WATCH);
  await page.goto(`${url}/games/${id}`, { waitUntil: 'commit' });
  await page.locator('.paper defs path').first().waitFor({ state: 'attached' });
  const { board, pieces, tasks } = await page.evaluate('seen');
  await context.close();
  return {
    bytes,
    requests,
    board,
    pieces,
    longest: Math.max(0, ...tasks),
    long: tasks.filter((ms) => ms > LONG_MS).length,
  };
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const games = { chess: await gameOf('chess'), xiangqi: await gameOf('xiangqi') };
  const seen = { chess: [], xiangqi: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [name, id] of Object.entries(games)) seen[name].push(await visit(browser, id));
  const span = (visits, key) => {
    const values = visits.map((visit) => Math.round(visit[key])).sort((a, b) => a - b);
    return `${values[Math.floor(values.length / 2)]} (${values[0]} to ${values.at(-1)})`;
  };
  for (const [name, visits] of Object.entries(seen)) {
    console.log(`${name}: ${span(visits, 'requests')} requests, ${span(visits, 'bytes')} bytes`);
    console.log(`  board after ${span(visits, 'board')} ms, pieces after ${span(visits, 'pieces')} ms`);
    console.log(`  long tasks: ${span(visits, 'long')}, the longest ${span(visits, 'longest')} ms`);
  }
} catch (error) {
  throw new UserError(`The server at ${url} does not answer as expected: ${error.message}`);
} finally {
  await browser.close();
}
