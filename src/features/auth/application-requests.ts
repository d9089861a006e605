import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { consume } from '../../platform/limits/counts.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { CONFIG } from '../../platform/process/config.module.js';

/** The requests of each application in a minute, those of its players included, counted in this process alone. */
@Injectable()
export class ApplicationRequests {
  private readonly limiter: RateLimiterMemory;

  constructor(
    @Inject(CONFIG)
    { requestsPerMinuteOfApplication: points }: Pick<Config, 'requestsPerMinuteOfApplication'>,
  ) {
    this.limiter = new RateLimiterMemory({ keyPrefix: 'application-requests', points, duration: 60 });
  }

  /** Throws RATE_LIMITED. */
  async count(applicationId: string, quotas: Quotas): Promise<void> {
    await consume('requests of this application', this.limiter, applicationId, quotas);
  }

  /** How many there were in the current minute. */
  async used(applicationId: string): Promise<number> {
    return (await this.limiter.get(applicationId))?.consumedPoints ?? 0;
  }
}
