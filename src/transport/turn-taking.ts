import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { isPaginated } from '../platform/contract/paginated.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../platform/contract/page.js';
import { DomainError } from '../platform/errors/errors.js';
import type { Measured } from '../platform/graphql/limits.js';
import { addressKey } from '../platform/http/addresses.js';
import { counting } from '../platform/limits/counts.js';
import { quotasOf } from '../platform/limits/quotas.js';
import { Turns, type Turn } from '../platform/limits/turns.js';
import { GRAPHQL_PATH } from './graphql-path.js';
import { Unread } from './unread.js';

/** What the work of a request costs at least, in fields of an answer. */
export const LEAST_WEIGHT = 100;
/** Bytes that cost as much as a field, to be parsed and checked. */
export const BYTES_OF_A_FIELD = 8;
/** What an item of a REST list costs, in fields; most are written already. */
const FIELDS_OF_AN_ITEM = 8;

/** What reading the whole schema costs, which takes up to 200 ms. */
const SCHEMA_FIELDS = 20_000;

/** Processor time of this process in ms: unlike the clock it does not count what other programs use. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Answered however much waits. Whoever asks for them is not served beside others. */
const HEALTH = new Set(['/livez', '/readyz']);

interface Taken extends Turn {
  hasBegun: boolean;
  /** The processor time when the work began that is done without a break; undefined for work that waits. */
  startedAt: number | undefined;
  isOver: boolean;
}

/** Long answers about the schema that are not kept, which one address may ask for in a minute while others are served. */
const SCHEMA_READS = { keyPrefix: 'schema-reads', points: 4, duration: 60 };

const taken = new WeakMap<FastifyRequest, { readonly turn: Taken; readonly taking: TurnTaking }>();

/** Takes turns between requests before their bodies are read. */
@Injectable()
export class TurnTaking {
  private readonly unread = new Unread();
  private readonly schemaReads = new RateLimiterMemory(SCHEMA_READS);

  constructor(private readonly turns: Turns) {}

  /** Call it before other hooks that work. */
  mount(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (HEALTH.has(request.routeOptions.url ?? '')) return done();
      const turn = turnOf(request, reply);
      taken.set(request, { turn, taking: this });
      this.unread.add(turn.address, reply.raw);
      reply.raw.once('close', () => {
        this.end(turn);
        this.unread.remove(turn.address, reply.raw);
      });
      try {
        const waits = this.begin(turn, () => this.turns.take(turn));
        if (waits === null) done();
        else void waits.then(() => (reply.raw.destroyed ? undefined : done()));
      } catch (tooMany) {
        done(tooMany as DomainError);
      }
    });
    fastify.addHook('preHandler', (request, _reply, done) => {
      if (request.routeOptions.url === GRAPHQL_PATH) taken.get(request)!.turn.startedAt = cpuMs();
      done();
    });
    // What follows is sent at the pace of its reader.
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      const found = taken.get(request);
      // Preflight requests and those about health take no turn.
      if (found !== undefined) this.end(found.turn);
      done(null, payload);
    });
  }

  add(turn: Taken, cost: number): Promise<void> | null {
    if (turn.isOver) return null;
    turn.hasBegun = false;
    return this.begin(turn, () => this.turns.add(turn, cost));
  }

  /** Ends the work without a break: a document was parsed and checked, or refused. */
  stop(turn: Taken): void {
    if (turn.startedAt !== undefined) this.turns.spent(turn, cpuMs() - turn.startedAt);
    turn.startedAt = undefined;
  }

  async countSchemaRead(request: FastifyRequest, { address }: Taken): Promise<void> {
    if (!this.turns.isShared(address)) return;
    const counted = await counting(this.schemaReads, address);
    quotasOf(request).note(this.schemaReads, counted);
    if (counted.consumedPoints > SCHEMA_READS.points) {
      const retryAfter = Math.ceil(counted.msBeforeNext / 1000);
      const message = `Your address has read the schema ${SCHEMA_READS.points} times in a minute in unusual words, which keeps others waiting. Download /schema.graphql, or try again in ${retryAfter} seconds.`;
      throw new DomainError('RATE_LIMITED', message, { limit: SCHEMA_READS.points, retryAfter });
    }
  }

  private begin(turn: Taken, begins: () => Promise<void> | null): Promise<void> | null {
    const waits = begins();
    if (waits === null) turn.hasBegun = true;
    return waits === null ? null : waits.then(() => this.begun(turn));
  }

  /** A request that has ended while it waited gives its turn back. */
  private begun(turn: Taken): void {
    turn.hasBegun = true;
    if (turn.isOver) this.turns.give(turn);
  }

  private end(turn: Taken): void {
    if (turn.isOver) return;
    turn.isOver = true;
    this.stop(turn);
    if (turn.hasBegun) this.turns.give(turn);
  }
}

/**
 * Waits until an operation of this size may begin as well. Throws RATE_LIMITED for one that reads much of the schema,
 * while others are served.
 */
export async function admit(request: FastifyRequest, { cost, readsSchema }: Measured): Promise<void> {
  const { turn, taking } = taken.get(request)!;
  taking.stop(turn);
  if (readsSchema) await taking.countSchemaRead(request, turn);
  await taking.add(turn, readsSchema ? SCHEMA_FIELDS : cost.requested);
}

const turnOf = (request: FastifyRequest, reply: FastifyReply): Taken => ({
  address: addressKey(request.ip),
  user: request.headers.authorization ?? '',
  weight: weightOf(request, reply),
  hasBegun: false,
  startedAt: undefined,
  isOver: false,
});

function weightOf({ headers, url, query }: FastifyRequest, reply: FastifyReply): number {
  const bytes = url.length + (Number(headers['content-length']) || 0);
  const { first, last } = query as Readonly<Record<string, unknown>>;
  const size = Math.min(Math.max(Number(first ?? last) || DEFAULT_PAGE_SIZE, 1), MAX_PAGE_SIZE);
  const items = isPaginated(reply) ? size * FIELDS_OF_AN_ITEM : 0;
  return LEAST_WEIGHT + Math.ceil(bytes / BYTES_OF_A_FIELD) + items;
}
