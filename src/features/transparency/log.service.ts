import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../../config.js';
import { DealsService } from '../../engine/deals.service.js';
import { NotaryService } from '../../engine/notary.service.js';
import { printEntry } from '../../fairness/log-entry.js';
import { HASH_BYTES, inclusionProof, rootAt, type Tile } from '../../fairness/tlog.js';
import { printBundle, printCheckpoint, printLogProof, type TilePath } from '../../fairness/tlog-texts.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors.js';
import { endEntry, openEntry } from './log.facts.js';
import { type EntryKind, kindOf, LogStore, type NewEntry, type Waiting } from './log.store.js';

/** So many are appended by one transaction: few enough that their rows are found by an index. */
const APPENDED_AT_ONCE = 100;
/** Seconds after which what happened just now is in the log. */
const SOON = 3;

/** The log of all games: what is opened and what ends is appended behind the commit. Several instances may append. */
@Injectable()
export class LogService implements OnApplicationShutdown {
  private stopping = false;
  private newest = { size: -1, signed: '' };

  constructor(
    private readonly store: LogStore,
    private readonly deals: DealsService,
    private readonly notary: NotaryService,
    background: Background,
    @Inject(CONFIG) { logSeconds }: Config,
  ) {
    background.every('Log', logSeconds * 1000, () => this.append());
  }

  /** Appends all that waits, unless another instance is doing it. */
  async append(): Promise<void> {
    const appendSome = () => this.store.append(APPENDED_AT_ONCE, (waiting, tx) => this.print(waiting, tx));
    while (!this.stopping && (await this.store.isAnythingWaiting())) if ((await appendSome()) === 0) return;
  }

  /** The signed checkpoint of all that is in the log. */
  async checkpoint(): Promise<string> {
    return (await this.head()).signed;
  }

  /** A tile or a bundle of entries. Throws NOT_FOUND where not all of it is there yet. */
  async tile({ level, index, width }: TilePath): Promise<Uint8Array> {
    const [bytes, found] =
      level === 'entries' ? await this.bundle(index, width) : await this.hashes({ level, index, width });
    if (found < width) {
      throw new DomainError(
        'NOT_FOUND',
        `The log is not long enough for this: it has ${found} of these ${width}.`,
      );
    }
    return bytes;
  }

  /**
   * The `.tlog-proof` of the opening or of the end of a game or challenge. Throws NOT_FOUND where that is not in the log,
   * with `retryAfter` where it soon will be.
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

  /** The log as it is now. */
  private async head(): Promise<{ readonly size: number; readonly signed: string }> {
    const size = await this.store.size();
    if (size !== this.newest.size) this.newest = { size, signed: await this.sign(size) };
    return this.newest;
  }

  private async sign(size: number): Promise<string> {
    const root = await this.store.reading((read) => rootAt(size, read));
    return this.notary.checkpoint(printCheckpoint({ origin: this.notary.origin, size, root }));
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
    const standing = await this.store.standing(gameId);
    if (standing === null) return new DomainError('NOT_FOUND', 'There is no game or challenge with this id.');
    if (standing.format === 1) {
      return new DomainError(
        'NOT_FOUND',
        'This game began before there was a log: only its record can be verified.',
      );
    }
    if (kind === 'open' || standing.isOver) {
      const message = 'This is being written to the log. Ask for its proof again in a few seconds.';
      return new DomainError('NOT_FOUND', message, { retryAfter: SOON });
    }
    return new DomainError(
      'NOT_FOUND',
      'This is not over, so its end is not in the log. With entry=open you get the proof of its opening.',
    );
  }
}
