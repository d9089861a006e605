import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { revalidated, Tagged } from '../platform/http/etag.js';
import { isPaginated, linked } from '../platform/contract/paginated.js';

/** Sends what routes answer, with the headers of tagged answers and of pages; interceptors would cost more. */
export class Adapter extends FastifyAdapter {
  override reply(reply: FastifyReply, answer: unknown, status?: number): FastifyReply {
    // Nest awaits what this returns, so that a failure is answered as that of a route is.
    if (answer instanceof Tagged) return this.tagged(reply, answer, status) as unknown as FastifyReply;
    return super.reply(reply, isPaginated(reply) ? linked(reply, answer as object) : answer, status);
  }

  private async tagged(reply: FastifyReply, answer: Tagged<unknown>, status?: number): Promise<unknown> {
    const sent = await revalidated(reply, answer);
    return super.reply(reply, sent.body, sent.status ?? status);
  }
}
