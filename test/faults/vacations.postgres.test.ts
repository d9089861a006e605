import { setTimeout as pause } from 'node:timers/promises';
import { VacationSweep } from '../../src/features/vacations/vacation-sweep.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { type Api, restApi } from '../support/api.js';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.js';
import { type Place, serverPlace } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { onServer } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';
import type { Game } from '../support/api-types.js';

/** A sweep of one server reads that a vacation is running, and its user ends it at another server before it writes. */

const SETTINGS = { SWEEP_SECONDS: '3600' };

onServer('a vacation that ends while a sweep is under way', () => {
  let place: Place;
  let proxy: CuttingProxy;
  let holder: SqlSession;
  let sweeping: TestServer;
  let other: TestServer;
  let api: Api;
  let ann: Person;
  let ben: Person;
  let game: Game;

  beforeAll(async () => {
    place = await serverPlace();
    proxy = await startCuttingProxy(place.databaseUrl!);
    holder = await openServerSession(place.databaseUrl!, 'test');
    other = await startServer(SETTINGS, place);
    sweeping = await startServer({ ...SETTINGS, DATABASE_URL: proxy.url }, place);
    api = restApi(other.http);
  });
  afterAll(async () => {
    await holder?.close();
    await sweeping?.close();
    await other?.close();
    await proxy?.close();
    await place?.remove();
  });
  beforeEach(async () => {
    [ann, ben] = await Promise.all([register(other.http, 'ann'), register(other.http, 'ben')]);
    game = await begin(api, ann, ben, { timeControl: { type: 'perMove', seconds: 259_200 } });
  });

  const sweep = () => sweeping.app.get(VacationSweep).sweep();
  const steps = async () =>
    must(await api.events(null, game.id)).filter(({ type }) => type.startsWith('vacation'));

  test('does not begin again in a game that knows of its end', async () => {
    const { id } = must(await api.planVacation(ann, { days: 7 }));
    proxy.arm(/FROM "public"."vacations"/, ['held']);
    const swept = sweep();
    while (proxy.made() === 0) await pause(5);
    must(await api.endVacation(ann, id));
    proxy.release();
    await swept;
    expect((await steps()).map(({ type }) => type)).toEqual(['vacationStart', 'vacationEnd']);
  });

  test('does not begin after its end in a game that did not know of it', async () => {
    const startsAt = new Date(Date.now() + 200).toISOString();
    const { id } = must(await api.planVacation(ann, { startsAt, days: 7 }));
    await pause(200);
    await holder.run('BEGIN');
    await holder.query('SELECT FROM games WHERE id = $1::uuid FOR UPDATE', [game.id]);
    const swept = sweep();
    // Its statement finds the game locked and is repeated until it is free.
    await pause(100);
    const ended = api.endVacation(ann, id);
    await pause(100);
    await holder.run('ROLLBACK');
    await swept;
    const { endsAt } = must(await ended);
    const told = await steps();
    expect(told.map(({ type, at }) => [type, at])).toEqual([
      ['vacationStart', endsAt],
      ['vacationEnd', endsAt],
    ]);
    expect(told[0]!.data).toMatchObject({ until: endsAt });
  });
});
