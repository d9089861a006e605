import { useEffect, useRef, useState } from 'preact/hooks';
import { type components, type Halfmove, HalfmoveError } from '../../../client/src/client.js';
import { useTexts } from '../texts/texts.js';
import { Fault } from './fault.js';
import { type Game, troubleOf } from './follow.js';
import { nameOf, playerIn, timeOf } from './words.js';

/** The messages of the players, read and followed while they are open. */

type Page = components['schemas']['MessagePage'];

const MOST = 500;

export function Chat({ client, game }: { readonly client: Halfmove; readonly game: Game }) {
  const texts = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)} part="chat">
      <summary>{texts.chat.heading}</summary>
      {isOpen && <Messages client={client} game={game} />}
    </details>
  );
}

function Messages({ client, game }: { readonly client: Halfmove; readonly game: Game }) {
  const texts = useTexts();
  const [page, setPage] = useState<Page | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const path = { params: { path: { id: game.id } } };
  const again = async () => {
    const { data } = await client.rest.GET('/v1/games/{id}/messages', {
      params: { path: { id: game.id }, query: { last: 50 } },
    });
    setPage(data);
  };
  const tell = (error: unknown) => {
    setFault(troubleOf(error, texts));
  };
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async () => {
      const events = client.events({ signal: leaving.signal });
      await events.opened;
      await again();
      for await (const { type, gameId } of events)
        if (type === 'messageSent' && gameId === game.id) await again();
    };
    follow().catch((error: unknown) => {
      if (!leaving.signal.aborted && error instanceof HalfmoveError) tell(error);
    });
    return () => leaving.abort();
  }, [client, game.id]);
  const send = async (event: Event) => {
    event.preventDefault();
    setFault(null);
    const text = box.current!.value.trim();
    if (text === '') return;
    try {
      await client.rest.POST('/v1/games/{id}/messages', { ...path, body: { text } });
      box.current!.value = '';
      await again();
    } catch (error) {
      tell(error);
    }
  };
  return (
    <>
      <div role="log" aria-label={texts.chat.heading}>
        {page?.items.length === 0 && page.messagesAllowed && <p>{texts.chat.none}</p>}
        {page?.items.map(({ id, player, text, createdAt }) => (
          <p key={id}>
            <small>{texts.chat.wrote(nameOf(playerIn(game, player)), timeOf(createdAt, texts))}</small>
            <br />
            <span class="said">{text}</span>
          </p>
        ))}
      </div>
      {page?.messagesAllowed === false && <p>{texts.chat.closed}</p>}
      {page?.messagesAllowed && (
        <form aria-label={texts.chat.heading} onSubmit={(event) => void send(event)}>
          <label class="field">
            {texts.chat.label}
            <textarea ref={box} rows={2} maxLength={MOST} />
          </label>
          <p>
            <button type="submit" class="second">
              {texts.chat.send}
            </button>
          </p>
        </form>
      )}
      <Fault text={fault} />
    </>
  );
}
