import { hasCode } from '../../../packages/client/src/client.js';
import { useStore } from '../../../packages/elements/src/store.js';
import { Form } from '../form.js';
import { useRead } from '../reading.js';
import { go, secret, useWays } from '../router.js';
import { halfmove, isSignedIn, useSession } from '../session.js';
import { timeControlOf } from '../time-control.js';
import { wantPage } from '../wanted.js';
import { Waiting } from './waiting.js';

/** An invitation by its link: what is offered, and its acceptance; or one's own, to share or to take back. */
export function Invitation() {
  const [, id = ''] = useWays();
  const linkToken = useStore(secret);
  // The complete link may follow the broken one in the same tab.
  return <Opened key={`${id} ${linkToken}`} id={id} link={linkToken === '' ? {} : { linkToken }} />;
}

interface Props {
  readonly id: string;
  readonly link: { readonly linkToken?: string };
}

function Opened({ id, link }: Props) {
  const session = useSession();
  const [value, again, trouble] = useRead(async () => {
    try {
      return (await halfmove.rest.GET('/v1/challenges/{id}', { params: { path: { id }, query: link } })).data;
    } catch (error) {
      if (hasCode(error, 'NOT_FOUND', 'BAD_INPUT')) return 'missing';
      throw error;
    }
  });
  const accept = async () => {
    if (!isSignedIn()) await halfmove.playAsGuest();
    const { data } = await halfmove.rest.POST('/v1/challenges/{id}/accept', {
      params: { path: { id } },
      body: link,
    });
    go(`/games/${data.game.id}`);
  };
  if (trouble !== null) return <p role="alert">{trouble}</p>;
  if (value === null) return <p role="status">Looking for the game ...</p>;
  if (value === 'missing')
    return (
      <p role="alert">
        The link is not complete, or too old. Ask your friend for another one
        {session.isSignedIn ? (
          '.'
        ) : (
          <>
            , or{' '}
            <a href="/sign-in" onClick={wantPage}>
              sign in
            </a>{' '}
            if the challenge is for your account.
          </>
        )}
      </p>
    );
  if (value.status === 'accepted') {
    return (
      <p>
        This game has begun. <a href={`/games/${value.gameId!}`}>Watch it.</a>
      </p>
    );
  }
  const isOwn = session.isSignedIn && value.creator.username === session.username;
  if (value.status !== 'open') {
    return isOwn ? (
      <p>
        Your invitation is no longer open. <a href="/">Make another one.</a>
      </p>
    ) : (
      <p>This invitation is no longer open. Ask your friend for another one.</p>
    );
  }
  const terms = `${value.rated ? 'rated' : 'casual'} game of ${value.ruleset.name}. Time: ${timeControlOf(value.timeControl)}.`;
  if (isOwn) {
    return (
      <>
        <p>This is your own invitation to a {terms}</p>
        <Waiting challenge={value} onGone={() => void again()} />
      </>
    );
  }
  const decline = async () => {
    await halfmove.rest.POST('/v1/challenges/{id}/decline', { params: { path: { id } }, body: {} });
    await again();
  };
  return (
    <>
      <Form
        label="Invitation"
        action={session.isSignedIn ? 'Accept and play' : 'Accept and play as a guest'}
        onSend={accept}
      >
        {() => (
          <>
            <p>
              {value.creator.displayName} invites you to a {terms}
            </p>
            {'application' in value.creator && (
              <p>
                {value.creator.displayName} plays through <strong>{value.creator.application.name}</strong>,
                which reads this game and its messages.
              </p>
            )}
          </>
        )}
      </Form>
      {value.opponent !== null && (
        <Form label="Decline" action="Decline" kind="second" onSend={decline}>
          {() => null}
        </Form>
      )}
    </>
  );
}
