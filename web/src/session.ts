import { computed, signal } from '@preact/signals';
import { createClient, type Tokens } from '../../packages/client/src/client.js';

/** The session of this browser, which its tabs share. */

const KEY = 'halfmove-session';

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

const tokens = signal(stored());

export const isSignedIn = computed(() => tokens.value !== null);

/** The username, once it is known. */
export const signedInAs = computed(() => tokens.value?.username ?? '');

/** The username of a guest; null for anybody else. */
export const guest = computed(() => (tokens.value?.isGuest === true ? (tokens.value.username ?? '') : null));

/** Guests play casual games only. */
export const isPerson = computed(() => isSignedIn.value && guest.value === null);

/** What the client gives: of a session that begins with its user, of one that another tab has stored with its name. */
type Kept = Stored & { readonly user?: { readonly username: string } };

/** Keeps a session for all tabs; null forgets it. */
function keep(session: Kept | null): void {
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

// Another tab has signed in or out: begin anew as whoever is signed in now.
addEventListener('storage', ({ key }) => {
  if (key === KEY && (stored() === null) !== (tokens.value === null)) location.reload();
});
