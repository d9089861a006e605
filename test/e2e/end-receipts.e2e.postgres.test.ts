import { setTimeout as pause } from 'node:timers/promises';
import { parseNote } from '../../src/fairness/note.js';
import { parseReceipt } from '../../src/fairness/receipt.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS, VERBS } from '../support/api.js';
import { untilChangesVisible } from '../support/changes.js';
import { closedAfterEach } from '../support/closed-after-each.js';
import { openStream } from '../support/event-streams.js';
import { OPEN_HOST, openReceiver } from '../support/hook-receiver.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { newSite, pairOf, playAs } from '../support/sites.js';
import { statementsOf } from '../support/statements.js';
import type { Happened } from '../support/operations/events.js';
import { must, select } from '../support/transport.js';

/** The receipt of an end, wherever its event is told. */
// Both databases: it is read beside the events.

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  // A server of its own: a list has the games of all.
  const settings = { SWEEP_SECONDS: '3600', OUTBOX_POLL_MS: '20', OUTGOING_NETWORKS: `${OPEN_HOST}/32` };
  server = await startServer(settings);
  api = restApi(server.http);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close());

const { kept } = closedAfterEach();

const begun = async () =>
  playMoves(api, await begin(api, ann, ben), ['e2e4', 'e7e5'], { first: ann, second: ben });

/** A game that Ben has resigned, and its receipt. */
async function ended() {
  const { id } = await begun();
  const { version, fairness } = must(await api.resign(ben, id));
  return { id, version, receipt: fairness.receipt };
}

/** The types of these events that have a receipt, with the receipts. */
const receiptsIn = (events: readonly Happened[]) =>
  events.flatMap(({ type, gameId, receipt }) => (receipt === null ? [] : [{ type, gameId, receipt }]));

describe.each(TRANSPORTS)('over %s', (_, over) => {
  test('the end has it in each list, and nothing else has one', async () => {
    await untilChangesVisible(server.app);
    const after = must(await api.publicEvents(null, { fromNow: true })).next!;
    const own = must(await api.myEvents(ann, { fromNow: true })).next!;
    const [one, two] = [await ended(), await ended()];
    await untilChangesVisible(server.app);
    const spoken = over(server.http);
    const [mine, ofAll, ofOne] = await Promise.all([
      spoken.myEvents(ann, { after: own }),
      spoken.publicEvents(null, { after }),
      spoken.gameEvents(null, one.id),
    ]);
    const expected = (game: typeof one) => ({ type: 'end', gameId: game.id, receipt: game.receipt });
    expect(receiptsIn(must(mine).items)).toEqual([expected(one), expected(two)]);
    expect(receiptsIn(must(ofAll).items)).toEqual([expected(one), expected(two)]);
    expect(receiptsIn(must(ofOne).items)).toEqual([expected(one)]);
    expect(must(ofOne).items.length).toBeGreaterThan(5);
    const note = parseNote(one.receipt!);
    const receipt = note.ok ? parseReceipt(note.value.text) : note;
    expect(receipt).toMatchObject({
      value: {
        game: one.id,
        version: one.version,
        outcome: { reason: 'resignation', winner: 'first' },
      },
    });
  });

  test('an application has it of its games', async () => {
    const site = await newSite(api, server.http);
    const pair = await pairOf(api, site);
    await playAs(api, pair, ['e2e4', 'e7e5']);
    const { fairness } = must(await api.resign(pair.players.second, pair.game.id));
    await untilChangesVisible(server.app);
    expect(receiptsIn(must(await over(server.http).ownEvents(site.by)).items)).toEqual([
      { type: 'end', gameId: pair.game.id, receipt: fairness.receipt },
    ]);
  });

  test('an end that is gone with a lost commit has none', async () => {
    const { id } = await ended();
    const { db } = server.app.get(PrismaService);
    await db.game.update({ where: { id }, data: { version: { increment: 1 } } });
    const { items } = must(await over(server.http).gameEvents(null, id));
    expect(receiptsIn(items)).toEqual([]);
  });
});

test('GraphQL reads the game only for who asks', async () => {
  const { id } = await ended();
  const [without, having] = [
    await statementsOf(() => select(server.http, null, VERBS.gameEvents.graphql(id), '{ edges { node { type } } }')), // prettier-ignore
    await statementsOf(() => select(server.http, null, VERBS.gameEvents.graphql(id), '{ edges { node { type receipt } } }')), // prettier-ignore
  ];
  expect(having.length).toBe(without.length + 1);
});

test('the ends of a page are read together', async () => {
  await untilChangesVisible(server.app);
  const after = must(await api.publicEvents(null, { fromNow: true })).next!;
  const reading = async (events: number) => {
    await untilChangesVisible(server.app);
    let found: readonly Happened[] = [];
    const sent = await statementsOf(async () => {
      found = must(await api.publicEvents(null, { after })).items;
    });
    expect(receiptsIn(found)).toHaveLength(events);
    return sent.length;
  };
  await ended();
  const one = await reading(1);
  await ended();
  await ended();
  expect(await reading(3)).toBe(one);
});

test.each(['text/event-stream', 'application/x-ndjson'])('a stream as %s has it', async (accept) => {
  const { id } = await begun();
  const streams = [
    kept(await openStream(server.url, 'events', null, { accept })),
    kept(await openStream(server.url, `games/${id}/events`, null, { accept })),
    kept(await openStream(server.url, 'me/events', ann, { accept })),
  ];
  for (const streaming of streams) while (streaming.from() === undefined) await pause(10);
  const { receipt } = must(await api.resign(ben, id)).fairness;
  for (const streaming of streams) {
    const told = [await streaming.next()];
    while (told.at(-1)!.type !== 'end') told.push(await streaming.next());
    expect(receiptsIn(told)).toEqual([{ type: 'end', gameId: id, receipt }]);
  }
});

test.each(['publicEvents', 'myEvents', 'gameEvents'] as const)(
  'a subscription to %s has it',
  async (name) => {
    const { id } = await begun();
    await untilChangesVisible(server.app);
    const of = name === 'gameEvents' ? { gameId: id } : {};
    const after =
      name === 'gameEvents'
        ? must(await api.gameEvents(null, id)).items.at(-1)!.id
        : must(await api[name](ann, { fromNow: true })).next!;
    const socket = kept(await openSocket(server, ann));
    const variables = name === 'gameEvents' ? '$gameId: ID!, $after: String' : '$after: String';
    const args = name === 'gameEvents' ? 'gameId: $gameId, after: $after' : 'after: $after';
    const watch = socket.send(`subscription (${variables}) { ${name}(${args}) { type receipt } }`, { ...of, after }); // prettier-ignore
    const { receipt } = must(await api.resign(ben, id)).fairness;
    for (;;) {
      const { data } = (await watch.next()) as { data: Record<string, Pick<Happened, 'type' | 'receipt'>> };
      const told = data[name]!;
      if (told.type === 'END') {
        expect(told.receipt).toBe(receipt);
        break;
      }
      expect(told.receipt).toBeNull();
    }
  },
);

test('a webhook has it', async () => {
  const receiver = kept(await openReceiver());
  const { id } = await begun();
  await untilChangesVisible(server.app);
  must(await api.createWebhook(ann, { url: receiver.url, types: ['game.resign', 'game.end'] }));
  const { receipt } = must(await api.resign(ben, id)).fairness;
  const told = (await receiver.got(2)).map(({ message }) => message);
  expect(told.map(({ type, data }) => [type, data.receipt])).toEqual([
    ['game.resign', null],
    ['game.end', receipt],
  ]);
});
