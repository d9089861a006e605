import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { type Api, restApi } from '../support/api.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { startServer, type TestServer } from '../support/server.js';
import { newSite, type Pair, pairOf, type Site } from '../support/sites.js';
import { ringTime, type StoppedTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens a browser.

/** A player of an application in the page of its site, whose tokens last a minute. */

const SECONDS = 60;

inChromium('the element of a player', () => {
  let server: TestServer;
  let time: StoppedTime;
  let browser: Browser;
  let origin: string;
  let api: Api;
  let site: Site;
  let web: Server;
  let pair: Pair;
  let ann: Page;
  /** How many tokens the site has given to its page, and what each of them waits for. */
  let given: number;
  let mayGive: Promise<unknown>;

  const visitors = visitorsOf(
    () => browser,
    () => [origin, address()],
  );
  const address = () => `http://localhost:${(web.address() as AddressInfo).port}`;

  const script = `
    const element = document.querySelector('halfmove-game');
    const giveToken = async () => element.setToken(await (await fetch('/token', { method: 'POST' })).text());
    element.addEventListener('halfmove-token', giveToken);
    giveToken();`;

  async function answerOf(url: string): Promise<[type: string, body: string]> {
    if (url === '/page.js') return ['text/javascript', script];
    if (url === '/token') {
      const waits = mayGive;
      given += 1;
      await waits;
      const scopes = ['games:read', 'games:play'];
      const made = await api.createPlayerToken(site.by, 'ann', { scopes, seconds: SECONDS });
      return ['text/plain', must(made).token];
    }
    const scripts = [`${origin}/embed/halfmove.js`, '/page.js'].map((src) => `<script type="module" src="${src}"></script>`); // prettier-ignore
    const html = `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,">${scripts.join('')}<halfmove-game game="${pair.game.id}"></halfmove-game></html>`;
    return ['text/html', html];
  }

  beforeAll(async () => {
    server = await startServer({ ACCESS_TOKEN_SECONDS: '86400' });
    time = ringTime(server.app);
    origin = server.url.replace('[::1]', '127.0.0.1').replace('localhost', '127.0.0.1');
    api = restApi(server.http);
    browser = await launchChromium();
    web = createServer((request, response) => {
      const policy = `default-src 'none'; script-src 'self' ${origin}; connect-src 'self' ${origin}; img-src data:`;
      response.setHeader('content-security-policy', policy);
      void answerOf(request.url!).then(([type, body]) => response.setHeader('content-type', type).end(body));
    });
    await once(web.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    await browser?.close();
    web?.close();
    await server?.close();
  });

  beforeEach(async () => {
    site = await newSite(api, server.http);
    pair = await pairOf(api, site);
    given = 0;
    mayGive = Promise.resolve();
    ann = await visitors.visitor();
    await ann.goto(address());
    await ann.getByText('Your move.').waitFor();
  });
  afterEach(async () => {
    await ann.context().close();
    expect(visitors.faults()).toEqual([]);
  });

  const expire = () => time.forward(SECONDS * 1000);
  const sendButton = (page: Page) => page.getByRole('button', { name: /^Send / });

  async function choose(page: Page, from: string, to: string): Promise<void> {
    await page.locator(`[data-square="${from}"]`).click();
    await page.locator(`[data-square="${to}"]`).click();
    await sendButton(page).waitFor();
  }

  const benMoves = async (ply: number, move: string) => {
    // The token of the pair has lasted an hour of its own.
    must(await api.makeMove(pair.players.second, pair.game.id, ply, move));
  };

  test('goes on with a fresh token when the last one has expired, more than once', async () => {
    for (const [i, [from, to, answer]] of [
      ['e2', 'e4', 'e7e5'],
      ['g1', 'f3', 'b8c6'],
    ].entries()) {
      expire();
      await choose(ann, from!, to!);
      await sendButton(ann).click();
      await ann.getByText('You played').waitFor();
      await benMoves(2 * i + 2, answer!);
      await ann.getByText('Your move.').waitFor();
      expect(given).toBe(i + 2);
    }
  });

  test('sends the chosen move once its token is renewed, in time and late', async () => {
    await choose(ann, 'e2', 'e4');
    expire();
    let give = () => undefined as void;
    mayGive = new Promise<void>((resolve) => (give = resolve));
    await sendButton(ann).click();
    // Longer than the element waits.
    const over = ann.getByText('Your access to this game has ended.');
    await over.first().waitFor({ timeout: 20_000 });
    await ann.getByRole('button', { name: 'Send e4' }).waitFor();
    expect(must(await api.game(null, pair.game.id)).plyCount).toBe(0);
    expect(await over.count()).toBe(1);
    give();
    // Nothing needs to be pressed.
    await over.waitFor({ state: 'detached' });
    await ann.getByRole('button', { name: 'Send e4' }).click();
    await ann.getByText('You played e4.').waitFor();
    await benMoves(2, 'e7e5');
    await ann.getByText('Your move.').waitFor();
    await choose(ann, 'g1', 'f3');
    expire();
    await sendButton(ann).click();
    await ann.getByText('You played Nf3.').waitFor();
    expect(must(await api.game(null, pair.game.id)).plyCount).toBe(3);
  });

  test('two tabs show the same, and drop a move that was chosen on a position that is over', async () => {
    const other = await visitors.tab(ann);
    await other.goto(address());
    await other.getByText('Your move.').waitFor();
    await choose(ann, 'e2', 'e4');
    await choose(other, 'd2', 'd4');
    expire();
    await sendButton(ann).click();
    for (const tab of [ann, other]) await tab.getByText('You played e4.').waitFor();
    await sendButton(other).waitFor({ state: 'detached' });
    await benMoves(2, 'e7e5');
    for (const tab of [ann, other]) await tab.getByText('Your move.').waitFor();
    await choose(other, 'd2', 'd4');
    await sendButton(other).click();
    for (const tab of [ann, other]) await tab.getByText('You played d4.').waitFor();
    expect(must(await api.game(null, pair.game.id)).plyCount).toBe(3);
  });
});
