import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { restApi } from '../support/api.js';
import { inChromium, launchChromium } from '../support/chromium.js';
import { PASSWORD, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { must, send } from '../support/transport.js';
import { blocksOf } from './blocks.js';

/** The page and the bot of docs/start.md; test/tools plays with its modules. */
// Long: it opens a browser, and starts a program.

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const blockIn = (language: string): string =>
  blocksOf('docs/start.md').find((block) => block.language === language)!.text;

inChromium('the live board', () => {
  it('shows each position of a game, from another origin', async () => {
    const api = restApi(server.http);
    const [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
    const { id } = await begin(api, ann, ben);
    const html = blockIn('html').replace('http://localhost:3000/v1/games/ID', `${server.url}/v1/games/${id}`);
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
      const shows = (ply: number) =>
        page.waitForFunction(
          `(({ src, complete, naturalWidth }) => src.includes('/board.svg?ply=${ply}&') && complete && naturalWidth > 0)(board)`,
        );
      await shows(0);
      must(await api.makeMove(ann, id, 1, 'e2e4'));
      await shows(1);
      must(await api.makeMove(ben, id, 2, 'e7e5'));
      await shows(2);
    } finally {
      await browser.close();
      site.close();
    }
  }, 60_000);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

(hasPython ? test : test.skip)(
  'the bot accepts a challenge and answers moves, also after its sessions were ended',
  async () => {
    const code = blockIn('python');
    expect(
      code
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeLessThanOrEqual(25);
    const api = restApi(server.http);
    const [ann, bot] = await Promise.all([register(server.http, 'ann'), register(server.http, 'bot')]);
    const env = { PATH: process.env['PATH'], HALFMOVE_URL: server.url };
    const program: ChildProcess = spawn('python3', ['-c', code, bot.username, PASSWORD], { env });
    let said = '';
    program.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    try {
      const { id } = must(
        await api.createChallenge(ann, {
          ruleset: 'banqi-hongkong',
          opponent: bot.username,
          seat: 'first',
          timeControl: NO_CLOCK,
        }),
      );
      const played = async (plies: number) => {
        for (;;) {
          const { data } = await api.game(ann, id);
          if (data?.plyCount === plies) return;
          if (program.exitCode !== null) throw new Error(said);
          await pause(50);
        }
      };
      await played(0);
      must(await api.makeMove(ann, id, 1, 'a1'));
      await played(2);
      expect((await send(server.http, '/v1/me/sessions?all=true', { method: 'delete' }, bot)).status).toBe(
        200,
      );
      const { data } = await api.legalMoves(ann, id);
      must(await api.makeMove(ann, id, 3, data[0]!.move));
      await played(4);
    } finally {
      program.kill();
    }
  },
  60_000,
);
