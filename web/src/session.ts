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

/** The username of a guest; null for anybody else. */
export const guest = computed(() => (tokens.value?.isGuest === true ? (tokens.value.username ?? '') : null));

/** A renewal does not say of whom it is, as it is of the same. */
function keep(session: (Stored & { readonly user?: { readonly username: string } }) | null): void {
  if (session === null) localStorage.removeItem(KEY);
  const {
    accessToken,
    refreshToken = '',
    user,
    username: known,
  }: Stored & { readonly user?: { readonly username: string } } = session ?? { accessToken: '' };
  // Another tab may have stored the session of somebody else, which has its name.
  const username = user?.username ?? known ?? tokens.value?.username ?? '';
  // The names of guests are reserved for them.
  const kept = { accessToken, refreshToken, username, isGuest: username.startsWith('guest-') };
  if (session !== null) localStorage.setItem(KEY, JSON.stringify(kept));
  tokens.value = session === null ? null : kept;
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
