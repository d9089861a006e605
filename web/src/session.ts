import { createClient, type Tokens } from '../../packages/client/src/client.js';
import { Store, useStore } from '../../packages/elements/src/store.js';

/** The session of this browser, which its tabs share. */

const KEY = 'halfmove-session';
const OVER = 'halfmove-over';

/** Whom the session is of. */
interface Stored extends Tokens {
  readonly username?: string;
  readonly isGuest?: boolean;
}

function stored(): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Stored | null;
  } catch {
    return null;
  }
}

const tokens = new Store(stored());

export const isSignedIn = (): boolean => tokens.value !== null;

/** Who is signed in, for what is shown. */
export function useSession() {
  const session = useStore(tokens);
  const username = session?.username ?? '';
  const isGuest = session?.isGuest === true;
  return {
    isSignedIn: session !== null,
    /** Once it is known. */
    username,
    /** The username of a guest; null for anybody else. */
    guest: isGuest ? username : null,
    /** Guests play casual games only. */
    isPerson: session !== null && !isGuest,
  };
}

/** What the client gives: of a session that begins with its user, of one that another tab has stored with its name. */
type Kept = Stored & { readonly user?: { readonly username: string } };

/** Keeps a session for all tabs; null forgets it. */
export function keep(session: Kept | null): void {
  if (session === null) {
    localStorage.removeItem(KEY);
    tokens.value = null;
    return;
  }
  const { accessToken, refreshToken = '', user, username: known } = session;
  const username = user?.username ?? known ?? '';
  // The names of guests are reserved for them.
  tokens.value = { accessToken, refreshToken, username, isGuest: username.startsWith('guest-') };
  localStorage.setItem(KEY, JSON.stringify(tokens.value));
}

export const halfmove = createClient({
  url: location.origin,
  session: stored,
  retries: 1,
  onSession: keep,
});

/** Whether this tab was loaded anew since the session ended in another one. */
export const wasEnded = sessionStorage.getItem(OVER) !== null;
sessionStorage.removeItem(OVER);

// Another tab has signed in or out: begin anew as whoever is signed in now.
addEventListener('storage', ({ key }) => {
  const isOver = stored() === null;
  if (key !== KEY || isOver === (tokens.value === null)) return;
  if (isOver) sessionStorage.setItem(OVER, '');
  location.reload();
});
