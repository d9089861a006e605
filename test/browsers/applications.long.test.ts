import { mkdirSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { ApplicationsService } from '../../src/features/applications/applications.service.js';
import { restApi } from '../support/api.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { PASSWORD, type Person, register } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { SITE, withToken } from '../support/sites.js';
import { stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens a browser.

/** The page of one's applications. */

const PICTURES = process.env['WEB_PICTURES'];
/** After so long the password is asked for again. */
const UNCONFIRMED_MS = 11 * 60_000;

inChromium('the page of applications', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let origin: string;

  const visitors = visitorsOf(
    () => browser,
    () => [origin],
  );

  async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    server = await startServer(settings);
    origin = server.url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost');
    page = await visitors.visitor({ permissions: ['clipboard-read', 'clipboard-write'] });
  }

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    expect(visitors.faults()).toEqual([]);
    await page.context().close();
    await server.close();
  });

  const heading = (level: number, name: string) =>
    page.getByRole('heading', { level, name, exact: true }).waitFor();
  const click = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

  const focusOn = (target: Locator) => target.and(page.locator(':focus')).waitFor();

  async function look(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1440, 768, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
  }

  async function visit(person: Person): Promise<void> {
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('Username').fill(person.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await click('Sign in');
    await page.getByRole('link', { name: 'your applications' }).click();
    await heading(2, 'Register an application');
  }

  async function give(name: string, url: string): Promise<void> {
    const form = page.getByRole('form', { name: 'Register an application' });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Address of the site').fill(url);
    await click('Register');
  }

  /** How the server of a site asks for its token. */
  async function askToken(id: string, secret: string): Promise<number> {
    const { status } = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return status;
  }

  async function shownSecret(): Promise<string> {
    return (await page.getByRole('group', { name: /^The new secret of/ }).getByRole('code').first().textContent())!; // prettier-ignore
  }

  test('a person registers an application, replaces its secret, shares it, changes it and deletes it', async () => {
    await open();
    const time = stopTime(server.app);
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    await visit(ann);
    await look('no-applications');
    time.forward(UNCONFIRMED_MS);
    await give('Springfield', 'ftp://chess.example.org');
    await page.getByText('url must be an address that begins with').waitFor();
    await focusOn(page.getByLabel('Address of the site'));
    await give('Springfield', SITE.url);
    await focusOn(page.getByLabel('Your password, to confirm that it is you'));
    await look('applications-confirm');
    await click('Not now');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Springfield');
    await click('Register');
    await focusOn(page.getByLabel('Your password, to confirm that it is you'));
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(2, 'Springfield');
    await focusOn(page.getByRole('group', { name: 'The new secret of Springfield' }));
    await look('applications-registered');
    const first = await shownSecret();
    await click('Copy the id');
    const id = await page.evaluate<string>('navigator.clipboard.readText()');
    await click('Copy the secret');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first);
    expect(await askToken(id, first)).toBe(200);
    const reference = await page.context().newPage();
    const link = page.getByRole('group', { name: 'The new secret of Springfield' }).getByRole('link');
    await reference.goto(`${origin}${await link.getAttribute('href')}`);
    await reference.locator('#operations-applications-clientToken.is-open').waitFor();
    // A page behind another one is drawn once a second.
    await reference.close();
    await page.getByRole('row', { name: 'Players 0 of 100,000' }).waitFor();

    await page.reload();
    await heading(2, 'Springfield');
    expect(await page.getByText(first).count()).toBe(0);
    time.forward(60_000);
    await click('Make a secret');
    await page.getByText('Copy the secret now').waitFor();
    const second = await shownSecret();
    expect([await askToken(id, first), await askToken(id, second)]).toEqual([200, 200]);
    const deletions = page.getByRole('button', { name: 'Delete the secret of Springfield' });
    expect(await deletions.count()).toBe(2);
    page.once('dialog', (dialog) => void dialog.dismiss());
    await deletions.last().click();
    expect(await askToken(id, first)).toBe(200);
    page.on('dialog', (dialog) => void dialog.accept());
    await deletions.last().click();
    await deletions.nth(1).waitFor({ state: 'detached' });
    expect([await askToken(id, first), await askToken(id, second)]).toEqual([401, 200]);

    await page.getByText('Add an owner', { exact: true }).click();
    await page.getByLabel('Username').fill('nobody-at-all');
    await click('Add the owner');
    await page.getByText('The user "nobody-at-all" was not found.').waitFor();
    await page.getByLabel('Username').fill(ben.username);
    await click('Add the owner');
    await page.getByText(ben.username).waitFor();
    await page.getByText(`${ann.username} (you)`).waitFor();

    await click('Sign out');
    await heading(1, 'Games that take their time');
    await visit(ben);
    await heading(2, 'Springfield');
    await page.getByText('Change them').click();
    const change = page.getByRole('form', { name: 'Change Springfield' });
    await change.getByLabel('Name').fill(' ');
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText('name must').waitFor();
    await change.getByLabel('Name').fill('Shelbyville');
    await change.getByLabel('Messages can be written').uncheck();
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await heading(2, 'Shelbyville');
    await page.getByRole('row', { name: 'Messages Cannot be written' }).waitFor();
    await look('applications-changed');
    const [shown] = must(await restApi(server.http).myApplications(ben));
    expect(shown).toMatchObject({ name: 'Shelbyville', url: `${SITE.url}/`, chat: false });

    await click(`Remove ${ann.username} from the owners of Shelbyville`);
    await page.getByText(ann.username).waitFor({ state: 'detached' });
    expect(must(await restApi(server.http).myApplications(ann))).toEqual([]);
    await click('Delete the application');
    await page.getByRole('heading', { name: 'Shelbyville' }).waitFor({ state: 'detached' });
    expect(await askToken(id, second)).toBe(401);
  });

  test('a person at the limit reads the refusal beside what was typed, with what is used and suspended', async () => {
    await open({ MAX_APPLICATIONS: '1', MAX_PLAYERS_OF_APPLICATION: '10' });
    const time = stopTime(server.app);
    const ann = await register(server.http, 'ann');
    const api = restApi(server.http);
    const name = 'W'.repeat(40);
    const { application, secret } = must(await api.createApplication(ann, { ...SITE, name }));
    const by = withToken(must(await api.createApplicationToken(null, application.id, secret)));
    must(await api.savePlayers(by, [{ externalId: 'a', displayName: 'Ann' }]));
    await server.app.get(ApplicationsService).suspend(application.id, true);
    await visit(ann);
    await heading(2, name);
    await page.getByText('has suspended it').waitFor();
    await page.getByRole('row', { name: 'Players 1 of 10' }).waitFor();
    time.forward(UNCONFIRMED_MS);
    await give('Another', SITE.url);
    await page.getByLabel('Your password, to confirm that it is you').fill(PASSWORD);
    await click('Confirm');
    await page
      .getByRole('alert')
      .getByText('You have 1 application, which is the limit. Delete one first.')
      .waitFor();
    expect(await page.getByLabel('Name', { exact: true }).last().inputValue()).toBe('Another');
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await look('applications-limit');
  });

  test('a server that takes no applications says so', async () => {
    await open({ MAX_APPLICATIONS: '0' });
    await visit(await register(server.http, 'ann'));
    await give('Springfield', SITE.url);
    await page.getByRole('alert').getByText('This server takes no applications.').waitFor();
    await look('applications-none');
    await page.getByRole('link', { name: 'reference' }).click();
    await page.getByText('Your applications, the one registered last first.').waitFor();
    // All of it is drawn, also what is out of sight, so that slow drawing moves nothing.
    await page.locator('#operations-tag-webhooks').waitFor();
  });

  test('a guest is asked to keep the account first, and a stranger to sign in', async () => {
    await open();
    await page.goto(`${origin}/account/applications`);
    await heading(1, 'Sign in');
    await page.goto(origin);
    await page.getByLabel('a friend, who gets a link').check();
    await click('Play as a guest');
    await page.getByLabel('Link', { exact: true }).waitFor();
    await page.goto(`${origin}/account/applications`);
    await heading(2, 'You play as a guest');
  });
});
