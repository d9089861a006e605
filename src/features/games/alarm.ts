import { Injectable } from '@nestjs/common';
import { Time } from '../../platform/time.js';
import { nextMoment } from './as-of-now.js';
import type { GameRow } from './game.row.js';

/** What fails, or comes to nothing, is not tried again and again within a moment. */
const LEAST_PAUSE_MS = 1000;

/** Rings when the next clock has something to do, as far as this process knows. */
@Injectable()
export class Alarm {
  private ring: (() => void) | null = null;
  private next: { readonly at: number; readonly cancel: () => void } | null = null;
  private quietUntil = -Infinity;

  constructor(private readonly time: Time) {}

  start(ring: () => void): void {
    this.ring = ring;
  }

  stop(): void {
    this.ring = null;
    this.next?.cancel();
    this.next = null;
  }

  /** Rings for this game, unless it rings before. */
  for(row: Pick<GameRow, 'status' | 'deadlineAt' | 'wakeAt'>): void {
    this.by(nextMoment(row));
  }

  /** Rings at this moment, unless it rings before. */
  by(moment: number | null): void {
    if (moment === null || this.ring === null) return;
    const at = Math.max(moment, this.quietUntil);
    if (this.next !== null && this.next.at <= at) return;
    this.next?.cancel();
    this.next = { at, cancel: this.time.at(new Date(at), () => this.rings()) };
  }

  private rings(): void {
    this.next = null;
    this.quietUntil = this.time.now().getTime() + LEAST_PAUSE_MS;
    this.ring?.();
  }
}
