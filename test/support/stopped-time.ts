import type { INestApplicationContext } from '@nestjs/common';
import { ChallengesService } from '../../src/matchmaking/challenges.service.js';
import { Time } from '../../src/platform/time.js';
import { RatingsService } from '../../src/ratings/ratings.service.js';

/** A clock that stands still until a test moves it. */
export class StoppedTime extends Time {
  moment: Date;

  constructor(moment = new Date()) {
    super();
    this.moment = moment;
  }

  override now(): Date {
    return this.moment;
  }

  forward(milliseconds: number): void {
    this.moment = new Date(this.moment.getTime() + milliseconds);
  }
}

/** Stops the clock of a whole server. */
export function stopTime(app: INestApplicationContext): StoppedTime {
  const stopped = new StoppedTime();
  app.get(Time).now = () => stopped.now();
  return stopped;
}

/** Stops what a server does by itself each minute, which no setting stops: its real clock goes on. */
export async function stopSweeps(app: INestApplicationContext): Promise<void> {
  for (const service of [ChallengesService, RatingsService]) {
    await app.get(service, { strict: false }).onApplicationShutdown();
  }
}
