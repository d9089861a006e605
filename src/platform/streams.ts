import type { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from './errors.js';

/** When one of them ends nobody knows. */
const RETRY_SECONDS = 10;

/** How many streams of one kind may go to one client at a time. */
export interface StreamBound {
  /** Of what, to whom. */
  readonly key: string;
  readonly most: number;
  /** What a client is told who has as many already. */
  readonly refusal: string;
}

/** The streams that go out, counted in this process alone. */
@Injectable()
export class Streams {
  private readonly logger = new Logger(Streams.name);
  private readonly open = new Map<string, number>();

  /** What `make` makes, counted until it is closed: sent to its end, or left by the client. Throws RATE_LIMITED. */
  async bounded({ key, most, refusal }: StreamBound, make: () => Promise<Readable>): Promise<Readable> {
    const before = this.open.get(key) ?? 0;
    if (before >= most) throw new DomainError('RATE_LIMITED', refusal, { retryAfter: RETRY_SECONDS });
    this.open.set(key, before + 1);
    try {
      const stream = await make();
      return stream.once('error', (error) => this.log(error)).once('close', () => this.release(key));
    } catch (error) {
      this.release(key);
      throw error;
    }
  }

  /** Nobody else hears of it: the answer has begun, and can only break off. */
  private log(error: Error): void {
    if (!(error instanceof DomainError)) this.logger.error(error);
  }

  private release(key: string): void {
    const left = this.open.get(key)! - 1;
    if (left > 0) this.open.set(key, left);
    else this.open.delete(key);
  }
}
