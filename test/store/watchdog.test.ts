import { runChild } from '../support/children.js';

const run = (what: string) => runChild('test/support/programs/watched.ts', [what]).ended();

describe('the watchdog', () => {
  test('ends a process whose main thread hangs, and says why', async () => {
    const { signal, stderr } = await run('block');
    expect(signal).toBe('SIGKILL');
    expect(stderr).toContain('the main thread has not answered for 1 seconds');
  }, 180_000);

  test('leaves a process alone that works', async () => {
    expect(await run('work')).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  }, 180_000);

  test('watches no more when it was stopped', async () => {
    expect(await run('stop')).toMatchObject({ code: 0, stdout: 'done\n' });
  }, 180_000);

  test('keeps no process alive', async () => {
    expect(await run('end')).toMatchObject({ code: 0, stdout: 'done\n' });
  }, 180_000);

  test('does not take a suspended process for one that hangs', async () => {
    const child = runChild('test/support/programs/watched.ts', ['work']);
    await new Promise((done) => setTimeout(done, 1500));
    child.process.kill('SIGSTOP');
    await new Promise((done) => setTimeout(done, 12_000));
    child.process.kill('SIGCONT');
    expect(await child.ended()).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  }, 180_000);
});
