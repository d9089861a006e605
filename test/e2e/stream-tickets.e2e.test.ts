import { StreamTickets } from '../../src/features/auth/stream-tickets.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { closedAfterEach } from '../support/closed-after-each.js';
import { graphqlApi, restApi } from '../support/api.js';
import { openStream, type RawStream } from '../support/event-streams.js';
import { bearer, type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { withScopes } from '../support/scopes.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { must, send } from '../support/transport.js';

/** Tickets that open an event stream for clients that cannot send a token. */

const MINUTE_MS = 60_000;
const REFUSED = {
  status: 401,
  body: { code: 'UNAUTHENTICATED', detail: expect.stringContaining('Take a new ticket, and open the stream with after=LAST') as string }, // prettier-ignore
};

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let gameId: string;
const { kept } = closedAfterEach();

beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
beforeEach(async () => {
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  ({ id: gameId } = await begin(restApi(server.http), ann, ben));
});
afterAll(() => server.close());

const api = () => restApi(server.http);
const ticketOf = async (by: Parameters<ReturnType<typeof api>['createStreamTicket']>[0]) =>
  must(await api().createStreamTicket(by));
const answerTo = (ticket: string, more = '') => send(server.http, `/v1/me/events?ticket=${ticket}${more}`);

async function opened(ticket: string, more = ''): Promise<RawStream> {
  const stream = kept(await openStream(server.url, `me/events?ticket=${ticket}${more}`, null));
  expect(stream.answer.statusCode).toBe(200);
  return stream;
}

/** Ann is told of it. */
const write = async (text: string) => must(await api().sendMessage(ben, gameId, text));

it.each([
  ['REST', restApi],
  ['GraphQL', graphqlApi],
])('a ticket of %s opens one stream of its user', async (_, over) => {
  const ticket = must(await over(server.http).createStreamTicket(ann));
  const stream = await opened(ticket);
  await write('Hello');
  const told = await stream.next();
  expect(told).toMatchObject({ type: 'messageSent', gameId });
  expect(await answerTo(ticket)).toMatchObject(REFUSED);
  // The stream goes on, and another continues behind an event.
  await write('Again');
  const next = await stream.next();
  expect(await (await opened(await ticketOf(ann), `&after=${told.id}`)).next()).toEqual(next);
});

it('opens a stream also for a client that accepts anything', async () => {
  const stream = await fetch(`${server.url}/v1/me/events?ticket=${await ticketOf(ann)}`);
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await stream.body!.cancel();
});

it('is refused a minute later, and when it is no ticket', async () => {
  const [first, second] = [await ticketOf(ann), await ticketOf(ann)];
  time.forward(MINUTE_MS - 1);
  await opened(first);
  time.forward(1);
  expect(await answerTo(second)).toMatchObject(REFUSED);
  for (const wrong of ['', 'x', ann.authorization.slice('Bearer '.length), ann.refreshToken])
    expect(await answerTo(wrong)).toMatchObject(REFUSED);
});

it('is used up by one of many requests at once', async () => {
  const ticket = await ticketOf(ann);
  const ask = () => openStream(server.url, `me/events?ticket=${ticket}`, null);
  const answers = await Promise.all(Array.from({ length: 8 }, ask));
  for (const each of answers) kept(each);
  expect(answers.map(({ answer }) => answer.statusCode).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
});

it('ends with the session, before and after it is used', async () => {
  const [ticket, stream] = [await ticketOf(ann), await opened(await ticketOf(ann))];
  must(await api().logout(ann));
  await write('Hello');
  expect(await stream.ended).toBe(true);
  expect(stream.text()).not.toContain('messageSent');
  expect(await answerTo(ticket)).toMatchObject(REFUSED);
});

it('lasts no longer than the token that asked for it', async () => {
  const stream = await opened(await ticketOf(ann));
  time.forward(server.config.accessTokenSeconds * 1000 - 2000);
  const late = await ticketOf(ann);
  time.forward(2000);
  ben = { ...ben, ...bearer(must(await api().refresh(null, ben.refreshToken))) };
  await write('Hello');
  expect(await stream.ended).toBe(true);
  expect(await answerTo(late)).toMatchObject(REFUSED);
});

it('is not given to a token that may not read games', async () => {
  const few = await withScopes(server, ann, ['challenges:read', 'messages:read']);
  expect((await api().createStreamTicket(few)).refusal).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

it('opens a stream of no more than the token that asked for it reads', async () => {
  const stream = await opened(await ticketOf(await withScopes(server, ann, ['games:read'])));
  await write('Hello');
  must(await api().resign(ben, gameId));
  expect(await stream.next()).toMatchObject({ type: 'resign', gameId });
});

it('is not sent together with a token', async () => {
  const both = await send(server.http, `/v1/me/events?ticket=${await ticketOf(ann)}`, {}, ann);
  expect([both.status, both.body]).toMatchObject([400, { code: 'BAD_INPUT', field: 'ticket' }]);
});

it('replaces the token nowhere else', async () => {
  const ticket = await ticketOf(ann);
  for (const path of ['me', 'me/blocks', 'notifications'])
    expect([400, 401]).toContain((await send(server.http, `/v1/${path}?ticket=${ticket}`)).status);
  await opened(ticket);
});

it('is stored as a hash, and deleted when it has expired', async () => {
  const { db } = server.app.get(PrismaService);
  const mine = { where: { session: { userId: ann.id } } };
  const ticket = await ticketOf(ann);
  const stored = await db.streamTicket.findMany(mine);
  expect([stored.length, JSON.stringify(stored).includes(ticket)]).toEqual([1, false]);
  await server.app.get(StreamTickets).forgetExpired();
  expect(await db.streamTicket.count(mine)).toBe(1);
  time.forward(MINUTE_MS);
  await server.app.get(StreamTickets).forgetExpired();
  expect(await db.streamTicket.count(mine)).toBe(0);
});
