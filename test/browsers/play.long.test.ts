import { mkdirSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { restApi } from '../support/api.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { PASSWORD, register } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens browsers.

/** Games between two browsers, from the first page to the end, by mouse and by keyboard. */

const PICTURES = process.env['WEB_PICTURES'];

inChromium('two browsers', () => {
  let server: TestServer;
  let browser: Browser;
  let origin: string;

  const visitors = visitorsOf(
    () => browser,
    () => [origin],
  );

  beforeAll(async () => {
    server = await startServer({ GUESTS_PER_HOUR: '1000', MAX_RUNNING_GAMES_OF_GUESTS: '100' });
    origin = server.url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost');
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    expect(visitors.faults()).toEqual([]);
  });

  const visitor = () => visitors.visitor({ permissions: ['clipboard-read', 'clipboard-write'] });

  async function look(page: Page, name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 320],
    ] as const) {
      // prettier-ignore
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  /** A guest's link for a friend, and the friend's acceptance. */
  async function begin(ruleset: string): Promise<readonly [Page, Page]> {
    const [one, other] = [await visitor(), await visitor()];
    await one.goto(origin);
    await one.getByLabel('Game', { exact: true }).selectOption(ruleset);
    await one.getByLabel('a friend, who gets a link').check();
    await one.getByRole('button', { name: 'Play as a guest' }).click();
    await look(one, `link-${ruleset}`);
    await other.goto(await one.getByLabel('Link', { exact: true }).inputValue());
    await look(other, `invitation-${ruleset}`);
    await other.reload();
    await other.getByRole('button', { name: 'Accept and play as a guest' }).click();
    for (const page of [one, other]) await page.getByRole('grid').waitFor();
    return [one, other];
  }

  /** Of two pages, the one whose player is to move, and the other. */
  async function inTurn(pages: readonly [Page, Page]): Promise<readonly [Page, Page]> {
    const isFirst = (page: Page) => page.getByText('Your move.').isVisible();
    for (;;) {
      if (await isFirst(pages[0])) return pages;
      if (await isFirst(pages[1])) return [pages[1], pages[0]];
      await pages[0].waitForTimeout(50);
    }
  }

  const square = (page: Page, name: string) => page.locator(`[data-square="${name}"]`);

  async function byMouse(page: Page, from: string, to: string): Promise<void> {
    await square(page, from).click();
    await square(page, to).click();
    await page.getByRole('button', { name: /^Send / }).click();
  }

  async function byKeyboard(page: Page, from: string, to: string): Promise<void> {
    for (const name of [from, to]) {
      await square(page, name).focus();
      await page.keyboard.press('Enter');
    }
    // The button that sends has the focus.
    await page.locator('button:focus', { hasText: 'Send' }).waitFor();
    await page.keyboard.press('Enter');
  }

  test('play chess to mate, one by mouse and one by keyboard', async () => {
    const pages = await begin('chess');
    const [white, black] = await inTurn(pages);
    await look(white, 'chess-start');
    const moves = [
      [white, 'f2', 'f3'],
      [black, 'e7', 'e5'],
      [white, 'g2', 'g4'],
      [black, 'd8', 'h4'],
    ] as const;
    for (const [page, from, to] of moves) {
      await page.getByText('Your move.').waitFor();
      await (page === white ? byMouse : byKeyboard)(page, from, to);
    }
    for (const page of pages)
      await page
        .getByRole('status')
        .getByText(/(won|lost): checkmate\./)
        .waitFor();
    await look(white, 'chess-mate');
    await white.getByRole('button', { name: 'Back', exact: true }).click();
    await white.getByText('After ply 3: g4').waitFor();
    expect(await square(white, 'd8').getAttribute('aria-label')).toBe('d8, black queen');
    await white.getByRole('button', { name: 'Newest' }).click();
    expect(await square(white, 'd8').getAttribute('aria-label')).toBe('d8, empty');
    await white.getByRole('button', { name: 'Rematch' }).click();
    await white.getByText('You offered a rematch.').waitFor();
    await black.getByText('Your opponent offered a rematch.').waitFor();
    const before = black.url();
    await black.getByRole('button', { name: 'Rematch' }).click();
    // Both go on with it, whoever took it.
    for (const page of [white, black]) await page.waitForURL((url) => url.href !== before);
    await black.getByText('Your move.').waitFor();
    await black.getByRole('link', { name: 'Games' }).click();
    await black.getByText(/(won|lost): checkmate\./).waitFor();
    await black.getByText('Your move.').waitFor();
    await look(black, 'games');
  });

  test('turn up pieces in Banqi, drag one, and are told what it was', async () => {
    const pages = await begin('banqi-taiwan');
    const [mover, other] = await inTurn(pages);
    await square(mover, 'a1').click();
    await mover.getByRole('button', { name: /^Send / }).click();
    for (const page of pages) await page.getByText(/It was a (red|black) \w+\./).waitFor();
    await look(other, 'banqi');
    await other.getByText('Your move.').waitFor();
    await other.getByLabel('Ask before a move is sent').uncheck();
    await square(other, 'd8').click();
    await mover.getByText('Your move.').waitFor();
    await mover.getByRole('button', { name: 'Resign' }).click();
    await mover.getByRole('button', { name: 'No' }).click();
    await mover.getByRole('button', { name: 'Resign' }).click();
    await mover.getByRole('button', { name: 'Resign' }).click();
    for (const page of pages)
      await page
        .getByRole('status')
        .getByText(/(won|lost): resignation\./)
        .waitFor();
  });

  test('see an offer and a pause, what was agreed on, and where to verify the game', async () => {
    const [one, other] = await begin('banqi-taiwan');
    await one.getByRole('button', { name: 'Offer a pause' }).click();
    await one.getByRole('status').getByText('You offered a pause.').waitFor();
    await other
      .getByRole('status')
      .getByText(/guest-\w+ offered a pause\./)
      .waitFor();
    await other.getByRole('button', { name: 'Accept the pause' }).click();
    for (const page of [one, other]) await page.getByText('The game is paused.').waitFor();
    await one.getByText('About this game').click();
    await one.getByText('Casual', { exact: true }).waitFor();
    await one.getByText('Time: 3 days for each move').waitFor();
    await one.getByText('Perpetual attack: a draw').waitFor();
    for (const name of ['Resign', 'Resign']) await other.getByRole('button', { name }).click();
    const asked = one.waitForEvent('download');
    await one.getByRole('link', { name: 'download its record' }).click();
    expect(JSON.parse(readFileSync(await (await asked).path(), 'utf8'))).toMatchObject({
      id: one.url().split('/').at(-1),
    });
    await look(one, 'about');
  });

  test('find each other by the list, and go on where they were after a reload', async () => {
    const [one, other] = [await visitor(), await visitor()];
    for (const page of [one, other]) {
      await page.goto(origin);
      await page.getByLabel('Game', { exact: true }).selectOption('xiangqi');
      await page.getByRole('button', { name: 'Play as a guest' }).click();
    }
    for (const page of [one, other]) await page.getByRole('grid').waitFor();
    const [red, black] = await inTurn([one, other]);
    await look(red, 'xiangqi');
    await square(red, 'h3').dragTo(square(red, 'e3'));
    await red.getByRole('button', { name: /^Send / }).click();
    await black.reload();
    await black.getByText('Your move.').waitFor();
    await byKeyboard(black, 'h10', 'g8');
    await red.getByText('Your move.').waitFor();
    await red.getByText('Moves', { exact: true }).click();
    expect(await red.locator('.moves li').count()).toBe(2);
  });

  test('take the game of somebody who waits', async () => {
    const [one, other] = [await visitor(), await visitor()];
    await one.goto(origin);
    await one.getByLabel('Game', { exact: true }).selectOption('half-court-chess');
    await one.getByRole('button', { name: 'Play as a guest' }).click();
    await one.getByText('You are on the list').waitFor();
    const asked: string[] = [];
    one.on('request', (request) => asked.push(request.url()));
    await one.waitForTimeout(4500);
    // It follows events, and at most opens the stream and reads the seek once.
    expect(asked.length).toBeLessThanOrEqual(2);
    await other.goto(origin);
    await look(other, 'lobby');
    await other.getByRole('button', { name: /^Play Half-Court Chess with guest-/ }).click();
    for (const page of [one, other]) await page.getByRole('grid').waitFor();
    await look(one, 'half-court-chess');
  });

  /** A guest who is signed in, with an open link for a friend. */
  async function linkOf(page: Page): Promise<string> {
    await page.goto(origin);
    await page.getByLabel('a friend, who gets a link').check();
    await page.getByRole('button', { name: /^Play/ }).click();
    return page.getByLabel('Link', { exact: true }).inputValue();
  }

  test('an open invitation is found again with its link, and taken back', async () => {
    const [one, other] = [await visitor(), await visitor()];
    const link = await linkOf(one);
    await one.getByRole('link', { name: 'Games', exact: true }).click();
    const waiting = one.getByRole('region', { name: 'Waiting for an opponent' });
    await look(one, 'own-invitations');
    await waiting.getByRole('link', { name: 'a friend, who gets this link' }).click();
    await one.getByText('This is your own invitation').waitFor();
    expect(await one.getByLabel('Link', { exact: true }).inputValue()).toBe(link);
    await one.getByRole('img', { name: 'QR code of the link' }).waitFor();
    expect(await one.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    await look(one, 'own-invitation');
    await one.goto(link);
    await one.getByText('This is your own invitation').waitFor();
    await one.getByRole('button', { name: 'Take it back' }).click();
    await one.getByText('Your invitation is no longer open.').waitFor();
    await other.goto(link);
    await other.getByText('This invitation is no longer open.').waitFor();
  });

  test('a seek is found again and taken back, also where it was made', async () => {
    const page = await visitor();
    await page.goto(origin);
    await page.getByLabel('Game', { exact: true }).selectOption('xiangqi-tournament');
    await page.getByRole('button', { name: 'Play as a guest' }).click();
    await page.getByRole('button', { name: 'Take it back' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByText('You are on the list').waitFor();
    await page.getByRole('link', { name: 'Games', exact: true }).click();
    const waiting = page.getByRole('region', { name: 'Waiting for an opponent' });
    await waiting.getByText('whoever comes next').waitFor();
    await waiting.getByRole('button', { name: 'Take it back' }).click();
    await waiting.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('You have no running game.').waitFor();
    expect(await waiting.count()).toBe(0);
  });

  test('invitations of others are accepted and declined', async () => {
    const api = restApi(server.http);
    const [ann, ben] = await Promise.all(['ann', 'ben'].map((name) => register(server.http, name)));
    const terms = { ruleset: 'chess', timeControl: { type: 'none' }, opponent: ben!.username, rated: false };
    for (const ruleset of ['chess', 'xiangqi']) must(await api.createChallenge(ann!, { ...terms, ruleset }));
    const page = await visitor();
    const { authorization, refreshToken, username } = ben!;
    const session = { accessToken: authorization.slice('Bearer '.length), refreshToken, username };
    await page.addInitScript(
      `localStorage['halfmove-session'] ??= ${JSON.stringify(JSON.stringify(session))}`,
    );
    await page.goto(`${origin}/games`);
    const incoming = page.getByRole('region', { name: 'Invitations to you' });
    await incoming.getByText(`casual, no limit, from ${ann!.username}`).first().waitFor();
    await look(page, 'incoming');
    await incoming.getByRole('button', { name: /^Decline: Xiangqi/ }).click();
    await incoming.getByText('Xiangqi').waitFor({ state: 'detached' });
    expect(await incoming.getByRole('listitem').count()).toBe(1);
    await incoming.getByRole('button', { name: /^Accept: Chess/ }).click();
    await page.getByRole('grid').waitFor();
  });

  test('a link that is not complete is told at once, and mended in the same tab', async () => {
    const [one, other] = [await visitor(), await visitor()];
    const link = await linkOf(one);
    await other.goto(link.slice(0, -3));
    await other.getByRole('alert').getByText('The link is not complete, or too old.').waitFor();
    await look(other, 'incomplete-link');
    await other.goto(link);
    await other.getByRole('button', { name: 'Accept and play as a guest' }).waitFor();
  });

  test('a game that does not exist is told once', async () => {
    const page = await visitor();
    const asked: string[] = [];
    // What only belongs to the page, such as its foot, may come late.
    page.on('request', (request) => request.url().includes('/v1/games/') && asked.push(request.url())); // prettier-ignore
    await page.goto(`${origin}/games/${randomUUID()}`);
    await page.getByRole('alert').getByText('No game has the id').waitFor();
    const count = asked.length;
    await page.waitForTimeout(4000);
    expect(asked).toHaveLength(count);
    expect(await page.getByText('Reading the game').count()).toBe(0);
  });

  test('a stranger watches, and may do nothing', async () => {
    const api = restApi(server.http);
    const [ann, ben] = await Promise.all(
      ['ann', 'ben'].map(async (name) => {
        const session = must(await api.register(null, { username: `${name}-${randomUUID().slice(0, 8)}`, password: PASSWORD })); // prettier-ignore
        return { authorization: `Bearer ${session.accessToken}`, username: session.user.username };
      }),
    );
    const terms = { ruleset: 'half-chess', timeControl: { type: 'none' }, opponent: ben!.username, seat: 'first' }; // prettier-ignore
    const challenge = must(await api.createChallenge(ann!, terms));
    const game = must(await api.acceptChallenge(ben!, challenge.id));
    const page = await visitor();
    await page.goto(`${origin}/games/${game.id}`);
    await page.getByText(`${ann!.username} is to move.`).waitFor();
    expect(await page.getByRole('button', { name: 'Resign' }).count()).toBe(0);
    must(await api.makeMove(ann!, game.id, 1, 'a1'));
    await page.getByText(new RegExp(`^${ann!.username} played`)).waitFor();
    await look(page, 'half-chess');
  });
});
