import { RepeatedTask } from '../../src/platform/process/repeated-task.js';

/** Work that is repeated, and hurried when there is something to do: never twice at a time, and not too often. */

const PAUSE_MS = 500;
const SPACING_MS = 50;

let begun: number[];
let running: number;
let task: RepeatedTask;

beforeEach(() => {
  jest.useFakeTimers();
  [begun, running] = [[], 0];
});
afterEach(async () => {
  await task.stop();
  jest.useRealTimers();
});

function start(workMs = 0): void {
  const zero = performance.now();
  task = new RepeatedTask('Test', PAUSE_MS, async () => {
    // A timer of 0 ms takes one.
    begun.push(Math.floor((performance.now() - zero) / 10) * 10);
    expect((running += 1)).toBe(1);
    if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs));
    running -= 1;
  });
  task.start();
}

async function pass(ms: number): Promise<void> {
  for (let i = 0; i < ms; i++) {
    jest.advanceTimersByTime(1);
    // A round ends after a few promises.
    for (let step = 0; step < 5; step++) await Promise.resolve();
  }
}

it('is repeated after a pause', async () => {
  start(100);
  await pass(1200);
  expect(begun).toEqual([500, 1100]);
});

it('begins at once when it is hurried, and then after a pause', async () => {
  start();
  await pass(100);
  task.hurry(SPACING_MS);
  await pass(600);
  expect(begun).toEqual([100, 600]);
});

it('begins no sooner than so long after the last time, however often it is hurried', async () => {
  start();
  for (let i = 0; i < 20; i++) {
    task.hurry(SPACING_MS);
    await pass(10);
  }
  expect(begun).toEqual([0, 50, 100, 150, 200]);
});

it('waits for what is running, and begins once for all that hurried it meanwhile', async () => {
  start(120);
  task.hurry(SPACING_MS);
  await pass(10);
  for (let i = 0; i < 5; i++) task.hurry(SPACING_MS);
  await pass(600);
  expect(begun).toEqual([0, 120]);
});

it('is not put off by being hurried', async () => {
  start();
  await pass(500);
  task.hurry(2 * PAUSE_MS);
  await pass(500);
  expect(begun).toEqual([500, 1000]);
});

it('does nothing before the start and after the end', async () => {
  start();
  await task.stop();
  task.hurry(SPACING_MS);
  await pass(1000);
  expect(begun).toEqual([]);
});
