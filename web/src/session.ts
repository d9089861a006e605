import { computed, signal } from '@preact/signals';
import { createClient, type Tokens } from '../../packages/client/src/client.js';

/** The session of this browser, which its tabs share. */

const KEY = 'halfmove-session';

function stored(): Tokens | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Tokens | null;
  } catch {
    return null;
  }
}

const tokens = signal(stored());

export const isSignedIn = computed(() => tokens.value !== null);

export const halfmove = createClient({
  url: location.origin,
  session: stored,
  retries: 1,
  onSession: (session) => {
    if (session === null) localStorage.removeItem(KEY);
    else
      localStorage.setItem(
        KEY,
        JSON.stringify({ accessToken: session.accessToken, refreshToken: session.refreshToken }),
      );
    tokens.value = session;
  },
});

// Another tab has signed in or out: begin anew as whoever is signed in now.
addEventListener('storage', ({ key }) => {
  if (key === KEY && (stored() === null) !== (tokens.value === null)) location.reload();
});
