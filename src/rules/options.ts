import { accept, refuse, type Result } from './result.js';
import { RANDOM_SETUP, type OptionSpec, type OptionValue, type Options, type Ruleset } from './ruleset.js';
import { parseSetup } from './setup.js';

const allowed = <P>({ dealing }: Ruleset<P>, spec: OptionSpec): string => {
  if (spec.type === 'boolean') return 'true or false';
  if (spec.type === 'integer') return `a whole number from ${spec.min} to ${spec.max}`;
  if (spec.type === 'setup') return `"${RANDOM_SETUP}" or a set-up, as "${dealing.join('/')}"`;
  return spec.values.map((value) => `"${value}"`).join(' or ');
};

const fits = <P>(ruleset: Ruleset<P>, spec: OptionSpec, value: unknown): value is OptionValue => {
  if (spec.type === 'boolean') return typeof value === 'boolean';
  if (spec.type === 'setup') {
    return typeof value === 'string' && (value === RANDOM_SETUP || parseSetup(ruleset, value).ok);
  }
  if (spec.type === 'choice') return typeof value === 'string' && spec.values.includes(value);
  return Number.isInteger(value) && (value as number) >= spec.min && (value as number) <= spec.max;
};

/**
 * Completes the options of a game with their defaults, in the rule set's own order.
 * Refused with INVALID_OPTIONS, naming the option and what is allowed, for anything unknown or out of range.
 */
export function parseOptions<P>(ruleset: Ruleset<P>, given: unknown): Result<Options> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return refuse('INVALID_OPTIONS', 'options', 'The options must be an object of names and values.');
  }
  const names = Object.keys(ruleset.options);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const list = names.length === 0 ? 'this rule set has no options' : `allowed: ${names.join(', ')}`;
    return refuse(
      'INVALID_OPTIONS',
      'options',
      `There is no option ${JSON.stringify(unknown.slice(0, 40))}; ${list}.`,
    );
  }
  const complete: Record<string, OptionValue> = {};
  for (const [name, spec] of Object.entries(ruleset.options)) {
    const value = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : spec.default;
    if (!fits(ruleset, spec, value))
      return refuse('INVALID_OPTIONS', `options.${name}`, `${name} must be ${allowed(ruleset, spec)}.`);
    complete[name] = value;
  }
  return accept(Object.freeze(complete));
}
