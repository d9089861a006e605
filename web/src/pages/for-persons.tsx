import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { go } from '../router.js';
import { useSession } from '../session.js';
import { wantPage } from '../wanted.js';
import { Guest } from './guest.js';

/** What needs an account; a guest may make one, anybody else may sign in. */
export function ForPersons({ children }: { readonly children: ComponentChildren }) {
  const { isSignedIn, guest } = useSession();
  const isForgotten = !isSignedIn;
  useEffect(() => {
    if (!isForgotten) return;
    wantPage();
    go('/sign-in');
  }, [isForgotten]);
  if (isForgotten) return null;
  if (guest !== null) return <Guest username={guest} />;
  return <>{children}</>;
}
