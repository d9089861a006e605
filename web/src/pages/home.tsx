import { later } from '../../../packages/elements/src/later.js';
import { useSession } from '../session.js';
import { Play } from './play.js';

const Lobby = later(() => import('./lobby.js').then((read) => read.Lobby));
const ForDevelopers = later(() => import('../footer.js').then((read) => read.ForDevelopers));

/** What this is, a game at once, and the ways in. */
export function Home() {
  const { isSignedIn, guest } = useSession();
  return (
    <>
      <p class="lead">
        Play chess, Half-Court Chess, Xiangqi, Banqi and Half Chess against people, a move at a time, over
        hours or days. Every move is kept, and anybody can check afterwards that the server dealt and played
        fair.
      </p>
      <section aria-labelledby="play">
        <h2 id="play">Play</h2>
        {!isSignedIn && (
          <p>
            A guest plays casual games at once, and can keep them by choosing a name later. Or{' '}
            <a href="/sign-up">create an account</a>, or <a href="/sign-in">sign in</a>.
          </p>
        )}
        {guest !== null && (
          <p>
            You play as a guest. <a href="/account">Keep your games</a> by choosing a name.
          </p>
        )}
        <Play />
      </section>
      <Lobby />
      <ForDevelopers />
    </>
  );
}
