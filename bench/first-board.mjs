import { createClient } from '../packages/client/dist/client.js';
import { chromium } from 'playwright-core';
import { UserError } from '../scripts/support.mjs';

/**
 * The first board in Chromium over "Fast 3G" on a processor four times as slow, from an empty cache: bytes and requests,
 * the time until the board that the server has drawn is painted, and until one to play on is there with its pieces, how
 * much the page shifts in the meantime, its long tasks, and the frames of a move.
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
const MOVE_MS = 500;
const COUNT_FRAMES = `
  globalThis.frames = [];
  (function frame(time) {
    if (time !== undefined) frames.push(time);
    requestAnimationFrame(frame);
  })();`;
/** In the page: its boards, in milliseconds since the visit began, its layout shifts in thousandths, and its long tasks. */
const WATCH = `
  globalThis.seen = { tasks: [], shift: 0 };
  const watch = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  const hasFirst = () => [...document.querySelectorAll('main p')].some((p) => p.shadowRoot?.querySelector('svg'));
  watch('longtask', ({ duration }) => seen.tasks.push(duration));
  watch('layout-shift', ({ value }) => (seen.shift += 1000 * value));
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint' && hasFirst()) seen.first = startTime;
  });
  new MutationObserver(() => {
    if (document.querySelector('[role=grid]') === null) return;
    if (document.querySelector('.paper defs path') !== null) seen.board ??= performance.now();
  }).observe(document, { childList: true, subtree: true });`;

async function gameOf(ruleset) {
  const [first, second] = [createClient({ url }), createClient({ url })];
  for (const client of [first, second]) await client.playAsGuest();
  const terms = { ruleset, timeControl: { none: {} }, opponent: { link: true }, seat: 'first' };
  const { data } = await first.rest.POST('/v1/challenges', { body: terms });
  const { id, linkToken } = data.challenge;
  const accepted = await second.rest.POST('/v1/challenges/{id}/accept', { params: { path: { id } }, body: { linkToken } }); // prettier-ignore
  return { id: accepted.data.game.id, players: [first, second], plies: 0 };
}

/** Plays any legal move. */
async function move(game) {
  const { rest } = game.players[game.plies % 2];
  const path = { params: { path: { id: game.id } } };
  const { data } = await rest.GET('/v1/games/{id}/legal-moves', path);
  game.plies += 1;
  await rest.POST('/v1/games/{id}/moves', { ...path, body: { ply: game.plies, move: data.items[0].move } });
}

async function visit(browser, game) {
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
  await page.goto(`${url}/games/${game.id}`, { waitUntil: 'commit' });
  await page.locator('.paper defs path').first().waitFor({ state: 'attached' });
  const { first = Number.NaN, board, shift, tasks } = await page.evaluate('seen');
  const loaded = { bytes, requests };
  await page.evaluate(COUNT_FRAMES);
  await move(game);
  await page.locator('.turn').getByText('played').waitFor();
  await page.waitForTimeout(MOVE_MS);
  const times = await page.evaluate('frames');
  const gaps = times.slice(1).map((time, at) => time - times[at]);
  await context.close();
  return {
    ...loaded,
    first,
    board,
    shift,
    longest: Math.max(0, ...tasks),
    long: tasks.filter((ms) => ms > LONG_MS).length,
    rate: (1000 * gaps.length) / (times.at(-1) - times[0]),
    gap: Math.max(...gaps),
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
    for (const [name, game] of Object.entries(games)) seen[name].push(await visit(browser, game));
  const span = (visits, key) => {
    const values = visits.map((visit) => Math.round(visit[key])).sort((a, b) => a - b);
    return `${values[Math.floor(values.length / 2)]} (${values[0]} to ${values.at(-1)})`;
  };
  for (const [name, visits] of Object.entries(seen)) {
    console.log(`${name}: ${span(visits, 'requests')} requests, ${span(visits, 'bytes')} bytes`);
    console.log(`  painted after ${span(visits, 'first')} ms, to play on after ${span(visits, 'board')} ms`);
    console.log(`  shifts of the layout: ${span(visits, 'shift')} thousandths`);
    console.log(`  long tasks: ${span(visits, 'long')}, the longest ${span(visits, 'longest')} ms`);
    console.log(
      `  frames a second around a move: ${span(visits, 'rate')}, the longest ${span(visits, 'gap')} ms`,
    );
  }
} catch (error) {
  throw new UserError(`The server at ${url} does not answer as expected: ${error.message}`);
} finally {
  await browser.close();
}
