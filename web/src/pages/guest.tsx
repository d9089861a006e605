import { Field, Form } from '../form.js';
import { server } from '../server.js';
import { halfmove } from '../session.js';

/** The account of a guest: nothing but the way to keep it. */
export function Guest({ username }: { readonly username: string }) {
  const claim = async ({ username: chosen = '', password = '', email = '' }) => {
    await halfmove.claimAccount({ username: chosen, password, ...(email === '' ? {} : { email }) });
  };
  return (
    <section aria-labelledby="guest">
      <h2 id="guest">You play as a guest</h2>
      <p>
        Others see you as <strong>{username}</strong>. Only this browser knows you: choose a name and a
        password to keep your games, and to play rated ones.
      </p>
      <Form label="Keep the account" action="Keep the account" onSend={claim}>
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
          </>
        )}
      </Form>
    </section>
  );
}
