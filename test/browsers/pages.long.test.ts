import { mkdirSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import readQrCode from 'jsqr';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { rulesets } from '../../src/rules/registry.js';
import { restApi } from '../support/api.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { PASSWORD, type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens a browser.

/** The pages around the games: players, rules, the terms of a new game, and the QR code of a link. */

const PICTURES = process.env['WEB_PICTURES'];

inChromium('the pages around the games', () => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let origin: string;

  const visitors = visitorsOf(
    () => browser,
    () => [origin],
  );

  beforeAll(async () => {
    server = await startServer({ GUESTS_PER_HOUR: '1000' });
    origin = server.url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost');
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    page = await visitors.visitor();
    context = page.context();
  });
  afterEach(async () => {
    expect(visitors.faults()).toEqual([]);
    await context.close();
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();

  async function look(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        // Pictures that are read when they come into view.
        await page.evaluate('for (const one of document.images) one.loading = "eager"');
        // A page that follows events is never quiet.
        await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined);
        await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  async function signIn(person: Person): Promise<void> {
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('Username').fill(person.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await click('Sign in');
    await heading('Your account');
  }

  test('a player has a page with ratings over time and the games, by filters', async () => {
    const api = restApi(server.http);
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    const players = { first: ann, second: ben };
    for (let i = 0; i < 4; i += 1) {
      const game = await begin(api, ann, ben, { rated: true });
      const over = await playMoves(api, game, ['e2e4', 'e7e5'], players);
      must(await api.resign(i === 1 ? ann : ben, over.id));
    }
    for (let i = 0; i < 22; i += 1) {
      const game = await begin(api, ann, ben, { ruleset: 'xiangqi' });
      must(await api.resign(ben, (await playMoves(api, game, ['h3e3', 'h10g8'], players)).id));
    }
    await page.goto(`${origin}/players/${ann.username}`);
    await heading(ann.username);
    await page.getByRole('row', { name: /^Chess \d+\? \d+ 4 3 0 1$/ }).waitFor();
    await page.getByRole('img', { name: /^The rating of ann-\w+ in Chess: \d+ on .*, \d+ on .*, give or take \d+\.$/ }).waitFor(); // prettier-ignore
    await page.getByText('The values').click();
    expect(await page.getByLabel('Table of the values').getByRole('row').count()).toBe(5);
    const rows = page.locator('section[aria-labelledby=history] li');
    await rows.nth(19).waitFor();
    expect(await rows.count()).toBe(20);
    await look('player');
    await context.setOffline(true);
    await click('More');
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await context.setOffline(false);
    await click('More');
    await rows.nth(25).waitFor();
    await page.getByLabel('Rated', { exact: true }).selectOption('rated');
    await page.getByLabel('Result').selectOption('lost');
    await page.getByLabel('Opponent').fill(ben.username);
    await click('Show these games');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.getByText(`${ben.username} won: resignation.`).waitFor();
    await page.getByLabel('Opponent').fill('nobody-at-all');
    await click('Show these games');
    await page.getByText('The user "nobody-at-all" was not found.').waitFor();
    expect(await rows.count()).toBe(1);
    await rows.getByRole('link', { name: ben.username }).click();
    await heading(ben.username);
    await rows.first().getByRole('link', { name: 'Xiangqi' }).click();
    await page.getByRole('grid').waitFor();
    expect(page.url()).toMatch(/\/games\/[-\w]{36}$/);
  });

  test('a player who does not exist is told', async () => {
    await page.goto(`${origin}/players/nobody-at-all`);
    await page.getByRole('alert').getByText('The user "nobody-at-all" was not found.').waitFor();
  });

  test('the lobby leads to the player who waits', async () => {
    const ann = await register(server.http, 'ann');
    must(await restApi(server.http).createSeek(ann, { ruleset: 'chess', timeControl: { type: 'none' } }));
    await page.goto(origin);
    await page.getByRole('link', { name: ann.username }).click();
    await heading(ann.username);
    await page.getByText('No rated game yet.').waitFor();
    await page.getByText('There is no such game.').waitFor();
    await look('player-without-games');
  });

  test('every game has its rules, from which it is begun', async () => {
    await page.goto(origin);
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await heading('Rules of the games');
    await page.getByRole('link', { name: 'Half Chess' }).waitFor();
    await page.getByRole('heading', { name: 'In the diagrams' }).waitFor();
    await page.getByRole('cell', { name: 'it may castle with this rook' }).waitFor();
    await look('rules');
    for (const { id } of rulesets()) {
      await page.goto(`${origin}/rules/${id}`);
      await page.getByRole('heading', { name: 'How a game ends' }).waitFor();
      await page.evaluate('for (const one of document.images) one.loading = "eager"');
      await page.waitForLoadState('networkidle');
      const pictures = await page.evaluate<number[]>('[...document.images].map((one) => one.naturalWidth)');
      expect(pictures.length).toBeGreaterThan(4);
      expect(pictures).not.toContain(0);
      expect(await page.getByText(/How moves are written|^Legal|undefined|\[object/).count()).toBe(0);
      await look(`rules-${id}`);
    }
    await page.getByRole('link', { name: 'Play it now' }).click();
    await heading('Games that take their time');
    await page.getByRole('option', { name: 'Chess', exact: true }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Game', { exact: true }).inputValue()).toBe(rulesets().at(-1)!.id);
    await page.goto(`${origin}/rules/xiangqi-tournament`);
    await page.getByRole('link', { name: 'Xiangqi', exact: true }).first().click();
    await heading('Xiangqi, Chinese chess');
    await page.getByRole('link', { name: 'marks of the diagrams' }).click();
    await heading('Rules of the games');
    await page.goto(`${origin}/rules/draughts`);
    await page.getByRole('alert').getByText('There is no game at this address.').waitFor();
  });

  test('the form offers the options of the game, and keeps them when the server refuses', async () => {
    await page.goto(`${origin}/?ruleset=banqi-taiwan`);
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('You play').selectOption('second');
    await page.getByLabel('Cannons capture next to them').check();
    await page.getByLabel('Perpetual attack').selectOption('forbidden: the attacker loses');
    await page.getByLabel('Plies without progress until a draw').fill('5');
    await page.getByLabel('Guests may join').uncheck();
    await look('new-game');
    await page.getByText('More', { exact: true }).click();
    await click('Play as a guest');
    await page.getByText('quietLimit must be').waitFor();
    expect(await page.getByLabel('Plies without progress until a draw').inputValue()).toBe('5');
    expect(await page.getByLabel('Perpetual attack').inputValue()).toBe('forbidden');
    expect(await page.getByLabel('Cannons capture next to them').isChecked()).toBe(true);
    await look('new-game-refused');
    await page.getByLabel('Plies without progress until a draw').fill('80');
    const answer = page.waitForResponse((response) => response.url().endsWith('/v1/seeks'));
    await click('Play');
    const { challenge } = (await (await answer).json()) as { challenge: object };
    expect(challenge).toMatchObject({
      seat: 'second',
      rated: false,
      personsOnly: true,
      options: {
        darkCaptures: false,
        multipleCaptures: false,
        slidingChariots: false,
        perpetualAttack: 'forbidden',
        quietLimit: 80,
        adjacentCannons: true,
      },
    });
    await page.getByText('You are on the list').waitFor();
  });

  test('a rated game may be for opponents of some ratings only', async () => {
    await signIn(await register(server.http, 'ann'));
    await page.goto(origin);
    await page.getByText('More', { exact: true }).click();
    expect(await page.getByLabel('Lowest').count()).toBe(0);
    await page.getByLabel('Rated').check();
    expect(await page.getByLabel('Guests may join').count()).toBe(0);
    await page.getByLabel('Lowest').fill('1600');
    await page.getByLabel('Highest').fill('1400');
    await click('Play');
    await page.getByText('must not be lower than').waitFor();
    expect(await page.getByLabel('Lowest').inputValue()).toBe('1600');
    await look('new-game-rated');
    await page.getByLabel('Highest').fill('1800');
    const answer = page.waitForResponse((response) => response.url().endsWith('/v1/seeks'));
    await click('Play');
    const { challenge } = (await (await answer).json()) as { challenge: object };
    expect(challenge).toMatchObject({
      rated: true,
      personsOnly: false,
      ratingRange: { min: 1600, max: 1800 },
    });
    await page.getByText('You are on the list').waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'the QR code of a link is read in the %s scheme',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(origin);
      await page.getByLabel('a friend, who gets a link').check();
      await click('Play as a guest');
      const code = page.getByRole('img', { name: 'QR code of the link' });
      await code.waitFor();
      expect(textOf(await code.screenshot())).toBe(
        await page.getByLabel('Link', { exact: true }).inputValue(),
      );
      if (colorScheme === 'light') await look('link');
    },
  );
});

/** What a QR code on a picture says. */
function textOf(png: Buffer): string | undefined {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
  const { pixels } = new Resvg(svg).render();
  return readQrCode.default(new Uint8ClampedArray(pixels), width, height)?.data;
}
