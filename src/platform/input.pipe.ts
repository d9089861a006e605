import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { core } from 'zod';
import { DomainError } from './errors.js';
import { checksOf } from './inputs.js';
import { movedTo } from './moved-fields.js';

/** Two for each node of a line of conditional moves, of which there may be 100, and some more. */
const MOST_LEVELS = 210;
/** An unknown name is repeated up to this length. */
const MOST_OF_A_NAME = 60;

/** Parameters of these types are one value each, which its transport has checked. */
const PLAIN: readonly unknown[] = [String, Number, Boolean];

/** Checks every input by its class; the answer names the first field at fault and says what would be right. */
export class InputPipe implements PipeTransform {
  transform(value: unknown, { type, metatype, data = type }: ArgumentMetadata): unknown {
    const checks = checksOf(metatype);
    if (type === 'custom' || (checks === undefined && PLAIN.includes(metatype))) return value;
    // A parameter whose class is lost, as in a factory, must not go unchecked.
    if (checks === undefined) throw new Error(`Nothing says what ${data} may be.`);
    const check = type === 'body' ? checks.inBody : checks.inAddress;
    const { error, data: input } = check.safeParse(value ?? {});
    if (error !== undefined) throw refusalOf(error.issues.findLast(isStranger) ?? error.issues[0]!, data);
    const fault = faultWithin(input, MOST_LEVELS);
    if (fault !== null) throw new DomainError('BAD_INPUT', fault);
    return input;
  }
}

/** Names that would reach what objects are made of. */
const UNSPEAKABLE = new Set(['__proto__', 'constructor', 'prototype']);

/** What no part that is passed on as it came may be: later code walks through it by recursion. */
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

const isStranger = ({ code }: core.$ZodIssue): boolean => code === 'unrecognized_keys';

function refusalOf(issue: core.$ZodIssue, whole: string): DomainError {
  const path = issue.path.length === 0 ? [whole] : issue.path;
  if (issue.code === 'unrecognized_keys') {
    const field = [...issue.path, issue.keys[0]!.slice(0, MOST_OF_A_NAME)].join('.');
    const hint = movedTo(issue.keys[0]!);
    return new DomainError('BAD_INPUT', `${field}: there is no such part here.${hint}`, { field });
  }
  // In a list of plain values the fault is the list's.
  const isItem = typeof path.at(-1) === 'number' && issue.message.startsWith('$');
  const where = isItem ? path.slice(0, -1) : path;
  const field = where.join('.');
  const said = issue.message.replace('$', `${isItem ? 'each value in ' : ''}${String(where.at(-1))}`);
  return new DomainError('BAD_INPUT', `${said.startsWith(field) ? '' : `${field}: `}${said}.`, { field });
}
