import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Made, people, population } from '../support/history-rows.js';
import { ownFile, type OwnFile } from '../support/own-data.js';
import { type Person, register } from '../support/people.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { fewestStatements } from '../support/statements.js';
import type { Body } from '../support/transport.js';

/** More than one page of anything is still complete: each item once, with one statement per page. */
// Long: it plays many random cases.

const MANY = 230;
const GAMES = 90;

let server: TestServer;
let ann: Person;
let file: OwnFile;
let games: readonly Made[];
let long: string;

const idsOf = (kind: Parameters<OwnFile['of']>[0]) => file.of(kind).map(({ id }) => id);
const db = () => server.app.get(PrismaService).db;

beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  ann = await register(server.http, 'ann');
  const others = await people(
    db(),
    Array.from({ length: MANY }, (_, i) => `user${i}`),
  );
  const [[name, id]] = [...others] as [[string, string]];
  games = await population(db(), new Map([[ann.username, ann.id], [name, id]]), GAMES, 4); // prettier-ignore
  await population(db(), others, 50, 9);
  long = games.find(({ status, ruleset }) => status === 'finished' && ruleset === 'chess')!.id;
  await fill([...others.values()]);
  file = await ownFile(server.http, ann);
});
afterAll(() => server.close());

async function fill(others: readonly string[]): Promise<void> {
  const at = new Date();
  const later = new Date(at.getTime() + 1e9);
  await db().block.createMany({ data: others.map((blockedId) => ({ blockerId: ann.id, blockedId, createdAt: at })) }); // prettier-ignore
  await db().session.createMany({ data: others.map(() => ({ id: uuid(), userId: ann.id, createdAt: at, expiresAt: later })) }); // prettier-ignore
  await db().vacation.createMany({
    data: others.map(() => ({ id: uuid(), userId: ann.id, startsAt: at, endsAt: at, days: 0, settled: true, createdAt: at })), // prettier-ignore
  });
  await db().notification.createMany({
    data: others.map(() => ({ userId: ann.id, gameId: uuid(), type: 'gameOver', data: {}, createdAt: at })),
  });
  const terms = { ruleset: 'chess', options: {}, timeControl: { type: 'none' }, rated: false, side: 'any', commitment: '', createHash: '', headHash: '' }; // prettier-ignore
  await db().challenge.createMany({
    data: others.flatMap((other, i) =>
      [[ann.id, other], [other, ann.id]].map(([creatorId, opponentId]) => ({
        ...{ ...terms, id: uuid(), kind: 'direct', creatorId: creatorId!, opponentId: opponentId! },
        ...{ status: ['open', 'cancelled', 'expired'][i % 3]!, createdAt: at, expiresAt: later },
      })),
    ), // prettier-ignore
  });
  await db().message.createMany({
    data: others.map((_, i) => ({ id: uuid(), gameId: long, player: 'first', text: `${i}`, createdAt: at })),
  });
  await db().$executeRaw`
    INSERT INTO plies (game_id, seq, ply, player, move, san, position, time_used, automatic, played_at, previous_hash, hash)
    SELECT ${long}::uuid, n, n, 'first', 'a1a2', 'a2', '', 0, false, now(), '', '' FROM generate_series(1001, ${1000 + MANY}::int) n`;
  await db().game.update({ where: { id: long }, data: { version: 1000 + MANY } });
  await db().$executeRaw`
    INSERT INTO ratings VALUES (${ann.id}::uuid, 'chess', 1500, 60, 0.06, 2, 1, 1, 0, now(), now())`;
  await db().$executeRaw`
    INSERT INTO rating_changes
    SELECT id, player, CASE player WHEN 'first' THEN ${ann.id}::uuid ELSE ${others[0]!}::uuid END, 'chess', n,
           1500, 60, 0.06, 1501, 60, 0.06, now()
    FROM (SELECT id, row_number() OVER () n FROM games LIMIT 130) g, unnest(ARRAY['first', 'second']) player`;
}

test.each(['session', 'vacation', 'notification', 'block'] as const)('contains every %s', (kind) => {
  // That it is their turn in a game is a state of the game.
  const lines = file.of(kind).filter(({ type }) => type !== 'yourTurn');
  const found = lines.map((line) => JSON.stringify([line['id'], (line['user'] as Body)?.['id']]));
  expect(found).toHaveLength(kind === 'session' ? MANY + 1 : MANY);
  if (kind !== 'session') expect(new Set(found).size).toBe(MANY);
});

test('contains every point of a rating history', () => {
  const numbers = file.of('ratingPoint').map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: 130 }, (_, i) => i + 1));
});

test('contains every challenge, the open ones of each side first', async () => {
  const rows = await db().challenge.findMany({ select: { id: true } });
  expect([...idsOf('challenge')].sort()).toEqual(rows.map(({ id }) => id).sort());
  const sent = file.of('challenge').slice(0, MANY);
  expect(new Set(sent.map(({ creator }) => (creator as Body)['id']))).toEqual(new Set([ann.id]));
  const open = sent.findLastIndex(({ status }) => status === 'open');
  expect(sent.slice(0, open + 1).every(({ status }) => status === 'open')).toBe(true);
});

test('contains every game with all of its plies and messages', () => {
  const byAge = (a: Made, b: Made) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
  expect(idsOf('game')).toEqual([...games].sort(byAge).map(({ id }) => id));
  for (const { id, moves } of games) {
    const game = file.of('game').find((line) => line['id'] === id)!;
    const played = (game['plies'] as Body[]).map(({ move }) => move);
    expect(played).toEqual([...moves, ...Array<string>(id === long ? MANY : 0).fill('a1a2')]);
  }
  const game = file.of('game').find(({ id }) => id === long)!;
  const texts = (game['messages'] as Body[]).map(({ text }) => text);
  expect(texts).toEqual(Array.from({ length: MANY }, (_, i) => `${i}`));
});

test('a page of games costs the same, whatever is in it', async () => {
  const cost = async () => (await fewestStatements(() => ownFile(server.http, ann))).length;
  const before = await cost();
  await db().message.createMany({
    data: games.map(({ id }) => ({ id: randomUUID(), gameId: id, player: 'first', text: 'Hello', createdAt: new Date() })), // prettier-ignore
  });
  await db().gameSeat.createMany({
    data: games.map(({ id }) => ({ gameId: id, player: 'first', note: 'A note', muted: true })),
  });
  expect(await cost()).toBe(before);
  expect(before).toBeLessThan(30 + (Math.ceil(GAMES / 20) + 3) * 16);
});
