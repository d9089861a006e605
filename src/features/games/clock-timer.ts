import { Injectable } from '@nestjs/common';
import { Time } from '../../platform/process/time.js';
import { nextMoment } from './as-of-now.js';
import type { GameRow } from './game.row.js';

/** Keeps a sweep that fails or does nothing from being repeated in a tight loop. */
const LEAST_PAUSE_MS = 1000;

/** Runs a callback when the next clock is due, as far as this process knows. */
@Injectable()
export class ClockTimer {
  private callback: (() => void) | null = null;
  private next: { readonly at: number; readonly cancel: () => void } | null = null;
  private earliest = -Infinity;

  constructor(private readonly time: Time) {}

  start(callback: () => void): void {
    this.callback = callback;
  }

  stop(): void {
    this.callback = null;
    this.next?.cancel();
    this.next = null;
  }

  /** Schedules the callback for this game, unless it is due earlier anyway. */
  schedule(row: Pick<GameRow, 'status' | 'deadlineAt' | 'wakeAt'>): void {
    this.scheduleAt(nextMoment(row));
  }

  /** Schedules the callback for this time, unless it is due earlier anyway. */
  scheduleAt(moment: number | null): void {
    if (moment === null || this.callback === null) return;
    const at = Math.max(moment, this.earliest);
    if (this.next !== null && this.next.at <= at) return;
    this.next?.cancel();
    this.next = { at, cancel: this.time.at(new Date(at), () => this.fire()) };
  }

  private fire(): void {
    this.next = null;
    this.earliest = this.time.now().getTime() + LEAST_PAUSE_MS;
    this.callback?.();
  }
}
