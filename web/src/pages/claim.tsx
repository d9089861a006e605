import { hasCode, type components } from '../../../packages/client/src/client.js';
import { useStore } from '../../../packages/elements/src/store.js';
import { faultOf, Form } from '../form.js';
import { NewAccountFields } from '../new-account.js';
import { useRead } from '../reading.js';
import { secret } from '../router.js';
import { halfmove, isSignedIn, keep, useSession } from '../session.js';

/** Where a player of an application becomes a person, by a link that the site of the application gave out. */
export function Claim() {
  const token = useStore(secret);
  if (token === '') {
    return (
      <p>
        A link to this page comes from the site where you play. Open it again there, or ask for a new one.
      </p>
    );
  }
  // Another link may follow in the same tab.
  return <Opened key={token} token={token} />;
}

type Look = components['schemas']['LookAtClaimPayload'];

function Opened({ token }: { readonly token: string }) {
  const session = useSession();
  const [look, , trouble] = useRead(async (): Promise<Look | string> => {
    try {
      return (await halfmove.rest.POST('/v1/claims/look', { body: { token } })).data;
    } catch (error) {
      if (hasCode(error, 'INVALID_LINK')) return faultOf(error).message;
      throw error;
    }
  });
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
  // What cannot be told now, as when there are too many looks from an address, may still be claimed.
  if (look === null && trouble === null) return <p role="status">Looking at the link ...</p>;
  if (typeof look === 'string') return <p role="alert">{look}</p>;
  return (
    <Form label="Keep your games" action="Keep them" onSend={claim}>
      {(fault) => (
        <>
          {look !== null && (
            <p>
              You take over the account of <bdi>{look.displayName}</bdi>, who plays at{' '}
              <a href={look.application.url} target="_blank" rel="noreferrer">
                <bdi>{look.application.name}</bdi>
              </a>
              .
            </p>
          )}
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
