import { useRef } from 'preact/hooks';
import { Form } from '../form.js';
import { useRead } from '../reading.js';
import { go, secret, useWays } from '../router.js';
import { halfmove, isSignedIn, useSession } from '../session.js';
import { timeControlOf } from '../time-control.js';

/** A friend's link: what is offered, and its acceptance. */
export function Invitation() {
  const session = useSession();
  const [, id = ''] = useWays();
  const linkToken = useRef(secret.value).current;
  const read = () =>
    halfmove.rest
      .GET('/v1/challenges/{id}', { params: { path: { id }, query: { linkToken } } })
      .then(({ data }) => data);
  const [value] = useRead(read);
  const accept = async () => {
    if (!isSignedIn()) await halfmove.playAsGuest();
    const { data } = await halfmove.rest.POST('/v1/challenges/{id}/accept', {
      params: { path: { id } },
      body: { linkToken },
    });
    go(`/games/${data.game.id}`);
  };
  if (value === null) return <p role="status">Looking for the game. If nothing comes, the link is not complete or too old.</p>; // prettier-ignore
  if (value.status === 'accepted') {
    return (
      <p>
        This game has begun. <a href={`/games/${value.gameId!}`}>Watch it.</a>
      </p>
    );
  }
  if (value.status !== 'open')
    return <p>This invitation is no longer open. Ask your friend for another one.</p>;
  return (
    <Form
      label="Invitation"
      action={session.isSignedIn ? 'Accept and play' : 'Accept and play as a guest'}
      onSend={accept}
    >
      {() => (
        <p>
          {value.creator.displayName} invites you to a {value.rated ? 'rated' : 'casual'} game of{' '}
          {value.ruleset.name}. Time: {timeControlOf(value.timeControl)}.
        </p>
      )}
    </Form>
  );
}
