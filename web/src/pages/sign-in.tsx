import { Field, Form } from '../form.js';
import { go } from '../router.js';
import { server } from '../server.js';
import { halfmove } from '../session.js';

export function SignIn() {
  const signIn = async ({ username = '', password = '' }) => {
    await halfmove.login({ username, password });
    go('/account');
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
  const { termsUrl, privacyUrl } = server.value ?? { termsUrl: null, privacyUrl: null };
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
          <>
            <Field
              label="Username"
              name="username"
              autocomplete="username"
              hint="3 to 30 of a-z, 0-9, _ and -. Everybody sees it."
              fault={fault}
            />
            <Field
              label="Name for display (optional)"
              name="displayName"
              autocomplete="nickname"
              optional
              fault={fault}
            />
            <Field
              label="Password"
              name="password"
              type="password"
              autocomplete="new-password"
              hint="At least 8 characters."
              fault={fault}
            />
            {server.value?.recovery === 'mail' && (
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
        )}
      </Form>
      <p>
        Here before? <a href="/sign-in">Sign in</a>
      </p>
    </>
  );
}
