import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../../config.js';
import { DealsService } from '../../engine/deals.service.js';
import { SigningService } from '../../engine/signing.service.js';
import { printEntry } from '../../fairness/log-entry.js';
import { HASH_BYTES, inclusionProof, rootAt, type Tile } from '../../fairness/tlog.js';
import { printBundle, printCheckpoint, printLogProof, type TilePath } from '../../fairness/tlog-formats.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import { endEntry, openEntry } from './log.facts.js';
import { type EntryKind, kindOf, LogStore, type NewEntry, type Waiting } from './log.store.js';

/** The batch size of a transaction: small enough that the planner reads the rows by index. */
const APPENDED_AT_ONCE = 100;
/** Seconds after which a new entry should be in the log. */
const SOON = 3;

/** Appends openings and ends of games to the log after they are committed. Several instances may run at once. */
@Injectable()
export class LogService implements OnApplicationShutdown {
  private stopping = false;
  /** By its text: after a lost commit, logs of one size differ. */
  private newest = { text: '', signed: '' };

  constructor(
    private readonly store: LogStore,
    private readonly deals: DealsService,
    private readonly signing: SigningService,
    background: Background,
    @Inject(CONFIG) { logSeconds }: Config,
  ) {
    background.every('Log', logSeconds * 1000, () => this.append());
  }

  /** Appends all waiting entries, unless another instance is doing so. */
  async append(): Promise<void> {
    const appendSome = () => this.store.append(APPENDED_AT_ONCE, (waiting, tx) => this.print(waiting, tx));
    while (!this.stopping && (await this.store.isAnythingWaiting())) if ((await appendSome()) === 0) return;
  }

  /** The signed checkpoint of the whole log. */
  async checkpoint(): Promise<string> {
    return (await this.head()).signed;
  }

  /** A tile or a bundle of entries. Throws NOT_FOUND if it is not complete yet. */
  async tile({ level, index, width }: TilePath): Promise<Uint8Array> {
    const [bytes, found] =
      level === 'entries' ? await this.bundle(index, width) : await this.hashes({ level, index, width });
    if (found < width) {
      const message = `The log has only ${found} of the ${width} entries of this tile. Request a smaller part, or try again later.`;
      throw new DomainError('NOT_FOUND', message);
    }
    return bytes;
  }

  /**
   * The `.tlog-proof` of the opening or the end of a game or challenge. Throws NOT_FOUND if that is not in the log, with
   * `retryAfter` if it soon will be.
   */
  async proof(gameId: string, kind: EntryKind): Promise<string> {
    const index = await this.store.find(gameId, kind);
    if (index === null) throw await this.absence(gameId, kind);
    const { size, signed } = await this.head();
    const path = await this.store.reading((read) => inclusionProof(index, size, read));
    return printLogProof({ index, path, checkpoint: signed });
  }

  onApplicationShutdown(): void {
    this.stopping = true;
  }

  /** The current size of the log with its signed checkpoint. */
  private async head(): Promise<{ readonly size: number; readonly signed: string }> {
    const size = await this.store.size();
    const root = await this.store.reading((read) => rootAt(size, read));
    const text = printCheckpoint({ origin: this.signing.origin, size, root });
    if (text !== this.newest.text) this.newest = { text, signed: this.signing.checkpoint(text) };
    return { size, signed: this.newest.signed };
  }

  private async bundle(index: number, width: number): Promise<[Uint8Array, number]> {
    const entries = await this.store.entries(index, width);
    return [printBundle(entries.map((entry) => Buffer.from(entry))), entries.length];
  }

  private async hashes(tile: Tile): Promise<[Uint8Array, number]> {
    const bytes = await this.store.hashes(tile);
    return [bytes, bytes.length / HASH_BYTES];
  }

  private async print(waiting: readonly Waiting[], tx: Transaction): Promise<readonly NewEntry[]> {
    const ids = (isEnd: boolean) =>
      waiting.filter((each) => each.isEnd === isEnd).map(({ gameId }) => gameId);
    const [opened, ended] = [await this.store.opened(ids(false), tx), await this.store.ended(ids(true), tx)];
    const seeds = await this.deals.seedsOfEnded(
      ended.map(({ challenge }) => challenge.id),
      tx,
    );
    const texts = new Map([
      ...opened.map((row) => [`open ${row.id}`, printEntry(openEntry(row))] as const),
      ...ended.map(
        (facts, at) =>
          [`end ${facts.challenge.id}`, printEntry(endEntry({ ...facts, serverSeed: seeds[at]! }))] as const,
      ),
    ]);
    return waiting.map((each) => ({
      gameId: each.gameId,
      kind: kindOf(each),
      entry: texts.get(`${kindOf(each)} ${each.gameId}`)!,
    }));
  }

  private async absence(gameId: string, kind: EntryKind): Promise<DomainError> {
    const isOver = await this.store.isOver(gameId);
    if (isOver === null) {
      return new DomainError('NOT_FOUND', `No game or challenge has the id ${gameId}.`, { field: 'id' });
    }
    if (kind === 'open' || isOver) {
      const message = `The log does not have this entry yet. Try again in ${SOON} seconds.`;
      return new DomainError('NOT_FOUND', message, { retryAfter: SOON });
    }
    return new DomainError(
      'NOT_FOUND',
      'The log has no end of this game or challenge, because it is not over. Send entry=open for the proof of its opening.',
    );
  }
}
