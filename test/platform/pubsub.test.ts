import { MOST_SEEKS_WAITING, PubSub } from '../../src/platform/events/pubsub.js';

const pubsub = new PubSub();
const heard = (version: number) => ({ done: false, value: { version } });
const END = { done: true, value: undefined };

describe('a subscriber', () => {
  it('first receives the current version, then each newer one', async () => {
    const watching = pubsub.subscribe('game.1', 3);
    expect(await watching.next()).toEqual(heard(3));
    pubsub.publish('game.1', { version: 4 });
    pubsub.publish('game.2', { version: 9 });
    expect(await watching.next()).toEqual(heard(4));
    const next = watching.next();
    pubsub.publish('game.1', { version: 5 });
    expect(await next).toEqual(heard(5));
  });

  it('receives no version twice, and no older one', async () => {
    const watching = pubsub.subscribe('game.1', 3);
    await watching.next();
    pubsub.publish('game.1', { version: 4 });
    expect(await watching.next()).toEqual(heard(4));
    const next = watching.next();
    for (const version of [4, 3, 4, 5]) pubsub.publish('game.1', { version });
    expect(await next).toEqual(heard(5));
  });

  it('receives only the newest when it is slow', async () => {
    const watching = pubsub.subscribe('game.1', 1);
    for (const version of [2, 3, 4]) pubsub.publish('game.1', { version });
    expect(await watching.next()).toEqual(heard(4));
  });

  it('receives no version that it was shown with an earlier one', async () => {
    const watching = pubsub.subscribe('game.1', 1);
    const { value } = await watching.next();
    value.shown = 3;
    for (const version of [2, 3]) pubsub.publish('game.1', { version });
    const next = watching.next();
    pubsub.publish('game.1', { version: 4 });
    expect(await next).toEqual(heard(4));
  });

  it('misses nothing because of what listeners of another topic were shown when all were woken', async () => {
    const [one, other] = [pubsub.subscribe('game.1', 9), pubsub.subscribe('game.2', 1)];
    await Promise.all([one.next(), other.next()]);
    pubsub.wakeAll();
    (await one.next()).value.shown = 10;
    await other.next();
    pubsub.publish('game.2', { version: 3 });
    expect(await other.next()).toEqual(heard(3));
  });

  it('receives nothing more after it has left, even while it waits', async () => {
    const watching = pubsub.subscribe('game.1', 1);
    await watching.next();
    const next = watching.next();
    expect(await watching.return!()).toEqual(END);
    expect(await next).toEqual(END);
    pubsub.publish('game.1', { version: 2 });
    expect(await watching.next()).toEqual(END);
  });
});

describe('a subscriber that is called', () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  it('receives the current version and each newer one at once, until it leaves', async () => {
    const watching = pubsub.subscribe('game.1', 3);
    const received: unknown[] = [];
    const ended = watching.each((told) => {
      received.push(told);
      return null;
    });
    for (const version of [4, 4, 3, 5]) pubsub.publish('game.1', { version });
    expect(received).toEqual([3, 4, 5].map((version) => ({ version })));
    await watching.return!();
    await ended;
    pubsub.publish('game.1', { version: 6 });
    expect(received).toHaveLength(3);
  });

  it('receives only the newest when it is slow', async () => {
    const watching = pubsub.subscribe('game.1', 1);
    const received: unknown[] = [];
    let goOn: () => void = () => undefined;
    const ended = watching.each((told) => {
      received.push(told);
      return new Promise<void>((resolve) => (goOn = resolve));
    });
    for (const version of [2, 3, 4]) pubsub.publish('game.1', { version });
    expect(received).toEqual([{ version: 1 }]);
    goOn();
    await nextTurn();
    expect(received).toEqual([{ version: 1 }, { version: 4 }]);
    goOn();
    await nextTurn();
    pubsub.publish('game.1', { version: 5 });
    expect(received).toHaveLength(3);
    await watching.return!();
    await ended;
  });

  it.each([
    [
      'throws',
      (): null => {
        throw new Error('gone');
      },
    ],
    ['is rejected', () => Promise.reject(new Error('gone'))],
  ])('receives nothing more when its call %s', async (_, deliver) => {
    const watching = pubsub.subscribe('game.1', 1);
    let calls = 0;
    const ended = watching.each(() => {
      calls += 1;
      return deliver();
    });
    await expect(ended).rejects.toThrow('gone');
    pubsub.publish('game.1', { version: 2 });
    expect(calls).toBe(1);
  });
});

describe('a subscriber to the lobby', () => {
  const told = (id: string | null) => ({ done: false, value: { id } });

  it('is told to read it, and then of each seek, once for several changes', async () => {
    const watching = pubsub.subscribeSeeks();
    expect(await watching.next()).toEqual(told(null));
    pubsub.publishSeek('a', true);
    pubsub.publishSeek('b', true);
    pubsub.publishSeek('a', false);
    expect(await watching.next()).toEqual(told('a'));
    expect(await watching.next()).toEqual(told('b'));
    const next = watching.next();
    pubsub.publishSeek('b', false);
    expect(await next).toEqual(told('b'));
  });

  it('is told once that a seek opens and once that it closes, however often that is announced', async () => {
    const watching = pubsub.subscribeSeeks();
    await watching.next();
    for (const isOpen of [true, false]) {
      pubsub.publishSeek('repeated', isOpen);
      expect(await watching.next()).toEqual(told('repeated'));
      pubsub.publishSeek('repeated', isOpen);
      pubsub.publishSeek('repeated', true);
    }
    pubsub.publishSeek('taken at once', false);
    expect(await watching.next()).toEqual(told('taken at once'));
    pubsub.publishSeek('taken at once', true);
    pubsub.publishSeek('last', true);
    expect(await watching.next()).toEqual(told('last'));
  });

  it('is told to read it again when it is too slow, and of later changes', async () => {
    const watching = pubsub.subscribeSeeks();
    await watching.next();
    for (let i = 0; i <= MOST_SEEKS_WAITING; i += 1) pubsub.publishSeek(String(i), true);
    pubsub.publishSeek('more', true);
    expect(await watching.next()).toEqual(told(null));
    const next = watching.next();
    pubsub.publishSeek('later', true);
    expect(await next).toEqual(told('later'));
  });

  it('receives nothing more after it has left, even while it waits', async () => {
    const watching = pubsub.subscribeSeeks();
    await watching.next();
    const next = watching.next();
    await watching.return!();
    expect(await next).toEqual(END);
    pubsub.publishSeek('never seen', true);
    expect(await watching.next()).toEqual(END);
  });
});

it('lets everybody look again after a loss, as versions and seeks come again', async () => {
  const [game, lobby] = [pubsub.subscribe('game.1', 6), pubsub.subscribeSeeks()];
  await Promise.all([game.next(), lobby.next()]);
  pubsub.publishSeek('taken', false);
  await lobby.next();
  pubsub.wakeAll();
  await Promise.all(
    [game.next(), lobby.next()].map((next) => expect(next).resolves.toMatchObject({ done: false })),
  );
  const next = [game.next(), lobby.next()];
  pubsub.publish('game.1', { version: 6 });
  pubsub.publishSeek('taken', true);
  expect(await Promise.all(next)).toEqual([heard(6), { done: false, value: { id: 'taken' } }]);
});
