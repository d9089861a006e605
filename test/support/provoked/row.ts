import { DomainError } from '../../../src/platform/errors/errors.js';
import type { ErrorCode } from '../../../src/platform/errors/error-codes.js';
import type { Api } from '../api.js';
import type { Pair } from '../pair.js';
import type { Person } from '../people.js';
import type { TestServer } from '../server.js';
import type { StoppedTime } from '../stopped-time.js';

/** A request that is refused, and what its refusal must say. */

/** The parts of a refusal, from either transport. */
export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly min?: number;
  readonly max?: number;
  readonly limit?: number;
  readonly retryAfter?: number;
}

/** What a row may use. The people are new in each. */
export interface World {
  readonly server: TestServer;
  readonly time: StoppedTime;
  /** REST. */
  readonly api: Api;
  readonly ann: Person;
  readonly ben: Person;
  /** Ann and Ben. */
  readonly pair: Pair;
}

/** An answer of either transport, or an error of a service. */
type Given = { readonly text: string } | DomainError;

export interface Row {
  readonly provoke: (world: World) => Promise<Given>;
  /** What must be in the message: the value of this request above all. */
  readonly says: string | RegExp;
  /** The members that the refusal must have, such as its field and bounds. */
  readonly has: Readonly<Partial<Omit<Refused, 'code' | 'message'>>>;
}

export type Rows = Partial<Readonly<Record<ErrorCode, readonly Row[]>>>;

export const row = (provoke: Row['provoke'], says: Row['says'], has: Row['has'] = {}): Row => ({
  provoke,
  says,
  has,
});

interface Body extends Omit<Refused, 'message'> {
  readonly detail: string;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: Omit<Refused, 'message'>;
  }[];
}

/** Reads a refusal from what a row was given. */
export function refusedIn(given: Given): Refused {
  if (given instanceof DomainError) {
    const { code, message, details } = given;
    return { code, message, ...details };
  }
  const { errors, detail, ...body } = JSON.parse(given.text) as Body;
  if (errors === undefined) return { ...body, message: detail };
  const [{ message, extensions }] = errors as [NonNullable<Body['errors']>[number]];
  return { ...extensions, message };
}

/** What a unit throws that a request cannot reach without a race or a fault of the machine. */
export async function thrownBy(work: () => unknown): Promise<DomainError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

export const NOWHERE = '01890000-0000-7000-8000-000000000000';
