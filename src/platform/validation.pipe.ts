import { Injectable, ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import { DomainError } from './errors.js';

const MOST_LEVELS = 16;

/** Checks every input against its class; the first fault is answered with its field and what would be right. */
@Injectable()
class InputPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // What walks through an input does so by recursion, and would go down with it.
    if (metadata.type === 'body' && isDeeper(value, MOST_LEVELS)) {
      throw new DomainError('BAD_INPUT', `The input is nested more than ${MOST_LEVELS} levels deep.`);
    }
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

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

function firstFault(errors: readonly ValidationError[], path: string): DomainError {
  const [error] = errors;
  const field = path + (error?.property ?? '');
  const inside = error?.children ?? [];
  if (inside.length > 0) return firstFault(inside, `${field}.`);
  const [message = 'is not valid'] = Object.values(error?.constraints ?? {});
  return new DomainError('BAD_INPUT', `${message.startsWith(field) ? '' : `${field}: `}${message}.`, {
    field,
  });
}
