import { randomUUID } from 'node:crypto';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { BusyUser } from './busy-user.js';
import type { Values } from './random-queries.js';
import type { TestServer } from './server.js';

/** Possible arguments of random queries about a busy user, with small and large numbers. */
export async function valuesIn(server: TestServer, { ann, other, since }: BusyUser): Promise<Values> {
  const { db } = server.app.get(PrismaService);
  const own = { OR: [{ firstId: ann.id }, { secondId: ann.id }] };
  const games = await db.game.findMany({ where: own, select: { id: true }, take: 40 });
  const challenges = await db.challenge.findMany({
    where: { creatorId: ann.id },
    select: { id: true },
    take: 9,
  });
  const imported = await db.importedGame.findMany({ where: { userId: ann.id }, select: { id: true } });
  const webhook = await db.webhook.create({
    data: {
      ...{ id: randomUUID(), userId: ann.id, scopes: 'webhooks', url: 'https://hooks.example/', types: '' },
      ...{ secret: new Uint8Array(), createdAt: new Date(), dueAt: new Date() },
      ...{ placeTide: 0, placeId: 0, placePart: 0, lastTide: 0, lastId: 0 },
    },
  });
  const line = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'];
  const names = [ann.username, other, 'user1', 'user2'];
  const counts = [1, 2, 5, 20, 99, 100];
  return {
    first: counts,
    last: counts,
    username: names,
    externalId: ['member-17', 'nobody'],
    prefix: ['us', 'user1', ann.username.slice(0, 3)],
    a: names,
    b: names,
    ruleset: ['chess', 'xiangqi', 'half-chess', 'banqi-taiwan'],
    pool: ['chess', 'xiangqi', 'half-chess', 'banqi-taiwan'],
    since: [since],
    fromNow: [true, false],
    unread: [true, false],
    includeTakenBack: [true, false],
    moves: [[], line],
    'game.id': games.map(({ id }) => id),
    'challenge.id': challenges.map(({ id }) => id),
    'importedGame.id': imported.map(({ id }) => id),
    nodeId: games.map(({ id }) => `Game:${id}`),
    'gameEvents.gameId': games.map(({ id }) => id),
    ids: [1, 3, 20].map((many) => games.slice(0, many).map(({ id }) => id)),
    'ruleset.id': ['chess', 'xiangqi', 'banqi-hongkong'],
    'webhookDeliveries.id': [webhook.id],
    'setup.ruleset': ['half-court-chess'],
    'setup.number': [0, 7],
    'analyse.input': [
      { ruleset: 'chess' },
      { ruleset: 'xiangqi' },
      { ruleset: 'chess', text: '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6' },
      { ruleset: 'chess', moves: line.map((move) => ({ move })) },
      { ruleset: 'chess', position: 'QQQQQQQQ/1Q6/8/8/4Q3/8/Q6k/K7 w - - 0 1' },
    ],
    'games.filter': [{ player: ann.username }, { ruleset: 'chess', rated: true }, { minPlies: 4 }],
  };
}
