import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Whom a request is counted for by its address. */
export interface Counted {
  readonly address: string;
  readonly quotas: Quotas;
}

/** What an answer was counted for, as its headers tell it (draft-ietf-httpapi-ratelimit-headers-10). */
export class Quotas {
  private readonly told = new Map<string, { readonly policy: string; readonly state: string }>();

  /** Takes down how a count stands; the last one of a limit is told. */
  note(
    { keyPrefix, points, duration }: Pick<RateLimiterAbstract, 'keyPrefix' | 'points' | 'duration'>,
    { consumedPoints, msBeforeNext }: Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>,
  ): void {
    const left = Math.max(0, points - consumedPoints);
    this.told.set(keyPrefix, {
      policy: `"${keyPrefix}";q=${points};w=${duration}`,
      state: `"${keyPrefix}";r=${left};t=${Math.max(0, Math.ceil(msBeforeNext / 1000))}`,
    });
  }

  get headers(): { readonly 'ratelimit-policy': string; readonly ratelimit: string } | undefined {
    if (this.told.size === 0) return undefined;
    const told = [...this.told.values()];
    return {
      'ratelimit-policy': told.map(({ policy }) => policy).join(', '),
      ratelimit: told.map(({ state }) => state).join(', '),
    };
  }
}

const known = new WeakMap<object, Quotas>();

/** Those of a request, for all that it asks for together. */
export function quotasOf(request: object): Quotas {
  const before = known.get(request);
  if (before !== undefined) return before;
  const quotas = new Quotas();
  known.set(request, quotas);
  return quotas;
}

/** The headers of the answer; undefined for a request that was not counted. */
export const quotaHeaders = (request: object): Quotas['headers'] | undefined => known.get(request)?.headers;
