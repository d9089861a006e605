import { restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { send } from '../support/transport.js';

/** What blogs and chats are told of the address of a game (oEmbed). */

const OWN = 'https://play.example.org';

let server: TestServer;
let ann: Person;
let ben: Person;
let id: string;
beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: OWN, CORS_ORIGINS: 'none' });
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  ({ id } = await begin(restApi(server.http), ann, ben, { ruleset: 'xiangqi' }));
});
afterAll(() => server.close());

const asked = (query: Readonly<Record<string, string>>) =>
  send(server.http, `/oembed?${new URLSearchParams(query).toString()}`);
const game = () => `${OWN}/games/${id}`;

it('is found by the page of the game, and answers with a frame of the game', async () => {
  const page = (await send(server.http, `/games/${id}`)).text;
  const [, href] = /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)"/.exec(page)!;
  const address = new URL(href!.replaceAll('&amp;', '&'));
  expect([address.origin, address.searchParams.get('url')]).toEqual([OWN, game()]);
  const answer = await send(server.http, `${address.pathname}${address.search}`);
  const title = `Xiangqi, Chinese chess (king capture): ${ann.username} against ${ben.username}`;
  const size = 'width="480" height="720"';
  expect(answer.body).toEqual({
    version: '1.0',
    type: 'rich',
    title,
    provider_name: 'Halfmove',
    provider_url: `${OWN}/`,
    url: game(),
    html: `<iframe src="${OWN}/embed/games/${id}" title="${title}" ${size} frameborder="0" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-scripts allow-same-origin allow-popups"></iframe>`,
    width: 480,
    height: 720,
    thumbnail_url: `${OWN}/v1/games/${id}/board.png?ply=0&takebacks=0&size=400`,
    thumbnail_width: expect.any(Number) as number,
    thumbnail_height: 400,
  });
  // Whatever CORS_ORIGINS says.
  expect([answer.headers['content-type'], answer.headers['access-control-allow-origin']]).toEqual(['application/json; charset=utf-8', '*']); // prettier-ignore
  // The picture has the size that is told.
  const { thumbnail_url: picture, thumbnail_width: width } = answer.body;
  const bytes = Buffer.from(await (await fetch(`${server.url}${picture.slice(OWN.length)}`)).arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, 400]);
  expect((await send(server.http, `/embed/games/${id}`)).status).toBe(200);
});

it.each([
  [{ maxwidth: '300' }, { width: 300, height: 720, thumbnail_height: 300 }],
  [{ maxheight: '200' }, { width: 480, height: 200, thumbnail_height: 200 }],
  [
    { maxwidth: '9000', maxheight: '9000' },
    { width: 480, height: 720, thumbnail_height: 400 },
  ],
  [{ maxwidth: '50' }, { width: 50, height: 720, thumbnail_url: undefined }],
])('keeps within %j', async (within, size) => {
  const { body } = await asked({ url: game(), ...within });
  const { width, height, thumbnail_height, thumbnail_url, html } = body;
  expect({ width, height, thumbnail_height, thumbnail_url }).toMatchObject(size);
  expect(html).toContain(` width="${size.width}" height="${size.height}" `);
});

it('reads the address of a game with a slash, a query or a fragment behind it', async () => {
  for (const more of ['/', '?utm_source=blog', '#moves']) {
    const { status, body } = await asked({ url: game() + more });
    expect([status, body.url]).toEqual([200, game()]);
  }
});

it.each([
  ['another server', () => game().replace('play.', 'other.')],
  ['another port', () => game().replace('.org', '.org:8080')],
  ['another scheme', () => game().replace('https', 'http')],
  ['an address that begins alike', () => game().replace('.org', '.org.evil.example')],
  ['a name and a password', () => game().replace('play.', 'play.example.org@evil.')],
  ['another page', () => `${OWN}/rules/chess`],
  ['a page behind the game', () => `${game()}/x`],
  ['the frame', () => `${OWN}/embed/games/${id}`],
  ['an unknown game', () => `${OWN}/games/00000000-0000-7000-8000-000000000000`],
  ['no id', () => `${OWN}/games/`],
  ['script', () => 'javascript:alert(1)'],
  ['nothing that is read', () => `${OWN}/games/%00`],
])('does not know %s', async (_, url) => {
  const { status, body } = await asked({ url: url() });
  expect([status, body]).toMatchObject([404, { code: 'NOT_FOUND', field: 'url', detail: expect.stringContaining(`${OWN}/games/ID`) as string }]); // prettier-ignore
});

it.each([
  ['no address', {}, 'url'],
  ['what is no address', { url: 'games' }, 'url'],
  ['a width of 0', { url: '', maxwidth: '0' }, 'maxwidth'],
  ['a height that is no number', { url: '', maxheight: '1e3' }, 'maxheight'],
])('refuses %s', async (_, query, field) => {
  const { status, body } = await asked(field === 'url' ? query : { ...query, url: game() });
  expect([status, body]).toMatchObject([400, { code: 'BAD_INPUT', field }]);
});

it('writes no XML', async () => {
  const { status, headers, body } = await asked({ url: game(), format: 'xml' });
  expect([status, headers['content-type'], body]).toMatchObject([
    501,
    'application/problem+json; charset=utf-8',
    {
      status: 501,
      title: 'Not Implemented',
      code: 'BAD_INPUT',
      field: 'format',
      detail: 'format must be json; got "xml". This server writes no other format.',
    },
  ]);
});
