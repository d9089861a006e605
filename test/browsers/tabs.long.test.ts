import type { Browser, BrowserContext, Page } from 'playwright-core';
import type * as client from '../../packages/client/src/client.js';
import { Sessions } from '../../src/features/auth/sessions.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { INSECURE, inChromium, launchChromium, type Site, startSite } from '../support/chromium.js';
import { type DroppingProxy, startDroppingProxy } from '../support/dropping-proxy.js';
import { PASSWORD } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';

/** Tabs of one browser that share a stored session. */
// Long: it opens a browser.

const TABS = 3;
const A_DAY_MS = 86_400_000;
/** What a page has: the bundled client, and the one that `open` made with it. */
declare const halfmove: typeof client;
declare const tab: client.Halfmove;
declare const localStorage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};
declare const navigator: object;

inChromium('three tabs whose token runs out at once', () => {
  let server: TestServer;
  let time: StoppedTime;
  let proxy: DroppingProxy;
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    server = await sharedServer();
    time = stopTime(server.app);
    proxy = await startDroppingProxy(server.url);
    [site, browser] = await Promise.all([startSite(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([site?.close(), proxy?.close()]);
    await server.close();
  });

  /** A page with a client whose session is the stored one. */
  async function open(context: BrowserContext, host: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(site.address(host));
    await page.evaluate((url) => {
      const made = halfmove.createClient({
        url,
        backoffMs: 10,
        session: () => JSON.parse(localStorage.getItem('session') ?? 'null') as client.Tokens | null,
        onSession: (session) => localStorage.setItem('session', JSON.stringify(session)),
      });
      Object.assign(globalThis, { tab: made });
    }, proxy.url);
    return page;
  }

  const askedBy = (page: Page): Promise<string | null> =>
    page.evaluate(async () => (await tab.graphql(halfmove.operations.me)).me.username);

  const refreshTokens = (username: string) =>
    server.app.get(PrismaService).db.refreshToken.count({ where: { session: { user: { username } } } });

  it.each([
    ['with locks', 'localhost', true],
    ['without locks, which need a secure context', INSECURE, false],
  ])('stay signed in %s, also when answers are lost', async (_, host, hasLocks) => {
    const context = await browser.newContext();
    const renewals = jest.spyOn(server.app.get(Sessions), 'renew');
    const pages = await Promise.all(Array.from({ length: TABS }, () => open(context, host)));
    expect(await pages[0]!.evaluate(() => 'locks' in navigator)).toBe(hasLocks);
    const username = `tabs-${hasLocks}-${Date.now().toString(36)}`;
    await pages[0]!.evaluate((user) => tab.register(user), { username, password: PASSWORD });
    for (const page of pages.slice(1)) {
      await page.close();
      pages[pages.indexOf(page)] = await open(context, host);
    }
    for (const [round, lost] of [0, 1, 2].entries()) {
      time.forward(A_DAY_MS);
      renewals.mockClear();
      proxy.dropAnswersTo('mutation refresh', lost);
      expect(await Promise.all(pages.map(askedBy))).toEqual(pages.map(() => username));
      expect(proxy.left()).toBe(0);
      // Repeated on a slow machine, whose answer does not come in time.
      const used = new Set(renewals.mock.calls.map(([token]) => token));
      if (lost === 0 && hasLocks) expect(used.size).toBe(1);
      // The first one, and one for each round.
      expect(await refreshTokens(username)).toBe(round + 2);
    }
    renewals.mockRestore();
    await context.close();
  });
});
