import { Injectable } from '@nestjs/common';
import { DomainError } from '../errors/errors.js';
import { Rotation, type Party } from './rotation.js';

/** What one address may have under way while others are served, and while it is alone, in fields of answers. */
const SHARED = 2_000;
const ALONE = 32_000;
/** While others are served, an address begins no more than what takes one processor so long, but so much at once. */
const FIELD_MS = 0.005;
const AT_ONCE_MS = 20;
/** How long another address counts as being served. */
const SHARED_MS = 5_000;
/** A client that keeps the process from others for longer at a time rests for some times as long. */
const FREE_MS = 5;
const REST = 8;
/** Requests of one address that may wait. */
const MOST_WAITING = 1_000;

/** A piece of work that waits or is under way. */
export interface Turn extends Party {
  /** In fields of an answer. */
  weight: number;
}

interface Waiting {
  readonly turn: Turn;
  /** What is not paid for yet. */
  readonly cost: number;
  readonly begin: () => void;
}

class Client {
  load = 0;
  isPumped = false;
  /** In the past while more may begin at once. */
  restsUntil = -Infinity;
  timer: NodeJS.Timeout | null = null;
  /** By user. */
  readonly waiting = new Rotation<Waiting>();

  constructor(readonly address: string) {}
}

/**
 * Bounds the work that each address has under way by what it costs this process, so that the event loop is never far
 * behind for the others. Work above the bound waits, and begins piece by piece with the loop's other events in between;
 * the users of an address take turns. An address that is alone uses the whole process.
 */
@Injectable()
export class Turns {
  private readonly clients = new Map<string, Client>();
  private newest = '';
  private newestAt = -Infinity;
  /** When an address other than the newest was last served. */
  private othersAt = -Infinity;

  /** Begins at once (null), or in turn. Throws RATE_LIMITED if too much of the address waits. */
  take(turn: Turn): Promise<void> | null {
    this.note(turn.address);
    const client = this.clients.get(turn.address) ?? new Client(turn.address);
    this.clients.set(turn.address, client);
    if (client.waiting.size === 0 && this.fits(client, turn)) {
      this.begin(client, turn, turn.weight);
      return null;
    }
    if (client.waiting.size >= MOST_WAITING) throw tooMany(client.waiting.size);
    return new Promise((begin) => this.enqueue(client, { turn, cost: turn.weight, begin }));
  }

  /** Adds to the weight of a turn that has begun: goes on at once (null), or in turn again. */
  add(turn: Turn, weight: number): Promise<void> | null {
    const client = this.clients.get(turn.address)!;
    client.load -= turn.weight;
    turn.weight += weight;
    if (this.fits(client, turn)) {
      this.begin(client, turn, weight);
      return null;
    }
    return new Promise((begin) => this.enqueue(client, { turn, cost: weight, begin }));
  }

  /** Ends a turn that has begun. */
  give(turn: Turn): void {
    const client = this.clients.get(turn.address)!;
    client.load -= turn.weight;
    this.goOn(client);
  }

  /** Tells how long a turn has kept the process without a break. The client rests, if others are served. */
  spent({ address }: Turn, ms: number): void {
    const client = this.clients.get(address);
    if (client === undefined || ms <= FREE_MS) return;
    const now = performance.now();
    client.restsUntil = Math.max(client.restsUntil, now) + (ms - FREE_MS) * REST;
    this.goOnLater(client);
  }

  private goOn(client: Client): void {
    if (client.waiting.size > 0) this.pump(client);
    else if (client.load === 0 && performance.now() >= client.restsUntil + AT_ONCE_MS) this.forget(client);
    else if (client.load === 0) this.goOnLater(client);
  }

  private goOnLater(client: Client): void {
    client.timer ??= setTimeout(
      () => {
        client.timer = null;
        this.goOn(client);
      },
      Math.ceil(client.restsUntil + AT_ONCE_MS - performance.now()) + 1,
    ).unref();
  }

  /** A timer may come when the address has another client already. */
  private forget(client: Client): void {
    if (this.clients.get(client.address) === client) this.clients.delete(client.address);
  }

  private enqueue(client: Client, waiting: Waiting): void {
    client.waiting.push(waiting.turn.user, waiting);
    this.pump(client);
  }

  /** Begins one piece of work in each turn of the event loop. */
  private pump(client: Client): void {
    if (client.isPumped) return;
    client.isPumped = true;
    const begin = () => {
      client.isPumped = false;
      const hasBegun = this.beginNext(client);
      // Without work under way nothing else would wake it.
      if (client.waiting.size > 0 && (hasBegun || client.load === 0)) this.pump(client);
    };
    const rest = client.restsUntil - performance.now();
    if (rest > 0 && this.isShared(client.address)) setTimeout(begin, Math.ceil(rest));
    else setImmediate(begin);
  }

  private beginNext(client: Client): boolean {
    const next = client.waiting.next();
    if (next === undefined || !this.fits(client, next.turn)) return false;
    client.waiting.shift();
    this.begin(client, next.turn, next.cost);
    next.begin();
    return true;
  }

  private begin(client: Client, { weight }: Turn, cost: number): void {
    client.load += weight;
    if (!this.isShared(client.address)) return;
    client.restsUntil = Math.max(client.restsUntil, performance.now() - AT_ONCE_MS) + cost * FIELD_MS;
  }

  /** Work that is heavier than the bound is done alone. */
  private fits(client: Client, { address, weight }: Turn): boolean {
    if (!this.isShared(address)) return client.load === 0 || client.load + weight <= ALONE;
    if (performance.now() < client.restsUntil) return false;
    return client.load === 0 || client.load + weight <= SHARED;
  }

  private note(address: string): void {
    const now = performance.now();
    if (address !== this.newest) this.othersAt = this.newestAt;
    this.newest = address;
    this.newestAt = now;
  }

  /** Whether other addresses have been served lately. */
  isShared(address: string): boolean {
    const at = address === this.newest ? this.othersAt : this.newestAt;
    return performance.now() - at < SHARED_MS;
  }
}

const tooMany = (waiting: number): DomainError =>
  new DomainError(
    'RATE_LIMITED',
    `Your address already has ${waiting} requests waiting, the maximum. Send fewer at once. Try again in 1 second.`,
    { limit: MOST_WAITING, retryAfter: 1 },
  );
