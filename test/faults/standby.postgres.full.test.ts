import { setTimeout as pause } from 'node:timers/promises';
import { restApi } from '../support/api.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { Cluster, onClusters } from '../support/clusters.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { inFull } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Game } from '../support/api-types.js';

/** The only synchronous standby is gone: no commit is confirmed, and reads go on. */

const GAMES = 30;
const WATCHED_MS = 20_000;

interface Seen {
  readonly at: number;
  readonly status: number;
  readonly said: string;
}

onClusters('while the only synchronous standby is gone', () => {
  let cluster: Cluster;
  let place: Place;
  let server: ServerProcess;
  let ann: Person;
  let ben: Person;
  let games: readonly Game[];

  beforeAll(async () => {
    [cluster, place] = [await Cluster.primary(), await embeddedPlace('empty')];
    server = await startServerProcess({
      DATABASE_URL: cluster.url,
      DATA_DIR: place.dataDir,
      LOG_LEVEL: 'fatal',
    });
    [ann, ben] = await Promise.all([register(server.url, 'ann'), register(server.url, 'ben')]);
    games = await Promise.all(Array.from({ length: GAMES }, () => begin(restApi(server.url), ann, ben)));
  });
  afterAll(async () => {
    await endAllServers();
    await cluster?.remove();
    await place?.remove();
  });

  async function standby(name: string): Promise<void> {
    await cluster.run(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await cluster.run('SELECT pg_reload_conf()');
  }

  /** Asks again and again until the time is up. */
  async function watched(path: string, begun: number): Promise<readonly Seen[]> {
    const seen: Seen[] = [];
    while (Date.now() - begun < WATCHED_MS) {
      const at = Date.now() - begun;
      const answer = await fetch(server.url + path);
      const { status } = answer;
      const body = (await answer.json()) as { status: string };
      seen.push({ at, status, said: body.status });
      await pause(250);
    }
    return seen;
  }

  async function timed(work: () => Promise<{ readonly status: number }>) {
    const begun = Date.now();
    const { status } = await work();
    return { status, ms: Date.now() - begun };
  }

  inFull('the server says so within five seconds, refuses within ten, and answers reads', async () => {
    const api = restApi(server.url);
    await standby('gone');
    await pause(300);
    const begun = Date.now();
    const writes = Promise.all([
      ...games.map(({ id }) => timed(() => api.makeMove(ann, id, 1, 'e2e4'))),
      ...[1, 2].map((n) =>
        timed(() =>
          api.register(null, { username: `late-${n}-${Date.now()}`, password: 'a long pass word 17' }),
        ),
      ),
    ]);
    const [health, reads, refused] = await Promise.all([
      watched('/readyz', begun),
      watched(`/v1/games/${games[0]!.id}`, begun),
      writes,
    ]);
    expect(new Set(health.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(health.filter(({ at }) => at > 5000).map(({ said }) => said))).toEqual(
      new Set(['degraded']),
    );
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(10_000);

    await standby('');
    const moved = await api.makeMove(ann, games[0]!.id, 1, 'e2e4');
    expect(moved.status).toBe(200);
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ok', reasons: [] });
  });
});
