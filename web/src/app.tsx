import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { later } from '../../packages/elements/src/later.js';
import { useStore } from '../../packages/elements/src/store.js';
import { GamePage } from './pages/game.js';
import { Home } from './pages/home.js';
import { go, heading, path } from './router.js';
import { halfmove, useSession, wasEnded } from './session.js';

const Footer = later(() => import('./footer.js').then((read) => read.Footer));

interface Page {
  readonly title: string;
  readonly Content: ComponentType;
}

/** By their addresses; one that ends with a slash goes on with an id. */
const PAGES: Readonly<Record<string, Page>> = {
  '/': { title: 'Games that take their time', Content: Home },
  '/sign-in': {
    title: 'Sign in',
    Content: later(() => import('./pages/sign-in.js').then((read) => read.SignIn)),
  },
  '/sign-up': {
    title: 'Create an account',
    Content: later(() => import('./pages/sign-in.js').then((read) => read.SignUp)),
  },
  '/recover': {
    title: 'Choose a new password',
    Content: later(() => import('./pages/recover.js').then((read) => read.Recover)),
  },
  '/verify-email': {
    title: 'Confirm your e-mail address',
    Content: later(() => import('./pages/verify-email.js').then((read) => read.VerifyEmail)),
  },
  '/claim': {
    title: 'Keep your games',
    Content: later(() => import('./pages/sign-in.js').then((read) => read.Claim)),
  },
  '/account': {
    title: 'Your account',
    Content: later(() => import('./pages/account.js').then((read) => read.Account)),
  },
  '/account/applications': {
    title: 'Your applications',
    Content: later(() => import('./pages/account.js').then((read) => read.Applications)),
  },
  '/news': {
    title: 'News',
    Content: later(() => import('./pages/news.js').then((read) => read.News)),
  },
  '/games': {
    title: 'Your games',
    Content: later(() => import('./pages/games.js').then((read) => read.Games)),
  },
  '/games/': { title: 'Game', Content: GamePage },
  '/challenges/': {
    title: 'An invitation',
    Content: later(() => import('./pages/invitation.js').then((read) => read.Invitation)),
  },
  '/players/': {
    title: 'A player',
    Content: later(() => import('./pages/player.js').then((read) => read.PlayerPage)),
  },
  '/rules': {
    title: 'Rules of the games',
    Content: later(() => import('./pages/rules.js').then((read) => read.AllRules)),
  },
  '/rules/': {
    title: 'Rules',
    Content: later(() => import('./pages/rules.js').then((read) => read.Rules)),
  },
};

/** The page of an address; undefined for what is none of ours. */
export const pageOf = (path: string): Page | undefined =>
  PAGES[path] ?? PAGES[path.replace(/\b\/[^/]+$/, '/')];

export function App() {
  const address = useStore(path);
  const { title: usual, Content } = pageOf(address) ?? PAGES['/']!;
  const title = useStore(heading) ?? usual;
  const top = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // A reader hears of the new page, but not of the one that the browser has just told.
    if (!isFirst.current) top.current?.focus();
    isFirst.current = false;
  }, [address]);
  useEffect(() => {
    document.title = `${title} - Halfmove`;
  }, [title]);
  return (
    <>
      <Header />
      <main>
        <h1 ref={top} tabIndex={-1}>
          {title}
        </h1>
        <Content />
      </main>
      <Footer />
    </>
  );
}

function Header() {
  const { isSignedIn, guest } = useSession();
  const signOut = () => {
    // The browser forgets the session, whether or not the server can be reached.
    void halfmove
      .logout()
      .catch(() => undefined)
      .finally(() => go('/'));
  };
  return (
    <header>
      <a href="/" class="name">
        Halfmove
      </a>
      <nav aria-label="Account">
        {isSignedIn ? (
          <>
            <a href="/games">Games</a>
            {guest === null && <a href="/news">News</a>}
            <a href="/account">Account</a>
            {/* A guest who leaves cannot come back, and is told so in the account. */}
            {guest === null && (
              <button type="button" class="plain" onClick={signOut}>
                Sign out
              </button>
            )}
          </>
        ) : (
          <>
            {wasEnded && <span role="alert">You have signed out in another tab.</span>}
            <a href="/sign-in">Sign in</a>
            <a href="/sign-up">Create an account</a>
          </>
        )}
      </nav>
    </header>
  );
}
