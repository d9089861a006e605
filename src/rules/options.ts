import { accept, refuse, type Bounds, type Result } from './result.js';
import { RANDOM_SETUP, type OptionSpec, type OptionValue, type Options, type Ruleset } from './ruleset.js';
import { parseSetup } from './setup.js';
import { shown } from './shown.js';

const allowed = <P>({ dealing }: Ruleset<P>, spec: OptionSpec): string => {
  if (spec.type === 'boolean') return 'true or false';
  if (spec.type === 'integer') return `a whole number from ${spec.min} to ${spec.max}`;
  if (spec.type === 'setup') return `"${RANDOM_SETUP}" or a set-up such as "${dealing.join('/')}"`;
  return spec.values.map((value) => `"${value}"`).join(' or ');
};

const boundsOf = (spec: OptionSpec): Bounds =>
  spec.type === 'integer' ? { min: spec.min, max: spec.max } : {};

const fits = <P>(ruleset: Ruleset<P>, spec: OptionSpec, value: unknown): value is OptionValue => {
  if (spec.type === 'boolean') return typeof value === 'boolean';
  if (spec.type === 'setup') {
    return typeof value === 'string' && (value === RANDOM_SETUP || parseSetup(ruleset, value).ok);
  }
  if (spec.type === 'choice') return typeof value === 'string' && spec.values.includes(value);
  return Number.isInteger(value) && (value as number) >= spec.min && (value as number) <= spec.max;
};

/**
 * Completes the options of a game with their defaults, in the rule set's order. Refused with INVALID_OPTIONS if one
 * is unknown or out of range.
 */
export function parseOptions<P>(ruleset: Ruleset<P>, given: unknown): Result<Options> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return refuse(
      'INVALID_OPTIONS',
      'options',
      `The options must be an object of names and values; got ${shown(given)}.`,
    );
  }
  const names = Object.keys(ruleset.options);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const advice = names.length === 0 ? 'Leave it out' : `Use only ${names.join(', ')}`;
    const message = `${ruleset.name} has no option ${shown(unknown)}. ${advice}.`;
    return refuse('INVALID_OPTIONS', 'options', message);
  }
  const complete: Record<string, OptionValue> = {};
  for (const [name, spec] of Object.entries(ruleset.options)) {
    const value = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : spec.default;
    if (!fits(ruleset, spec, value)) {
      const message = `${name} must be ${allowed(ruleset, spec)}; got ${shown(value)}.`;
      return refuse('INVALID_OPTIONS', `options.${name}`, message, boundsOf(spec));
    }
    complete[name] = value;
  }
  return accept(Object.freeze(complete));
}
