import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { restApi } from '../support/api.js';
import type { Game } from '../support/api-types.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { bearer, PASSWORD, type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { SITE } from '../support/sites.js';
import { must } from '../support/transport.js';

// Long: it opens a browser.

/** What docs/accessibility.md says of the pages and the elements, beside what the tests of the pages look at. */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = process.env['WEB_PICTURES'];
/** A window of 1280 x 1024 pixels, enlarged four times. */
const ENLARGED = { width: 320, height: 256 };
const ROOMY = { width: 1280, height: 1024 };
/** What a reader may set by WCAG 1.4.12. */
const SPACED = 'line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important'; // prettier-ignore
/** The element with the focus, also in a shadow root, as its name. */
const FOCUSED = `(() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent.trim() ?? at.textContent.trim();
})()`;
/** Texts that are cut off at the edge of what they stand in. */
const CUT_OFF = `[...document.querySelectorAll('main *, header *, footer *')]
  .filter((one) => getComputedStyle(one).overflow !== 'visible' && one.localName !== 'svg' && !one.matches('.wide, input, select, textarea, option'))
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.outerHTML.slice(0, 200))`;

inChromium('accessibility', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let site: Server;
  let html = '';
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    server = await startServer({ GUESTS_PER_HOUR: '1000', CONTACT: 'games@example.org' });
    origin = server.url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost');
    browser = await launchChromium();
    site = createServer((_, response) => {
      const script = `<script type="module" src="${origin}/embed/halfmove.js"></script>`;
      const head = `<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>A site</title>`;
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><html lang="en" style="background: Canvas">${head}${script}<main>${html}</main></html>`,
      );
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    await server?.close();
  });
  beforeEach(async () => {
    page = await (await browser.newContext({ viewport: ROOMY })).newPage();
  });
  afterEach(() => page.context().close());

  const siteAddress = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

  async function look(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  }

  const focused = () => page.evaluate<string>(FOCUSED);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Goes on by Tab until something has the focus. */
  async function tabTo(name: RegExp): Promise<void> {
    for (let i = 0; i < 40; i += 1) {
      if (name.test(await focused())) return;
      await press('Tab');
    }
    throw new Error(`Tab never comes to ${name}; it is on ${await focused()}.`);
  }
  /** Waits for the focus to come by itself. */
  async function focusOn(name: RegExp): Promise<void> {
    for (let i = 0; !name.test(await focused()); i += 1) {
      if (i > 100) throw new Error(`The focus is not on ${name}, but on ${await focused()}.`);
      await page.waitForTimeout(20);
    }
  }

  const newGame = (ruleset: string): Promise<Game> => begin(restApi(server.http), ann, ben, { ruleset });
  async function signIn({ username }: Person): Promise<void> {
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  }

  /** What axe finds, with the size of targets, which it leaves out by itself. */
  async function violations(): Promise<readonly (readonly [string, readonly string[]])[]> {
    const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      `${AXE}; axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })`,
    );
    return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }

  test('a visitor plays from the first page to a move by keyboard alone', async () => {
    await page.goto(origin);
    await page
      .getByLabel('Game', { exact: true })
      .getByText('Half-Court Chess')
      .waitFor({ state: 'attached' });
    await tabTo(/^Game$/);
    await page.keyboard.type('Half-Court');
    await tabTo(/^whoever comes next$/);
    await press('ArrowDown');
    expect(await focused()).toBe('a friend, who gets a link');
    await tabTo(/^More$/);
    await press('Enter');
    await tabTo(/^You play$/);
    await press('ArrowDown');
    await tabTo(/^Play as a guest$/);
    await press('Enter');
    // The form is gone, and with it the button.
    await focusOn(/^Play$/);
    await tabTo(/^Link$/);
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    const [id, linkToken] = link.split('/challenges/')[1]!.split('#') as [string, string];
    must(await restApi(server.http).acceptChallenge(ann, id, { linkToken }));
    await page.getByText('Your move.').waitFor();
    await focusOn(/^Half-Court Chess: guest-/);
    await tabTo(/^a1, /);
    await press('End', 'PageUp', 'ArrowRight', 'ArrowUp');
    expect(await focused()).toMatch(/^e5, /);
    await press('Home', 'PageDown', 'ArrowDown');
    expect(await focused()).toMatch(/^a1, /);
    await press('ArrowUp');
    expect(await focused()).toBe('a2, white pawn, can move');
    await press('Enter');
    const selected = page.getByRole('gridcell', { selected: true });
    expect(await selected.getAttribute('data-square')).toBe('a2');
    await press('Escape');
    expect(await selected.count()).toBe(0);
    await press('Enter', 'ArrowUp');
    expect(await focused()).toBe('a3, empty, move here');
    await press('Enter');
    await focusOn(/^Send a3$/);
    await press('Escape');
    await focusOn(/^a3, empty, move here$/);
    await press('Enter');
    await focusOn(/^Send a3$/);
    await press('Enter');
    await page.getByRole('status').getByText('You played a3.').waitFor();
    await focusOn(/^a3, white pawn$/);
    await tabTo(/^Resign$/);
    await press('Enter');
    await focusOn(/^No$/);
    await press('Enter');
    await focusOn(/^Resign$/);
    await tabTo(/^Conditional moves$/);
    await press('Enter');
    await focusOn(/^Conditional moves$/);
    await tabTo(/^Back to the game$/);
    await press('Enter');
    await focusOn(/^a\d, /);
  });

  test('the accessibility tree of a game says what is seen, before and after a move', async () => {
    const game = await newGame('half-court-chess');
    await signIn(ann);
    await page.goto(`${origin}/games/${game.id}`);
    await page.getByText('Your move.').waitFor();
    const lines = async () =>
      (await page.locator('main').ariaSnapshot()).split('\n').map((line) => line.trim());
    expect(await lines()).toEqual(
      expect.arrayContaining([
        `- 'heading "Half-Court Chess: ${ann.username} against ${ben.username}" [level=1]'`,
        '- grid "Board of Half-Court Chess":',
        '- gridcell "a4, black pawn"',
        '- gridcell "a3, empty"',
        '- gridcell "a2, white pawn, can move"',
        '- status: Your move.',
        '- group "What you may do":',
        '- button "Resign"',
        '- checkbox "Ask before a move is sent" [checked]',
      ]),
    );
    await page.getByRole('gridcell', { name: 'a2' }).press('Enter');
    expect(await lines()).toEqual(
      expect.arrayContaining([
        '- gridcell "a2, white pawn, can move" [selected]',
        '- gridcell "a3, empty, move here"',
      ]),
    );
    await page.getByRole('gridcell', { name: 'a3' }).press('Enter');
    expect(await lines()).toEqual(
      expect.arrayContaining(['- group "The move that you have chosen":', '- button "Send a3"']),
    );
    await page.getByRole('button', { name: 'Send a3' }).press('Enter');
    await page.getByText('You played a3.').waitFor();
    const after = await lines();
    expect(after).toEqual(
      expect.arrayContaining([
        '- gridcell "a3, white pawn"',
        '- gridcell "a2, empty"',
        `- status: You played a3. ${ben.username} is to move.`,
        '- group "Steps through the game":',
      ]),
    );
    expect(after.filter((line) => /can move|move here/.test(line))).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in the elements on a page of another origin in the %s scheme',
    async (theme) => {
      const game = await newGame('banqi-taiwan');
      const { id } = await playMoves(restApi(server.http), game, ['a1'], { first: ann, second: ben });
      const { accessToken } = must(await restApi(server.http).createGuest(null));
      const guest = bearer({ accessToken } as Parameters<typeof bearer>[0]);
      const challenge = must(await restApi(server.http).createChallenge(guest, { ruleset: 'chess', timeControl: { type: 'none' }, seat: 'first' })); // prettier-ignore
      const mine = must(await restApi(server.http).acceptChallenge(ann, challenge.id, { linkToken: challenge.linkToken })); // prettier-ignore
      html = `<h1>A site</h1><h2>My game</h2><halfmove-game game="${mine.id}" token="${accessToken}"></halfmove-game>
        <h2>Another</h2><halfmove-game game="${id}" lang="zh-Hant"></halfmove-game>
        <h2>A position</h2><halfmove-board ruleset="xiangqi"></halfmove-board>`;
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(siteAddress());
      await page.getByRole('grid').nth(2).waitFor();
      await page.getByRole('gridcell', { name: 'e2' }).first().press('Enter');
      await page.getByRole('gridcell', { name: 'e4' }).first().press('Enter');
      await page.getByRole('button', { name: 'Send e4' }).waitFor();
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await look(`other-origin-${theme}-${width}`);
        expect(await violations()).toEqual([]);
      }
      await page.keyboard.press('Enter');
      await page.getByText('You played e4.').waitFor();
      await focusOn(/^e4, white pawn$/);
    },
  );

  /** Every kind of page, of somebody who is signed in and has games, with what is there to wait for. */
  async function eachPage(visit: (name: string) => Promise<void>): Promise<void> {
    must(await restApi(server.http).createApplication(ann, SITE));
    const games = [await newGame('chess'), await newGame('xiangqi'), await newGame('banqi-taiwan')];
    await page.goto(origin);
    await page.getByLabel('a friend, who gets a link').check();
    for (const path of [
      '',
      'sign-in',
      'sign-up',
      'recover',
      'verify-email#x',
      'claim#x',
      'rules',
      'rules/xiangqi',
    ]) {
      await page.goto(`${origin}/${path}`);
      await page.getByText('Contact: games@example.org').waitFor();
      if (path.startsWith('rules')) await page.locator('main img').first().waitFor();
      await visit(path.replace(/\W/g, '-') || 'home');
      await page.goto('about:blank');
    }
    await page.goto(`${origin}/verify`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await visit('verify');
    await signIn(ann);
    await page.getByText('Make a token').first().click();
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
    await visit('account');
    await page.goto(`${origin}/account/applications`);
    await page.getByText('Copy the id').waitFor();
    await page.getByText('Add an owner', { exact: true }).click();
    await page.getByText('Change them').click();
    await visit('applications');
    await page.goto(`${origin}/news`);
    await page.getByText('It is your turn against').first().waitFor();
    await page.getByLabel('Time zone of these hours').waitFor();
    await visit('news');
    await page.goto(`${origin}/games`);
    await page.getByText('Your move.').first().waitFor();
    await visit('games');
    await page.goto(`${origin}/players/${ann.username}`);
    await page.getByRole('heading', { name: 'Ratings' }).waitFor();
    await visit('player');
    for (const { id, ruleset } of games) {
      await page.goto(`${origin}/games/${id}`);
      await page.getByRole('grid').waitFor();
      await visit(`game-${ruleset.id}`);
    }
  }

  test('every page fits a window enlarged four times, also with the text spaced, and squares stay large enough', async () => {
    await page.setViewportSize(ENLARGED);
    await eachPage(async (name) => {
      const widest = () => page.evaluate<number>('document.documentElement.scrollWidth');
      expect([name, await widest()]).toEqual([name, ENLARGED.width]);
      for (const box of await Promise.all(
        (await page.getByRole('gridcell').all()).slice(0, 1).map((cell) => cell.boundingBox()),
      )) {
        expect(box!.width).toBeGreaterThanOrEqual(24);
        expect(box!.height).toBeGreaterThanOrEqual(24);
      }
      await look(`enlarged-${name}`);
      await page.evaluate(`{
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('* { ${SPACED} } p { margin-bottom: 2em !important }');
        document.adoptedStyleSheets = [sheet];
      }`);
      expect([name, await widest()]).toEqual([name, ENLARGED.width]);
      expect(await page.evaluate(CUT_OFF)).toEqual([]);
      await look(`spaced-${name}`);
    });
  });

  test('the focus is seen in forced colours and with more contrast', async () => {
    const { id } = await newGame('chess');
    await signIn(ann);
    await page.goto(`${origin}/games/${id}`);
    await page.getByText('Your move.').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const more of [{ forcedColors: 'active' }, { contrast: 'more' }] as const) {
        await page.emulateMedia({ colorScheme, forcedColors: 'none', contrast: 'no-preference', ...more });
        const name = `${Object.keys(more)[0]!}-${colorScheme}`;
        await page.getByRole('gridcell', { name: 'e2' }).press('Enter');
        await press('ArrowUp', 'ArrowUp');
        await look(`${name}-selected`);
        await page.getByRole('gridcell', { name: 'e4' }).press('Enter');
        await focusOn(/^Send e4$/);
        await look(`${name}-chosen`);
        await press('Escape');
        await focusOn(/^e4, /);
        await press('Escape');
        for (const target of [
          page.getByRole('gridcell', { name: 'e4' }),
          page.getByRole('gridcell', { name: 'd4' }),
          page.getByRole('gridcell', { name: 'e2' }),
          page.getByRole('button', { name: 'Resign' }),
          page.getByRole('checkbox'),
          page.getByRole('link', { name: 'Games' }),
        ]) {
          const around = async () => {
            const { x, y, width, height } = (await target.boundingBox())!;
            return page.screenshot({ clip: { x: x - 6, y: y - 6, width: width + 12, height: height + 12 } });
          };
          await target.scrollIntoViewIfNeeded();
          await page.evaluate('document.activeElement.blur()');
          const before = await around();
          await target.focus();
          await press('Shift');
          expect(before.equals(await around())).toBe(false);
        }
      }
    }
  });
});
