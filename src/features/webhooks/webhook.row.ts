import type { OffReason } from './retries.js';

/** Whose events a webhook sends. */
export interface Owner {
  readonly userId: string | null;
  readonly applicationId: string | null;
  /** The personal token that made it; left out for all of the owner. */
  readonly sessionId?: string;
}

export interface WebhookRow extends Omit<Owner, 'sessionId'> {
  readonly id: string;
  /** With spaces between. */
  readonly scopes: string;
  readonly url: string;
  /** With spaces between; empty for all. */
  readonly types: string;
  readonly secret: Uint8Array;
  readonly oldSecret: Uint8Array | null;
  readonly oldSecretUntil: Date | null;
  readonly createdAt: Date;
  readonly dueAt: Date;
  /** Of the process that sends for it now. */
  readonly lease: string | null;
  readonly tries: number;
  readonly failingSince: Date | null;
  readonly offAt: Date | null;
  readonly offReason: string | null;
}

/** A webhook that a process sends for, as long as its lease lasts. */
export interface Taken extends WebhookRow {
  readonly lease: string;
  readonly pool: number;
  readonly placeTide: bigint;
  readonly placeId: bigint;
  readonly placePart: bigint;
  readonly lastTide: bigint;
  readonly lastId: bigint;
  readonly asks: number;
  readonly asksMet: number;
  /** Whether its application is suspended; null without one. */
  readonly isSuspended: boolean | null;
  /** Whether its owner is gone. */
  readonly isOrphan: boolean;
  /** Whether the token is gone that made it. */
  readonly isCutOff: boolean;
}

/** How a turn ended. */
export interface Outcome {
  /** The requests for deliveries that are dealt with. */
  readonly asksMet: number;
  readonly placeTide: bigint;
  readonly placeId: bigint;
  readonly placePart: bigint;
  readonly pool: number;
  readonly dueAt: Date;
  readonly tries: number;
  readonly failingSince: Date | null;
  readonly offReason: OffReason | null;
}

/** A message that was sent, or is to be sent once more. */
export interface DeliveryRow {
  readonly id: string;
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly waits: boolean;
  readonly tries: number;
  readonly triedAt: Date | null;
  readonly tookMs: number | null;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
}

/** A try of one. */
export interface Tried extends Pick<
  DeliveryRow,
  'messageId' | 'type' | 'body' | 'status' | 'failure' | 'answer'
> {
  readonly triedAt: Date;
  readonly tookMs: number;
}
