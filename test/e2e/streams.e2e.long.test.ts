import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restApi, VERBS } from '../support/api.js';
import { exported } from '../support/exports.js';
import { population } from '../support/history-rows.js';
import { type Person, register } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { addressOf, type By, type Rest } from '../support/transport.js';

/** Streams share the server: each client has a limit, and a disconnected reader frees its place. */
// Long: it waits in real time.

const GAMES = 600;
const MOST = 3;
const OWN = VERBS.exportOwnData.rest();
const ALL = VERBS.exportGames.rest();

let server: TestServer;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '3600', MAX_STREAMS: `${MOST}` });
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  const { db } = server.app.get(PrismaService);
  const users = new Map([ann, ben].map(({ username, id }) => [username, id]));
  const made = await population(db, users, GAMES, 5);
  // More than the socket buffers hold.
  await db.$executeRaw`
    INSERT INTO plies (game_id, seq, ply, player, move, san, position, time_used, automatic, played_at, previous_hash, hash)
    SELECT id, 1000, 1000, 'first', 'a1a2', repeat('x', 100000), '', 0, false, now(), '', ''
    FROM unnest(${made.map(({ id }) => id)}::uuid[]) AS g(id)`;
  await db.$executeRaw`UPDATE games SET version = 1000`;
});
afterAll(() => server.close());

/** A response that has begun and is not read. */
const open = (of: Rest, by: By): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    const headers = by === null ? {} : { authorization: by.authorization };
    get(addressOf(server.url, of), { headers }, done).on('error', fail);
  });

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}

/** Like open, as soon as a place is free. */
async function begun(of: Rest, by: By): Promise<IncomingMessage> {
  for (;;) {
    const answer = await open(of, by);
    if (answer.statusCode === 200) return answer;
    answer.destroy();
    await pause(20);
  }
}

/** Takes a free place and gives it back: true if there was one. */
async function isFree(of: Rest, by: By): Promise<boolean> {
  const answer = await open(of, by);
  answer.destroy();
  return answer.statusCode === 200;
}

const isPage = (text: string) => /FROM plies|json_agg/.test(text);

describe.each([
  ['own data', OWN, 1, 'An export of your data is under way already: wait until it has ended'],
  ['games', ALL, MOST, `You have ${MOST} open streams of games, which is the limit. Wait for one to end`],
] as const)('%s', (_, of, most, words) => {
  test(`each client is limited to ${most} at a time; an aborted stream frees its place`, async () => {
    const answers: IncomingMessage[] = [];
    for (let i = 0; i < most; i++) answers.push(await open(of, ann));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const refused = await exported(server.http, of, ann);
    expect(refused).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      detail: expect.stringContaining(words),
    });
    expect(await isFree(of, ben)).toBe(true);
    answers[0]!.destroy();
    await until(() => isFree(of, ann));
    for (const answer of answers) answer.destroy();
  });

  test('a stream read to its end frees its place', async () => {
    await until(() => isFree(of, ann));
    for (let i = 0; i <= most; i++) {
      await until(async () => (await exported(server.http, of === ALL ? VERBS.exportGames.rest({ max: 3 }) : of, ann)).status === 200); // prettier-ignore
    }
  });

  test('so does one whose client left before it began', async () => {
    for (let i = 0; i < 3 * most; i++) {
      const asked = get(addressOf(server.url, of), { headers: { authorization: ben.authorization } });
      asked.on('error', () => undefined);
      await once(asked, 'finish');
      asked.destroy();
    }
    await until(() => isFree(of, ben));
    const answers: IncomingMessage[] = [];
    for (let i = 0; i < most; i++) answers.push(await begun(of, ben));
    expect(answers).toHaveLength(most);
    for (const answer of answers) answer.destroy();
  });

  test('the database is read no further than the client reads, and not after it has left', async () => {
    const read = async () => (await exported(server.http, of, ann)).status === 200;
    const whole = (await statementsOf(() => until(read))).filter(isPage).length;
    const seen = await statementsOf(async () => {
      const answer = await begun(of, ann);
      await once(answer, 'readable');
      // Without back-pressure, a stream would be read on while others are answered by the same database.
      for (let i = 0; i < 50; i++) await restApi(server.http).user(null, ann.username);
      answer.destroy();
      await until(() => isFree(of, ann));
    });
    expect(whole).toBeGreaterThan(3);
    expect(seen.filter(isPage).length).toBeLessThan(whole);
  });
});

test('anonymous clients are distinguished by address', async () => {
  const answers = [];
  for (let i = 0; i < MOST; i++) answers.push(await open(VERBS.exportGamesOf.rest(ann.username), null));
  expect((await exported(server.http, ALL)).code).toBe('RATE_LIMITED');
  (await begun(ALL, ann)).destroy();
  for (const answer of answers) answer.destroy();
  await until(() => isFree(ALL, null));
});

test('a request refused for another reason takes no place', async () => {
  for (let i = 0; i <= MOST; i++) {
    expect((await exported(server.http, VERBS.exportGames.rest({ after: 'x' }), ben)).code).toBe('BAD_INPUT');
    expect((await exported(server.http, VERBS.exportGamesOf.rest('nobody'), ben)).code).toBe('NOT_FOUND');
  }
  await until(() => isFree(ALL, ben));
});

test('an export of own data stops without its end mark when the session has ended', async () => {
  const answer = await begun(OWN, ben);
  await restApi(server.http).endSessions(ben, true);
  let text = '';
  const read = async () => {
    for await (const part of answer.setEncoding('utf8')) text = (text + String(part)).slice(-1000);
  };
  await expect(read()).rejects.toThrow('aborted');
  expect(text).not.toContain('"kind":"end"');
});
