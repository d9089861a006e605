import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { inChromium, launchChromium } from '../support/chromium.js';
import { endAllServers, startServerProcess } from '../support/server-process.js';
import { visitorsOf } from '../support/visitors.js';
import { blocksOf } from './blocks.js';

/**
 * docs/integrate.md as its reader follows it: the commands that register a site, then each of its two servers, and three
 * people in the page of the site.
 */
// Long: it opens a browser, and starts programs.

const BLOCKS = blocksOf('docs/integrate.md');
const NAMES = ['HALFMOVE', 'APPLICATION_ID', 'APPLICATION_SECRET'];

test.each([
  ['html', 'page.html'],
  ['js', 'page.js'],
  ['json', 'match.json'],
])('the block %s is the file %s', (language, file) => {
  const shown = BLOCKS.filter((block) => block.language === language).map(({ text }) => text);
  expect(shown).toEqual([readFileSync(`examples/integrate/${file}`, 'utf8')]);
});

const commands = (flag?: string) =>
  BLOCKS.filter(({ language, flags }) => language === 'sh' && flags[0] === flag).map(({ text }) =>
    text.trim(),
  );

test('it shows two servers', () => {
  expect(commands('site')).toHaveLength(2);
});

type Environment = Readonly<Record<string, string>>;

/** What the reader has in the shell after the commands of the page. */
async function registered(url: string): Promise<Environment> {
  const script = [
    'set -euo pipefail',
    ...commands().map((text) => text.replaceAll('http://localhost:3000', url)),
    `printenv ${NAMES.join(' ')}`,
  ];
  const { stdout } = await promisify(execFile)('bash', ['-c', script.join('\n')]);
  // The recipes print before it.
  const values = stdout.trim().split('\n').slice(-NAMES.length);
  return Object.fromEntries(NAMES.map((name, i) => [name, values[i]!]));
}

// A contributor may lack them; CI has them.
const hasTools = ['bash', 'curl', 'jq', 'python3'].every((tool) => spawnSync(tool, ['--version']).status === 0); // prettier-ignore

const sites: ChildProcess[] = [];

/** Starts the server of the site; its address. */
async function startSite(command: string, env: Environment): Promise<{ process: ChildProcess; url: string }> {
  const process_ = spawn('bash', ['-c', `exec ${command}`], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  sites.push(process_);
  const [line] = (await Promise.race([once(process_.stdout, 'data'), once(process_, 'exit')])) as [Buffer];
  const url = /^(http:\/\/localhost:\d+)\/ to watch/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`The site did not start: ${String(line)}`);
  return { process: process_, url };
}

async function stop(site: ChildProcess): Promise<void> {
  const ended = once(site, 'exit');
  site.kill();
  await ended;
}

afterAll(async () => {
  for (const site of sites) site.kill('SIGKILL');
  await endAllServers();
});

async function move(page: Page, from: string, to: string, san: string): Promise<void> {
  await page.getByText('Your move.').waitFor();
  await page.locator(`[data-square="${from}"]`).click();
  await page.locator(`[data-square="${to}"]`).click();
  await page.getByRole('button', { name: `Send ${san}` }).click();
}

inChromium('the page of the site', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  (hasTools ? test : test.skip).each(commands('site'))(
    'two users play and others watch: %s',
    async (command) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'integrate-'));
      // The site asks for its next token when it has two seconds of a minute less.
      const halfmove = await startServerProcess({ DATA_DIR: dataDir, ACCESS_TOKEN_SECONDS: '62' });
      const env = await registered(halfmove.url);
      let site = await startSite(command, env);
      const visitors = visitorsOf(
        () => browser,
        () => [halfmove.url, site.url],
      );
      const [ann, ben, cid] = [await visitors.visitor(), await visitors.visitor(), await visitors.visitor()];
      const answer = await ann.goto(`${site.url}/ann`);
      const policy = answer!.headers()['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      await ben.goto(`${site.url}/ben`);
      await cid.goto(`${site.url}/`);
      await move(ann, 'f2', 'f3', 'f3');
      await move(ben, 'e7', 'e5', 'e5');
      await cid.getByText('Ben (Springfield Chess Club) played e5.').waitFor();
      // After a restart the site has the same game.
      await stop(site.process);
      site = await startSite(command, { ...env, PORT: new URL(site.url).port });
      await ann.reload();
      await move(ann, 'g2', 'g4', 'g4');
      await move(ben, 'd8', 'h4', 'Qh4#');
      for (const page of [ann, ben, cid]) await page.getByText(/checkmate/).first().waitFor(); // prettier-ignore
      expect(await cid.getByText('Your move.').count()).toBe(0);
      const nobody = await fetch(`${site.url}/token`, { method: 'POST' });
      const other = await fetch(`${site.url}/token`, { method: 'POST', headers: { cookie: 'user=cid' } });
      expect([nobody.status, other.status, (await fetch(`${site.url}/cid`)).status]).toEqual([401, 401, 404]);
      for (const page of [ann, ben, cid]) await page.context().close();
      expect(visitors.faults()).toEqual([]);
      await stop(site.process);
      await halfmove.end('SIGTERM');
    },
    120_000,
  );
});
