import request from 'supertest';
import { rulesets } from '../../src/rules/registry.js';
import { graphqlApi, restApi } from '../support/api.js';
import { gameWithDeal, lie } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sharedServer, startServer, type TestServer } from '../support/server.js';
import { type Body, type By, must, type Response, send } from '../support/transport.js';

/** Pictures of boards over HTTP. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const api = () => restApi(server.http);
const svg = (path: string, query: Body = {}, by: By = null): Promise<Response> =>
  send(server.http, `/v1/${path}.svg`, { query }, by);

async function png(path: string, query: Record<string, string | number> = {}): Promise<Buffer> {
  const answer = await request(server.http)
    .get(`/v1/${path}.png`)
    .query(query)
    .buffer(true)
    .responseType('blob');
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png']);
  return answer.body as Buffer;
}

const sizeOf = (picture: Buffer): readonly number[] => [picture.readUInt32BE(16), picture.readUInt32BE(20)];
const pathOf = (url: string): string => url.slice(new URL(url).origin.length);
const positionIn = ({ text }: Response): string | undefined => / FEN: ([^<]*)<\/desc>/.exec(text)?.[1];

const OPEN = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';

describe.each(rulesets().map(({ id, name }) => [id, name] as const))('%s', (id, name) => {
  it('is drawn at its start, as the catalogue says where', async () => {
    const { boardUrl, start } = must(await api().ruleset(null, id)) as { boardUrl: string; start: string };
    expect(boardUrl).toBe(`http://localhost:${new URL(server.url).port}/v1/boards/${id}.svg`);
    const answer = await send(server.http, pathOf(boardUrl));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(
      `<title>${name}: ${id === 'half-court-chess' ? 'a set-up' : 'the start'}</title>`,
    );
    expect(positionIn(answer)).toBe(start);
    expect(answer.text.length).toBeLessThan(20_000);
  });

  it('is drawn as PNG of the size that is asked for', async () => {
    for (const size of [64, 333]) {
      const picture = await png(`boards/${id}`, { size });
      expect(picture.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
      expect(Math.max(...sizeOf(picture))).toBe(size);
    }
  });
});

it('may be embedded anywhere, runs nothing, and is kept', async () => {
  const { headers } = await svg('boards/chess');
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-disposition': 'inline; filename="chess.svg"',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=86400',
    vary: 'accept-encoding',
  });
});

it.each(['boards/chess.svg', 'boards/chess.png'])('%s is not sent again to who has it', async (path) => {
  const first = await send(server.http, `/v1/${path}`, { query: { size: 100 } });
  const headers = { 'if-none-match': first.headers['etag']! };
  const again = await send(server.http, `/v1/${path}`, { query: { size: 100 }, headers });
  expect([again.status, again.text]).toEqual([304, '']);
  const other = await send(server.http, `/v1/${path}`, { query: { size: 101 }, headers });
  expect(other.status).toBe(200);
});

it('draws a position with its last move, from either seat, in both themes', async () => {
  const query = { fen: OPEN, lastMove: 'e7e5' };
  const usual = await svg('boards/chess', query);
  expect(positionIn(usual)).toBe(OPEN);
  expect(usual.text).toContain('Marked move: e7e5.');
  expect(usual.text).toContain('width="400"');
  const others = [
    { orientation: 'second' },
    { theme: 'dark' },
    { theme: 'auto' },
    { size: 200 },
    { lastMove: 'e2e4' },
  ];
  const texts = await Promise.all(
    others.map(async (other) => (await svg('boards/chess', { ...query, ...other })).text),
  );
  expect(new Set([usual.text, ...texts]).size).toBe(others.length + 1);
  expect((await svg('boards/chess', { ...query, pieces: 'western' })).text).toBe(usual.text);
  const signs = ['chinese', 'western'].map(async (pieces) => (await svg('boards/xiangqi', { pieces })).text);
  expect(new Set(await Promise.all(signs)).size).toBe(2);
});

it('takes positions as others write them, and those of any options', async () => {
  expect(positionIn(await svg('boards/chess', { fen: OPEN.split(' ').slice(0, 4).join(' ') }))).toBe(
    OPEN.replace('0 2', '0 1'),
  );
  const going = 'pnxb/cxxp/N1p1/3r/ax1R/xx2/xA1x/xPxR first r d4 0 32';
  expect(positionIn(await svg('boards/banqi-hongkong', { fen: going }))).toBe(going);
});

it.each([
  ['boards/go', {}, 'INVALID_RULESET', { field: 'ruleset' }, /xiangqi-tournament/],
  ['boards/chess', { fen: 'x' }, 'INVALID_POSITION', { field: 'fen.board' }, /must have 8 rows; got 1/],
  ['boards/banqi-taiwan', { fen: 'x' }, 'INVALID_POSITION', { field: 'fen' }, /six fields/],
  [
    'boards/chess',
    { size: 63 },
    'BAD_INPUT',
    { field: 'size', min: 64, max: 2048 },
    /64 and 2048; got 63\.$/,
  ],
  ['boards/chess', { size: 2049 }, 'BAD_INPUT', { field: 'size', min: 64, max: 2048 }, /got 2049\.$/],
  ['boards/chess', { theme: 'pink' }, 'BAD_INPUT', { field: 'theme' }, /light, dark, auto/],
  ['boards/chess', { orientation: 'white' }, 'BAD_INPUT', { field: 'orientation' }, /first, second/],
  ['boards/chess', { lastMove: 'e2e9' }, 'BAD_INPUT', { field: 'lastMove' }, /8 x 8, .*got "e2e9"\.$/],
  ['boards/chess', { colour: 'red' }, 'BAD_INPUT', { field: 'colour' }, /colour/],
  [
    'games/00000000-0000-7000-8000-000000000000/board',
    {},
    'NOT_FOUND',
    { field: 'id' },
    /^No game has the id /,
  ],
] as const)('refuses %s with %j', async (path, query, code, details, message) => {
  for (const format of ['svg', 'png']) {
    const { body, headers } = await send(server.http, `/v1/${path}.${format}`, { query });
    expect(body).toMatchObject({ code, ...details, detail: expect.stringMatching(message) });
    expect(headers['cache-control']).toBe('no-store');
  }
});

describe('a game', () => {
  it('is drawn as it stands and after each of its plies', async () => {
    const game = await begin(api(), ann, ben);
    await playMoves(api(), game, ['e2e4', 'e7e5', 'g1f3'], { first: ann, second: ben });
    const { boardUrl, position } = must(await api().game(null, game.id));
    expect(must(await graphqlApi(server.http).game(null, game.id))).toMatchObject({ boardUrl });
    const now = await send(server.http, pathOf(boardUrl));
    expect(positionIn(now)).toBe(position);
    expect(now.headers['cache-control']).toBe('public, max-age=86400');
    expect(now.text).toContain('Chess: after ply 3</title>');
    expect(now.text).toContain('Marked move: g1f3.');
    for (const query of [{}, { ply: 3 }, { takebacks: 0 }, { ply: 3, takebacks: 1 }]) {
      const { text, headers } = await svg(`games/${game.id}/board`, query);
      expect([text, headers['cache-control']]).toEqual([now.text, 'public, no-cache']);
    }
    expect(positionIn(await svg(`games/${game.id}/board`, { ply: 2 }))).toBe(OPEN);
    const start = await svg(`games/${game.id}/board`, { ply: 0 });
    expect(start.text).toContain('Chess: the start</title>');
    expect(start.text).not.toContain('Marked move');
    expect(Math.max(...sizeOf(await png(`games/${game.id}/board`, { ply: 2, size: 128 })))).toBe(128);
    for (const ply of [-1, 4]) {
      const { body } = await svg(`games/${game.id}/board`, { ply });
      const detail = `ply must be between 0 and 3; got ${ply}.`;
      expect(body).toMatchObject({ code: 'BAD_INPUT', field: 'ply', min: 0, max: 3, detail });
    }
    must(await api().resign(ben, game.id));
    const over = await svg(`games/${game.id}/board`);
    expect([over.text, over.headers['cache-control']]).toEqual([now.text, 'public, max-age=86400']);
  });

  it('has another tag after a takeback and another ply', async () => {
    const game = await begin(api(), ann, ben);
    const players = { first: ann, second: ben };
    await playMoves(api(), game, ['e2e4'], players);
    const before = await svg(`games/${game.id}/board`, { ply: 1 });
    for (const [player, path] of [
      [ann, 'takeback'],
      [ben, 'takeback/accept'],
    ] as const) {
      const body = {};
      const { status } = await send(
        server.http,
        `/v1/games/${game.id}/${path}`,
        { method: 'post', body },
        player,
      );
      expect(status).toBe(200);
    }
    expect((await svg(`games/${game.id}/board`, { ply: 1 })).body.code).toBe('BAD_INPUT');
    await playMoves(api(), must(await api().game(ann, game.id)), ['d2d4'], players);
    const headers = { 'if-none-match': before.headers['etag']! };
    const after = await send(server.http, `/v1/games/${game.id}/board.svg`, { query: { ply: 1 }, headers });
    expect(after.status).toBe(200);
    expect(after.text).toContain('Marked move: d2d4.');
  });

  it('looks the same to everybody, and does not depend on the face-down pieces', async () => {
    const course = ['a1', 'b1'];
    const games = await Promise.all(
      ['c1=K', 'c1=p'].map((rest) =>
        gameWithDeal(server, { ann, ben }, api(), 'banqi-taiwan', lie(`a1=P b1=p ${rest}`)),
      ),
    );
    const seen = new Set<string>();
    for (const { game } of games) {
      await playMoves(api(), game, course, { first: ann, second: ben });
      for (const by of [ann, ben, null]) {
        for (const ply of [0, 1, 2]) {
          const { text, headers } = await svg(`games/${game.id}/board`, { ply }, by);
          seen.add(`${ply} ${headers['etag']} ${headers['content-length']} ${text}`);
        }
      }
    }
    expect(seen.size).toBe(3);
    const [one, other] = await Promise.all(games.map(({ game }) => png(`games/${game.id}/board`)));
    expect(one!.equals(other!)).toBe(true);
  });
});

it('draws a limited number of PNGs at once and answers the others with 503', async () => {
  const small = await startServer({ MAX_PICTURES_AT_ONCE: '1', MAX_PICTURES_WAITING: '1' });
  try {
    const path = '/v1/boards/xiangqi.png?size=2048';
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(small.http).get(path)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect(statuses).toContain(503);
  } finally {
    await small.close();
  }
});
