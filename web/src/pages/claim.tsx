import { useStore } from '../../../packages/elements/src/store.js';
import { Form } from '../form.js';
import { NewAccountFields } from '../new-account.js';
import { secret } from '../router.js';
import { halfmove, isSignedIn, keep, useSession } from '../session.js';

/** Where a player of an application becomes a person, by a link that the site of the application gave out. */
export function Claim() {
  const token = useStore(secret);
  const session = useSession();
  const claim = async ({ username = '', password = '', email = '' }) => {
    const { data } = await halfmove.rest.POST('/v1/claims', {
      body: { token, username, password, ...(email === '' ? {} : { email }) },
    });
    // Only one session is kept here, and that of somebody else must not stay open unseen.
    if (isSignedIn()) await halfmove.logout().catch(() => undefined);
    keep(data.session);
    // Loaded anew, so that all of the page is that of the person.
    location.assign('/games');
  };
  if (token === '') {
    return (
      <p>
        A link to this page comes from the site where you play. Open it again there, or ask for a new one.
      </p>
    );
  }
  return (
    <Form label="Keep your games" action="Keep them" onSend={claim}>
      {(fault) => (
        <>
          <p>
            The games that you played on the site you come from, and your opponents, become those of an
            account here, with a username and a password of your own. From then on the site cannot play for
            you. It still reads the games that you began there. This cannot be taken back.
          </p>
          {session.isSignedIn && (
            <p role="note">
              You are signed in here as {session.username}. That account stays as it is: it is signed out, and
              you go on with the new one. The two are never joined.
            </p>
          )}
          <NewAccountFields fault={fault} />
        </>
      )}
    </Form>
  );
}
