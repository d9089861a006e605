import { useState } from 'preact/hooks';
import { faultOf } from '../form.js';
import { PlayerName } from '../player-name.js';
import { useRead } from '../reading.js';
import { go } from '../router.js';
import { halfmove, isSignedIn, useSession } from '../session.js';
import { timeControlOf } from '../time-control.js';

/** Those who wait for an opponent, as many as fit at a glance. */

const MOST = 10;

const readSeeks = () =>
  halfmove.rest
    .GET('/v1/lobby', {
      // A guest sees what a guest may accept; a visitor becomes one.
      params: { query: isSignedIn() ? { first: MOST, acceptable: true } : { first: MOST, rated: false } },
    })
    .then(({ data }) => data.items);

type Seek = Awaited<ReturnType<typeof readSeeks>>[number];

export function Lobby() {
  const session = useSession();
  const [seeks, again] = useRead(readSeeks);
  const [fault, setFault] = useState<string | null>(null);
  const shown = (seeks ?? []).filter(({ personsOnly }) => session.isSignedIn || !personsOnly);
  if (shown.length === 0) return null;
  const accept = async ({ id }: Seek) => {
    setFault(null);
    try {
      if (!isSignedIn()) await halfmove.playAsGuest();
      const { data } = await halfmove.rest.POST('/v1/challenges/{id}/accept', {
        params: { path: { id } },
        body: {},
      });
      go(`/games/${data.game.id}`);
    } catch (error) {
      // Somebody else was faster, or the seek is closed by now.
      setFault(faultOf(error).message);
      await again().catch(() => undefined);
    }
  };
  return (
    <section aria-labelledby="lobby">
      <h2 id="lobby">Waiting for an opponent</h2>
      <p role="alert" class="fault">
        {fault}
      </p>
      <ul class="rows">
        {shown.map((seek) => (
          <li key={seek.id}>
            <span>
              <strong>{seek.ruleset.name}</strong>, {seek.rated ? 'rated' : 'casual'},{' '}
              {timeControlOf(seek.timeControl)}, with <PlayerName player={seek.creator} />
            </span>{' '}
            <button
              type="button"
              class="second"
              aria-label={`Play ${seek.ruleset.name} with ${seek.creator.displayName}`}
              onClick={() => void accept(seek)}
            >
              Play
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
