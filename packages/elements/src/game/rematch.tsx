import { useEffect, useRef, useState } from 'preact/hooks';
import type { Halfmove } from '../../../client/src/client.js';
import { useTexts } from '../texts/texts.js';
import type { Game } from './follow.js';
import { playerIn } from './words.js';

interface RematchProps {
  readonly client: Halfmove;
  readonly game: Game;
  readonly onAct: (work: () => Promise<unknown>) => Promise<void>;
  readonly onNext: (id: string) => void;
}

/** Offers another game, or takes the one that the opponent has offered; follows when it begins, wherever it was taken. */
export function Rematch({ client, game, onAct, onNext }: RematchProps) {
  const texts = useTexts();
  const [by, setBy] = useState<'own' | 'opponent' | null>(null);
  const path = { params: { path: { id: game.id } } };
  /** Whether one was open while this was shown: what has begun before is only led to by the button. */
  const wasOpen = useRef(false);
  const show = (rematch: { readonly gameId: string | null; readonly creator: { readonly id: string } }) => {
    if (rematch.gameId !== null) {
      if (wasOpen.current) onNext(rematch.gameId);
      return;
    }
    wasOpen.current = true;
    const { player } = playerIn(game, game.viewer!.seat);
    setBy(player.id === rematch.creator.id ? 'own' : 'opponent');
  };
  useEffect(() => {
    const leaving = new AbortController();
    const look = async () => {
      const { data } = await client.rest.GET('/v1/games/{id}/rematch', path).catch(() => ({ data: null }));
      if (data === null) setBy(null);
      else if (!leaving.signal.aborted) show(data);
    };
    const follow = async () => {
      const events = client.events({ signal: leaving.signal });
      await events.opened;
      await look();
      for await (const { type } of events) if (type.startsWith('challenge')) await look();
    };
    // Without it, the button still offers and takes a rematch.
    follow().catch(() => undefined);
    return () => leaving.abort();
  }, [client, game.id]);
  const offer = async () => {
    wasOpen.current = true;
    const { data } = await client.rest.POST('/v1/games/{id}/rematch', { ...path, body: {} });
    show(data.challenge);
  };
  return (
    <>
      <p role="status">{by && texts.rematch[by]}</p>
      {by !== 'own' && (
        <p>
          <button type="button" class="second" onClick={() => void onAct(offer)}>
            {texts.rematch.label}
          </button>
        </p>
      )}
    </>
  );
}
