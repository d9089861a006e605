import { setTimeout as pause } from 'node:timers/promises';
import { type Child, runChild } from '../support/children.js';
import { FULL, inFull } from '../support/scale.js';

/** Longer than the watchdog waits for a working process. */
const SUSPENDED_MS = 12_000;

const start = (what: string): Child => runChild('test/support/programs/watched.ts', [what]);

async function suspend(): ReturnType<Child['ended']> {
  const child = start('work');
  await child.printed('watched');
  child.process.kill('SIGSTOP');
  await pause(SUSPENDED_MS);
  child.process.kill('SIGCONT');
  return child.ended();
}

/** Each waits for seconds, so all begin together; two of them take twelve. */
const begin = () => ({
  block: start('block').ended(),
  stop: start('stop').ended(),
  end: start('end').ended(),
  ...(FULL ? { work: start('work').ended(), suspend: suspend() } : {}),
});

describe('the watchdog', () => {
  const DONE = { code: 0, stdout: 'watched\ndone\n', stderr: '' };
  let ended: ReturnType<typeof begin>;
  beforeAll(async () => {
    ended = begin();
    await Promise.all(Object.values(ended));
  });

  test('ends a process whose main thread hangs, and says why', async () => {
    const { signal, stderr } = await ended.block;
    expect(signal).toBe('SIGKILL');
    expect(stderr).toContain('the main thread has not answered for 1 seconds');
  });

  inFull('leaves a working process alone', async () => {
    expect(await ended.work).toMatchObject(DONE);
  });

  test('stops watching when it is stopped', async () => {
    expect(await ended.stop).toMatchObject(DONE);
  });

  test('does not keep a process alive', async () => {
    expect(await ended.end).toMatchObject(DONE);
  });

  inFull('does not treat a suspended process as hanging', async () => {
    expect(await ended.suspend).toMatchObject(DONE);
  });
});
