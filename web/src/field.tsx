import { useId } from 'preact/hooks';
import type { Fault } from './form.js';

/** The attributes that make an input one of its kind. */
const INPUTS = {
  text: { type: 'text' },
  password: { type: 'password' },
  email: { type: 'email' },
  number: { type: 'number' },
  url: { type: 'url' },
} as const;

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly type?: keyof typeof INPUTS;
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly value?: string;
  readonly fault?: Fault | null;
  readonly optional?: boolean;
}

export function Field({
  label,
  name,
  type = 'text',
  autocomplete = 'off',
  hint,
  value,
  fault,
  optional = false,
}: FieldProps) {
  const id = useId();
  const message = fault?.field === name ? fault.message : null;
  const described = [hint && `${id}-hint`, message && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        {...INPUTS[type]}
        autocomplete={autocomplete}
        autocapitalize="none"
        spellcheck={false}
        required={!optional}
        defaultValue={value}
        aria-describedby={described || undefined}
        aria-invalid={message !== null}
      />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      {message && (
        <strong id={`${id}-fault`} class="fault">
          {message}
        </strong>
      )}
    </p>
  );
}
