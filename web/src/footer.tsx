import { useEffect } from 'preact/hooks';
import { useStore } from '../../packages/elements/src/store.js';
import { PUSH_KEPT } from './place.js';
import { server } from './server.js';
import { useSession } from './session.js';

/** What stands at the end of pages. */

/** On each: for developers, and who runs this server. */
export function Footer() {
  const { contact, termsUrl, privacyUrl } = useStore(server) ?? {
    contact: null,
    termsUrl: null,
    privacyUrl: null,
  };
  const { isSignedIn } = useSession();
  useEffect(() => {
    if (isSignedIn || localStorage.getItem(PUSH_KEPT) === null) return;
    void import('./push.js').then(({ endPush }) => endPush()).catch(() => undefined);
  }, [isSignedIn]);
  return (
    <footer>
      <nav aria-label="For developers">
        For developers: <a href="/graphiql">GraphQL</a> <a href="/docs">REST</a>{' '}
        <a href="/verify">Verify a game</a>
      </nav>
      <p class="links">
        <a href="/rules">Rules</a>
        {termsUrl && <a href={termsUrl}>Terms</a>}
        {privacyUrl && <a href={privacyUrl}>Privacy</a>}
        {contact && <span>Contact: {contact}</span>}
      </p>
    </footer>
  );
}

/** On the first page. */
export function ForDevelopers() {
  return (
    <section aria-labelledby="developers">
      <h2 id="developers">For developers</h2>
      <p>
        All of this goes through a public API: by <a href="/graphiql">GraphQL</a>, where the examples play a
        whole game, or by <a href="/docs">REST</a>. <a href="/verify">Any game can be verified</a> here in the
        browser.
      </p>
    </section>
  );
}
