import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build, type Plugin } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { blocksOf } from '../docs/blocks.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { type ClientUser, registerClient } from '../support/clients.js';
import { PASSWORD } from '../support/people.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import { operations } from '../../packages/client/src/client.js';
import { codegen, relay } from '../../packages/client/src/settings.js';
import type { Seen } from './seen.js';

/**
 * The clients of others play a game each to mate, in pages of another origin, while their tokens run out and the server
 * is restarted. Their modules are those of docs/start.md. Their packages have a lockfile of their own: npm ci --prefix
 * test/tools.
 */
// Long: it waits in real time.

const TOOLS = 'test/tools';
const MADE = `${TOOLS}/.cache`;
const PAGES = ['apollo', 'fetch', 'relay', 'rest', 'urql'] as const;
type Tool = (typeof PAGES)[number];

const TOKEN_SECONDS = 30;
const EXPIRIES = 3;
/** So long thinks the second player: the game lasts longer than three tokens. */
const THINKING_MS = 7000;
const RESTART_MS = 50_000;
const HALF_AN_HOUR_MS = 1_800_000;

/** Morphy against the Duke of Brunswick and Count Isouard, Paris 1858. */
const GAME =
  'e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 ' +
  'Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#';
const SANS = GAME.split(' ');

/** The modules of docs/start.md, for a server at this address. */
function writeModules(url: string): void {
  rmSync(MADE, { recursive: true, force: true });
  mkdirSync(`${MADE}/relay`, { recursive: true });
  for (const { flags, text } of blocksOf('docs/start.md')) {
    const name = flags.includes('tools') && /^\/\/ (\S+)/.exec(text)?.[1];
    if (name) writeFileSync(join(MADE, name), text.replaceAll('localhost:3000', new URL(url).host));
  }
}

const tool = (name: string, ...args: readonly string[]) =>
  execFileSync(join('node_modules/.bin', name), args, { cwd: TOOLS, stdio: 'pipe', encoding: 'utf8' });

const writeJson = (name: string, content: object) =>
  writeFileSync(join(MADE, name), JSON.stringify(content, null, 2));

/** Makes what the generators make, and checks the types of all pages. */
function generate(): void {
  const schema = '../../schema.graphql';
  const preset = { preset: 'client', config: { ...codegen, useTypeImports: true } };
  writeJson('codegen.json', {
    schema,
    documents: ['pages/apollo.ts'],
    generates: { '.cache/codegen/': preset },
  });
  const sources = { src: './pages', schema, excludes: ['**/*.ts'] };
  writeJson('relay.json', {
    ...sources,
    ...relay,
    artifactDirectory: './.cache/relay',
    language: 'typescript',
    eagerEsModules: true,
  });
  const steps = [
    () => tool('openapi-typescript', '../../openapi.json', '--output', '.cache/rest.ts'),
    () => tool('gql-tada', 'generate', 'output'),
    () => tool('graphql-codegen', '--config', '.cache/codegen.json'),
    () => tool('relay-compiler', '.cache/relay.json'),
    () => tool('tsc', '--project', '.'),
  ];
  for (const run of steps) {
    try {
      run();
    } catch (error) {
      const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
      throw new Error([message, stdout, stderr].join('\n'));
    }
  }
}

