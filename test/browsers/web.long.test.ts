import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { restApi } from '../support/api.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { type MailServer, openMailServer, secretsIn } from '../support/mail.js';
import { bearer, PASSWORD, type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { newSite, pairOf } from '../support/sites.js';
import { must } from '../support/transport.js';
import { visitorsOf } from '../support/visitors.js';

// Long: it opens a browser.

/** The pages for people: signing up and in, recovery, the account, by mouse and keyboard, in both schemes. */

const NEW_PASSWORD = 'another horse and another battery';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where pictures go, to be looked at. */
const PICTURES = process.env['WEB_PICTURES'];
const WIDTHS = [320, 768, 1440];

inChromium('the pages', () => {
  let mailServer: MailServer;
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
    mailServer = await openMailServer();
    server = await startServer({
      SMTP_URL: mailServer.url,
      RECOVERIES_PER_HOUR: '1000',
      CONTACT: 'games@example.org',
      TERMS_URL: 'https://example.org/terms',
      PRIVACY_URL: 'https://example.org/privacy',
    });
    origin = server.url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost');
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await mailServer?.close();
  });
  beforeEach(async () => {
    page = await visitors.visitor();
    context = page.context();
  });
  afterEach(async () => {
    expect(visitors.faults()).toEqual([]);
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const newcomer = () => ({
    username: `ann-${randomUUID().slice(0, 8)}`,
    address: `ann-${randomUUID()}@example.org`,
  });

  async function signUp(): Promise<{ username: string; address: string }> {
    const one = newcomer();
    await page.goto(origin);
    await page.getByRole('link', { name: 'Create an account' }).first().click();
    await page.getByLabel('Username').fill(one.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('E-mail address (optional)').fill(one.address);
    await click('Create the account');
    await heading('Your account');
    return one;
  }

  /** Somebody with a rated game. */
  async function ratedPlayer(): Promise<Person> {
    const api = restApi(server.http);
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    const game = await begin(api, ann, ben, { rated: true });
    const { id } = await playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: ben });
    must(await api.resign(ben, id));
    return ann;
  }

  test('somebody signs up, confirms an address, forgets the password and gets back in', async () => {
    const { username, address } = await signUp();
    await page.getByText(`A link is on its way to ${address}`).waitFor();
    const [secret] = secretsIn(await mailServer.next(address));
    // What a program that scans mails opens changes nothing.
    await page.goto(`${origin}/verify-email#${secret}`);
    await heading('Confirm your e-mail address');
    expect(page.url()).toBe(`${origin}/verify-email`);
    const signedIn = bearer(must(await restApi(server.http).login(null, { username, password: PASSWORD })));
    expect(must(await restApi(server.http).myAccount(signedIn)).email).toBeNull();
    await click('Confirm this address');
    await page.getByText(`${address} is the e-mail address of your account now.`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading('Games that take their time');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByRole('link', { name: 'Forgotten the password?' }).click();
    await heading('Choose a new password');
    await page.getByLabel('Username or e-mail address').fill(address.toUpperCase());
    await click('Send a link');
    await page.getByText('a link is on its way there').waitFor();
    await mailServer.next(address).then(async (mail) => {
      expect(mail.subject).toBe('Choose a new password');
      await page.goto(`${origin}/recover#${secretsIn(mail)[0]}`);
    });
    await page.getByLabel('New password', { exact: true }).fill(username);
    await click('Set the password');
    await page.getByText('This password is too common or is based on one of your names.').waitFor();
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await click('Set the password');
    await heading('Your account');
    expect((await mailServer.next(address)).subject).toBe('Your password was changed');
    await page.getByText(`Your address is ${address}.`).waitFor();
  });

  test('a player of a site becomes a person by the link of the site, whoever is signed in here', async () => {
    const api = restApi(server.http);
    const site = await newSite(api, server.http);
    const { game } = await pairOf(api, site);
    const { url } = must(await api.createClaimLink(site.by, 'ann'));
    const { username: before } = await signUp();
    await page.goto(url.replace(/^https?:\/\/[^/]+/, origin));
    await heading('Keep your games');
    expect(page.url()).toBe(`${origin}/claim`);
    await page.getByText('You take over the account of Member ann, who plays at Springfield.').waitFor();
    await page.getByRole('note').getByText(`You are signed in here as ${before}.`).waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      if (PICTURES !== undefined)
        await page.screenshot({ path: `${PICTURES}/claim-${width}.png`, fullPage: true });
    }
    const username = `kept-${randomUUID().slice(0, 8)}`;
    await page.getByLabel('Username').fill('a');
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await click('Keep them');
    await page.locator('.fault').first().waitFor();
    await page.getByLabel('Username').fill(username);
    await click('Keep them');
    await heading('Your games');
    await page.locator(`a[href="/games/${game.id}"]`).first().waitFor();
    // The one before has signed out, and the link works no more.
    await page.goto(url.replace(/^https?:\/\/[^/]+/, origin));
    await page.getByRole('alert').getByText('The link is unknown, was already used').waitFor();
    expect(await page.getByLabel('Username').count()).toBe(0);
    await page.goto(`${origin}/account`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading('Games that take their time');
  });

  test('a link for another account says whose browser it is, and leaves no session behind', async () => {
    const other = await signUp();
    const [verifying] = secretsIn(await mailServer.next(other.address));
    must(await restApi(server.http).verifyEmail(null, verifying));
    must(await restApi(server.http).requestRecovery(null, other.username));
    const [secret] = secretsIn(await mailServer.next(other.address));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading('Games that take their time');
    const { username } = await signUp();
    await page.goto(`${origin}/recover#${secret}`);
    await page.getByRole('note').getByText(`You are signed in here as ${username}.`).waitFor();
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/recover-of-another.png` });
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await click('Set the password');
    await heading('Your account');
    await page.getByText(other.username).first().waitFor();
    const signedIn = bearer(must(await restApi(server.http).login(null, { username, password: PASSWORD })));
    expect(must(await restApi(server.http).mySessions(signedIn))).toHaveLength(1);
  });

  test('a wrong password is told where it was typed, and nothing that was typed is lost', async () => {
    const { username } = await signUp();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading('Games that take their time');
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill('not the right one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Wrong username or password.').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe(username);
    await page.context().setOffline(true);
    await click('Sign in');
    await page.getByText('The server cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByLabel('Password').fill(PASSWORD);
    await click('Sign in');
    await heading('Your account');
  });

  test('the account changes the password, ends sessions, makes and deletes a token', async () => {
    const { username } = await signUp();
    must(await restApi(server.http).login(null, { username, password: PASSWORD }));
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByRole('button', { name: /^End the session of an unnamed program/ }).click();
    await page
      .getByRole('button', { name: /^End the session of an unnamed program/ })
      .waitFor({ state: 'detached' });
    await page.getByText('Make a token').first().click();
    await page.getByLabel('Name', { exact: true }).fill('my bot');
    await page.getByLabel('Play your games').check();
    expect(await page.getByLabel('Act as an application').count()).toBe(0);
    await click('Make the token');
    const token = await page.getByText(/^hm_/).textContent();
    expect((await restApi(server.http).me({ authorization: `Bearer ${token}` })).refusal!.code).toBe(
      'INSUFFICIENT_SCOPE',
    );
    await page.getByRole('button', { name: 'Delete the token my bot' }).click();
    await page.getByRole('button', { name: 'Delete the token my bot' }).waitFor({ state: 'detached' });
    await page.getByLabel('Password until now').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await click('Change the password');
    await page.getByText('The password is changed.').waitFor();
    await page.getByLabel('Name for display').fill('Ann Lee');
    await click('Save the name');
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Password, to close the account').fill(NEW_PASSWORD);
    await click('Close my account for good');
    await heading('Games that take their time');
    expect((await restApi(server.http).login(null, { username, password: NEW_PASSWORD })).refusal!.code).toBe(
      'INVALID_CREDENTIALS',
    );
  });

  test('all is done by keyboard', async () => {
    const { username } = newcomer();
    await page.goto(`${origin}/sign-up`);
    await page.getByLabel('Username').waitFor();
    const order: string[] = [];
    for (let i = 0; i < 8; i += 1) {
      await page.keyboard.press('Tab');
      order.push(
        await page.evaluate<string>('document.activeElement.name || document.activeElement.textContent'),
      );
      if (order.at(-1) === 'username') await page.keyboard.type(username);
      if (order.at(-1) === 'password') await page.keyboard.type(PASSWORD);
    }
    expect(order).toEqual([
      'Halfmove',
      'Sign in',
      'Create an account',
      'username',
      'displayName',
      'password',
      'email',
      'terms of use',
    ]);
    await page.getByLabel('Password').focus();
    await page.keyboard.press('Enter');
    await heading('Your account');
    // A reader hears of the new page.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Your account');
  });

  test('a guest begins at once, and keeps the account', async () => {
    await page.goto(origin);
    await page.getByLabel('a friend, who gets a link').check();
    await click('Play as a guest');
    await page.getByText('Send this link to your friend.').waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'You play as a guest' }).waitFor();
    await page.getByText(/Others see you as guest-[a-z2-9]{7}\./).waitFor();
    await page.reload();
    const { username } = newcomer();
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill(PASSWORD);
    await click('Keep the account');
    await page.getByText('must not pass for a name of the server').waitFor();
    await page.getByLabel('Username').fill(username);
    await click('Keep the account');
    await page.getByText(`Your username is ${username}.`).waitFor();
    must(await restApi(server.http).login(null, { username, password: PASSWORD }));
  });

  test('two tabs agree on who is signed in', async () => {
    await signUp();
    const other = await context.newPage();
    await other.goto(`${origin}/account`);
    await other.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing at any width in the %s scheme',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      const look = async (name: string) => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
          if (PICTURES !== undefined) {
            mkdirSync(PICTURES, { recursive: true });
            await page.screenshot({
              path: `${PICTURES}/${name}-${colorScheme}-${width}.png`,
              fullPage: true,
            });
          }
          const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(`${AXE}; axe.run(document, { resultTypes: ['violations'] })`); // prettier-ignore
          expect(violations.map(({ id, nodes }) => [name, width, id, nodes.map(({ html }) => html)])).toEqual(
            [],
          );
        }
      };
      for (const path of [
        '',
        'sign-in',
        'sign-up',
        'recover',
        'recover#x',
        'verify-email#x',
        'verify-email',
        'claim#x',
        'claim',
      ]) {
        await page.goto(`${origin}/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText('Contact: games@example.org').waitFor();
        await look(path.replace('#x', '-by-link') || 'home');
        // The next address may differ by its hash alone.
        await page.goto('about:blank');
      }
      await page.goto(`${origin}/rules`);
      await page.getByRole('link', { name: 'Half Chess' }).waitFor();
      await look('rules');
      await page.goto(`${origin}/rules/banqi-taiwan`);
      await page.getByRole('heading', { name: 'How a game ends' }).waitFor();
      await look('rules-banqi-taiwan');
      await page.goto(`${origin}/players/${(await ratedPlayer()).username}`);
      await page.getByText('The values').click();
      await look('player');
      await page.goto(`${origin}/?ruleset=banqi-taiwan`);
      await page.getByText('More', { exact: true }).click();
      await page.getByLabel('Perpetual attack').waitFor();
      await look('new-game');
      await page.goto(origin);
      await page.getByLabel('a friend, who gets a link').check();
      await click('Play as a guest');
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      await look('link');
      await page.getByRole('link', { name: 'Account' }).click();
      await page.getByRole('heading', { name: 'You play as a guest' }).waitFor();
      await look('guest');
      const friend = must(await restApi(server.http).createGuest(null));
      await page.goto(link);
      await page.getByText('This is your own invitation').waitFor();
      await look('own-invitation');
      const terms = { ruleset: 'chess', timeControl: { none: {} } };
      await page.goto(must(await restApi(server.http).createChallenge(bearer(friend), terms)).url!);
      await page.getByText('invites you to a casual game of Chess').waitFor();
      await look('invitation');
      const [id, linkToken] = link.split('/challenges/')[1]!.split('#') as [string, string];
      must(await restApi(server.http).acceptChallenge(bearer(friend), id, { linkToken }));
      await page.goto(`${origin}/games/${id}`);
      await page.getByRole('grid').waitFor();
      await look('game');
      await page.getByRole('link', { name: 'Games' }).click();
      await page.getByText('against guest-').waitFor();
      await look('games');
      await page.getByRole('link', { name: 'Account' }).click();
      await page.getByText('Nobody can come back as').waitFor();
      await look('account-of-a-guest');
      page.once('dialog', (dialog) => void dialog.accept());
      await page.getByRole('button', { name: 'Sign out for good' }).click();
      await heading('Games that take their time');
      const { username } = await signUp();
      await page.getByText('Make a token').first().click();
      await page.getByText('A link is on its way').waitFor();
      await look('account');
      await page.getByRole('link', { name: 'your applications' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Springfield Chess Club');
      await page.getByLabel('Address of the site').fill('https://chess.example.org');
      await click('Register');
      await page.getByText('Copy the secret now').waitFor();
      await page.getByText('Add an owner', { exact: true }).click();
      await page.getByText('Change them').click();
      await look('applications');
      const ben = await register(server.http, 'ben');
      must(await restApi(server.http).createChallenge(ben, { ...terms, opponent: username }));
      await page.getByRole('link', { name: 'News' }).click();
      await page.getByText('challenges you to a game').waitFor();
      await page.getByLabel('Time zone of these hours').waitFor();
      await look('news');
      await page.goto(`${origin}/sign-in`);
      await click('Sign in');
      await page.getByLabel('Username').fill('nobody');
      await page.getByLabel('Password').fill('not the right one');
      await click('Sign in');
      await page.getByRole('alert').waitFor();
      await look('sign-in-refused');
    },
  );
});
