import { register } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type Response, send } from '../support/transport.js';

/** The pages for people as they are sent; test/browsers/web.long.test.ts uses them. */

const PATHS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/recover',
  '/verify-email',
  '/account',
  '/account/applications',
  '/news',
];

let server: TestServer;
let page: Response;
beforeAll(async () => {
  server = await sharedServer();
  page = await send(server.http, '/');
});
afterAll(() => server.close());

const loaded = (text: string): string[] =>
  [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);

test.each(PATHS)('%s is the document, never cached, under the strictest policy', async (path) => {
  const { status, headers, text } = await send(server.http, path);
  expect([status, headers['content-type'], headers['cache-control'], headers['set-cookie']]).toEqual([200, 'text/html; charset=utf-8', 'no-store', undefined]); // prettier-ignore
  expect(text).toBe(page.text);
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(
    /^default-src 'none'; .*require-trusted-types-for 'script'; worker-src 'self'; trusted-types halfmove$/,
  );
  expect(policy).not.toMatch(/unsafe|data:|\*|http/);
  expect(headers['link']).toContain('rel="service-desc"');
});

test('it has nothing inline and loads nothing of others', () => {
  expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  expect(loaded(page.text)).toHaveLength(3);
  for (const address of loaded(page.text)) expect(address).toMatch(/^\/assets\/[\w-]+\.(js|css|svg)$/);
});

test('what it loads is kept for ever, and its licences are told', async () => {
  for (const path of loaded(page.text)) {
    const { status, headers } = await send(server.http, path, { headers: { 'accept-encoding': 'br' } });
    expect([status, headers['cache-control'], headers['content-encoding']]).toEqual([200, 'public, max-age=31536000, immutable', 'br']); // prettier-ignore
  }
});

test.each(['players', 'rules'])('what is not among the %s is the same document, with 404', async (of) => {
  const { username } = await register(server.http, 'ann');
  const there = await send(server.http, `/${of}/${of === 'rules' ? 'chess' : username.toUpperCase()}`);
  expect([there.status, there.text]).toEqual([200, page.text]);
  for (const id of ['nobody-at-all', '__proto__', '%00', "'"]) {
    const { status, headers, text } = await send(server.http, `/${of}/${id}`);
    expect([status, text, headers['cache-control']]).toEqual([404, page.text, 'no-store']);
    expect(headers['content-security-policy']).toBe(page.headers['content-security-policy']);
  }
});

test('whether an invitation is there, only who has its link is told', async () => {
  const { status, text } = await send(server.http, '/challenges/nothing');
  expect([status, text]).toEqual([200, page.text]);
});

test('the service worker is one small file, asked for anew each time', async () => {
  const { status, headers, text } = await send(server.http, '/push-worker.js');
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/javascript; charset=utf-8', 'public, no-cache']); // prettier-ignore
  expect(text).toContain('addEventListener("push"');
  expect(text).not.toMatch(/fetch|import/);
});

test('other addresses are not taken for pages', async () => {
  expect((await send(server.http, '/sign-in/x')).status).toBe(404);
  expect((await send(server.http, '/nothing')).headers['content-type']).toMatch(
    /^application\/problem\+json/,
  );
});