/** As Relay's plugin for Babel does: in place of each text, what the compiler has made of it. */
const relayTexts: Plugin = {
  name: 'relay',
  setup({ onLoad }) {
    onLoad({ filter: /relay\.tsx$/ }, ({ path }) => ({
      loader: 'tsx',
      contents: readFileSync(path, 'utf8').replaceAll(
        /graphql`\s*(?:query|mutation|subscription|fragment) (\w+)[^`]*`/g,
        'require("../.cache/relay/$1.graphql").default',
      ),
    }));
  },
};

const bundle = async (name: Tool, url: string): Promise<string> => {
  const entry = `${TOOLS}/pages/${name}.${name === 'relay' ? 'tsx' : 'ts'}`;
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { URL_OF_API: JSON.stringify(url) },
    plugins: [relayTexts],
  });
  return outputFiles[0]!.text;
};

async function freePort(): Promise<number> {
  const probe = createTcpServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** What the pages have as globals; see pages/side.ts. */
declare const begin: (path: string, user: object) => Promise<void>;
declare const authorized: (url: string, init: object) => Promise<unknown>;
declare const playGame: (gameId: string, moves: readonly string[]) => Promise<Seen>;
declare const movesLoaded: number;

interface Counts {
  readonly seen: Seen;
  readonly opponentSaw: number;
  readonly log: readonly string[];
  readonly refreshes: number;
  readonly connections: number;
  readonly warnings: readonly string[];
}

const isInstalled = existsSync(`${TOOLS}/node_modules/.package-lock.json`);

inChromium(`the tools of others${isInstalled ? '' : ' (skipped: they are not installed)'}`, () => {
  let folder: string;
  let port: number;
  let server: ServerProcess;
  let site: Server;
  let browser: Browser;

  const start = () =>
    startServerProcess({
      PORT: `${port}`,
      DATA_DIR: folder,
      ACCESS_TOKEN_SECONDS: `${TOKEN_SECONDS}`,
    });

  beforeAll(async () => {
    if (!isInstalled) return;
    folder = mkdtempSync(join(tmpdir(), 'halfmove-tools-'));
    port = await freePort();
    const url = `http://localhost:${port}`;
    writeModules(url);
    generate();
    const scripts = new Map<string, string>();
    for (const name of PAGES) scripts.set(`/${name}`, await bundle(name, url));
    site = createServer((request, response) => {
      const script = scripts.get(request.url!)?.replaceAll('</script', '<\\/script') ?? '';
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>A site</title><body><script>${script}</script>`);
    }).listen(0, '127.0.0.1');
    [server, browser] = await Promise.all([start(), launchChromium(), once(site, 'listening')]);
  }, HALF_AN_HOUR_MS);
  afterAll(async () => {
    await browser?.close();
    await endAllServers();
    site?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const siteOf = (name: Tool) => `http://localhost:${(site.address() as AddressInfo).port}/${name}`;

  /** The second player, with the typed client in Node; resolves to the number of plies that it has heard of. */
  async function answer({ halfmove }: ClientUser, gameId: string): Promise<number> {
    const heard = new Set<string>();
    const moves = SANS.filter((_, i) => i % 2 === 1);
    for await (const { id, type } of halfmove.gameEvents(gameId, { after: null })) {
      if (type === 'ply') heard.add(id);
      if (type === 'end') break;
      const isTurn = type === 'ply' && heard.size % 2 === 1;
      if (!isTurn || heard.size >= SANS.length) continue;
      await pause(THINKING_MS);
      const input = { gameId, ply: heard.size + 1, move: moves[(heard.size - 1) / 2]! };
      await halfmove.graphql(operations.makeMove, { input });
    }
    return heard.size;
  }

  function count(page: Page) {
    const counted = { refreshes: 0, connections: 0, warnings: [] as string[] };
    page.on('request', (request) => {
      if (request.url().endsWith('/sessions/refresh') && request.method() === 'POST') counted.refreshes += 1;
      if (request.url().includes('/me/events')) counted.connections += 1;
    });
    page.on('websocket', () => (counted.connections += 1));
    page.on('pageerror', (error) => counted.warnings.push(String(error)));
    page.on('console', (message) => {
      const isAway = /ERR_CONNECTION|WebSocket connection to|Failed to load resource/.test(message.text());
      if (['warning', 'error'].includes(message.type()) && !isAway) counted.warnings.push(message.text());
    });
    return counted;
  }

  /** Half a minute for the restart, on a busy machine. */
  const RETRIES = 6;

  async function play(name: Tool): Promise<Counts> {
    const page = await (await browser.newContext()).newPage();
    const counted = count(page);
    await page.goto(siteOf(name));
    const ben = await registerClient(server.url, `${name}-ben`, { backoffMs: 500, retries: RETRIES });
    const username = ben.username.replace('-ben', '-ann');
    await page.evaluate((user) => begin('/users', user), { username, password: PASSWORD });
    const { createChallenge } = await ben.halfmove.graphql(operations.createChallenge, {
      input: { ruleset: 'chess', opponent: { username }, seat: 'SECOND', timeControl: { none: {} } },
    });
    const { id } = createChallenge.challenge;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    await page.evaluate(([url, how]) => authorized(url, how).then(() => undefined), [`${server.url}/v1/challenges/${id}/accept`, init] as const); // prettier-ignore
    const moves = SANS.filter((_, i) => i % 2 === 0);
    const [seen, opponentSaw] = await Promise.all([
      page.evaluate(([gameId, own]) => playGame(gameId, own), [id, moves] as const),
      answer(ben, id),
    ]);
    if (name === 'relay') await page.waitForFunction((all) => movesLoaded === all, SANS.length);
    const { data } = await ben.halfmove.rest.GET('/v1/games/{id}/moves', { params: { path: { id }, query: { first: 100 } } }); // prettier-ignore
    await page.context().close();
    return { seen, opponentSaw, log: data.items.map(({ san }) => san), ...counted };
  }

  (isInstalled ? it : it.skip)(
    'miss no move of a game, though tokens expire and the server is restarted',
    async () => {
      const games = Promise.all(PAGES.map((name) => play(name)));
      await Promise.race([games, pause(RESTART_MS)]);
      expect(await server.end('SIGTERM')).toBe(0);
      server = await start();
      for (const [i, { seen, opponentSaw, log, refreshes, connections, warnings }] of (
        await games
      ).entries()) {
        const name = PAGES[i]!;
        process.stdout.write(
          `${name}: ${log.length} plies in the log, ${seen.plies.length - 1} seen by the page, ${opponentSaw} by the ` +
            `opponent; ${refreshes} refreshes, ${connections} connections, ${seen.repeats} moves sent again\n`,
        );
        expect([name, log]).toEqual([name, SANS]);
        expect([name, [...seen.plies].sort((a, b) => a - b)]).toEqual([name, [0, ...SANS.keys()].map((n, j) => (j === 0 ? 0 : n + 1))]); // prettier-ignore
        expect([name, opponentSaw]).toEqual([name, SANS.length]);
        expect([name, refreshes >= EXPIRIES, connections > EXPIRIES]).toEqual([name, true, true]);
        expect([name, warnings]).toEqual([name, []]);
      }
    },
    HALF_AN_HOUR_MS,
  );
});
