import { useEffect } from 'preact/hooks';
import { GameList } from '../game-list.js';
import { keepPush } from '../push.js';
import { useRead } from '../reading.js';
import { halfmove, useSession } from '../session.js';
import { Challenges } from './challenges.js';

const readRunning = () => halfmove.rest.GET('/v1/me/games').then(({ data }) => data.items);
const readEnded = () =>
  halfmove.rest
    .GET('/v1/me/games', { params: { query: { list: 'ended', first: 20 } } })
    .then(({ data }) => data.items);

type Listed = Awaited<ReturnType<typeof readRunning>>[number];

/** What waits for an answer, and the games of the user, the most urgent first. */
export function Games() {
  const { isSignedIn, username } = useSession();
  useEffect(() => {
    // Whoever comes here has often just signed in. What fails is done on the page of news.
    if (isSignedIn) void keepPush(username).catch(() => undefined);
  }, [isSignedIn, username]);
  const [running] = useRead(readRunning);
  const [ended] = useRead(readEnded);
  if (!isSignedIn) {
    return (
      <p>
        <a href="/sign-in">Sign in</a> to see your games, or <a href="/">play as a guest</a>.
      </p>
    );
  }
  return (
    <>
      <p class="ways">
        <a class="button" href="/">
          New game
        </a>
      </p>
      <Challenges />
      <List games={running} none="You have no running game." />
      {(ended ?? []).length > 0 && (
        <section aria-labelledby="ended">
          <h2 id="ended">Over</h2>
          <List games={ended} none="" />
        </section>
      )}
    </>
  );
}

function List({ games, none }: { readonly games: readonly Listed[] | null; readonly none: string }) {
  if (games === null) return <p>Reading your games ...</p>;
  if (games.length === 0) return <p>{none}</p>;
  return <GameList games={games} seatOf={({ viewer }) => viewer?.seat ?? 'first'} />;
}
