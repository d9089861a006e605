import { Form } from '../form.js';
import { go } from '../router.js';
import { halfmove, isSignedIn } from '../session.js';

/** What this is, and the ways in. */
export function Home() {
  const play = async () => {
    await halfmove.playAsGuest();
    go('/account');
  };
  return (
    <>
      <p class="lead">
        Play chess, Half-Court Chess, Xiangqi, Banqi and Half Chess against people, a move at a time, over
        hours or days. Every move is kept, and anybody can check afterwards that the server dealt and played
        fair.
      </p>
      {isSignedIn.value ? (
        <p class="ways">
          <a class="button" href="/account">
            Your account
          </a>
        </p>
      ) : (
        <>
          <p class="ways">
            <a class="button" href="/sign-up">
              Create an account
            </a>
            <a class="button second" href="/sign-in">
              Sign in
            </a>
          </p>
          <Form label="Play as a guest" action="Play as a guest" kind="second" onSend={play}>
            {() => (
              <p>
                Or begin without an account: a guest plays casual games, and can keep them by choosing a name
                later.
              </p>
            )}
          </Form>
        </>
      )}
      <section aria-labelledby="developers">
        <h2 id="developers">For developers</h2>
        <p>
          Until the board comes, games are played through the API: by <a href="/graphiql">GraphQL</a>, where
          the examples play a whole game, or by <a href="/docs">REST</a>.{' '}
          <a href="/verify">Any game can be verified</a> here in the browser.
        </p>
      </section>
    </>
  );
}
