import { randomUUID } from 'node:crypto';
import type { PrismaClient } from '../../src/generated/prisma/client.js';

/** At least one row for every table, with values that could get corrupted when copied to another database. */
export async function fillEveryTable(prisma: PrismaClient): Promise<{ gameId: string }> {
  const [first, second] = [randomUUID(), randomUUID()];
  const gameId = randomUUID();
  const at = new Date('2026-07-01T23:59:59.999Z');
  for (const [id, username, displayName] of [
    [first, `a-${first}`, 'Ann "A\\" O’Neil\n\t\u2028 {}'],
    [second, `b-${second}`, '将棋 ♞ \\N \\x41'],
  ] as const) {
    await prisma.user.create({
      data: { id, username, displayName, passwordHash: '$argon2id$', createdAt: at },
    });
  }
  const sessionId = randomUUID();
  await prisma.session.create({
    data: { id: sessionId, userId: first, createdAt: at, expiresAt: new Date(0) },
  });
  await prisma.streamTicket.create({
    data: {
      hash: `t-${sessionId}`,
      sessionId,
      scopes: 'games:read games:play',
      tokenExpiresAt: at,
      expiresAt: at,
    },
  });
  await prisma.refreshToken.create({ data: { hash: `h-${sessionId}`, sessionId, issuedAt: at, usedAt: at } });
  const terms = {
    ruleset: 'chess',
    options: { 'a"b': [1, 1.5, null, '\u2029'], z: {} },
    timeControl: { days: 3 },
  };
  await prisma.game.create({
    data: {
      ...terms,
      id: gameId,
      firstId: first,
      secondId: second,
      status: 'active',
      version: 2,
      plyCount: 1,
      turn: 'second',
      position: 'p',
      anchorPosition: 'p',
      anchorPly: 0,
      moves: 'e2e4',
      termsHash: 't',
      headHash: 'h',
      commitment: 'c',
      turnStartedAt: at,
      creator: 'first',
      sidesBy: 'wish',
      deadlineAt: at,
      rated: true,
      clock: { allowance: 1, given: 0, stops: [], reminded: false, bank: null, away: {} },
      offers: { draw: { by: 'first', at: 1 } },
      takebacks: [{ seq: 2, ply: 0 }],
      wakeAt: at,
      plans: randomUUID(),
      secondPlan: [{ when: 'e2e4', reply: 'e7e5' }],
      createdAt: at,
      lastActivityAt: at,
    },
  });
  await prisma.challenge.create({
    data: {
      ...terms,
      id: gameId,
      kind: 'seek',
      creatorId: first,
      opponentId: null,
      status: 'accepted',
      rated: true,
      side: 'any',
      minRating: 1200,
      termsKey: '["chess"]',
      gameId,
      commitment: 'c',
      creatorClientSeed: '0'.repeat(32),
      creatorSeedAt: at,
      createHash: 'c',
      headHash: 'h',
      createdAt: at,
      expiresAt: at,
    },
  });
  await prisma.ply.create({
    data: {
      gameId,
      seq: 2,
      ply: 1,
      player: 'first',
      move: 'e2e4',
      san: 'e4',
      position: 'p',
      timeUsed: 0,
      automatic: false,
      playedAt: at,
      previousHash: '',
      hash: 'h',
      proof: { path: ['a', 'b'] },
    },
  });
  await prisma.gameEvent.createMany({
    data: [
      { gameId, seq: 0, type: 'create', data: {}, at, previousHash: null, hash: 'h' },
      { gameId, seq: 1, type: 'start', data: {}, at, previousHash: 'h', hash: 'i' },
    ],
  });
  await prisma.clientSeed.create({ data: { hash: `h-${gameId}`, challengeId: gameId, createdAt: at } });
  await prisma.dealSecret.create({
    data: { gameId, sealed: Uint8Array.from({ length: 256 }, (_, i) => i), createdAt: at },
  });
  await prisma.vacation.create({
    data: {
      id: randomUUID(),
      userId: first,
      startsAt: at,
      endsAt: at,
      days: 1,
      settled: false,
      createdAt: at,
    },
  });
  await prisma.message.create({
    data: { id: randomUUID(), gameId, player: 'first', text: 'Salut \u2028 "ça va"?\n\\', createdAt: at },
  });
  await prisma.gameSeat.create({ data: { gameId, player: 'second', note: '', muted: true } });
  await prisma.block.create({ data: { blockerId: first, blockedId: second, createdAt: at } });
  await prisma.notification.create({
    data: { userId: first, gameId, type: 'drawOffer', data: {}, createdAt: at, readAt: null },
  });
  const rated = { userId: first, ruleset: 'chess', rating: 1500.1, deviation: 1e2 / 3, volatility: 0.09 };
  await prisma.rating.create({
    data: {
      ...rated,
      deviation: 49.99999999999999,
      games: 1,
      wins: 0,
      draws: 1,
      losses: 0,
      ratedAt: at,
      listedUntil: at,
    },
  });
  await prisma.ratingChange.create({
    data: {
      ...rated,
      gameId,
      player: 'first',
      number: 1,
      ratingBefore: 1500,
      deviationBefore: 500,
      volatilityBefore: 0.09,
      at,
    },
  });
  await prisma.openingMove.create({
    data: { position: randomUUID(), move: '', firstWon: 0, drawn: 1, secondWon: 2 ** 31 - 1 },
  });
  await prisma.unexploredGame.create({ data: { gameId } });
  const idx = BigInt(await prisma.logEntry.count());
  await prisma.logEntry.create({ data: { idx, gameId, kind: 'open', entry: '{"type":"open"}' } });
  await prisma.logNode.create({
    data: { level: 0, idx, hash: Uint8Array.from({ length: 32 }, (_, i) => 8 * i) },
  });
  await prisma.unlogged.create({ data: { isEnd: true, at, gameId } });
  await prisma.importedGame.create({
    data: {
      id: randomUUID(),
      userId: first,
      importId: gameId,
      score: { ruleset: 'chess', tags: { b: '\u2028 "\\', a: '' } },
      plies: [{ move: 'e2e4', clock: null }],
      plyCount: 1,
      position: 'p',
      importedAt: at,
    },
  });
  await prisma.signingKey.create({
    data: { key: `key of ${gameId}`, use: 'receipts', firstUsedAt: at, retiredAt: null },
  });
  await prisma.idempotencyKey.create({
    data: { actor: first, key: 'k', operation: 'o', fingerprint: 'f', resourceId: gameId, createdAt: at },
  });
  return { gameId };
}

/**
 * Gives a game (id) this version (number) and writes its event in the same statement, as a commit does; returns a row
 * if the game exists.
 */
export const NEXT_VERSION = `
  WITH won AS (
    UPDATE games SET version = $2::integer WHERE id = $1::uuid RETURNING id, version, first_id, second_id
  )
  INSERT INTO events (user_id, other_id, game_id, version, steps)
  SELECT first_id, second_id, id, version, 1 FROM won RETURNING 1`;
