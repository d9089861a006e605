import { useState } from 'preact/hooks';
import type { Game } from '../../../packages/elements/src/game/follow.js';
import { GameView } from '../../../packages/elements/src/game/game.js';
import { later } from '../../../packages/elements/src/later.js';
import { go, heading, useWays } from '../router.js';
import { halfmove, useSession } from '../session.js';

const AboutGame = later(() => import('./about-game.js').then((read) => read.AboutGame));

/** A game, as the element shows it anywhere. */
export function GamePage() {
  const [, id = ''] = useWays();
  const { isPerson } = useSession();
  const [shown, setShown] = useState<Game | null>(null);
  return (
    <>
      <GameView
        key={id}
        client={halfmove}
        id={id}
        mayTalk={isPerson}
        onTitle={(title) => (heading.value = title)}
        onShown={({ game }) => setShown(game)}
        onNext={(next) => go(`/games/${next}`)}
      />
      {shown?.id === id && <AboutGame game={shown} />}
    </>
  );
}
