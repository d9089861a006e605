import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '../platform/errors/errors.js';
import { Health } from '../platform/process/health.js';
import { answerProblem } from '../platform/http/problem.filter.js';

/** How long requests in progress may take after the server is told to shut down. */
const PATIENCE_MS = 3_000;
/** The same after the time in which the server kept working for a load balancer. */
const LEAST_PATIENCE_MS = 1_000;
/** How long the last answers may take to be sent. */
const FAREWELL_MS = 500;

/**
 * The shutdown of the server: requests in progress are answered, late ones with 503, and then all connections are
 * closed.
 */
@Injectable()
export class Shutdown {
  private readonly underWay = new Set<FastifyReply>();
  private server: Server | null = null;
  private readonly logger = new Logger('Process');

  constructor(private readonly health: Health) {}

  mount(fastify: FastifyInstance): void {
    this.server = fastify.server;
    fastify.addHook('onRequest', (_request, reply, done) => {
      this.underWay.add(reply);
      // Fires also if the client has disconnected and the answer is never sent.
      reply.raw.once('close', () => this.underWay.delete(reply));
      done();
    });
  }

  /** Logs an uncaught error. */
  log(error: Error): void {
    this.logger.error(error);
  }

  get hasBegun(): boolean {
    return this.health.end !== null;
  }

  /**
   * Marks the server as shutting down and resolves when the application should be closed: after `drainMs`, in which it
   * works as usual, so that a load balancer notices and sends no more requests.
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

/** A later answer of the handler is ignored. */
function refuse(reply: FastifyReply, why: string): void {
  if (reply.sent || reply.raw.headersSent) return;
  answerProblem(
    reply.header('connection', 'close'),
    new DomainError('UNAVAILABLE', `${why} Try again in 2 seconds.`, { retryAfter: 2 }),
  );
}
