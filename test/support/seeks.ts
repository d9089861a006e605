import type { INestApplicationContext } from '@nestjs/common';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Person } from './people.js';
import type { Body } from './transport.js';

/** Shared by tests of seeks and the lobby. */

/** Gives a user an established rating directly. */
export async function setRating(
  app: INestApplicationContext,
  { id: userId }: Person,
  rating: number,
  ruleset = 'chess',
): Promise<void> {
  const data = { rating, deviation: 60, volatility: 0.09, games: 1, wins: 1, draws: 0, losses: 0 };
  await app.get(PrismaService).db.rating.upsert({
    where: { userId_ruleset: { userId, ruleset } },
    create: { userId, ruleset, ...data, ratedAt: new Date() },
    update: { rating },
  });
}

/** Closes all open seeks, so that they do not count against the limit in the next test. */
export async function closeChallenges(app: INestApplicationContext): Promise<void> {
  const { challenge } = app.get(PrismaService).db;
  await challenge.updateMany({
    where: { status: 'open' },
    data: { status: 'cancelled', answeredAt: new Date() },
  });
}

let seconds = 60;

/** Unique terms. */
export const ownTerms = (more: Body = {}): Body => ({
  ruleset: 'chess',
  timeControl: { type: 'perMove', seconds: (seconds += 1) },
  ...more,
});
