import { DomainError } from '../platform/errors.js';
import type { Objection } from '../arbiter/acts/situation.js';
import type { Refusal, Result } from '../rules/result.js';

/** Where a core's refusal becomes the server's error. */
export const errorOf = ({ code, message, field, fault }: Refusal): DomainError =>
  new DomainError(code, message, { field, ...(fault === undefined ? {} : { fault }) });

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw errorOf(result.refusal);
  return result.value;
}

export const refusedBy = ({ code, message, field }: Objection): DomainError =>
  new DomainError(code, message, field === undefined ? {} : { field });

export function forbid(objection: Objection | null): void {
  if (objection !== null) throw refusedBy(objection);
}
