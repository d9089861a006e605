import { useSignal } from '@preact/signals';
import { Field, Form } from '../form.js';
import { go, secret } from '../router.js';
import { server } from '../server.js';
import { halfmove, isSignedIn, signedInAs } from '../session.js';

/** Asks for a link, or takes the one that was followed. */
export function Recover() {
  return secret.value === '' ? <Ask /> : <Choose />;
}

function Ask() {
  const isAsked = useSignal(false);
  const ask = async ({ usernameOrEmail = '' }) => {
    await halfmove.rest.POST('/v1/recoveries', { body: { usernameOrEmail } });
    isAsked.value = true;
  };
  if (server.value?.recovery === 'operator') {
    const { contact } = server.value;
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
        {isAsked.value &&
          'If this account has a verified e-mail address, a link is on its way there. It works once, for an hour. Nothing came? Look among the unwanted mails, or ask again.'}
      </p>
      {!isAsked.value && (
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
  const choose = async ({ password = '' }) => {
    const { data } = await halfmove.rest.POST('/v1/recoveries/complete', {
      body: { token: secret.value, password },
    });
    // The link may be for another account than that of this browser, whose session must not stay open unseen.
    if (isSignedIn.value) await halfmove.logout().catch(() => undefined);
    await halfmove.login({ username: data.user.username, password });
    go('/account');
  };
  return (
    <Form label="Choose a new password" action="Set the password" onSend={choose}>
      {(fault) => (
        <>
          <p>This signs out every device, and ends the personal tokens of the account.</p>
          {isSignedIn.value && (
            <p role="note">
              You are signed in here as {signedInAs.value}. If the link is for another account, you are signed
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
