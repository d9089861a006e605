import { v7 as uuid } from 'uuid';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restApi } from './api.js';
import { untilChangesVisible } from './changes.js';
import { people, population } from './history-rows.js';
import { type Person, register } from './people.js';
import { NEXT_VERSION } from './rows.js';
import type { TestServer } from './server.js';
import { must } from './transport.js';

/** A user with more than a page of everything that the API lists, written directly to the database. */

export interface BusyUser {
  readonly ann: Person;
  /** The username of the user's most frequent opponent. */
  readonly other: string;
  /** A cursor before the user's last changes, which come in rounds with changes of all kinds. */
  readonly since: string;
}

/** Objects in a round of changes, and number of rounds. */
export const ROUND = 8;
export const ROUNDS = 5;
const IMPORTS = 20;

export async function createBusyUser(server: TestServer): Promise<BusyUser> {
  const ann = await register(server.http, 'ann');
  const { db } = server.app.get(PrismaService);
  const others = await people(
    db,
    Array.from({ length: 30 }, (_, i) => `user${i}`),
  );
  const other = [...others.keys()][0]!;
  await population(db, new Map([[ann.username, ann.id], [other, others.get(other)!]]), 90, 3); // prettier-ignore
  for (const [i, [name, id]] of [...others].entries()) await population(db, new Map([[ann.username, ann.id], [name, id]]), 4, i); // prettier-ignore
  await population(db, others, 60, 5);
  return { ann, other, since: await around(server, ann, [...others.values()]) };
}

/** Adds more than a page to every list of the user; returns a cursor of the user's changes. */
async function around(server: TestServer, ann: Person, others: readonly string[]): Promise<string> {
  const { db } = server.app.get(PrismaService);
  const [now, later] = [new Date(), new Date(Date.now() + 1e9)];
  const pools = ['chess', 'xiangqi', 'half-chess', 'banqi-taiwan', 'banqi-hongkong'];
  await db.$executeRaw`
    INSERT INTO ratings SELECT id, p, 1500, 60, 0.06, 1, 1, 0, 0, now(), now() + interval '9 days'
    FROM users, unnest(${pools}::text[]) p`;
  await db.$executeRaw`
    INSERT INTO rating_changes
    SELECT id, player, CASE player WHEN 'first' THEN first_id ELSE second_id END, 'chess',
           row_number() OVER (ORDER BY id, player), 1500, 60, 0.06, 1501, 60, 0.06, now()
    FROM games, unnest(ARRAY['first', 'second']) player WHERE status = 'finished'`;
  await db.$executeRaw`
    UPDATE games SET offers = jsonb_set(offers, '{draw}', jsonb_build_object(
      'by', CASE first_id WHEN ${ann.id}::uuid THEN 'second' ELSE 'first' END, 'at', extract(epoch FROM now()) * 1000))
    WHERE ended_at IS NULL AND ${ann.id}::uuid IN (first_id, second_id)`;
  await db.$executeRaw`INSERT INTO messages SELECT gen_random_uuid(), id, 'first', 'Hello', now() FROM games, generate_series(1, 3)`;
  await db.$executeRaw`INSERT INTO game_seats SELECT id, p, 'A note', true FROM games, unnest(ARRAY['first', 'second']) p`;
  // The games were not really played, so remove their events.
  await db.$executeRaw`DELETE FROM events`;
  await db.$executeRaw`INSERT INTO events (user_id, type) SELECT ${ann.id}::uuid, 'profileChanged' FROM generate_series(1, 40)`;
  await db.block.createMany({ data: others.slice(2).map((blockedId) => ({ blockerId: ann.id, blockedId, createdAt: now })) }); // prettier-ignore
  await db.notification.createMany({
    data: others.map(() => ({ userId: ann.id, gameId: uuid(), type: 'gameOver', data: {}, createdAt: now })),
  });
  const terms = { options: {}, timeControl: { type: 'none' }, rated: false, side: 'any', commitment: '', createHash: '', headHash: '', status: 'open', createdAt: now, expiresAt: later }; // prettier-ignore
  const pool = (i: number) => ({ ...terms, id: uuid(), ruleset: pools[Math.floor(i / 2) % pools.length]! });
  await db.challenge.createMany({
    data: others.flatMap((id, i) => [
      { ...pool(i), kind: 'direct', creatorId: ann.id, opponentId: id },
      { ...pool(i), kind: 'direct', creatorId: id, opponentId: ann.id },
      { ...pool(i), kind: 'seek', creatorId: others[i % 2]!, termsKey: `${i}` },
    ]),
  });
  await db.$executeRaw`
    INSERT INTO challenges (id, kind, creator_id, opponent_id, status, ruleset, options, time_control, rated, side, commitment,
                            create_hash, head_hash, created_at, expires_at, rematch_of)
    SELECT gen_random_uuid(), 'direct', first_id, second_id, 'open', ruleset, options, time_control, false, 'any', '', '', '',
           now(), now() + interval '9 days', id
    FROM games WHERE status = 'finished'`;
  await imported(server, ann, IMPORTS);
  await untilChangesVisible(server.app);
  const since = must(await restApi(server.http).changes(ann, { fromNow: true })).cursor;
  for (let i = 0; i < ROUNDS; i++) await touched(server, ann, i, others[i + 2]!, pools[i]!);
  await untilChangesVisible(server.app);
  return since;
}

/** One after the other, so that each page of changes contains all kinds. */
async function touched(
  server: TestServer,
  ann: Person,
  i: number,
  otherId: string,
  pool: string,
): Promise<void> {
  const { db } = server.app.get(PrismaService);
  const id = ann.id;
  const now = new Date();
  const own = { OR: [{ firstId: id }, { secondId: id }] };
  const [game] = await db.game.findMany({ where: { ...own, status: 'finished', unrated: null }, orderBy: { id: 'asc' }, skip: i, take: 1 }); // prettier-ignore
  const [running] = await db.game.findMany({ where: { ...own, endedAt: null }, orderBy: { id: 'asc' }, skip: i, take: 1 }); // prettier-ignore
  await db.$queryRawUnsafe(NEXT_VERSION, game!.id, game!.version + 1);
  await db.message.create({ data: { id: uuid(), gameId: running!.id, player: 'first', text: 'Hello', createdAt: now } }); // prettier-ignore
  await db.$executeRaw`UPDATE challenges SET expires_at = expires_at + interval '1 day'
    WHERE kind = 'direct' AND rematch_of IS NULL AND creator_id = ${otherId}::uuid AND opponent_id = ${id}::uuid`;
  await db.notification.create({ data: { userId: id, gameId: game!.id, type: 'gameOver', data: {}, createdAt: now } }); // prettier-ignore
  await db.block.upsert({ where: { blockerId_blockedId: { blockerId: id, blockedId: otherId } }, create: { blockerId: id, blockedId: otherId, createdAt: now }, update: { createdAt: now } }); // prettier-ignore
  await db.vacation.create({ data: { id: uuid(), userId: id, startsAt: now, endsAt: now, days: 1, settled: true, createdAt: now } }); // prettier-ignore
  await db.rating.update({
    where: { userId_ruleset: { userId: id, ruleset: pool } },
    data: { rating: 1501 },
  });
  await imported(server, ann, 1);
}

async function imported(server: TestServer, ann: Person, many: number): Promise<void> {
  const text = '[White "Ada"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'.repeat(many);
  must(await restApi(server.http).importGames(ann, { text }));
}
