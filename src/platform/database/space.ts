import { statfs } from 'node:fs/promises';
import { DomainError } from '../errors.js';

/** Bytes that this process may still write in the folder. */
export type FreeSpace = (folder: string) => Promise<number>;

// Short enough that no burst of writes fills the reserve in between: 120 MB in a second were seen.
const MEASURED_FOR_MS = 100;

export const freeSpace: FreeSpace = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Refuses writes while the disk is nearly full: the embedded database spins for ever on a full one.
 * One measurement serves all writes of a moment.
 */
export class SpaceGate {
  private measuredAt = -Infinity;
  private free: Promise<number> = Promise.resolve(Infinity);

  /** `minFreeBytes` 0 turns the gate off. */
  constructor(
    private readonly folder: string,
    private readonly minFreeBytes: number,
    private readonly measure: FreeSpace = freeSpace,
  ) {}

  /** Throws DomainError STORAGE_FULL while the folder's disk has fewer bytes free than it must. */
  async assertSpace(): Promise<void> {
    if (!(await this.hasSpace())) throw storageFull();
  }

  /** Why nothing may be written, in words; null: there is space. */
  async trouble(): Promise<string | null> {
    return (await this.hasSpace()) ? null : storageFull().message;
  }

  private async hasSpace(): Promise<boolean> {
    if (this.minFreeBytes === 0) return true;
    if (performance.now() - this.measuredAt > MEASURED_FOR_MS) {
      this.measuredAt = performance.now();
      this.free = this.measure(this.folder);
    }
    return (await this.free) >= this.minFreeBytes;
  }
}

export function storageFull(): DomainError {
  const message =
    "The server's disk is nearly full: games can be read, but nothing can be changed until space is freed.";
  return new DomainError('STORAGE_FULL', message, { retryAfter: 60 });
}
