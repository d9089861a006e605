import { Injectable } from '@nestjs/common';
import { DomainError } from '../errors/errors.js';
import { Rotation, type Party } from './rotation.js';

/** What one address may have under way while others are served, and while it is alone, in fields of answers (5 µs). */
const SHARED = 2_000;
const ALONE = 32_000;
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
  readonly begin: () => void;
}

class Client {
  load = 0;
  isPumped = false;
  restsUntil = -Infinity;
  /** By user. */
  readonly waiting = new Rotation<Waiting>();
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
    const client = this.clients.get(turn.address) ?? new Client();
    this.clients.set(turn.address, client);
    if (client.waiting.size === 0 && this.fits(client, turn)) {
      client.load += turn.weight;
      return null;
    }
    if (client.waiting.size >= MOST_WAITING) throw tooMany(client.waiting.size);
    return new Promise((begin) => this.enqueue(client, { turn, begin }));
  }

  /** Adds to the weight of a turn that has begun: goes on at once (null), or in turn again. */
  add(turn: Turn, weight: number): Promise<void> | null {
    const client = this.clients.get(turn.address)!;
    client.load -= turn.weight;
    turn.weight += weight;
    if (this.fits(client, turn)) {
      client.load += turn.weight;
      return null;
    }
    return new Promise((begin) => this.enqueue(client, { turn, begin }));
  }

  /** Ends a turn that has begun. */
  give(turn: Turn): void {
    const client = this.clients.get(turn.address)!;
    client.load -= turn.weight;
    this.goOn(turn.address, client);
  }

  /** Tells how long a turn has kept the process without a break. The client rests, if others are served. */
  spent({ address }: Turn, ms: number): void {
    const client = this.clients.get(address);
    if (client === undefined || ms <= FREE_MS) return;
    const now = performance.now();
    client.restsUntil = Math.max(client.restsUntil, now) + (ms - FREE_MS) * REST;
    setTimeout(() => this.goOn(address, client), Math.ceil(client.restsUntil - now) + 1).unref();
  }

  private goOn(address: string, client: Client): void {
    if (client.waiting.size > 0) this.pump(client);
    else if (client.load === 0 && performance.now() >= client.restsUntil) this.forget(address, client);
  }

  /** A timer may come when the address has another client already. */
  private forget(address: string, client: Client): void {
    if (this.clients.get(address) === client) this.clients.delete(address);
  }

  private enqueue(client: Client, waiting: Waiting): void {
    client.waiting.push(waiting.turn.user, waiting);
    this.pump(client);
  }

  /** Begins one piece of work in each turn of the event loop. */
  private pump(client: Client): void {
    if (client.isPumped) return;
    client.isPumped = true;
    setImmediate(() => {
      client.isPumped = false;
      if (this.beginNext(client) && client.waiting.size > 0) this.pump(client);
    });
  }

  private beginNext(client: Client): boolean {
    const next = client.waiting.next();
    if (next === undefined || !this.fits(client, next.turn)) return false;
    client.waiting.shift();
    client.load += next.turn.weight;
    next.begin();
    return true;
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
