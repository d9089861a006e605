import { useState } from 'preact/hooks';
import type { components } from '../../../packages/client/src/client.js';
import { later } from '../../../packages/elements/src/later.js';
import { useStore } from '../../../packages/elements/src/store.js';
import { useConfirmation } from '../confirmation.js';
import { Field } from '../field.js';
import { Form } from '../form.js';
import { day, useRead } from '../reading.js';
import { go } from '../router.js';
import { server } from '../server.js';
import { halfmove } from '../session.js';
import { ForPersons } from './for-persons.js';
import { Tokens } from './tokens.js';

type Session = components['schemas']['OpenedSession'];

const OwnApplications = later(() => import('./applications.js').then((read) => read.OwnApplications));

export function Account() {
  return (
    <ForPersons>
      <Names />
      <Email />
      <Password />
      <Sessions />
      <Tokens />
      <section aria-labelledby="applications">
        <h2 id="applications">Applications</h2>
        <p>
          For a site of yours that brings its own players:{' '}
          <a href="/account/applications">your applications</a>.
        </p>
      </section>
      <Closing />
    </ForPersons>
  );
}

export function Applications() {
  return (
    <ForPersons>
      <OwnApplications />
    </ForPersons>
  );
}

function Names() {
  const [user, readAgain] = useRead(async () => (await halfmove.rest.GET('/v1/me')).data);
  const [said, setSaid] = useState('');
  const save = async ({ displayName = '' }) => {
    await halfmove.rest.PATCH('/v1/me', { body: { displayName } });
    await readAgain();
    setSaid('Saved.');
  };
  if (user === null) return <p>Reading your account …</p>;
  return (
    <section aria-labelledby="names">
      <h2 id="names">Names</h2>
      <p>
        Your username is <strong>{user.username}</strong>.
      </p>
      <Form label="Change your name" action="Save the name" onSend={save}>
        {(fault) => (
          <Field
            label="Name for display"
            name="displayName"
            autocomplete="nickname"
            value={user.displayName}
            fault={fault}
          />
        )}
      </Form>
      <p role="status">{said}</p>
    </section>
  );
}

function Email() {
  const [account, readAgain] = useRead(async () => (await halfmove.rest.GET('/v1/me/account')).data);
  const recovery = useStore(server)?.recovery;
  const { confirmed, question } = useConfirmation();
  const change = (email: string | null) =>
    confirmed(async () => {
      await halfmove.rest.PUT('/v1/me/email', { body: { email } });
      await readAgain();
    });
  if (account === null) return null;
  const { email, pendingEmail } = account;
  return (
    <section aria-labelledby="email">
      <h2 id="email">E-mail address</h2>
      <p>
        It gets you back in if you forget the password, and tells you what happens with your account. Nobody
        else sees it.
      </p>
      {email !== null && (
        <p>
          Your address is <strong>{email}</strong>.
        </p>
      )}
      <p role="status">
        {pendingEmail !== null && (
          <>
            A link is on its way to <strong>{pendingEmail}</strong>. Follow it to confirm the address.
          </>
        )}
      </p>
      {recovery === 'operator' && (
        <p>This server sends no mail, except into files while it is being developed.</p>
      )}
      {question}
      <div hidden={question !== null}>
        <Form
          label="Change your address"
          action={email === null ? 'Add the address' : 'Change the address'}
          onSend={({ email: given = '' }) => change(given)}
        >
          {(fault) => (
            <Field
              label={email === null ? 'Address' : 'New address'}
              name="email"
              type="email"
              autocomplete="email"
              fault={fault}
            />
          )}
        </Form>
        {email !== null && (
          <Form
            label="Give up the address"
            action="Have no address"
            kind="dangerous"
            onSend={() => change(null)}
          >
            {() => null}
          </Form>
        )}
      </div>
    </section>
  );
}

function Password() {
  const [said, setSaid] = useState('');
  const change = async ({ current = '', password = '' }) => {
    const { data } = await halfmove.rest.PUT('/v1/me/password', { body: { current, password } });
    setSaid(
      `The password is changed. Other sessions that ended: ${data.ended}. Personal tokens go on; see them below.`,
    );
  };
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <Form label="Change the password" action="Change the password" onSend={change}>
        {(fault) => (
          <>
            <Field
              label="Password until now"
              name="current"
              type="password"
              autocomplete="current-password"
              fault={fault}
            />
            <Field
              label="New password"
              name="password"
              type="password"
              autocomplete="new-password"
              hint="At least 8 characters. All other sessions end."
              fault={fault}
            />
          </>
        )}
      </Form>
      <p role="status">{said}</p>
    </section>
  );
}

function Sessions() {
  const [sessions, readAgain] = useRead<readonly Session[]>(
    async () => (await halfmove.rest.GET('/v1/me/sessions')).data.items,
  );
  const end = async (id: string) => {
    if (!confirm('End this session? Whoever uses it must sign in again.')) return;
    await halfmove.rest.DELETE('/v1/me/sessions/{id}', { params: { path: { id } } });
    await readAgain();
  };
  const endAll = async (all: boolean) => {
    const question = all
      ? 'End all sessions, this one too, and delete all personal tokens?'
      : 'End all other sessions?';
    if (!confirm(question)) return;
    await halfmove.rest.DELETE('/v1/me/sessions', { params: { query: { all } } });
    if (all) {
      await halfmove.logout().catch(() => undefined);
      go('/sign-in');
    } else await readAgain();
  };
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul class="rows">
        {sessions?.map(({ id, device, createdAt, lastUsedAt, isCurrent }) => (
          <li key={id}>
            <span>
              <strong>{device === '' ? 'An unnamed program' : device}</strong>
              <br />
              <small>
                Opened {day(createdAt)}, last used {day(lastUsedAt)}
              </small>
            </span>
            {isCurrent ? (
              <span>This one</span>
            ) : (
              <button
                type="button"
                class="plain"
                aria-label={`End the session of ${device === '' ? 'an unnamed program' : device}, opened ${day(createdAt)}`}
                onClick={() => void end(id)}
              >
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      <p class="ways">
        <button type="button" class="second" onClick={() => void endAll(false)}>
          End all others
        </button>
        <button type="button" class="dangerous" onClick={() => void endAll(true)}>
          End all, and the personal tokens
        </button>
      </p>
    </section>
  );
}

function Closing() {
  const download = async () => {
    const { data } = await halfmove.rest.GET('/v1/me/export', { parseAs: 'blob' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(data);
    link.download = 'halfmove.ndjson';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const close = async ({ password = '' }) => {
    await halfmove.rest.POST('/v1/me/close', { body: { password } });
    await halfmove.logout().catch(() => undefined);
    go('/');
  };
  return (
    <section aria-labelledby="closing">
      <h2 id="closing">Your data, and the end</h2>
      <Form label="Download your data" action="Download everything about you" kind="second" onSend={download}>
        {() => <p>Your games, messages, notes and whatever else is stored about you, as lines of JSON.</p>}
      </Form>
      <p>
        When you close the account, running games are resigned, and your games stay under the name
        closed-account. This cannot be undone.
      </p>
      <Form label="Close the account" action="Close my account for good" kind="dangerous" onSend={close}>
        {(fault) => (
          <Field
            label="Password, to close the account"
            name="password"
            type="password"
            autocomplete="current-password"
            fault={fault}
          />
        )}
      </Form>
    </section>
  );
}
