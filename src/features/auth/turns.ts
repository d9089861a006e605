import { addressKey, networkKey } from '../../platform/addresses.js';

/** How far apart two turns of one name are. */
const APART_MS = 5_000;
/** The last turn that is kept for anybody lies so far ahead. */
const AHEAD_MS = 3_600_000;
/** How long a turn waits for whom it is kept. */
const KEPT_MS = 300_000;
/** Of one network, whose owner may have thousands of addresses. */
const MAX_OF_A_NETWORK = 4;
const MAX_NAMES = 10_000;

interface Turn {
  readonly at: number;
  readonly network: string;
}

interface Line {
  /** When the first turn comes that nobody has. */
  free: number;
  /** Those that are kept, by address: one for each. */
  readonly turns: Map<string, Turn>;
}

/**
 * One after the other strangers may try a name, whatever their number: who comes too early is told the time of a turn
 * that is kept, so that nobody gets in by asking more often than others.
 */
export class Turns {
  private readonly lines = new Map<string, Line>();

  /** 0 when it is the turn of this address, which is taken with that; else how long it has to wait, in milliseconds. */
  take(name: string, address: string, now: number): number {
    const line = this.lineOf(name, now);
    const { turns } = line;
    const key = addressKey(address);
    const own = turns.get(key);
    if (own !== undefined && own.at > now) return own.at - now;
    if (own !== undefined) {
      turns.delete(key);
      return 0;
    }
    const network = networkKey(address);
    const at = Math.max(line.free, now);
    const neighbours = [...turns.values()].filter((turn) => turn.network === network).length;
    if (at - now > AHEAD_MS || (at > now && neighbours >= MAX_OF_A_NETWORK)) return at - now;
    line.free = at + APART_MS;
    if (at > now) turns.set(key, { at, network });
    return at - now;
  }

  /** A turn that came to nothing is still had. */
  giveBack(name: string, address: string, now: number): void {
    const network = networkKey(address);
    this.lines.get(name)?.turns.set(addressKey(address), { at: now, network });
  }

  private lineOf(name: string, now: number): Line {
    const line = this.lines.get(name) ?? { free: now, turns: new Map<string, Turn>() };
    for (const [key, { at }] of line.turns) if (at + KEPT_MS < now) line.turns.delete(key);
    // The name that was tried longest ago makes room: a Map keeps the order of insertion.
    this.lines.delete(name);
    this.lines.set(name, line);
    const [oldest] = this.lines.keys();
    if (this.lines.size > MAX_NAMES && oldest !== undefined) this.lines.delete(oldest);
    return line;
  }
}
