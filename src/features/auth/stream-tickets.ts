import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { DomainError } from '../../platform/errors/errors.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Time } from '../../platform/process/time.js';
import { scopesIn } from '../../platform/contract/scopes.js';
import type { Principal } from './principal.js';
import { hashOf, Sessions } from './sessions.js';
import { StreamTicketsStore } from './stream-tickets.store.js';

const TICKET_BYTES = 32;
/** The time to open a stream. */
const LASTS_MS = 60_000;

/**
 * Tickets for clients that cannot send a header, such as the EventSource of browsers. A ticket stands in an address, which
 * others may log: it opens one stream, once, with the scopes, the session and the expiry of the token that asked for it.
 */
@Injectable()
export class StreamTickets {
  constructor(
    private readonly store: StreamTicketsStore,
    private readonly sessions: Sessions,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) { housekeepingSeconds }: Pick<Config, 'housekeepingSeconds'>,
  ) {
    background.every('StreamTicketSweep', housekeepingSeconds * 1000, () => this.forgetExpired());
  }

  forgetExpired(): Promise<void> {
    return this.store.deleteExpired(this.time.now());
  }

  async issue({ sessionId, userId, scopes, expiresAt: tokenExpiresAt }: Principal): Promise<string> {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    const expiresAt = new Date(this.time.now().getTime() + LASTS_MS);
    await this.store.add(
      hashOf(ticket),
      { sessionId, userId, scopes: scopes.join(' '), tokenExpiresAt },
      expiresAt,
    );
    return ticket;
  }

  /** The viewer of a ticket, which is used up. Throws UNAUTHENTICATED. */
  async use(ticket: string): Promise<Principal> {
    const row = await this.store.take(hashOf(ticket), this.time.now());
    if (row !== null) {
      const { kind, sessionId, userId, scopes, tokenExpiresAt: expiresAt } = row;
      const isCurrent = expiresAt > this.time.now() && (await this.sessions.isLive(row));
      if (isCurrent) return { kind, userId, sessionId, scopes: scopesIn(scopes), expiresAt };
    }
    throw new DomainError(
      'UNAUTHENTICATED',
      'The ticket is invalid, has expired or was already used. Take a new ticket, and open the stream with after=LAST, the id of the last event that you got.',
    );
  }
}
