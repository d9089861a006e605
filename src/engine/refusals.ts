import { refusalFor, type Act } from '../arbiter/acts/act.js';
import type { Situation } from '../arbiter/acts/situation.js';
import { DomainError } from '../platform/errors/errors.js';
import type { Refusal, Result } from '../rules/result.js';

/** The one place where a refusal becomes an error. */
export const errorOf = ({ code, message, ...details }: Refusal): DomainError =>
  new DomainError(code, message, details);

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw errorOf(result.refusal);
  return result.value;
}

/** Throws if a condition of an act fails. */
export function assertAllowed(act: Pick<Act, 'conditions'>, situation: Situation): void {
  const refusal = refusalFor(act, situation);
  if (refusal !== null) throw errorOf(refusal);
}
