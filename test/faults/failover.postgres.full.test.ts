import { setTimeout as pause } from 'node:timers/promises';
import { type Api, restApi } from '../support/api.js';
import { allChanges, untilChangesVisible } from '../support/changes.js';
import { Cluster, onClusters, startSwitch, type Switch } from '../support/clusters.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { openStream } from '../support/event-streams.js';
import { EVENT, type Happened } from '../support/operations/events.js';
import type { Change } from '../support/operations/changes.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { printCounts, rounds } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { toRestSpelling } from '../support/enum-spelling.js';
import { must } from '../support/transport.js';

/**
 * Real failovers of PostgreSQL under two servers: one cluster is killed, its standby is promoted and takes the address.
 * While nothing is lost, nobody who follows events or changes notices; what is lost is told to whoever had seen it.
 */

/** Knights out and back, both sides, without a fifth repetition. */
const MOVES = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const PLIES_OF_A_GAME = 12;
const AT_ONCE = 3;
const PROMOTIONS = rounds(2, 1);
const EACH_MS = 1500;
const PATIENCE_MS = 20_000;
const TEMPORARY = ['UNAVAILABLE', 'OVERLOADED', 'INTERNAL'];

onClusters('a failover', () => {
  const clusters: Cluster[] = [];
  let primary: Cluster;
  let standby: Cluster;
  let address: Switch;
  let place: Place;
  let servers: TestServer[];
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    primary = await Cluster.primary();
    clusters.push(primary);
    await primary.run('CREATE DATABASE halfmove');
    address = await startSwitch(primary.port);
    place = await embeddedPlace('empty');
    const settings = {
      DATABASE_URL: `postgresql://postgres@127.0.0.1:${address.port}/halfmove`,
      OUTBOX_POLL_MS: '20',
      HOUSEKEEPING_SECONDS: '1',
      MAX_RUNNING_GAMES: '10000',
    };
    servers = [await startServer(settings, place), await startServer(settings, place)];
    [ann, ben] = [await register(servers[0]!.http, 'ann'), await register(servers[1]!.http, 'ben')];
  }, 120_000);
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    address?.close();
    for (const cluster of clusters) await cluster.remove();
    await place?.remove();
  });

  let turn = 0;
  const server = () => servers[turn++ % 2]!;
  const api = (): Api => restApi(server().http);

  async function follow(isSynchronous: boolean): Promise<void> {
    standby = await primary.standby();
    clusters.push(standby);
    await primary.synchronize(isSynchronous);
  }

  async function failOver(): Promise<void> {
    await primary.kill();
    await standby.promote();
    primary = standby;
    address.to(primary.port);
  }

  /** Repeats a request that a failover disturbs. */
  async function calmly<Answer extends { refusal?: { code: string } | undefined }>(
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      const answer = await ask();
      if (!TEMPORARY.includes(answer.refusal?.code ?? '')) return answer;
      await pause(50);
    }
  }

  async function playOn(leaving: AbortSignal): Promise<number> {
    let moves = 0;
    while (!leaving.aborted) {
      const game = await begin(api(), ann, ben).catch(() => null);
      if (game === null) await pause(100);
      else
        for (let ply = 1; ply <= PLIES_OF_A_GAME && !leaving.aborted; ply++) {
          must(
            await calmly(() =>
              api().makeMove(ply % 2 === 1 ? ann : ben, game.id, ply, MOVES[(ply - 1) % 4]!),
            ),
          );
          moves++;
        }
    }
    return moves;
  }

  /** What one reader got, until it is told to leave. */
  class Reader {
    readonly got: Happened[] = [];
    readonly refusals: string[] = [];
    interruptions = 0;

    constructor(public after: string) {}

    take(event: Happened): void {
      this.got.push(event);
      this.after = event.id;
    }
  }

  async function readStream(reader: Reader, leaving: AbortSignal): Promise<void> {
    for (const from = server(); !leaving.aborted; reader.interruptions++) {
      const stream = await openStream(from.url, 'me/events', ann, { after: reader.after });
      const leave = () => stream.close();
      leaving.addEventListener('abort', leave, { once: true });
      try {
        for (;;) reader.take(await stream.next());
      } catch {
        if (stream.text().includes('CURSOR_EXPIRED')) reader.refusals.push('CURSOR_EXPIRED');
      }
      stream.close();
      leaving.removeEventListener('abort', leave);
      if (reader.refusals.length > 0) return;
      await pause(50);
    }
  }

  async function readSocket(reader: Reader, leaving: AbortSignal): Promise<void> {
    const query = `subscription ($after: String) { myEvents(after: $after) ${EVENT} }`;
    const socket = await openSocket(server(), ann);
    leaving.addEventListener('abort', () => void socket.close(), { once: true });
    for (; !leaving.aborted; reader.interruptions++) {
      const watch = socket.send(query, { after: reader.after });
      try {
        for (;;) {
          const { data, errors } = await watch.next();
          if (errors) reader.refusals.push(String(errors[0]!.extensions['code']));
          else reader.take((toRestSpelling(query, data) as unknown as { myEvents: Happened }).myEvents);
        }
      } catch {
        if (reader.refusals.some((code) => !TEMPORARY.includes(code))) return;
        reader.refusals.length = 0;
        await pause(50);
      }
    }
  }

  async function readPages(reader: Reader, leaving: AbortSignal): Promise<void> {
    while (!leaving.aborted) {
      const { data, refusal } = await calmly(() => api().myEvents(ann, { after: reader.after }));
      if (refusal) return void reader.refusals.push(refusal.code);
      for (const event of data.items) reader.take(event);
      await pause(20);
    }
  }

  class Mirror {
    readonly things = new Map<string, Change>();
    expired = 0;
    private since: string | undefined;

    async read(): Promise<boolean> {
      const { data, refusal } = await calmly(() =>
        api().changes(ann, this.since === undefined ? {} : { since: this.since }),
      );
      if (refusal) this.expired++;
      if (refusal) return false;
      for (const change of data.items) this.things.set(`${change.kind} ${change.id}`, change);
      this.since = data.cursor;
      return data.hasMore;
    }
  }

  const eventsOf = async (person: Person, after: string): Promise<readonly Happened[]> => {
    const events: Happened[] = [];
    for (let from: string | null = after; from !== null;) {
      const page: { items: readonly Happened[]; next: string | null } = must(
        await api().myEvents(person, { after: from }),
      );
      events.push(...page.items);
      from = page.next;
    }
    return events;
  };

  type Readers = Readonly<Record<'stream' | 'socket' | 'pages', Reader>>;

  /** Reads in all ways while something happens, and until each reader has all events since the start. */
  async function reading(readers: Readers, mirror: Mirror, work: () => Promise<readonly Happened[]>) {
    const leaving = new AbortController();
    const mirroring = async () => {
      while (!leaving.signal.aborted) await mirror.read();
    };
    const read = [
      readStream(readers.stream, leaving.signal),
      readSocket(readers.socket, leaving.signal),
      readPages(readers.pages, leaving.signal),
      mirroring(),
    ];
    try {
      const events = await work();
      const late = Date.now() + PATIENCE_MS;
      const isBehind = () => Object.values(readers).some(({ got }) => got.length < events.length);
      while (isBehind() && Date.now() < late) await pause(50);
      return events;
    } finally {
      leaving.abort();
      await Promise.all(read);
    }
  }

  /** Plays through promotions; the number of moves. */
  async function promoted(times: number): Promise<number> {
    const leaving = new AbortController();
    const players = Array.from({ length: AT_ONCE }, () => playOn(leaving.signal));
    try {
      for (let i = 0; i < times; i++) {
        await follow(true);
        await pause(EACH_MS);
        await failOver();
      }
      await pause(EACH_MS);
    } finally {
      leaving.abort();
    }
    return (await Promise.all(players)).reduce((sum, moves) => sum + moves, 0);
  }

  const compared = (events: readonly Happened[], { got, refusals, interruptions }: Reader) => {
    const [stored, seen] = [events, got].map((some) => new Set(some.map(({ id }) => id))) as [Set<string>, Set<string>]; // prettier-ignore
    return {
      missed: [...stored].filter((id) => !seen.has(id)).length,
      doubled: got.length - seen.size,
      strange: [...seen].filter((id) => !stored.has(id)).length,
      refused: refusals.length,
      interrupted: interruptions,
    };
  };

  test(`that loses nothing is noticed by no reader, ${PROMOTIONS} in a row`, async () => {
    const start = must(await api().changes(ann, { fromNow: true })).cursor;
    await begin(api(), ann, ben);
    const readers: Readers = {
      stream: new Reader(start),
      socket: new Reader(start),
      pages: new Reader(start),
    };
    const mirror = new Mirror();
    const events = await reading(readers, mirror, async () => {
      printCounts('Failovers', { promotions: PROMOTIONS, moves: await promoted(PROMOTIONS) });
      await untilChangesVisible(servers[0]!.app);
      return eventsOf(ann, start);
    });
    for (const [name, reader] of Object.entries(readers)) {
      const counted = compared(events, reader);
      printCounts(name, { events: events.length, ...counted });
      expect(counted).toMatchObject({ missed: 0, doubled: 0, strange: 0, refused: 0 });
    }
    while (await mirror.read());
    const versions = (changes: Iterable<Change>) =>
      [...changes].map(({ kind, id, game }) => `${kind} ${id} ${game?.version}`).sort();
    const { items } = await allChanges(api().changes, ann);
    expect(versions(mirror.things.values())).toEqual(versions(items));
    expect(mirror.expired).toBe(0);
  }, 120_000);

  test('that loses commits expires the positions behind them, ends their streams, and leaves all others', async () => {
    const eve = await register(servers[0]!.http, 'eve');
    const { id } = await begin(api(), ann, ben);
    await follow(false);
    must(await api().makeMove(ann, id, 1, 'e2e4'));
    const positions = async (by: Person) => {
      await untilChangesVisible(servers[0]!.app);
      const since = must(await api().changes(by, { fromNow: true })).cursor;
      return [since, (await eventsOf(by, since)).at(-1)?.id ?? since] as const;
    };
    const before = await positions(ann);
    // Eve's stream stands on what stays, those of the players on what is lost.
    const stream = async (path: string, by: Person | null) => {
      const opened = await openStream(servers[0]!.url, path, by);
      while (opened.from() === undefined) await pause(10);
      return opened;
    };
    const eves = await stream('me/events', eve);
    const [own, ofGame] = [await stream('me/events', ann), await stream(`games/${id}/events`, null)];
    const socket = await openSocket(servers[1]!, ann);
    const watch = socket.send(`subscription { myEvents ${EVENT} }`);
    await pause(500);
    await standby.detach();
    must(await api().makeMove(ben, id, 2, 'e7e5'));
    expect([(await own.next()).version, (await ofGame.next()).version]).toEqual([3, 3]);
    expect((await watch.next()).data).toMatchObject({ myEvents: { version: 3 } });
    const behind = await positions(ann);
    await failOver();
    must(await calmly(() => api().makeMove(ben, id, 2, 'c7c5')));
    for (const streaming of [own, ofGame]) {
      expect(await streaming.ended).toBe(true);
      expect(streaming.text()).toMatch(/event: end\ndata: \{.*"code":"CURSOR_EXPIRED"/);
    }
    expect((await watch.next()).errors![0]!.extensions['code']).toBe('CURSOR_EXPIRED');
    await socket.close();
    const expired = { refusal: { code: 'CURSOR_EXPIRED' } };
    expect(await calmly(() => api().changes(ann, { since: behind[0] }))).toMatchObject(expired);
    for (const after of behind) expect(await api().myEvents(ann, { after })).toMatchObject(expired);
    await untilChangesVisible(servers[0]!.app);
    expect(must(await api().changes(ann, { since: before[0] })).items).toMatchObject([{ kind: 'game', id }]);
    for (const after of before) {
      expect((await eventsOf(ann, after)).map(({ version }) => version)).toEqual([3]);
    }
    must(await api().blockUser(eve, ann.username));
    expect(await eves.next()).toMatchObject({ type: 'userBlocked' });
    eves.close();
  }, 120_000);
});
