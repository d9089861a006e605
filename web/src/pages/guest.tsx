import { Form } from '../form.js';
import { NewAccountFields } from '../new-account.js';
import { go } from '../router.js';
import { halfmove } from '../session.js';

/** The account of a guest: nothing but the way to keep it. */
export function Guest({ username }: { readonly username: string }) {
  const claim = async ({ username: chosen = '', password = '', email = '' }) => {
    await halfmove.claimAccount({ username: chosen, password, ...(email === '' ? {} : { email }) });
  };
  const leave = async () => {
    if (!confirm('Leave for good? Nobody can come back as this guest.')) return;
    await halfmove.logout();
    go('/');
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
      <Form label="Sign out" action="Sign out for good" kind="dangerous" onSend={leave}>
        {() => <p>Or leave. Nobody can come back as {username}; running games are lost in the end.</p>}
      </Form>
    </section>
  );
}
