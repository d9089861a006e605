import { useState } from 'preact/hooks';
import type { components } from '../../../packages/client/src/client.js';
import { Field } from '../field.js';
import type { Fault } from '../form.js';
import { OPTIONS, VALUES } from '../options.js';
import { useSession } from '../session.js';

/** What may be agreed on besides the game, the opponent and the time. Nothing here has to be looked at. */

type Ruleset = components['schemas']['Ruleset'];
type Option = Ruleset['options'][number];

/** The input of an option has the name by which a refusal blames it. */
const nameOf = ({ name }: Option): string => `options.${name}`;

function valueOf({ type }: Option, given: string | undefined): boolean | number | string | null {
  if (type === 'boolean') return given === 'on';
  if (given === undefined || given.trim() === '') return null;
  return type === 'integer' ? Number(given) : given.trim();
}

/** The terms as the API takes them, without those that were left as they are. */
export function moreOf(given: Readonly<Record<string, string>>, ruleset: Ruleset | undefined) {
  const options = (ruleset?.options ?? [])
    .map((option) => [option.name, valueOf(option, given[nameOf(option)])] as const)
    .filter(([, value]) => value !== null);
  const { seat = 'any', minRating = '', maxRating = '' } = given;
  return {
    seat: seat as 'any' | 'first' | 'second',
    options: Object.fromEntries(options),
    personsOnly: given['rated'] !== 'on' && given['guests'] !== 'on',
    ...(minRating === '' ? {} : { minRating: Number(minRating) }),
    ...(maxRating === '' ? {} : { maxRating: Number(maxRating) }),
  };
}

interface Props {
  readonly ruleset: Ruleset;
  readonly isRated: boolean;
  readonly fault: Fault | null;
}

export function MoreTerms({ ruleset, isRated, fault }: Props) {
  const { isPerson } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const [first, second] = ruleset.hidden ? [] : ruleset.sides;
  return (
    // What is refused must be seen, and can have the focus only then.
    <details
      open={isOpen || fault?.field !== undefined}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>More</summary>
      <p class="field">
        <label for="seat">You play</label>
        <select id="seat" name="seat">
          <option value="any">either side</option>
          <option value="first">{first === undefined ? 'first' : `${first}, who moves first`}</option>
          <option value="second">{second === undefined ? 'second' : `${second}, who moves second`}</option>
        </select>
      </p>
      {ruleset.options.map((option) => (
        <OptionField key={option.name} option={option} fault={fault} />
      ))}
      {!isRated && (
        <label class="choice">
          <input type="checkbox" name="guests" defaultChecked /> Guests may join
        </label>
      )}
      {isRated && isPerson && (
        <fieldset>
          <legend>Rating of your opponent</legend>
          <Field label="Lowest" name="minRating" type="number" optional fault={fault} />
          <Field label="Highest" name="maxRating" type="number" optional fault={fault} />
        </fieldset>
      )}
    </details>
  );
}

function OptionField({ option, fault }: { readonly option: Option; readonly fault: Fault | null }) {
  const { name, meaning, type, values, min, max } = option;
  const id = `option-${name}`;
  const label = OPTIONS[name] ?? name;
  if (type === 'boolean') {
    return (
      <label class="choice">
        <input type="checkbox" name={nameOf(option)} defaultChecked={option.default === true} />
        <span>
          {label}
          <br />
          <small>{meaning}</small>
        </span>
      </label>
    );
  }
  if (type === 'choice') {
    return (
      <p class="field">
        <label for={id}>{label}</label>
        <select
          id={id}
          name={nameOf(option)}
          defaultValue={String(option.default)}
          aria-describedby={`${id}-hint`}
        >
          {values!.map((value) => (
            <option key={value} value={value} selected={value === option.default}>
              {VALUES[value] ?? value}
            </option>
          ))}
        </select>
        <small id={`${id}-hint`}>{meaning}</small>
      </p>
    );
  }
  return (
    <Field
      label={label}
      name={nameOf(option)}
      {...(type === 'integer' ? { type: 'number' } : {})}
      hint={type === 'integer' ? `${meaning} ${min!} to ${max!}.` : meaning}
      value={String(option.default)}
      optional
      fault={fault}
    />
  );
}
