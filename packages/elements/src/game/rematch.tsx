import { useState } from 'preact/hooks';
import type { Halfmove } from '../../../client/src/client.js';
import { useTexts } from '../texts/texts.js';

interface RematchProps {
  readonly client: Halfmove;
  readonly id: string;
  readonly onAct: (work: () => Promise<unknown>) => Promise<void>;
  readonly onNext: (id: string) => void;
}

/** Offers another game, or takes the one that the opponent has offered. */
export function Rematch({ client, id, onAct, onNext }: RematchProps) {
  const texts = useTexts();
  const [isOffered, setIsOffered] = useState(false);
  const offer = async () => {
    const { data } = await client.rest.POST('/v1/games/{id}/rematch', { params: { path: { id } }, body: {} });
    if (data.challenge.gameId === null) setIsOffered(true);
    else onNext(data.challenge.gameId);
  };
  return (
    <>
      <p role="status">{isOffered && texts.rematch.offered}</p>
      {!isOffered && (
        <p>
          <button type="button" class="second" onClick={() => void onAct(offer)}>
            {texts.rematch.label}
          </button>
        </p>
      )}
    </>
  );
}
