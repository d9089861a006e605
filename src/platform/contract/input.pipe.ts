import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { core } from 'zod';
import { DomainError } from '../errors/errors.js';
import { refusalOf } from './input-errors.js';
import { checksOf } from './inputs.js';

/** Two for each of the 100 nodes of a line of conditional moves, and some more. */
const MOST_LEVELS = 210;

/** Parameters of these types are single values, which their transport has checked. */
const PLAIN: readonly unknown[] = [String, Number, Boolean];

/** Checks every input against its class. The refusal names one field: an unknown one before a wrong one. */
export class InputPipe implements PipeTransform {
  transform(value: unknown, { type, metatype, data = type }: ArgumentMetadata): unknown {
    const checks = checksOf(metatype);
    if (type === 'custom' || (checks === undefined && PLAIN.includes(metatype))) return value;
    // A parameter whose class is lost, as in a factory, must not go unchecked.
    if (checks === undefined) throw new Error(`The parameter ${data} has no input class.`);
    const check = type === 'body' ? checks.inBody : checks.inAddress;
    const { error, data: input } = check.safeParse(value ?? {}, { reportInput: true });
    if (error !== undefined) {
      const refusal = refusalOf(error.issues.findLast(isUnknownField) ?? error.issues[0]!, data);
      // A malformed id leads nowhere, as an unknown one does.
      const isAddress = type === 'param' && refusal.details.field === 'id';
      throw isAddress ? new DomainError('NOT_FOUND', refusal.message, refusal.details) : refusal;
    }
    const fault = faultWithin(input, MOST_LEVELS);
    if (fault !== null) throw new DomainError('BAD_INPUT', fault);
    return input;
  }
}

/** Names that would reach the prototypes of objects. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** What is wrong inside an object of any shape, which later code walks by recursion. */
function faultWithin(value: unknown, levels: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return `The input must not be nested more than ${MOST_LEVELS} levels deep.`;
  for (const [name, inner] of Object.entries(value)) {
    if (FORBIDDEN_NAMES.has(name)) return `"${name}" is not allowed as the name of a field.`;
    if (Array.isArray(value) && Array.isArray(inner))
      return `A list must not contain lists; item ${Number(name) + 1} is one.`;
    const fault = faultWithin(inner, levels - 1);
    if (fault !== null) return fault;
  }
  return null;
}

const isUnknownField = ({ code }: core.$ZodIssue): boolean => code === 'unrecognized_keys';
