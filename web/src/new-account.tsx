import type { ComponentChildren } from 'preact';
import { useStore } from '../../packages/elements/src/store.js';
import { Field } from './field.js';
import type { Fault } from './form.js';
import { server } from './server.js';

interface Props {
  readonly fault: Fault | null;
  /** What else is asked, behind the username. */
  readonly children?: ComponentChildren;
}

/** What a person gives who registers, or keeps the account of a guest, and what they agree to. */
export function NewAccountFields({ fault, children }: Props) {
  const { recovery, termsUrl, privacyUrl } = useStore(server) ?? {
    recovery: null,
    termsUrl: null,
    privacyUrl: null,
  };
  return (
    <>
      <Field
        label="Username"
        name="username"
        autocomplete="username"
        hint="3 to 30 of a-z, 0-9, _ and -. Everybody sees it."
        fault={fault}
      />
      {children}
      <Field
        label="Password"
        name="password"
        type="password"
        autocomplete="new-password"
        hint="At least 8 characters."
        fault={fault}
      />
      {recovery === 'mail' && (
        <Field
          label="E-mail address (optional)"
          name="email"
          type="email"
          autocomplete="email"
          optional
          hint="To get back in if you forget the password. Nobody else sees it."
          fault={fault}
        />
      )}
      {(termsUrl !== null || privacyUrl !== null) && (
        <p>
          This server has {termsUrl && <a href={termsUrl}>terms of use</a>}
          {termsUrl && privacyUrl && ' and '}
          {privacyUrl && <a href={privacyUrl}>a privacy notice</a>}.
        </p>
      )}
    </>
  );
}
