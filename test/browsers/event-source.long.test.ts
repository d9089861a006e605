import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { restApi } from '../support/api.js';
import { inChromium, launchChromium, type Site, startSite } from '../support/chromium.js';
import { register } from '../support/people.js';
import { begin } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** The page of docs/api.md that follows the events of its user, on a site of another origin. */
// Long: it opens a browser.

const [, PAGE] = /\n### EventSource\n[^]*?```js manual\n([^]*?)```/.exec(
  readFileSync('docs/api.md', 'utf8'),
)!;

inChromium('an EventSource', () => {
  let server: TestServer;
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    server = await sharedServer();
    [site, browser] = await Promise.all([startSite(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server.close();
  });

  it('with a ticket misses no event although it is disconnected', async () => {
    const api = restApi(server.http);
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    const { id } = await begin(api, ann, ben);
    const page = await browser.newPage();
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/me/events?')) statuses.push(response.status());
    });
    const heard: string[] = [];
    page.on('console', (message) => message.type() === 'log' && heard.push(message.text()));
    await page.goto(site.address());
    const opened = page.waitForResponse((response) => response.url().includes('/v1/me/events?'));
    const { authorization } = ann;
    const content = PAGE!.replace('http://localhost:3000', server.url).replace('Bearer ...', authorization);
    await page.addScriptTag({ content });
    await opened;
    // Until the page knows where its stream began, it has nothing to continue from.
    await page.waitForFunction('last');
    must(await api.sendMessage(ben, id, 'before'));
    server.http.closeAllConnections();
    must(await api.sendMessage(ben, id, 'meanwhile'));
    while (heard.length < 2) await page.waitForTimeout(20);
    expect(heard).toEqual(['messageSent', 'messageSent']);
    // The used ticket was refused, and a new one opened the stream again.
    expect(statuses).toEqual([200, 401, 200]);
    await page.close();
  });
});
