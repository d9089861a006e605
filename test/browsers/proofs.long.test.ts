import type { Browser, Page } from 'playwright-core';
import type * as client from '../../packages/client/src/client.js';
import { LogService } from '../../src/features/transparency/log.service.js';
import { restApi } from '../support/api.js';
import { INSECURE, inChromium, launchChromium, type Site, startSite } from '../support/chromium.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** What a browser keeps of a game, and how it checks it. */
// Long: it opens a browser.

declare const halfmove: typeof client;
declare const tab: client.Halfmove;
declare const localStorage: { getItem(key: string): string | null };

inChromium('a browser', () => {
  let server: TestServer;
  let site: Site;
  let browser: Browser;
  let ben: Person;

  beforeAll(async () => {
    server = await startServer();
    [site, browser] = await Promise.all([startSite(), launchChromium()]);
    ben = await register(server.http, 'ben');
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server.close();
  });

  const api = () => restApi(server.http);
  const pictured = (page: Page, name: string) =>
    process.env['WEB_PICTURES'] === undefined
      ? null
      : page.screenshot({ path: `${process.env['WEB_PICTURES']}/${name}.png`, fullPage: true });

  it.each([
    ['with WebCrypto', 'localhost'],
    ['without, as pages on plain http are', INSECURE],
  ])('keeps and checks a game that it has opened %s', async (_, host) => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(site.address(host));
    expect(await page.evaluate(() => crypto.subtle === undefined)).toBe(host === INSECURE);
    const username = `ann-${host.length}-${Date.now().toString(36)}`;
    const id = await page.evaluate(
      async ([url, user, opponent]) => {
        const made = halfmove.createClient({ url: url! });
        Object.assign(globalThis, { tab: made });
        await made.register({ username: user!, password: 'a long phrase of a test' });
        const input = {
          ruleset: 'half-chess',
          opponent: { username: opponent! },
          timeControl: { none: {} },
        } as const;
        return (await made.graphql(halfmove.operations.createChallenge, { input })).createChallenge.challenge
          .id;
      },
      [server.url, username, ben.username],
    );
    must(await api().acceptChallenge(ben, id));
    await page.evaluate((gameId) => tab.graphql(halfmove.operations.abort, { input: { gameId } }), id);
    await server.app.get(LogService).append();
    const { verdict, findings } = await page.evaluate((gameId) => tab.verify(gameId), id);
    expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
    expect(verdict).toBe('holds');
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    expect(kept).toContain('outcome aborted nobody');
    await page.context().close();
  });

  it('checks a finished game on its page with what it has kept while it watched', async () => {
    const ann = await register(server.http, 'ann');
    const game = await begin(api(), ann, ben);
    const page = await (await browser.newContext()).newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    const at = `/games/${game.id}`;
    const held = () =>
      page.evaluate((name) => localStorage.getItem(name), `halfmove-proof ${server.url} ${game.id}`);
    await page.goto(server.url + at);
    for (let tries = 0; tries < 200 && (await held()) === null; tries++) await page.waitForTimeout(50);
    await playMoves(api(), game, ['e2e4', 'e7e5'], { first: ann, second: ben });
    must(await api().resign(ann, game.id));
    await server.app.get(LogService).append();
    for (let tries = 0; tries < 200 && !(await held())!.includes('outcome resignation'); tries++)
      await page.waitForTimeout(50);
    await page.goto(server.url + at);
    await page.getByText('About this game').click();
    await page.getByRole('link', { name: 'Check this game' }).click();
    await page.getByText('All checks passed.').waitFor();
    expect(await page.locator('#held').textContent()).toMatch(
      /^This browser has kept \d receipts? of this game\./,
    );
    expect(await page.locator('#findings .bad').count()).toBe(0);
    await pictured(page, 'verify-game');
    await page.goto(`${server.url}/verify?game=00000000-0000-7000-8000-000000000000`);
    await page.getByText(/^The game could not be verified: No game has the id/).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
