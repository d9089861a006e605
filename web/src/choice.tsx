import { useId } from 'preact/hooks';
import type { Fault } from './form.js';

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  /** The values, each with its words. */
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly value: string;
  readonly hint?: string;
  readonly fault?: Fault | null;
}

/** A field that takes one of several values. What was chosen in it stays when its form is refused. */
export function Choice({ label, name, options, value, hint, fault }: ChoiceProps) {
  const id = useId();
  const message = fault?.field === name ? fault.message : null;
  const described = [hint && `${id}-hint`, message && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} aria-describedby={described || undefined} aria-invalid={message !== null}>
        {options.map(([each, words]) => (
          <option key={each} value={each} selected={each === value}>
            {words}
          </option>
        ))}
      </select>
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      {message && (
        <strong id={`${id}-fault`} class="fault">
          {message}
        </strong>
      )}
    </p>
  );
}
