import { Field } from '../field.js';
import { Form } from '../form.js';
import { NewAccountFields } from '../new-account.js';
import { go } from '../router.js';
import { halfmove } from '../session.js';
import { wantedPage } from '../wanted.js';

export { Claim } from './claim.js';

export function SignIn() {
  const signIn = async ({ username = '', password = '' }) => {
    await halfmove.login({ username, password });
    go(wantedPage());
  };
  return (
    <>
      <Form label="Sign in" action="Sign in" onSend={signIn}>
        {(fault) => (
          <>
            <Field label="Username" name="username" autocomplete="username" fault={fault} />
            <Field
              label="Password"
              name="password"
              type="password"
              autocomplete="current-password"
              fault={fault}
            />
          </>
        )}
      </Form>
      <p class="links">
        <a href="/recover">Forgotten the password?</a> <a href="/sign-up">Create an account</a>
      </p>
    </>
  );
}

export function SignUp() {
  const signUp = async ({ username = '', displayName = '', password = '', email = '' }) => {
    await halfmove.register({ username, password, ...(displayName === '' ? {} : { displayName }) });
    // The account is there, whatever becomes of the address; the account page shows it.
    if (email !== '') await halfmove.rest.PUT('/v1/me/email', { body: { email } }).catch(() => undefined);
    go('/account');
  };
  return (
    <>
      <Form label="Create an account" action="Create the account" onSend={signUp}>
        {(fault) => (
          <NewAccountFields fault={fault}>
            <Field
              label="Name for display (optional)"
              name="displayName"
              autocomplete="nickname"
              optional
              fault={fault}
            />
          </NewAccountFields>
        )}
      </Form>
      <p>
        Here before? <a href="/sign-in">Sign in</a>
      </p>
    </>
  );
}
