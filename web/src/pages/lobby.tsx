import { useSignal } from '@preact/signals';
import { faultOf } from '../form.js';
import { PlayerName } from '../player-name.js';
import { useRead } from '../reading.js';
import { go } from '../router.js';
import { halfmove, isSignedIn } from '../session.js';

/** Those who wait for an opponent, as many as fit at a glance. */

const MOST = 10;

const readSeeks = () =>
  halfmove.rest
    .GET('/v1/lobby', {
      // A guest sees what a guest may accept; a visitor becomes one.
      params: { query: isSignedIn.value ? { first: MOST, acceptable: true } : { first: MOST, rated: false } },
    })
    .then(({ data }) => data.items);

type Seek = Awaited<ReturnType<typeof readSeeks>>[number];

const DAY = 86_400;

function timeOf({ timeControl }: Seek): string {
  if ('perMove' in timeControl) {
    const days = Math.round(timeControl.perMove.seconds / DAY);
    return days < 1 ? 'less than a day for each move' : days === 1 ? '1 day for each move' : `${days} days for each move`; // prettier-ignore
  }
  return 'bank' in timeControl ? 'a bank of time' : 'no limit';
}

export function Lobby() {
  const [seeks, again] = useRead(readSeeks);
  const fault = useSignal<string | null>(null);
  const shown = (seeks.value ?? []).filter(({ personsOnly }) => isSignedIn.value || !personsOnly);
  if (shown.length === 0) return null;
  const accept = async ({ id }: Seek) => {
    fault.value = null;
    try {
      if (!isSignedIn.value) await halfmove.playAsGuest();
      const { data } = await halfmove.rest.POST('/v1/challenges/{id}/accept', {
        params: { path: { id } },
        body: {},
      });
      go(`/games/${data.game.id}`);
    } catch (error) {
      // Somebody else was faster, or the seek is closed by now.
      fault.value = faultOf(error).message;
      await again().catch(() => undefined);
    }
  };
  return (
    <section aria-labelledby="lobby">
      <h2 id="lobby">Waiting for an opponent</h2>
      <p role="alert" class="fault">
        {fault.value}
      </p>
      <ul class="rows">
        {shown.map((seek) => (
          <li key={seek.id}>
            <span>
              <strong>{seek.ruleset.name}</strong>, {seek.rated ? 'rated' : 'casual'}, {timeOf(seek)}, with{' '}
              <PlayerName player={seek.creator} />
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
