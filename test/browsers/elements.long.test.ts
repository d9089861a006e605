import { once } from 'node:events';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { restApi } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { PASSWORD } from '../support/people.js';
import { newSite, pairOf, SITE } from '../support/sites.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens a browser.

/** The elements in pages of another origin, under the strictest policy that allows the server's script and its API. */

const PICTURES = process.env['WEB_PICTURES'];

inChromium('the elements in a page of another origin', () => {
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  let site: Server;
  let html: string;
  let page: Page;

  const visitors = visitorsOf(
    () => browser,
    () => [origin, siteOrigin()],
  );

  beforeAll(async () => {
    server = await startServer({ GUESTS_PER_HOUR: '1000' });
    origin = server.url.replace('[::1]', '127.0.0.1').replace('localhost', '127.0.0.1');
    browser = await launchChromium();
    const policy = [
      "default-src 'none'",
      `script-src ${origin} 'nonce-own'`,
      `connect-src ${origin}`,
      `frame-src ${origin}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
    site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy);
      response.end(`<!doctype html><html lang="en"><title>A site</title><main>${html}</main></html>`);
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    await server?.close();
  });
  beforeEach(async () => {
    page = await visitors.visitor();
  });
  afterEach(async () => {
    await page.context().close();
    expect(visitors.faults()).toEqual([]);
  });

  const siteOrigin = () => `http://localhost:${(site.address() as AddressInfo).port}`;
  const script = () => `<script type="module" src="${origin}/embed/halfmove.js"></script>`;

  async function open(content: string): Promise<void> {
    html = content;
    await page.goto(siteOrigin());
  }

  async function look(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const width of [320, 800, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${PICTURES}/${name}-${width}.png`, fullPage: true });
    }
  }

  interface Guest {
    readonly authorization: string;
    readonly accessToken: string;
    readonly refreshToken: string;
  }

  async function guest(): Promise<Guest> {
    const answer = await fetch(`${server.url}/v1/guests`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }); // prettier-ignore
    const { session } = (await answer.json()) as { session: { accessToken: string; refreshToken: string } };
    return { ...session, authorization: `Bearer ${session.accessToken}` };
  }

  /** A game of two guests; the first moves first. */
  async function game(ruleset: string): Promise<{ id: string; first: Guest; second: Guest }> {
    const api = restApi(server.http);
    const [first, second] = [await guest(), await guest()];
    const terms = { ruleset, timeControl: { type: 'perMove', seconds: 86_400 }, seat: 'first' };
    const { id: challenge, linkToken } = must(await api.createChallenge(first, terms));
    const { id } = must(await api.acceptChallenge(second, challenge, { linkToken }));
    return { id, first, second };
  }

  const square = (name: string) => page.locator(`halfmove-game [data-square="${name}"]`);

  test('a guest plays and others watch, and the page is told', async () => {
    const { id, first, second } = await game('chess');
    const heard = `<script nonce="own">
      window.heard = [];
      for (const name of ['halfmove-move', 'halfmove-end'])
        addEventListener(name, ({ type, detail }) => window.heard.push([type, detail.san ?? detail.outcome.reason]));
    </script>`;
    await open(
      `${script()}${heard}<halfmove-game game="${id}" token="${first.accessToken}"></halfmove-game>`,
    );
    await page.getByText('Your move.').waitFor();
    expect(await page.locator('halfmove-game').getAttribute('token')).toBeNull();
    await look('element-chess');
    await square('e2').click();
    await square('e4').click();
    await page.getByRole('button', { name: 'Send e4' }).click();
    await page.getByText('You played e4.').waitFor();
    const api = restApi(server.http);
    must(await api.makeMove(second, id, 2, 'e7e5'));
    await page.getByText('Your move.').waitFor();
    must(await api.resign(second, id));
    await page.getByText(/won: resignation\.$/).waitFor();
    const told = await page.evaluate('heard');
    expect(told).toEqual([['halfmove-move', 'e4'], ['halfmove-move', 'e5'], ['halfmove-end', 'resignation']]); // prettier-ignore
  });

  test('an expired token is asked for, and what was chosen stays', async () => {
    const { id, first } = await game('half-court-chess');
    await open(`${script()}<halfmove-game game="${id}" token="${first.accessToken}"></halfmove-game>`);
    await page.getByText('Your move.').waitFor();
    const from = await page
      .locator('halfmove-game [aria-label$="can move"]')
      .first()
      .getAttribute('data-square');
    await square(from!).click();
    await page.locator('halfmove-game [aria-label$="move here"]').first().click();
    await page.getByRole('button', { name: /^Send / }).waitFor();
    // The session is over, so that the next request is refused, and the page is asked.
    const ended = await fetch(`${server.url}/v1/me/sessions/current`, { method: 'DELETE', headers: { authorization: first.authorization } }); // prettier-ignore
    expect(ended.status).toBe(200);
    await page.evaluate(
      `addEventListener('halfmove-token', () => document.body.setAttribute('data-asked', 'yes'))`,
    );
    await page.getByRole('button', { name: /^Send / }).click();
    await page.locator('body[data-asked]').waitFor();
    await page.getByText('Your access to this game has ended.').first().waitFor({ timeout: 15_000 });
    await page.getByRole('button', { name: /^Send / }).waitFor();
  });

  test('a fresh token is taken, and the request goes on', async () => {
    const { id, first } = await game('chess');
    await open(
      `${script()}<halfmove-game game="${id}" token="${first.accessToken.slice(0, -4)}AAAA"></halfmove-game>`,
    );
    await page.evaluate(
      `addEventListener('halfmove-token', ({ target }) => target.setToken('${first.accessToken}'))`,
    );
    await page.getByText('Your move.').waitFor();
  });

  test('a game that was watched is played once there is a token', async () => {
    const { id, first, second } = await game('chess');
    await open(`${script()}<halfmove-game game="${id}"></halfmove-game>`);
    await page.getByText(/is to move\./).waitFor();
    await page.evaluate(`document.querySelector('halfmove-game').setToken('${first.accessToken}')`);
    await page.getByText('Your move.').waitFor();
    await page.evaluate(`document.querySelector('halfmove-game').setToken('${second.accessToken}')`);
    await page.getByRole('button', { name: 'Offer a pause' }).waitFor();
    await page.getByText('Your move.').waitFor({ state: 'detached' });
  });

  test('tokens that can do more than play are refused in words', async () => {
    const api = restApi(server.http);
    const { accessToken } = must(await api.register(null, { username: `ann-${randomUUID().slice(0, 8)}`, password: PASSWORD })); // prettier-ignore
    const id = randomUUID();
    await open(`${script()}
      <halfmove-game id="a" game="${id}" token="${accessToken}"></halfmove-game>
      <halfmove-game id="b" game="${id}" token="hm_abc"></halfmove-game>
      <halfmove-game id="c" game="${id}" token="abc"></halfmove-game>
      <halfmove-game id="d"></halfmove-game>`);
    for (const id of ['a', 'b'])
      await page.locator(`#${id}`).getByText('This is a personal token or the session of a person').waitFor();
    await page.locator('#c').getByText('What was given as token is none').waitFor();
    await page
      .locator('#d')
      .getByText('This element needs an attribute, as in <halfmove-game game="ID">')
      .waitFor();
  });

  test('the English words of the server are marked in an element in Chinese, its own are not', async () => {
    await open(`${script()}
      <halfmove-game lang="zh-Hant" game="${randomUUID()}"></halfmove-game>
      <halfmove-board lang="zh-Hans" ruleset="nothing"></halfmove-board>
      <halfmove-game id="own" lang="zh-Hant"></halfmove-game>`);
    for (const words of ['No game has the id', 'No rule set']) {
      const told = page.getByRole('alert').filter({ hasText: words });
      await told.waitFor();
      expect(await told.getAttribute('lang')).toBe('en');
    }
    const own = page.locator('#own').getByRole('alert');
    await own.waitFor();
    expect(await own.getAttribute('lang')).toBeNull();
  });

  test('players of one site see no name of it, watch the games of others with a word, and read where messages are off', async () => {
    const api = restApi(server.http);
    const club = await newSite(api, server.http);
    const { game: made, players } = await pairOf(api, club, {
      timeControl: { perMove: { seconds: 259_200 } },
    });
    must(await api.savePlayers(club.by, [{ externalId: 'cid', displayName: 'Member cid' }]));
    const cid = must(await api.createPlayerToken(club.by, 'cid')).token;
    must(await api.sendMessage(players.first, made.id, 'Good luck!'));
    must(await api.updateApplication(club.owner, club.id, { chat: false }));
    const tagOf = (token: string, lang = 'en') =>
      `${script()}<halfmove-game lang="${lang}" game="${made.id}" token="${token}"></halfmove-game>`;
    const ann = players.first.authorization.slice('Bearer '.length);
    const name = (text: string) => page.locator('halfmove-game strong').getByText(text, { exact: true });
    const watching = page.getByText('You are watching: others play this game.');

    await open(tagOf(ann));
    await name('Member ben').waitFor();
    // What is left of three days when they have just begun.
    await page.getByText('(in 3 days)').waitFor();
    expect(await watching.count()).toBe(0);
    await page.getByText('Messages', { exact: true }).click();
    await page.getByText('Good luck!').waitFor();
    await page.getByText('Messages cannot be sent in this game now.').waitFor();
    expect(await page.getByLabel('Your message').count()).toBe(0);
    await look('element-of-a-player');

    await open(tagOf(cid));
    await name('Member ben').waitFor();
    await watching.waitFor();
    await look('element-watched');

    await open(tagOf(ann, 'zh-Hant'));
    await page.getByText('訊息', { exact: true }).click();
    await page.getByText('現在不能在這局中傳送訊息。').waitFor();
    await look('element-of-a-player-zh');

    // Elsewhere the name tells through whom they play.
    await open(`${script()}<halfmove-game game="${made.id}"></halfmove-game>`);
    await name(`Member ben (${SITE.name})`).waitFor();
    expect(await watching.count()).toBe(0);
    await open(tagOf((await guest()).accessToken));
    await name(`Member ben (${SITE.name})`).waitFor();
    await watching.waitFor();

    must(await api.updateApplication(club.owner, club.id, { chat: true }));
    await open(tagOf(ann));
    await page.getByText('Messages', { exact: true }).click();
    await page.getByLabel('Your message').waitFor();
  });

  test('a game says that it waits for the seed of a player, and begins with it', async () => {
    const api = restApi(server.http);
    const club = await newSite(api, server.http);
    const seed = newSeed();
    const clientSeedHash = createHash('sha256').update(seed).digest('hex');
    const first = { externalId: 'ann', clientSeedHash };
    const { game: made, players } = await pairOf(api, club, { first, ruleset: 'banqi-taiwan' });
    const token = players.first.authorization.slice('Bearer '.length);
    await open(`${script()}<halfmove-game game="${made.id}" token="${token}"></halfmove-game>`);
    await page.getByText('The game waits for the seed of a player.').waitFor();
    await look('element-waits');
    must(await api.giveClientSeed(players.first, made.id, seed));
    await page.getByText('Your move.').waitFor();
  });

  test('boards of all rule sets stand on one page, in other languages and themes', async () => {
    const rulesets = ['chess', 'half-court-chess', 'xiangqi', 'xiangqi-tournament', 'banqi-hongkong', 'banqi-taiwan', 'half-chess']; // prettier-ignore
    const boards = rulesets.map((id) => `<halfmove-board ruleset="${id}"></halfmove-board>`).join('');
    await open(`${script()}${boards}
      <halfmove-board ruleset="xiangqi" pieces="western" orientation="second" theme="dark" lang="zh-Hant"
        fen="rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b" last-move="h3e3"></halfmove-board>
      <halfmove-board ruleset="nothing"></halfmove-board><halfmove-board></halfmove-board>
      <halfmove-board ruleset="chess" fen="8/8/8/8"></halfmove-board>`);
    await page.getByRole('grid').nth(7).waitFor();
    expect(await page.getByRole('grid').count()).toBe(8);
    await page.getByText(/No rule set/).waitFor();
    await page.getByText('This element needs an attribute, as in <halfmove-board ruleset="chess">').waitFor();
    await page.getByText('This is no position of the game: 8/8/8/8').waitFor();
    await page.getByRole('gridcell', { name: 'e1, red general' }).first().waitFor();
    await page.getByRole('grid', { name: '象棋棋盤' }).waitFor();
    await page.getByRole('gridcell', { name: 'e1、紅帥' }).waitFor();
    await look('element-boards');
  });

  test('a frame shows the game live, reads no storage, and offers no act', async () => {
    const { id, first } = await game('banqi-taiwan');
    await page.addInitScript(`globalThis.asked = []; Storage.prototype.getItem = (key) => { asked.push(key); return null; }`); // prettier-ignore
    await open(
      `<iframe src="${origin}/embed/games/${id}?theme=dark" title="A game" width="480" height="720"></iframe>`,
    );
    const frame = page.frameLocator('iframe');
    await frame.getByText('is to move.').waitFor();
    must(await restApi(server.http).makeMove(first, id, 1, 'a1'));
    await frame.getByText(/played .*It was a (red|black) \w+\./).waitFor();
    await look('element-frame');
    expect(await frame.getByRole('button', { name: 'Resign' }).count()).toBe(0);
    const asked = await page.frames()[1]!.evaluate('asked');
    expect(asked).toEqual([]);
  });

  test('the file of this moment has its digest', async () => {
    const { src, integrity } = (await (await fetch(`${server.url}/embed/integrity.json`)).json()) as { src: string; integrity: string }; // prettier-ignore
    const { headers } = await fetch(`${server.url}${src}`);
    expect(headers.get('cache-control')).toContain('immutable');
    await open(`<script type="module" crossorigin src="${origin}${src}" integrity="${integrity}"></script><halfmove-board ruleset="chess"></halfmove-board>`); // prettier-ignore
    await page.getByRole('grid').waitFor();
  });
});
