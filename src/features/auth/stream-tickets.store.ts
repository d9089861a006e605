import { Injectable } from '@nestjs/common';
import type { Kind } from '../../platform/contract/access.js';
import { PrismaService } from '../../platform/database/prisma.service.js';

/** What a ticket allows; its scopes are separated by spaces. */
export interface TicketRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly scopes: string;
  readonly tokenExpiresAt: Date;
}

/** With how its session was opened. */
interface TakenTicket extends TicketRow {
  readonly kind: Kind;
}

/** Tickets are stored as hashes, so that a stolen table opens no stream. */
@Injectable()
export class StreamTicketsStore {
  constructor(private readonly prisma: PrismaService) {}

  async add(hash: string, { userId: _, ...row }: TicketRow, expiresAt: Date): Promise<void> {
    await this.prisma.db.streamTicket.create({ data: { hash, ...row, expiresAt }, select: { hash: true } });
  }

  /** Deletes the ticket, so that of several processes one gets it. */
  async take(hash: string, now: Date): Promise<TakenTicket | null> {
    const rows = await this.prisma.query<TakenTicket[]>`
      DELETE FROM stream_tickets ticket USING sessions
      WHERE ticket.hash = ${hash} AND ticket.expires_at > ${now}::timestamptz AND sessions.id = ticket.session_id
      RETURNING sessions.id::text AS "sessionId", sessions.user_id::text AS "userId", sessions.kind, ticket.scopes,
        ticket.token_expires_at AS "tokenExpiresAt"`;
    return rows[0] ?? null;
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.prisma.db.streamTicket.deleteMany({ where: { expiresAt: { lte: now } } });
  }
}
