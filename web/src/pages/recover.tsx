import { useState } from 'preact/hooks';
import { useStore } from '../../../packages/elements/src/store.js';
import { Field } from '../field.js';
import { Form } from '../form.js';
import { go, secret } from '../router.js';
import { server } from '../server.js';
import { halfmove, isSignedIn, useSession } from '../session.js';

/** Asks for a link, or takes the one that was followed. */
export function Recover() {
  return useStore(secret) === '' ? <Ask /> : <Choose />;
}

function Ask() {
  const about = useStore(server);
  const [isAsked, setIsAsked] = useState(false);
  const ask = async ({ usernameOrEmail = '' }) => {
    await halfmove.rest.POST('/v1/recoveries', { body: { usernameOrEmail } });
    setIsAsked(true);
  };
  if (about?.recovery === 'operator') {
    const { contact } = about;
    return (
      <p>
        This server sends no mail. Its operator can make a link for you that lets you choose a new password
        {contact === null ? '.' : `: ${contact}`}
      </p>
    );
  }
  return (
    <>
      <p role="status">
        {isAsked &&
          'If this account has a verified e-mail address, a link is on its way there. It works once, for an hour. Nothing came? Look among the unwanted mails, or ask again.'}
      </p>
      {!isAsked && (
        <Form label="Ask for a link" action="Send a link" onSend={ask}>
          {(fault) => (
            <Field
              label="Username or e-mail address"
              name="usernameOrEmail"
              autocomplete="username"
              fault={fault}
            />
          )}
        </Form>
      )}
    </>
  );
}

function Choose() {
  const session = useSession();
  const choose = async ({ password = '' }) => {
    const { data } = await halfmove.rest.POST('/v1/recoveries/complete', {
      body: { token: secret.value, password },
    });
    // The link may be for another account than that of this browser, whose session must not stay open unseen.
    if (isSignedIn()) await halfmove.logout().catch(() => undefined);
    await halfmove.login({ username: data.user.username, password });
    go('/account');
  };
  return (
    <Form label="Choose a new password" action="Set the password" onSend={choose}>
      {(fault) => (
        <>
          <p>This signs out every device, and ends the personal tokens of the account.</p>
          {session.isSignedIn && (
            <p role="note">
              You are signed in here as {session.username}. If the link is for another account, you are signed
              out and go on as that one. Did you not ask for this link? Then close the page.
            </p>
          )}
          <Field
            label="New password"
            name="password"
            type="password"
            autocomplete="new-password"
            hint="At least 8 characters."
            fault={fault}
          />
        </>
      )}
    </Form>
  );
}
