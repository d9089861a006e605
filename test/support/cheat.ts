import { randomBytes } from 'node:crypto';
import { DealsStore } from '../../src/engine/deals.store.js';
import { commitment } from '../../src/fairness/commitment.js';
import type { GameRecord, PlyData, Row } from '../../src/fairness/record.js';
import { grown, leafHash } from '../../src/fairness/tlog.js';
import { withHashes } from '../../src/features/matchmaking/opening-rows.js';
import { LogService } from '../../src/features/transparency/log.service.js';
import { PrismaService, type Transaction } from '../../src/platform/database/prisma.service.js';
import type { TestServer } from './server.js';

/** What an operator who cheats can do with access to the database and the keys. */
export class Cheat {
  constructor(private readonly server: TestServer) {}

  /** Runs in one transaction, without the triggers that protect the history. */
  within<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.server.app.get(PrismaService).transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      return work(tx);
    });
  }

  /** Replaces the stored record of a game. */
  rewrite({ id, rows, outcome }: GameRecord): Promise<void> {
    const last = rows.at(-1)!;
    const game = { version: last.seq, headHash: last.hash, winner: outcome?.winner ?? null, reason: outcome?.reason ?? null }; // prettier-ignore
    return this.within(async (tx) => {
      await tx.ply.deleteMany({ where: { gameId: id } });
      await tx.gameEvent.deleteMany({ where: { gameId: id } });
      for (const row of rows) await (row.type === 'ply' ? insertPly(tx, id, row) : insertEvent(tx, id, row));
      await tx.game.update({ where: { id }, data: game });
    });
  }

  /** Replaces the committed server seed by another one that satisfies the condition. */
  async reseed(id: string, isLiked: (seed: Buffer) => boolean = () => true): Promise<void> {
    const seed = findSeed(isLiked);
    await this.within(async (tx) => {
      await tx.dealSecret.delete({ where: { gameId: id } });
      await this.server.app.get(DealsStore).insert(tx, id, seed, new Date());
    });
    await this.reopen(id, { commitment: commitment(seed) });
  }

  /** Changes an open challenge and recomputes its hashes. */
  async reopen(id: string, more: object): Promise<void> {
    await this.within(async (tx) => {
      const row = await tx.challenge.findUniqueOrThrow({ where: { id } });
      const { createHash, headHash } = withHashes({ ...row, ...more } as never);
      await tx.challenge.update({ where: { id }, data: { ...more, createHash, headHash } });
    });
  }

  /** Deletes a challenge as if it had never existed. */
  async forget(id: string): Promise<void> {
    await this.within(async (tx) => {
      await tx.unlogged.deleteMany({ where: { gameId: id } });
      await tx.challenge.delete({ where: { id } });
    });
  }

  /** Replaces the log by another one; returns a function that restores the original. */
  async relog(change: (entries: readonly string[]) => readonly string[]): Promise<() => Promise<void>> {
    const before = await this.within((tx) => tx.logEntry.findMany({ orderBy: { idx: 'asc' } }));
    const told = before.map(({ entry }) => entry);
    const write = (entries: readonly string[]): Promise<void> =>
      this.within(async (tx) => {
        await tx.logEntry.deleteMany();
        await tx.logNode.deleteMany();
        await tx.logEntry.createMany({ data: entries.map((entry, at) => ({ ...before[at]!, entry })) });
        await tx.logNode.createMany({ data: nodesOf(entries) });
        this.forgetCheckpoint();
      });
    await write(change(told));
    return () => write(told);
  }

  private forgetCheckpoint(): void {
    Object.assign(this.server.app.get(LogService), { newest: { size: -1, signed: '' } });
  }
}

const nodesOf = (entries: readonly string[]) =>
  grown(0, entries.map(leafHash), () => new Uint8Array()).map(({ level, index, hash }) => ({
    ...{ level, idx: BigInt(index) },
    hash: Uint8Array.from(hash),
  }));

/** Draws seeds until one satisfies the condition. */
export function findSeed(isLiked: (seed: Buffer) => boolean): Buffer {
  for (;;) {
    const seed = randomBytes(32);
    if (isLiked(seed)) return seed;
  }
}

const insertPly = (tx: Transaction, gameId: string, row: Row): Promise<unknown> => {
  const { seq, player, previousHash, hash, proof, at } = row;
  const content = row.data as unknown as PlyData;
  const data = { gameId, seq, player: player!, previousHash: previousHash!, hash, playedAt: new Date(at), ...content }; // prettier-ignore
  return tx.ply.create({ data: { ...data, ...(proof == null ? {} : { proof: proof as never }) } });
};

const insertEvent = (
  tx: Transaction,
  gameId: string,
  { seq, type, player, data, at, previousHash, hash }: Row,
): Promise<unknown> =>
  // prettier-ignore
  tx.gameEvent.create({
    data: { gameId, seq, type, player, data: data as never, at: new Date(at), previousHash, hash },
  });
