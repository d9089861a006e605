import { setTimeout as pause } from 'node:timers/promises';
import { startWatchdog } from '../../src/platform/database/watchdog.js';
import { type Child, runChild } from '../support/children.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { FULL, inFull } from '../support/scale.js';

/** Longer than the watchdog waits for a working database. */
// Long: it starts programs.

const SUSPENDED_MS = 12_000;

const places: Place[] = [];

async function start(what: string): Promise<Child> {
  const place = await embeddedPlace('bare');
  places.push(place);
  return runChild('test/support/programs/watched.ts', [`${place.dataDir}/db`, what]);
}

const ended = async (what: string) => (await start(what)).ended();

async function suspend(): ReturnType<Child['ended']> {
  const child = await start('work');
  await child.printed('watched');
  child.process.kill('SIGSTOP');
  await pause(SUSPENDED_MS);
  child.process.kill('SIGCONT');
  return child.ended();
}

/** Each waits for seconds, so all begin together. */
const begin = () => ({
  hang: ended('hang'),
  end: ended('end'),
  ...(FULL ? { work: ended('work'), suspend: suspend() } : {}),
});

describe('the watchdog of the embedded database', () => {
  const DONE = { code: 0, stdout: 'watched\ndone\n', stderr: '' };
  let children: ReturnType<typeof begin>;
  beforeAll(async () => {
    children = begin();
    await Promise.all(Object.values(children));
  });
  afterAll(() => Promise.all(places.map((place) => place.remove())));

  test('ends a process whose database hangs, and says why', async () => {
    const { signal, stderr } = await children.hang;
    expect(signal).toBe('SIGKILL');
    expect(stderr).toContain('the embedded database has not answered for 10 seconds');
  });

  test('is silent while nothing is waited for, or something is answered', async () => {
    let silences = 0;
    let answers = 0;
    const stops = [() => null, () => answers++].map((progress) =>
      startWatchdog(0.05, progress, () => silences++),
    );
    await pause(500);
    for (const stop of stops) stop();
    expect(silences).toBe(0);
    const stop = startWatchdog(
      0.05,
      () => answers,
      () => silences++,
    );
    await pause(500);
    stop();
    const heard = silences;
    expect(heard).toBeGreaterThan(0);
    await pause(200);
    expect(silences).toBe(heard);
  });

  test('does not keep a process alive, and neither does the database', async () => {
    expect(await children.end).toMatchObject(DONE);
  });

  inFull('leaves a working process alone', async () => {
    expect(await children.work).toMatchObject(DONE);
  });

  inFull('does not treat a suspended process as hanging', async () => {
    expect(await children.suspend).toMatchObject(DONE);
  });
});
