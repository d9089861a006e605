import { addressKey, networkKey } from '../../platform/http/addresses.js';

/** The time between two slots of one name. */
const APART_MS = 5_000;
/** Slots are reserved at most this far ahead. */
const AHEAD_MS = 3_600_000;
/** How long a reserved slot stays valid. */
const KEPT_MS = 300_000;
/** The most slots of one network, whose owner may have thousands of addresses. */
const MAX_OF_A_NETWORK = 4;
const MAX_NAMES = 10_000;

interface Slot {
  readonly at: number;
  readonly network: string;
}

interface Schedule {
  /** The time of the first free slot. */
  free: number;
  /** The reserved slots by address, one for each. */
  readonly slots: Map<string, Slot>;
}

/**
 * Makes unknown addresses try a name one after the other. An early one gets a reserved slot, so that asking more often
 * than others gains nothing.
 */
export class AttemptSlots {
  private readonly schedules = new Map<string, Schedule>();

  /** Uses the slot of this address and reslots 0, or reslots the milliseconds to wait for it. */
  take(name: string, address: string, now: number): number {
    const schedule = this.scheduleOf(name, now);
    const { slots } = schedule;
    const key = addressKey(address);
    const own = slots.get(key);
    if (own !== undefined && own.at > now) return own.at - now;
    if (own !== undefined) {
      slots.delete(key);
      return 0;
    }
    const network = networkKey(address);
    const at = Math.max(schedule.free, now);
    const neighbours = [...slots.values()].filter((slot) => slot.network === network).length;
    if (at - now > AHEAD_MS || (at > now && neighbours >= MAX_OF_A_NETWORK)) return at - now;
    schedule.free = at + APART_MS;
    if (at > now) slots.set(key, { at, network });
    return at - now;
  }

  /** Gives back a slot whose attempt was not carried out. */
  giveBack(name: string, address: string, now: number): void {
    const network = networkKey(address);
    this.schedules.get(name)?.slots.set(addressKey(address), { at: now, network });
  }

  private scheduleOf(name: string, now: number): Schedule {
    const schedule = this.schedules.get(name) ?? { free: now, slots: new Map<string, Slot>() };
    for (const [key, { at }] of schedule.slots) if (at + KEPT_MS < now) schedule.slots.delete(key);
    // A Map keeps insertion order: the name tried longest ago is dropped.
    this.schedules.delete(name);
    this.schedules.set(name, schedule);
    const [oldest] = this.schedules.keys();
    if (this.schedules.size > MAX_NAMES && oldest !== undefined) this.schedules.delete(oldest);
    return schedule;
  }
}
