import { Form } from '../form.js';
import { NewAccountFields } from '../new-account.js';
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
        {(fault) => <NewAccountFields fault={fault} />}
      </Form>
    </section>
  );
}
