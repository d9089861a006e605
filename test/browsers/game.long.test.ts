import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { DealsStore } from '../../src/engine/deals.store.js';
import { deal } from '../../src/fairness/deal.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { Game } from '../support/api-types.js';
import { restApi } from '../support/api.js';
import { gameWithDeal, lie, seedsOf } from '../support/chosen-deals.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { endAllServers, startServerProcess } from '../support/server-process.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens browsers.

/** What the page of a game does beside moves: plans, messages, claims, a server that was away, and no leak. */

inChromium('the page of a game', () => {
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  let ann: Person;
  let ben: Person;
  const visitors = visitorsOf(
    () => browser,
    () => [origin],
  );

  beforeAll(async () => {
    server = await startServer();
    origin = server.url;
    browser = await launchChromium();
    [ann, ben] = await Promise.all(['ann', 'ben'].map((name) => register(server.http, name))) as [Person, Person]; // prettier-ignore
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await endAllServers();
  });
  afterEach(() => {
    expect(visitors.faults()).toEqual([]);
  });

  /** The page of a person who is signed in here. */
  async function signedIn({ authorization, refreshToken, username }: Person): Promise<Page> {
    const page = await visitors.visitor();
    const session = { accessToken: authorization.slice('Bearer '.length), refreshToken, username };
    await page.addInitScript(
      `localStorage['halfmove-session'] ??= ${JSON.stringify(JSON.stringify(session))}`,
    );
    return page;
  }

  /** A game of Ann, who moves first, and Ben, after these moves. */
  async function game(ruleset: string, moves: readonly string[] = []): Promise<Game> {
    const api = restApi(server.http);
    return playMoves(api, await begin(api, ann, ben, { ruleset }), moves, { first: ann, second: ben });
  }

  const placeOf = async (on: Locator) =>
    Object.values((await on.boundingBox())!).map((value) => Math.round(value));

  const square = (page: Page, name: string) => page.locator(`[data-square="${name}"]`);

  async function move(page: Page, from: string, to: string): Promise<void> {
    await square(page, from).click();
    await square(page, to).click();
  }

  test('a conditional move is made on the board, and played by itself', async () => {
    const api = restApi(server.http);
    const { id } = await game('chess', ['e2e4']);
    const page = await signedIn(ann);
    await page.goto(`${origin}/games/${id}`);
    await page.getByRole('button', { name: 'Conditional moves' }).click();
    await page.getByText('Play a move of your opponent.').waitFor();
    await square(page, 'e7').and(page.getByLabel('can move')).waitFor();
    await move(page, 'e7', 'e5');
    await page.getByText('After e5: play your answer.').waitFor();
    await square(page, 'g1').and(page.getByLabel('can move')).waitFor();
    await move(page, 'g1', 'f3');
    await page.getByText('After e7e5, play g1f3').waitFor();
    // And one that follows it.
    await square(page, 'b8').and(page.getByLabel('can move')).waitFor();
    await move(page, 'b8', 'c6');
    await square(page, 'f1').and(page.getByLabel('can move')).waitFor();
    await move(page, 'f1', 'b5');
    await page.getByText('After b8c6, play f1b5').waitFor();
    await page.getByRole('button', { name: 'Back to the game' }).click();
    must(await api.makeMove(ben, id, 2, 'e7e5'));
    await page.getByText('You played Nf3.').waitFor();
    must(await api.makeMove(ben, id, 4, 'b8c6'));
    await page.getByText('You played Bb5.').waitFor();
  });

  test('a plan of a game with face-down pieces names the piece that is turned up', async () => {
    const { id } = await game('banqi-taiwan', ['a1']);
    const page = await signedIn(ann);
    await page.goto(`${origin}/games/${id}`);
    await page.getByRole('button', { name: 'Conditional moves' }).click();
    await square(page, 'b1').and(page.getByLabel('can be turned up')).click();
    await page.getByRole('group', { name: 'Which piece' }).getByRole('button').first().click();
    await page.getByText(/^After b1.*play your answer\./).waitFor();
    await square(page, 'c1').and(page.getByLabel('can be turned up')).click();
    await page.getByText(/^After b1 \(\w\), play c1/).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText(/^After b1/).waitFor({ state: 'detached' });
  });

  test('players write to each other', async () => {
    const { id } = await game('xiangqi');
    const pages = [await signedIn(ann), await signedIn(ben)] as const;
    for (const page of pages) {
      await page.goto(`${origin}/games/${id}`);
      await page.getByText('Messages', { exact: true }).click();
      await page.getByText('No messages yet.').waitFor();
    }
    await pages[0].getByLabel('Your message').fill('Good luck!\n<b>祝好運</b>');
    await pages[0].getByRole('button', { name: 'Send', exact: true }).click();
    for (const page of pages) await page.getByRole('log').getByText('<b>祝好運</b>').waitFor();
    expect(await pages[0].getByLabel('Your message').inputValue()).toBe('');
  });

  test('a draw is claimed with the move that brings it', async () => {
    const shuffle = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
    const { id } = await game('chess', [...shuffle, ...shuffle.slice(0, 3)]);
    const page = await signedIn(ben);
    await page.goto(`${origin}/games/${id}`);
    await page.getByRole('button', { name: 'Claim a draw with f6g8' }).click();
    await page.getByRole('button', { name: 'Claim a draw with f6g8' }).click();
    await page.getByText('Draw: the position came three times.').waitFor();
  });

  test('one move is sent at a time, however fast the board is touched', async () => {
    const { id } = await game('chess');
    const page = await signedIn(ann);
    await page.goto(`${origin}/games/${id}`);
    await page.getByLabel('Ask before a move is sent').uncheck();
    let sent = 0;
    await page.route('**/moves', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return route.continue();
    });
    await move(page, 'e2', 'e4');
    await move(page, 'd2', 'd4');
    await page.getByText('You played e4.').waitFor();
    expect(sent).toBe(1);
    expect((await page.getByRole('alert').allTextContents()).join('')).toBe('');
  });

  test('a choice on a position that has changed, or after the end of the session, ends with a word', async () => {
    const api = restApi(server.http);
    const { id } = await game('chess');
    const page = await signedIn(ann);
    await page.goto(`${origin}/games/${id}`);
    await move(page, 'e2', 'e4');
    await page.getByRole('button', { name: 'Send e4' }).waitFor();
    // What does not change the position ends no choice.
    const offered = await fetch(`${origin}/v1/games/${id}/pause`, { method: 'POST', headers: { authorization: ben.authorization } }); // prettier-ignore
    expect(offered.status).toBe(200);
    await page.getByText('offered a pause.').waitFor();
    await page.getByRole('button', { name: 'Send e4' }).waitFor();
    must(await api.makeMove(ann, id, 1, 'd2d4'));
    await page.getByRole('alert').getByText('The game went on in the meantime.').waitFor();
    expect(await page.getByRole('button', { name: 'Send e4' }).count()).toBe(0);
    must(await api.makeMove(ben, id, 2, 'd7d5'));
    await page.getByText('Your move.').waitFor();
    await move(page, 'e2', 'e4');
    expect((await page.getByRole('alert').allTextContents()).join('')).toBe('');
    await page.getByRole('button', { name: 'Send e4' }).click();
    await page.getByText('You played e4.').waitFor();
    expect((await page.getByRole('alert').allTextContents()).join('')).toBe('');
    const other = await page.context().newPage();
    await other.goto(`${origin}/games/${id}`);
    await other.getByText('You played e4.').waitFor();
    await page.evaluate(`localStorage.removeItem('halfmove-session')`);
    await other.getByRole('alert').getByText('You have signed out in another tab.').waitFor();
  });

  /** The drawing follows the words. */
  const drawn = async (page: Page) => {
    await page.waitForTimeout(150);
    return page
      .locator('.paper use')
      .evaluateAll((all) => all.map((use) => String((use as { outerHTML?: string }).outerHTML)).sort());
  };

  test('a chosen move is seen on the board before it is sent, and nothing of what lies face-down', async () => {
    const { id } = await game('chess');
    const page = await signedIn(ann);
    await page.goto(`${origin}/games/${id}`);
    await page.getByText('Your move.').waitFor();
    await page.locator('.paper use').first().waitFor();
    const before = await drawn(page);
    await move(page, 'e2', 'e4');
    await page.getByRole('button', { name: 'Send e4' }).waitFor();
    const chosen = await drawn(page);
    expect(chosen.filter((piece) => !before.includes(piece))).toHaveLength(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send e4' }).waitFor({ state: 'detached' });
    expect(await drawn(page)).toEqual(before);
    const { id: hidden } = await game('banqi-taiwan');
    await page.goto(`${origin}/games/${hidden}`);
    await square(page, 'a1').and(page.getByLabel('can be turned up')).waitFor();
    await page.locator('.paper use').first().waitFor();
    const faceDown = await drawn(page);
    await square(page, 'a1').click();
    await page.getByRole('button', { name: /^Send/ }).waitFor();
    expect(await drawn(page)).toEqual(faceDown);
  });

  test('the server has drawn the board, which gives way to the one to play on and never moves', async () => {
    for (const [ruleset, moves] of [
      ['chess', ['e2e4']],
      ['xiangqi', []],
      ['banqi-taiwan', ['a1']],
    ] as const) {
      const { id } = await game(ruleset, moves);
      for (const width of [320, 1440]) {
        const page = await visitors.visitor({ viewport: { width, height: 800 } });
        let begin = (): void => undefined;
        const begun = new Promise<void>((resolve) => (begin = resolve));
        await page.route('**/assets/index-*.js', (route) => begun.then(() => route.continue()));
        const visit = async () => (await page.goto(`${origin}/games/${id}`, { waitUntil: 'commit' }))!.text();
        // A busy server sends the page without a board rather than late.
        while (!(await visit()).includes('shadowrootmode'));
        const drawn = page.getByRole('img', { name: /after ply 1|the start/ });
        await drawn.waitFor();
        // Nothing is painted before the styles are there, but the document can be measured.
        await page.waitForFunction("document.querySelector('link[rel=stylesheet]').sheet");
        const heading = await page.getByRole('heading', { level: 1 }).textContent();
        const title = await page.title();
        const before = await placeOf(drawn.locator('rect').first());
        // At no moment are both there, or neither.
        await page.evaluate(`
          const boards = () =>
            document.querySelectorAll('.paper svg:has(use)').length
            + [...document.querySelectorAll('main p')].filter((p) => p.shadowRoot?.querySelector('svg')).length;
          globalThis.seen = new Set();
          new MutationObserver(() => seen.add(boards() + ' ' + document.querySelector('h1').textContent))
            .observe(document, { childList: true, subtree: true, characterData: true });`);
        begin();
        await page.getByRole('grid').waitFor();
        await drawn.waitFor({ state: 'detached' });
        expect(await page.evaluate('[...seen]')).toEqual([`1 ${heading}`]);
        expect(await page.title()).toBe(title);
        expect(await placeOf(page.locator('.paper rect').first())).toEqual(before);
        await page.context().close();
      }
    }
  });

  test('a promotion marks its square while it asks for the piece', async () => {
    const moves = ['a2a4', 'b7b5', 'a4b5', 'a7a6', 'b5a6', 'c7c6', 'a6a7', 'h7h6'];
    const { id } = await game('chess', moves);
    const page = await signedIn(ann);
    await page.goto(`${origin}/games/${id}`);
    await page.getByText('Your move.').waitFor();
    await page.locator('.paper use').first().waitFor();
    const before = await drawn(page);
    await square(page, 'a7').click();
    expect(await square(page, 'b8').getAttribute('aria-label')).toBe('b8, black knight, capture here');
    await square(page, 'b8').click();
    await page.getByRole('button', { name: 'white queen' }).waitFor();
    const asked = await drawn(page);
    expect(before.length - asked.length).toBe(1);
    await page.getByRole('button', { name: 'white queen' }).click();
    await page.getByText(/^You played axb8=Q/).waitFor();
    await page.getByRole('button', { name: 'First' }).click();
    await page.getByText('At the start').waitFor();
    expect(await square(page, 'a2').getAttribute('aria-label')).toBe('a2, white pawn');
    await page.getByRole('button', { name: 'Forward' }).click();
    await page.getByText('After ply 1: a4').waitFor();
  });

  test.each([
    [320, 568],
    [360, 640],
  ])('at %d x %d pixels a tall board is seen with its question', async (width, height) => {
    const { id } = await game('banqi-taiwan');
    const page = await signedIn(ann);
    await page.setViewportSize({ width, height });
    await page.goto(`${origin}/games/${id}`);
    await square(page, 'a1').and(page.getByLabel('can be turned up')).click();
    const send = page.getByRole('button', { name: /^Send/ });
    await send.waitFor();
    const [board, status, button] = await Promise.all(
      [page.locator('.board'), page.locator('.turn'), send].map((each) => each.boundingBox()),
    );
    expect(board!.y).toBeGreaterThanOrEqual(0);
    expect(status!.y).toBeGreaterThanOrEqual(board!.y + board!.height);
    expect(button!.y + button!.height).toBeLessThanOrEqual(height);
  });

  test('the players are told that they have won or lost, and others who has', async () => {
    const { id } = await game('chess', ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
    const [one, two, other] = [await signedIn(ann), await signedIn(ben), await visitors.visitor()];
    for (const [page, words] of [
      [one, 'You lost: checkmate.'],
      [two, 'You won: checkmate.'],
      [other, `${ben.username} won: checkmate.`],
    ] as const) {
      await page.goto(`${origin}/games/${id}`);
      await page.getByRole('status').getByText(words).waitFor();
    }
  });

  test('a guest keeps the account in the middle of a game, and goes on', async () => {
    const page = await visitors.visitor();
    await page.goto(origin);
    await page.getByLabel('a friend, who gets a link').check();
    await page.getByRole('button', { name: 'Play as a guest' }).click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    const other = await visitors.visitor();
    await other.goto(link);
    await other.getByRole('button', { name: 'Accept and play as a guest' }).click();
    await page.getByRole('grid').waitFor();
    const address = page.url();
    await page.getByRole('link', { name: 'Account' }).click();
    const name = `kept-${randomUUID().slice(0, 8)}`;
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('Password').fill('a long enough phrase of mine');
    await page.getByRole('button', { name: 'Keep the account' }).click();
    await page.getByText(name).first().waitFor();
    await page.goto(address);
    await page.getByText(`${name} (you)`).waitFor();
    for (const each of [page, other]) {
      if (!(await each.getByText('Your move.').isVisible())) continue;
      await move(each, 'e2', 'e4');
      await each.getByRole('button', { name: 'Send e4' }).click();
      await each.getByText('You played e4.').waitFor();
      break;
    }
    for (const each of [page, other]) await each.getByText(/played e4\./).waitFor();
    await other.getByText(name).first().waitFor();
  });

  test('a server that was killed is found again, without a gap', async () => {
    const place: Place = await embeddedPlace('empty');
    const settings = { DATA_DIR: place.dataDir, GUESTS_PER_HOUR: '100' };
    const first = await startServerProcess(settings);
    const usual = origin;
    try {
      origin = first.url;
      const { port } = new URL(first.url);
      const one = await register(first.url, 'one');
      const two = await register(first.url, 'two');
      const api = restApi(first.url);
      const { id } = await begin(api, one, two);
      const page = await signedIn(two);
      await page.goto(`${first.url}/games/${id}`);
      await page.getByRole('grid').waitFor();
      await first.end('SIGKILL');
      // Another word if the stream was not open yet.
      const told = page.getByRole('alert').getByText(/The connection was lost|cannot be reached/);
      await told.waitFor();
      const again = await startServerProcess({ ...settings, PORT: port });
      must(await api.makeMove(one, id, 1, 'e2e4'));
      await page.getByText('played e4. Your move.').waitFor();
      await told.waitFor({ state: 'detached' });
      await move(page, 'e7', 'e5');
      await page.getByRole('button', { name: 'Send e5' }).click();
      await page.getByText('You played e5.').waitFor();
      await page.context().close();
      await again.end('SIGTERM');
    } finally {
      origin = usual;
      await place.remove();
    }
  });

  test('what the page holds tells nothing of what lies face-down', async () => {
    const api = restApi(server.http);
    const worlds = [];
    for (const wanted of ['a1=K b1=p c1=R', 'a1=K b1=p c1=n']) {
      const { game: dealt } = await gameWithDeal(server, { ann, ben }, api, 'banqi-taiwan', lie(wanted));
      const secret = await server.app.get(DealsStore).seed(dealt.id);
      const order = deal(rulesetById('banqi-taiwan')!, seedsOf(dealt, secret))!;
      for (const [i, turned] of ['a1', 'b1'].entries())
        must(await api.makeMove(i === 0 ? ann : ben, dealt.id, i + 1, turned));
      worlds.push({ ...(await heldBy(ann, dealt.id)), order });
    }
    const [one, other] = worlds as [(typeof worlds)[0], (typeof worlds)[0]];
    expect(one.order).not.toBe(other.order);
    expect(one.network).toEqual(other.network);
    expect(one.document).toBe(other.document);
    expect(one.storage).toBe(other.storage);
    for (const { order, heap } of worlds) {
      // The search would find it: this text holds what the server has dealt.
      expect(holdsDeal(`${heap} ${order}`, order)).toBe(true);
      expect(holdsDeal(heap, order)).toBe(false);
    }
  });

  /** All that differs between two games of the same moves: who and when they are, and what is random. */
  const without = (text: string, id: string): string =>
    text
      .replaceAll(id, 'ID')
      .replaceAll(/\b[0-9a-f]{32,64}\b/g, 'HASH')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d\d:\d\d\b/g, 'TIME')
      .replaceAll(/[A-Za-z0-9+/_-]{40,}={0,2}/g, 'RECEIPT')
      .replaceAll(/"(?:id|next|previous|seq|clientSeed|timeUsed|ofClient)":("?)[^",}]*\1/g, 'NUMBER');

  /** The longest runs of a deal that may stand anywhere by chance are shorter. */
  const RUN = 7;
  const holdsDeal = (text: string, order: string): boolean =>
    Array.from({ length: order.length - RUN }, (_, i) => order.slice(i, i + RUN)).some((run) =>
      text.includes(run),
    );

  /** What the page of a game has asked, shows, stores, and keeps in its memory. */
  async function heldBy(person: Person, id: string) {
    const page = await signedIn(person);
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/') && !response.url().includes('/events'))
        answers.push(response.text().then((text) => without(`${response.url()} ${text}`, id)));
    });
    await page.goto(`${origin}/games/${id}`);
    await page.getByText(/It was a black soldier\./).waitFor();
    await page.getByRole('button', { name: 'Resign' }).waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByText(/^After ply 1:/).waitFor();
    await page.locator('.paper [id^="pp-"]').waitFor({ state: 'detached' });
    const document = without(await page.locator('main').innerHTML(), id);
    // The receipt is kept when the code for it has come; the names are stored in no order.
    await page.waitForFunction(`localStorage.getItem('halfmove-proof ${origin} games')`);
    const entries = `Object.entries(each).map(([name, value]) => [name.replace('${id}', 'ID'), value]).sort()`;
    const stored = `JSON.stringify([localStorage, sessionStorage].map((each) => ${entries}))`;
    const storage = without(await page.evaluate(stored), id);
    const session = await page.context().newCDPSession(page);
    const parts: string[] = [];
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => parts.push(chunk));
    await session.send('HeapProfiler.takeHeapSnapshot');
    const heap = (JSON.parse(parts.join('')) as { strings: readonly string[] }).strings.join(' ');
    const network = (await Promise.all(answers)).sort();
    await page.context().close();
    return { network, document, storage, heap };
  }
});
