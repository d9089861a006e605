import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { type Api, restApi } from '../support/api.js';
import { OPEN_HOST } from '../support/hook-receiver.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** The programs of examples/webhooks, against a server. */
// Long: they are processes of their own.

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;
const children: ChildProcess[] = [];

beforeAll(async () => {
  server = await startServer({ OUTGOING_NETWORKS: `${OPEN_HOST}/32`, OUTBOX_POLL_MS: '20' });
  api = restApi(server.http);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server.close();
});

async function freePort(): Promise<number> {
  const listener = createListener();
  await new Promise<void>((resolve) => listener.listen(0, OPEN_HOST, resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** Starts a program that waits for messages; returns its lines, as they come. */
async function started(command: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(command[0]!, command.slice(1), {
    env: { PATH: process.env['PATH'], HOST: OPEN_HOST, ...env },
  });
  children.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  while (!text.includes('Waiting at')) await once(child.stdout, 'data');
  return {
    lines: () => text.split('\n').slice(1).filter(Boolean),
    said: async (count: number) => {
      while (text.split('\n').length < count + 2) await once(child.stdout, 'data');
    },
  };
}

async function hooked(types: readonly string[]) {
  const port = await freePort();
  const made = must(await api.createWebhook(ann, { url: `http://${OPEN_HOST}:${port}/`, types }));
  return { port, ...made };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.each([
  ['Node', [process.execPath, 'examples/webhooks/receiver.mjs'], true],
  ['Python', ['python3', 'examples/webhooks/receiver.py'], hasPython],
] as const)('the receiver in %s', (_, command, can) => {
  (can ? it : it.skip)('prints what is sent, once, and refuses what is not ours', async () => {
    const { port, webhook, secret } = await hooked(['game.move']);
    const receiver = await started(command, { WEBHOOK_SECRET: secret, PORT: `${port}` });
    const game = await begin(api, ann, ben);
    await playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: ben });
    await receiver.said(2);
    expect(must(await api.redeliverWebhook(ann, webhook.id, { from: '2020-01-01T00:00:00Z' }))).toBe(2);
    must(await api.testWebhook(ann, webhook.id));
    await receiver.said(3);
    expect(receiver.lines().map((line) => line.split(' ')[1])).toEqual(['game.move', 'game.move', 'test']);
    expect(receiver.lines()[0]).toContain(game.id);
    const now = `${Math.floor(Date.now() / 1000)}`;
    const forged = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': now,
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    };
    const answer = await fetch(webhook.url, { method: 'POST', headers: forged, body: '{"type":"test"}' });
    expect(answer.status).toBe(400);
    must(await api.deleteWebhook(ann, webhook.id));
  });
});

it('a chat is told whose turn it is, in words without markup', async () => {
  const texts: string[] = [];
  let heard = () => undefined as void;
  const chat = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      texts.push((JSON.parse(Buffer.concat(parts).toString()) as { text: string }).text);
      response.end('ok');
      heard();
    });
  });
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
  const { port: chatPort } = chat.address() as AddressInfo;
  must(await api.updateProfile(ben, { displayName: '*Ben* @all <https://a.example>' }));
  const { port, webhook, secret } = await hooked(['game.start', 'game.move']);
  await started([process.execPath, 'examples/webhooks/chat.mjs'], {
    ...{ WEBHOOK_SECRET: secret, PORT: `${port}`, HALFMOVE_URL: server.url },
    CHAT_URL: `http://127.0.0.1:${chatPort}/`,
  });
  const until = async (count: number) => {
    while (texts.length < count) await new Promise<void>((resolve) => (heard = resolve));
  };
  const game = await begin(api, ann, ben, { timeControl: { type: 'perMove', seconds: 259_200 } });
  await until(1);
  await playMoves(api, game, ['e2e4'], { first: ann, second: ben });
  await until(2);
  const name = ann.username.replace('-', '.');
  expect(texts[0]).toMatch(new RegExp(`^${name} is to move until [-\\d: ]+ UTC: ${game.url}$`));
  expect(texts[1]).toMatch(/^Ben all httpsaexample is to move until /);
  must(await api.deleteWebhook(ann, webhook.id));
  chat.close();
}, 30_000);
