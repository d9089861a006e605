import { useEffect } from 'preact/hooks';
import type { components } from '../../../packages/client/src/client.js';
import { later } from '../../../packages/elements/src/later.js';
import { Copy } from '../copy.js';
import { Form } from '../form.js';
import { go } from '../router.js';
import { halfmove } from '../session.js';

/** Waiting for an opponent, or for the friend who has the link. */

const QrCode = later(() => import('../qr-code.js').then((read) => read.QrCode));

type Challenge = components['schemas']['Challenge'];

const AGAIN_MS = 3000;

/** Its `url`, but under the address by which the user came, which the server may not know. */
const linkOf = ({ id, linkToken }: Challenge): string => `${location.origin}/challenges/${id}#${linkToken!}`;

interface Props {
  readonly challenge: Challenge;
  /** Called when it is taken back. */
  readonly onGone: () => void;
}

export const takeBack = ({ id }: Challenge) =>
  halfmove.rest.POST('/v1/challenges/{id}/cancel', { params: { path: { id } } });

/** Goes on to the game as soon as somebody has taken it. */
export function Waiting({ challenge, onGone }: Props) {
  const link = challenge.linkToken === null ? null : linkOf(challenge);
  useEffect(() => {
    const ending = new AbortController();
    void begun(challenge.id, ending.signal).then((id) => id !== null && go(`/games/${id}`));
    return () => ending.abort();
  }, [challenge.id]);
  const cancel = async () => {
    await takeBack(challenge);
    onGone();
  };
  return (
    <>
      {challenge.kind === 'direct' && (
        <p>
          {challenge.opponent!.displayName} has not answered yet. The game begins when they accept, and will
          be among <a href="/games">your games</a>.
        </p>
      )}
      {challenge.kind === 'seek' && (
        <p>
          You are on the list: the game begins as soon as somebody wants the same one. You may leave this
          page; the game will be among <a href="/games">your games</a>.
        </p>
      )}
      {link !== null && (
        <>
          <p>
            Send this link to your friend. The game of {challenge.ruleset.name} begins when it is opened and
            accepted, and will be among <a href="/games">your games</a>.
          </p>
          <p class="field">
            <label for="link">Link</label>
            <input id="link" readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
          </p>
          <Copy text={link} action="Copy the link" />
          <QrCode text={link} label="QR code of the link" />
        </>
      )}
      <Form label="Take it back" action="Take it back" kind="second" onSend={cancel}>
        {() => null}
      </Form>
    </>
  );
}

/** The id of the game once there is one; null if nobody waits any more. */
async function begun(id: string, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    const events = halfmove.events({ signal });
    try {
      // Opened first, so that nothing between the reading and the stream is missed.
      await events.opened;
      const { data } = await halfmove.rest.GET('/v1/challenges/{id}', { params: { path: { id } } });
      if (data.gameId !== null) return data.gameId;
      for await (const { subject, gameId } of events) if (subject === id && gameId !== null) return gameId;
    } catch {
      // The client has tried again by itself; what is left may take longer.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } finally {
      await events.return();
    }
  }
  return null;
}
