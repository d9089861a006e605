import type { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../errors/errors.js';

/** It is unknown when a stream ends. */
const RETRY_SECONDS = 10;

/** The limit of simultaneous streams of one kind to one client. */
export interface StreamBound {
  /** The kind and the client. */
  readonly key: string;
  readonly most: number;
  /** The message for a client that has reached the limit. */
  readonly refusal: string;
}

const tooManyStreams = (message: string, limit: number): DomainError =>
  new DomainError('RATE_LIMITED', message, { limit, retryAfter: RETRY_SECONDS });

/** The streams that are being sent, counted in this process only. */
@Injectable()
export class Streams {
  private readonly logger = new Logger(Streams.name);
  private readonly open = new Map<string, number>();

  /** The stream that `make` creates, counted until it is closed. Throws RATE_LIMITED. */
  async bounded({ key, most, refusal }: StreamBound, make: () => Promise<Readable>): Promise<Readable> {
    const before = this.open.get(key) ?? 0;
    if (before >= most) throw tooManyStreams(refusal, most);
    this.open.set(key, before + 1);
    try {
      const stream = await make();
      return stream.once('error', (error) => this.log(error)).once('close', () => this.release(key));
    } catch (error) {
      this.release(key);
      throw error;
    }
  }

  /** Logged here because the answer has begun, and the client only sees it break off. */
  private log(error: Error): void {
    if (!(error instanceof DomainError)) this.logger.error(error);
  }

  private release(key: string): void {
    const left = this.open.get(key)! - 1;
    if (left > 0) this.open.set(key, left);
    else this.open.delete(key);
  }
}
