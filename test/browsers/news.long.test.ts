import { mkdirSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { Outbox } from '../../src/features/delivery/outbox.js';
import { NewsStore } from '../../src/features/news/news.store.js';
import { restApi } from '../support/api.js';
import { INSECURE, inChromium, launchChromium } from '../support/chromium.js';
import { OPEN_HOST } from '../support/hook-receiver.js';
import { type MailServer, openMailServer, secretsIn } from '../support/mail.js';
import { PASSWORD, type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import {
  type Browser as PushedTo,
  openPushService,
  type PushMessage,
  type PushService,
} from '../support/push-service.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens a browser.

/** The page of news: what has happened, and what one is told of it. */

const PICTURES = process.env['WEB_PICTURES'];
const ZONE = 'Asia/Hong_Kong';
const PATIENCE_MS = 15_000;
/**
 * Chromium has no push service here: what subscribes gets a subscription at the one of the test, which the browser keeps as
 * it would keep its own.
 */
const SUBSCRIBING = `{
  const KEY = 'kept-by-the-browser';
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const of = ({ endpoint, p256dh, auth, key }) => ({
    endpoint,
    options: { userVisibleOnly: true, applicationServerKey: bytes(key).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => { localStorage.removeItem(KEY); return true; },
  });
  const kept = () => JSON.parse(localStorage.getItem(KEY) ?? 'null');
  PushManager.prototype.getSubscription = async () => kept() && of(kept());
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey: key }) => {
    if (userVisibleOnly !== true) throw new Error('Every push must be seen.');
    localStorage.setItem(KEY, JSON.stringify({ ...(await subscribeInTest()), key }));
    return of(kept());
  };
}`;
const THREE_DAYS = { type: 'perMove', seconds: 3 * 86_400 };

inChromium('the page of news', () => {
  let mailServer: MailServer;
  let service: PushService;
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let ann: Person;
  let ben: Person;

  const insecure = () => origin.replace('localhost', INSECURE);
  const visitors = visitorsOf(
    () => browser,
    () => [origin, insecure()],
  );

  beforeAll(async () => {
    mailServer = await openMailServer();
    service = await openPushService();
    server = await startServer({ SMTP_URL: mailServer.url, OUTGOING_NETWORKS: `${OPEN_HOST}/32` });
    origin = server.url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost');
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await mailServer?.close();
    await service?.close();
  });
  beforeEach(async () => {
    page = await visitors.visitor({ timezoneId: ZONE });
    [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  });
  afterEach(async () => {
    expect(visitors.faults()).toEqual([]);
    await page.context().close();
  });

  const api = () => restApi(server.http);
  const heading = (level: number, name: string) =>
    page.getByRole('heading', { level, name, exact: true }).waitFor();
  const click = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const choose = (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).selectOption(value);

  async function look(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1440, 768, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
  }

  async function visit({ username }: Person, at = origin): Promise<void> {
    await page.goto(`${at}/sign-in`);
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await click('Sign in');
    await page.getByRole('link', { name: 'News', exact: true }).click();
    await heading(1, 'News');
  }

  test('tells what has happened as it happens, and what was read', async () => {
    await visit(ann);
    await page.getByText('Nothing has happened yet.').waitFor();
    await look('news-none');
    const game = await begin(api(), ann, ben, { timeControl: THREE_DAYS });
    await page
      .getByRole('link', { name: new RegExp(`^It is your turn against ${ben.username} until `) })
      .waitFor();
    await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
    must(await api().makeMove(ben, game.id, 2, 'e7e5', { offerDraw: true }));
    must(await api().sendMessage(ben, game.id, 'Hello', 'a'));
    must(
      await api().createChallenge(ben, {
        ruleset: 'xiangqi',
        opponent: ann.username,
        timeControl: THREE_DAYS,
      }),
    );
    const rows = page.getByRole('listitem');
    const challenge = page.getByRole('link', {
      name: `${ben.username} challenges you to a game.`,
    });
    await challenge.waitFor();
    await page.getByRole('link', { name: `${ben.username} offered a draw.` }).waitFor();
    await page.getByRole('link', { name: `${ben.username} has written to you.` }).waitFor();
    await look('news');
    const told = await rows.allInnerTexts();
    expect(told.every((text) => text.startsWith('Unread: '))).toBe(true);
    expect(told[0]).toContain('challenges you');
    await challenge.click();
    await heading(1, 'An invitation');
    await page.goBack();
    await page.getByText(`${told.length - 1} unread.`).waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.startsWith('Unread: '))).toEqual(
      told.map((_, i) => i > 0),
    );
    await click('Mark all as read');
    await page.getByText('You have read everything.').waitFor();
    expect((await rows.allInnerTexts()).some((text) => text.startsWith('Unread: '))).toBe(false);
    expect(must(await api().notifications(ann)).unreadCount).toBe(0);
    must(await api().resign(ben, game.id));
    await page
      .getByRole('link', { name: `Your game against ${ben.username} is over. You won: resignation.` })
      .click();
    await heading(1, `Chess: ${ann.username} against ${ben.username}`);
  });

  test('shows older news by a button', async () => {
    for (let i = 0; i < 12; i += 1) await begin(api(), ann, ben);
    await visit(ann);
    const rows = page.getByRole('listitem');
    await rows.nth(19).waitFor();
    expect(await rows.count()).toBe(20);
    await click('Older news');
    await page.getByRole('button', { name: 'Older news' }).waitFor({ state: 'detached' });
    const ids = must(await api().notifications(ann, { first: 100 })).edges.length;
    expect(await rows.count()).toBe(ids);
  });

  test('keeps what is chosen, and what was typed when it is refused or does not arrive', async () => {
    const before = must(await api().newsSettings(ann));
    await visit(ann);
    await heading(2, 'What you are told');
    await page.getByText('your account has no confirmed e-mail address').waitFor();
    await look('news-settings');
    expect(await page.getByLabel('Reminders, in hours before a deadline').inputValue()).toBe('24, 4');
    await choose('It is your turn: By mail', 'At once');
    await choose('Your time runs out: By mail', 'Never');
    expect(await page.getByLabel('Your time runs out: By mail').getByRole('option').allInnerTexts()).toEqual(['At once', 'Never']); // prettier-ignore
    await choose('What you want once a day comes at', '07:00');
    await choose('From', '22:00');
    await click('Take Asia/Hong Kong, as this browser has it');
    await page.getByLabel('Reminders, in hours before a deadline').fill('48, many');
    await click('Save');
    await page.getByText('“many” is no number of hours').waitFor();
    await look('news-refused');
    await page.getByLabel('Reminders, in hours before a deadline').fill('0.5, 48');
    await click('Save');
    await page.getByText('Choose both hours, or none for both.').waitFor();
    await choose('Until', '06:00');
    await page.route('**/v1/me/news', (route) => route.abort());
    await click('Save');
    await page.getByText('The server cannot be reached. Check your connection and try again.').waitFor();
    await page.unroute('**/v1/me/news');
    expect(must(await api().newsSettings(ann))).toEqual(before);
    await click('Save');
    await page.getByText('Saved.').waitFor();
    await look('news-saved');
    // What changed elsewhere meanwhile stays.
    must(await api().updateNewsSettings(ann, { mail: { offer: 'never' } }));
    await choose('Messages: By push', 'Never');
    const saving = page.waitForResponse('**/v1/me/news');
    await click('Save');
    await saving;
    expect(must(await api().newsSettings(ann))).toEqual({
      ...before,
      mail: { ...before.mail, yourTurn: 'atOnce', reminder: 'never', offer: 'never' },
      push: { ...before.push, message: 'never' },
      digestHour: 7,
      quietFrom: 22,
      quietUntil: 6,
      timeZone: ZONE,
      reminders: [48 * 3600, 1800],
    });
    await page.reload();
    await heading(2, 'What you are told');
    await page.getByLabel('Until', { exact: true }).waitFor();
    expect(await page.getByLabel('It is your turn: By mail').inputValue()).toBe('atOnce');
    expect(await page.getByLabel('Until', { exact: true }).inputValue()).toBe('6');
    expect(await page.getByLabel('Reminders, in hours before a deadline').inputValue()).toBe('48, 0.5');
    expect(await page.getByRole('button', { name: /as this browser has it/ }).count()).toBe(0);
    await choose('From', 'none');
    await choose('Until', 'none');
    await page.getByLabel('Reminders, in hours before a deadline').fill('');
    await click('Save');
    await page.getByText('Saved.').waitFor();
    expect(must(await api().newsSettings(ann))).toMatchObject({ quietFrom: null, quietUntil: null, reminders: [] }); // prettier-ignore
  });

  test('sends mail again to an address that was refused', async () => {
    const email = `${ann.username}@example.org`;
    must(await api().changeEmail(ann, email));
    await server.app.get(Outbox).send();
    must(await api().verifyEmail(null, secretsIn(await mailServer.next(email))[0]));
    await server.app.get(NewsStore).switchOff(ann.id, email, new Date());
    expect(must(await api().newsSettings(ann)).mailState).toBe('refused');
    await visit(ann);
    await page.getByText('there is no such mailbox').waitFor();
    await look('news-refused-mail');
    await click('Send mail there again');
    await page.getByText('Mail is sent to your address again.').waitFor();
    expect(must(await api().newsSettings(ann)).mailState).toBe('on');
  });

  describe('push', () => {
    let subscribed: PushedTo[];
    let cdp: CDPSession;
    let registrations: { readonly registrationId: string }[];

    beforeEach(async () => {
      subscribed = [];
      registrations = [];
      await page.context().close();
      page = await visitors.visitor({ permissions: ['notifications'] });
      await page.context().exposeFunction('subscribeInTest', () => {
        const one = service.browser();
        subscribed.push(one);
        return one.subscription;
      });
      await page.context().addInitScript(SUBSCRIBING);
      cdp = await page.context().newCDPSession(page);
      cdp.on('ServiceWorker.workerRegistrationUpdated', (event) =>
        registrations.push(...event.registrations),
      );
      await cdp.send('ServiceWorker.enable');
    });

    async function turnOn(): Promise<void> {
      await click('Turn push on');
      await page.getByText('This browser shows your news now.').waitFor();
      expect(await shown()).toEqual([]);
    }

    /** What has come to the push service for the last subscription, once it is what is waited for. */
    async function pushed(isIt: (message: PushMessage) => boolean): Promise<PushMessage> {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await page.waitForTimeout(50)) {
        const found = subscribed
          .at(-1)!
          .pushed.map(({ message }) => message)
          .find(isIt);
        if (found !== undefined) return found;
      }
      throw new Error(`It has not come, but ${JSON.stringify(subscribed.at(-1)!.pushed)}.`);
    }

    const inWorker = <T>(script: string): Promise<T> =>
      page.context().serviceWorkers().at(-1)!.evaluate<T>(script);

    /** Hands something to the service worker, as the browser does when it has come from its push service. */
    const deliver = (data: string) =>
      cdp.send('ServiceWorker.deliverPushMessage', {
        origin: `${origin}/`,
        registrationId: registrations.at(-1)!.registrationId,
        data,
      });

    interface Shown {
      readonly tag: string;
      readonly title: string;
      readonly body: string;
      readonly data: string;
      readonly timestamp: number;
    }
    /** Who asks while one is about to be shown makes Chromium forget it: what is being shown is waited for. */
    const shown = () =>
      inWorker<Shown[]>(`(async () => {
        if (globalThis.showing === undefined) {
          globalThis.showing = null;
          const show = registration.showNotification.bind(registration);
          registration.showNotification = (...what) => (showing = show(...what));
        }
        await showing;
        const all = await registration.getNotifications();
        return all.map(({ tag, title, body, data, timestamp }) => ({ tag, title, body, data, timestamp }));
      })()`);
    /** What the browser shows, once it is so. */
    async function untilShown(isSo: (all: readonly Shown[]) => boolean): Promise<readonly Shown[]> {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await page.waitForTimeout(50)) {
        const all = await shown();
        if (isSo(all)) return all;
      }
      throw new Error(`The browser shows ${JSON.stringify(await shown())}.`);
    }
    const untilNothingIsShown = () => untilShown((all) => all.length === 0);

    const browsersOf = async (person: Person) => must(await api().newsSettings(person)).pushSubscriptions;

    test('shows a turn in the browser where it is on, and takes it back when it is over', async () => {
      await visit(ann);
      await page.getByText('It is off in this browser.').waitFor();
      await turnOn();
      await page.getByText('It is on in this browser.').waitFor();
      await look('news-push-on');
      expect(await browsersOf(ann)).toMatchObject([
        { service: new URL(service.origin).host, isCurrent: false },
      ]);
      const game = await begin(api(), ann, ben, { timeControl: THREE_DAYS });
      const path = `/games/${game.id}`;
      const turn = await pushed(({ tag, body }) => tag === game.id && body?.includes('your turn') === true);
      expect(turn.path).toBe(path);
      await deliver(JSON.stringify(turn));
      await untilShown((all) => all.length === 1);
      expect(await shown()).toMatchObject([{ tag: game.id, title: turn.title, body: turn.body, data: path }]);
      await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
      const over = await pushed(({ tag, clear }) => tag === game.id && clear === true);
      await deliver(JSON.stringify(over));
      await untilNothingIsShown();

      await page.goto(`${origin}${path}`);
      await page.getByRole('grid').waitFor();
      await deliver(JSON.stringify({ ...turn, tag: 'seen' }));
      await deliver(JSON.stringify({ ...turn, tag: 'unseen', path: '/news' }));
      expect((await untilShown((all) => all.length > 0)).map(({ tag }) => tag)).toEqual(['unseen']);
    });

    test('shows something of whatever comes, leads to pages of ours only, and to the tab that has the page', async () => {
      await visit(ann);
      await turnOn();
      await page.getByRole('link', { name: 'Account', exact: true }).click();
      await heading(1, 'Your account');
      let before = 0;
      for (const data of [
        '',
        'no JSON',
        'null',
        '[]',
        '{"title":1,"path":"https://elsewhere.example/"}',
        '{"path":"//x"}',
        '{"path":"https://"}',
      ]) {
        await deliver(data);
        const [one, ...more] = await untilShown(
          ([newest]) => newest !== undefined && newest.timestamp > before,
        );
        expect([one, ...more]).toMatchObject([
          { tag: 'news', title: 'News of your games', body: '', data: '/news' },
        ]);
        before = one!.timestamp;
      }
      await deliver('{"tag":"news","clear":true}');
      await untilNothingIsShown();
      const [elsewhere, here] = ['/games/1', '/games'];
      for (const [i, path] of [elsewhere, here].entries()) {
        await deliver(JSON.stringify({ tag: path, title: 'Turn', path }));
        await untilShown((all) => all.length === i + 1);
      }
      // Without being loaded anew: the worker is told by the page.
      await page.getByRole('link', { name: 'Games' }).click();
      await heading(1, 'Your games');
      /** As a person clicks, which Chromium cannot be told to do; it lets nobody else open or focus a tab. */
      const clicked = (tag: string) =>
        inWorker(`(async () => {
          const [notification] = await registration.getNotifications({ tag: '${tag}' });
          const event = new NotificationEvent('notificationclick', { notification });
          return new Promise((resolve) => {
            event.waitUntil = (work) => work.catch((error) => resolve(String(error)));
            clients.openWindow = async (path) => resolve('opened ' + path);
            WindowClient.prototype.focus = async () => resolve('focused');
            dispatchEvent(event);
          });
        })()`);
      expect(await clicked(elsewhere)).toBe('opened /games/1');
      expect(await clicked(here)).toBe('focused');
      await untilNothingIsShown();
      for (const path of [here, '/account']) await deliver(JSON.stringify({ tag: `of ${path}`, path }));
      expect((await untilShown((all) => all.length > 0)).map(({ tag }) => tag)).toEqual(['of /account']);
    });

    test('goes on after a new sign-in of the same person, and ends for the next one', async () => {
      await visit(ann);
      await turnOn();
      const signOut = async () => {
        await click('Sign out');
        await heading(1, 'Games that take their time');
        await page.waitForFunction(`localStorage.getItem('kept-by-the-browser') === null`);
      };
      await signOut();
      expect(await browsersOf(ann)).toEqual([]);
      await visit(ann);
      await page.getByText('It is on in this browser.').waitFor();
      expect(await browsersOf(ann)).toHaveLength(1);
      await signOut();
      await page.goto(`${origin}/news`);
      await heading(1, 'Sign in');
      await page.getByLabel('Username').fill(ann.username);
      await page.getByLabel('Password').fill(PASSWORD);
      const saved = page.waitForResponse('**/v1/me/push-subscriptions');
      await click('Sign in');
      await heading(1, 'News');
      expect((await saved).status()).toBe(201);
      expect(await browsersOf(ann)).toHaveLength(1);
      expect(subscribed).toHaveLength(3);
      // The browser has taken another endpoint, or the server another key.
      await page.evaluate(`localStorage.setItem('kept-by-the-browser', JSON.stringify({
        ...JSON.parse(localStorage.getItem('kept-by-the-browser')), key: 'AAAA' }))`);
      await page.goto(`${origin}/news`);
      await page.getByText('It is on in this browser.').waitFor();
      await signOut();
      await visit(ben);
      await page.getByText('It is off in this browser.').waitFor();
      expect(await browsersOf(ben)).toEqual([]);
      expect(await page.evaluate(`localStorage.getItem('kept-by-the-browser')`)).toBeNull();
      await turnOn();
      await look('news-push-ben');
      await click('Turn push off');
      await page.getByText('This browser shows your news no more.').waitFor();
      expect(await browsersOf(ben)).toEqual([]);
      expect(await page.evaluate(`localStorage.getItem('kept-by-the-browser')`)).toBeNull();
    });

    test('says where it cannot be, and what to do', async () => {
      await page.context().close();
      // All are denied.
      page = await visitors.visitor({ permissions: [] });
      await visit(ann);
      await page.getByText('Allow them in the settings of the site').waitFor();
      await look('news-push-denied');
      await visit(ann, insecure());
      await page.getByText('its address does not begin with https://').waitFor();
      await look('news-push-insecure');
    });
  });

  test('a guest is asked to keep the account first, and a stranger to sign in', async () => {
    await page.goto(`${origin}/news`);
    await heading(1, 'Sign in');
    await page.goto(origin);
    await page.getByLabel('a friend, who gets a link').check();
    await click('Play as a guest');
    await page.getByLabel('Link', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'News' }).count()).toBe(0);
    await page.goto(`${origin}/news`);
    await heading(2, 'You play as a guest');
  });
});
