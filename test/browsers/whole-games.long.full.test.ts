import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { restApi } from '../support/api.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { random } from '../support/random-games.js';
import { FULL } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens browsers.

/** Rated games between two browsers to the change of the ratings, of one rule set by the day, of all in the full suite. */

const RULESETS = ['chess', 'half-court-chess', 'xiangqi', 'xiangqi-tournament', 'banqi-hongkong', 'banqi-taiwan', 'half-chess']; // prettier-ignore
const DAY_MS = 86_400_000;
const PLAYED = FULL ? RULESETS : [RULESETS[Math.floor(Date.now() / DAY_MS) % RULESETS.length]!];
/** A game that is not over by then is resigned. */
const MOST_PLIES = 40;
const MOVE_MS = 10_000;

inChromium('two browsers play to the end', () => {
  const pick = random(3);
  let server: TestServer;
  let browser: Browser;
  const visitors = visitorsOf(
    () => browser,
    () => [server.url],
  );

  beforeAll(async () => {
    server = await startServer();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    expect(visitors.faults()).toEqual([]);
  });

  async function playing({ authorization, refreshToken, username }: Person, id: string): Promise<Page> {
    const page = await visitors.visitor({ reducedMotion: 'reduce' });
    const session = { accessToken: authorization.slice('Bearer '.length), refreshToken, username };
    await page.addInitScript(
      `localStorage['halfmove-session'] ??= ${JSON.stringify(JSON.stringify(session))}`,
    );
    await page.goto(`${server.url}/games/${id}`);
    await page.getByRole('grid').waitFor();
    return page;
  }

  /** By mouse, or with the keyboard alone. */
  const touch = async (page: Page, selector: string, which: number, byKeyboard: boolean): Promise<void> => {
    const found = page.locator(selector).nth(which);
    if (!byKeyboard) return found.click();
    await found.focus();
    await page.keyboard.press('Enter');
  };

  /** Any legal move, chosen on the board. */
  async function move(page: Page, byKeyboard: boolean): Promise<void> {
    const movable = ':is([aria-label$="can move"], [aria-label$="can be turned up"])';
    const target = ':is([aria-label$="move here"], [aria-label$="capture here"])';
    await page.locator(`${movable}, button:text-is("Pass")`).first().waitFor();
    const count = await page.locator(movable).count();
    if (count === 0) await page.getByRole('button', { name: 'Pass', exact: true }).click();
    else {
      await touch(page, movable, pick(count), byKeyboard);
      const question = page.getByRole('group', { name: 'The move that you have chosen' });
      await page.locator(target).first().or(question).first().waitFor();
      if (!(await question.isVisible()))
        await touch(page, target, pick(await page.locator(target).count()), byKeyboard);
    }
    // The first button sends the move, or names one of several; it has the focus.
    const first = page.getByRole('group', { name: 'The move that you have chosen' }).locator('button:focus');
    await first.waitFor();
    if (byKeyboard) await page.keyboard.press('Enter');
    else await first.click();
  }

  async function played(id: string, plyCount: number): Promise<void> {
    for (const end = Date.now() + MOVE_MS; Date.now() < end; await pause(20))
      if (must(await restApi(server.http).game(null, id)).plyCount > plyCount) return;
    throw new Error(`No move was played after ply ${plyCount}.`);
  }

  test.each(PLAYED)('%s', async (ruleset) => {
    const api = restApi(server.http);
    const people = [await register(server.http, 'ann'), await register(server.http, 'ben')] as const;
    const terms = {
      ruleset,
      timeControl: NO_CLOCK,
      opponent: people[1].username,
      seat: 'first',
      rated: true,
    };
    const { id } = must(await api.createChallenge(people[0], terms));
    must(await api.acceptChallenge(people[1], id));
    const pages = [await playing(people[0], id), await playing(people[1], id)] as const;
    for (let ply = 1; ; ply += 1) {
      const { turn, plyCount, status } = must(await api.game(null, id));
      if (status !== 'active') break;
      const page = pages[turn === 'first' ? 0 : 1];
      await page.getByText('Your move.').waitFor();
      if (ply > MOST_PLIES) {
        // The act, and the answer to its question.
        for (let i = 0; i < 2; i += 1) await page.getByRole('button', { name: 'Resign' }).click();
        break;
      }
      await move(page, turn === 'first');
      await played(id, plyCount);
    }
    for (const page of pages) {
      await page
        .getByRole('status')
        .getByText(/(?:won|lost): .*\.|Draw: .*\./)
        .waitFor();
      expect(await page.getByText(/rating \d+, now \d+/).count()).toBe(2);
      await page.context().close();
    }
  });
});
