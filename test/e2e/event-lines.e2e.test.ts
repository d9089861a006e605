import { setTimeout as pause } from 'node:timers/promises';
import { closedAfterEach } from '../support/closed-after-each.js';
import { type Api, restApi } from '../support/api.js';
import { openStream, type RawStream } from '../support/event-streams.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { must, send } from '../support/transport.js';

/** Events as they happen, one JSON object a line (NDJSON). */

const LINES = 'application/x-ndjson';

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '3600', HEARTBEAT_SECONDS: '1', OUTBOX_POLL_MS: '20' });
  api = restApi(server.http);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const { kept } = closedAfterEach();

async function lines(
  path: string,
  by: Person | null,
  more: { after?: string; accept?: string } = {},
): Promise<RawStream> {
  const stream = kept(await openStream(server.url, path, by, { accept: LINES, ...more }));
  while (stream.from() === undefined) await pause(10);
  return stream;
}

const play = async (id: string, moves: readonly string[], from = 1) => {
  for (const [i, move] of moves.entries())
    must(await api.makeMove((from + i) % 2 === 1 ? ann : ben, id, from + i, move));
};

it('has the events of the pages, each at once on its line', async () => {
  const { id } = await begin(api, ann, ben);
  const [own, game] = [await lines('me/events', ann), await lines(`games/${id}/events`, null)];
  for (const [ply, move] of ['e2e4', 'e7e5'].entries()) {
    await play(id, [move], ply + 1);
    // The next one is not played before this one has arrived.
    expect(await own.next()).toMatchObject({ type: 'ply', gameId: id, version: ply + 2 });
    await game.next();
  }
  const page = must(await api.gameEvents(null, id)).items;
  const sent = game.text().split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as object); // prettier-ignore
  expect(sent).toEqual([{ ready: true, id: game.from() }, ...page.slice(-2)]);
  expect(game.answer.headers).toMatchObject({ 'content-type': LINES, 'cache-control': 'no-store' });
  expect(game.answer.headers['content-encoding']).toBeUndefined();
});

it('resumes after any line without a gap', async () => {
  const { id } = await begin(api, ann, ben);
  const first = await lines('me/events', ann);
  const from = first.from()!;
  first.close();
  await play(id, ['e2e4', 'e7e5', 'g1f3']);
  const again = await lines('me/events', ann, { after: from });
  const [one, two, three] = [await again.next(), await again.next(), await again.next()];
  expect([one, two, three].map(({ version }) => version)).toEqual([2, 3, 4]);
  expect(await (await lines('me/events', ann, { after: one.id })).next()).toEqual(two);
});

it('sends empty lines as heartbeats', async () => {
  const own = await lines('me/events', ann);
  while (!own.text().endsWith('}\n\n\n')) await pause(50);
});

it('tells its end on the last line, which is no event', async () => {
  const own = await lines('me/events', ann);
  must(await api.endSessions(ann, true));
  expect(await own.ended).toBe(true);
  const last = JSON.parse(own.text().trimEnd().split('\n').at(-1)!) as object;
  expect(last).toEqual({ end: expect.objectContaining({ status: 401, code: 'UNAUTHENTICATED' }) as object });
});

it('is opened with a ticket', async () => {
  const ticket = must(await api.createStreamTicket(ann));
  const own = await lines(`me/events?ticket=${ticket}`, null);
  expect(own.answer.headers['content-type']).toBe(LINES);
});

const SSE = 'text/event-stream; charset=utf-8';
const JSON_PAGE = 'application/json; charset=utf-8';

it.each([
  ['application/x-ndjson', LINES],
  ['application/ndjson', LINES],
  ['Application/X-NDJSON; charset=utf-8', LINES],
  ['text/event-stream', SSE],
  ['application/json, text/event-stream', SSE],
  ['text/event-stream;q=0.5, application/x-ndjson;q=0.9', LINES],
  ['text/event-stream, application/x-ndjson', SSE],
  ['application/x-ndjson;q=0.1, application/json', JSON_PAGE],
  ['application/x-ndjson;q=0.1, */*', JSON_PAGE],
  ['application/x-ndjson, */*;q=0.1', LINES],
  ['application/x-ndjson;q=0', JSON_PAGE],
  ['application/json;q=0.2, application/x-ndjson;q=0.5, */*', LINES],
  ['*/*', JSON_PAGE],
  ['text/html', JSON_PAGE],
  ['', JSON_PAGE],
])('the answer to Accept: %s is %s', async (accept, type) => {
  const { id } = await begin(api, ann, ben);
  const answer = await fetch(`${server.url}/v1/games/${id}/events`, { headers: { accept } });
  expect(answer.headers.get('content-type')).toBe(type);
  await answer.body!.cancel();
});

it('is refused like any other request', async () => {
  const asked = await send(server.http, '/v1/me/events', { headers: { accept: LINES } });
  expect([asked.status, asked.headers['content-type']]).toEqual([
    401,
    'application/problem+json; charset=utf-8',
  ]);
});
