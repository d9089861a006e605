import { statfs } from 'node:fs/promises';
import { DomainError } from '../errors/errors.js';

/** The free bytes on the disk of a folder. */
export type FreeSpace = (folder: string) => Promise<number>;

// Short enough that a burst of writes (120 MB/s were measured) cannot fill the reserve in between.
const MEASURED_FOR_MS = 100;

export const freeSpace: FreeSpace = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Refuses writes while the disk is nearly full, because the embedded database spins forever on a full one. One
 * measurement serves all writes of a moment.
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

  /** Throws STORAGE_FULL while the disk has less free space than the minimum. */
  async assertSpace(): Promise<void> {
    if (!(await this.hasSpace())) throw storageFull();
  }

  /** Why nothing may be written, as a text; null if there is space. */
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
    "The server's disk is nearly full: games can be read but not changed. Try again in 60 seconds, or ask the operator to free space.";
  return new DomainError('STORAGE_FULL', message, { retryAfter: 60 });
}
