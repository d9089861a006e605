import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '../platform/errors.js';
import { Health } from '../platform/health.js';
import { answerProblem } from '../platform/problem.filter.js';
import { withRequestId } from '../platform/request-context.js';

/** How long a request that is under way may take when the server is told to end. */
const PATIENCE_MS = 3_000;
/** The same for one that came while the server worked on for a load balancer. */
const LEAST_PATIENCE_MS = 1_000;
/** For the last answers to go out. */
const FAREWELL_MS = 500;

/** The end of the server: what is under way is answered, in time or with 503, and then no connection is left. */
@Injectable()
export class Departure {
  private readonly underWay = new Set<FastifyReply>();
  private server: Server | null = null;
  private readonly logger = new Logger('Process');

  constructor(private readonly health: Health) {}

  mount(fastify: FastifyInstance): void {
    this.server = fastify.server;
    fastify.addHook('onRequest', (_request, reply, done) => {
      this.underWay.add(reply);
      // Also for a client that left: its answer is never sent.
      reply.raw.once('close', () => this.underWay.delete(reply));
      done();
    });
  }

  /** An error that nobody has caught. */
  tell(error: Error): void {
    this.logger.error(error);
  }

  get hasBegun(): boolean {
    return this.health.end !== null;
  }

  /**
   * Says at once that the server ends, and resolves when the application is to be closed: after `drainMs`, in which it
   * works as ever, so that a load balancer notices and sends no more.
   */
  async begin(why: string, drainMs: number): Promise<void> {
    this.health.ending(why);
    if (drainMs > 0) await pause(drainMs);
    const patience = Math.max(PATIENCE_MS - drainMs, LEAST_PATIENCE_MS);
    setTimeout(() => {
      for (const reply of this.underWay) refuse(reply, why);
      setTimeout(() => this.server?.closeAllConnections(), FAREWELL_MS).unref();
    }, patience).unref();
  }
}

/** The answer that comes later, if it does, finds that there was one. */
function refuse(reply: FastifyReply, why: string): void {
  if (reply.sent || reply.raw.headersSent) return;
  withRequestId(reply.request.id, () =>
    answerProblem(
      reply.header('connection', 'close'),
      new DomainError('UNAVAILABLE', `${why} Send the same again in a moment.`, { retryAfter: 2 }),
    ),
  );
}
