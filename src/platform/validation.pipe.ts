import { Injectable, ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import { DomainError } from './errors.js';

/** Two for each node of a line of conditional moves, of which there may be 100, and some more. */
const MOST_LEVELS = 210;
/** Of a name that is not known, more is not repeated. */
const MOST_OF_A_NAME = 60;

/** Checks every input against its class; the first fault is answered with its field and what would be right. */
@Injectable()
class InputPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const fault = metadata.type === 'body' ? faultWithin(value, MOST_LEVELS) : null;
    if (fault !== null) throw new DomainError('BAD_INPUT', fault);
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

export const validationPipe = (): ValidationPipe =>
  new InputPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => firstFault(errors, ''),
  });

/** Names that the framework takes out of an input without a word. */
const UNSPEAKABLE = new Set(['__proto__', 'constructor', 'prototype']);

/** What no part of an input may be; what walks through it later does so by recursion, and would go down with it. */
function faultWithin(value: unknown, levels: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return `The input is nested more than ${MOST_LEVELS} levels deep.`;
  for (const [name, inner] of Object.entries(value)) {
    if (UNSPEAKABLE.has(name)) return `Nothing here has a part named "${name}".`;
    if (Array.isArray(value) && Array.isArray(inner)) return 'Nothing here is a list of lists.';
    const fault = faultWithin(inner, levels - 1);
    if (fault !== null) return fault;
  }
  return null;
}

function firstFault(errors: readonly ValidationError[], path: string): DomainError {
  const [error] = errors;
  const field = path + (error?.property ?? '').slice(0, MOST_OF_A_NAME);
  const inside = error?.children ?? [];
  if (inside.length > 0) return firstFault(inside, `${field}.`);
  const constraints = error?.constraints ?? {};
  const [message = 'is not valid'] =
    'whitelistValidation' in constraints ? ['there is no such part here'] : Object.values(constraints);
  return new DomainError('BAD_INPUT', `${message.startsWith(field) ? '' : `${field}: `}${message}.`, {
    field,
  });
}
