import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { SeeksService } from '../../src/features/matchmaking/seeks.service.js';
import { VacationSweep } from '../../src/features/vacations/vacation-sweep.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { type Api, restApi } from '../support/api.js';
import { close, sweepAccounts } from '../support/closed-accounts.js';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.js';
import { type Place, serverPlace } from '../support/databases.js';
import { DAY } from '../support/pair.js';
import { PASSWORD, type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { onServer } from '../support/scale.js';
import { ownTerms, setRating } from '../support/seeks.js';
import { startServer, type TestServer } from '../support/server.js';
import { stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';
import type { Game } from '../support/api-types.js';

/** Between what a sweep of one server reads and what it writes, users act at another server. */

const SETTINGS = { SWEEP_SECONDS: '3600', CLOSED_NAME_DAYS: '1' };

onServer('while a sweep is under way', () => {
  let place: Place;
  let proxy: CuttingProxy;
  let holder: SqlSession;
  let sweeping: TestServer;
  let other: TestServer;
  let api: Api;
  let ann: Person;
  let ben: Person;

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
  });

  const sweep = () => sweeping.app.get(VacationSweep).sweep();
  const newGame = () => begin(api, ann, ben, { timeControl: { type: 'perMove', seconds: 259_200 } });
  const steps = async ({ id }: Game) =>
    must(await api.events(null, id)).filter(({ type }) => type.startsWith('vacation'));
  /** Resolves when a sweep has read by a statement like this one; it learns the answer by `proxy.release`. */
  const readBy = async (statement: RegExp, sweep: () => Promise<unknown>) => {
    proxy.arm(statement, ['held']);
    const swept = sweep();
    while (proxy.made() === 0) await pause(5);
    return { swept };
  };

  const isWaiting = async () =>
    (
      await holder.query(`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    ).length > 0;

  test('a vacation that ends does not begin again in a game that knows of its end', async () => {
    const game = await newGame();
    const { id } = must(await api.planVacation(ann, { days: 7 }));
    const { swept } = await readBy(/FROM "public"."vacations"/, sweep);
    must(await api.endVacation(ann, id));
    proxy.release();
    await swept;
    expect((await steps(game)).map(({ type }) => type)).toEqual(['vacationStart', 'vacationEnd']);
  });

  test('a vacation that ends does not begin behind its end in a game that did not know of it', async () => {
    const game = await newGame();
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
    const told = await steps(game);
    expect(told.map(({ type, at }) => [type, at])).toEqual([
      ['vacationStart', endsAt],
      ['vacationEnd', endsAt],
    ]);
    expect(told[0]!.data).toMatchObject({ until: endsAt });
  });

  test('a seek that expires while its row is locked is not paired', async () => {
    const time = stopTime(sweeping.app);
    const terms = ownTerms();
    const { id } = must(await api.createSeek(ann, { ...terms, minRating: 1600 }));
    must(await api.createSeek(ben, terms));
    await setRating(other.app, ben, 1700);
    await holder.run('BEGIN');
    await holder.query('SELECT FROM challenges WHERE id = $1::uuid FOR UPDATE', [id]);
    const swept = sweeping.app.get(SeeksService).sweep();
    while (!(await isWaiting())) await pause(5);
    time.forward(15 * DAY);
    await holder.run('ROLLBACK');
    await swept;
    expect(must(await api.challenge(ann, id)).status).toBe('open');
  });

  test('a name that is released and taken again keeps the key of its new registration', async () => {
    await close(api, ann);
    const { swept } = await readBy(/leaving ORDER BY closed_at/, () => sweepAccounts(sweeping.app));
    stopTime(other.app).forward(2 * DAY);
    await sweepAccounts(other.app);
    const again = { username: ann.username, password: PASSWORD };
    const key = randomUUID();
    const { user } = must(await api.register(null, again, key));
    proxy.release();
    await swept;
    expect(must(await api.register(null, again, key)).user).toEqual(user);
  });
});
