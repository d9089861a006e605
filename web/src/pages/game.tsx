import { useSignal } from '@preact/signals';
import type { Game } from '../../../packages/elements/src/game/follow.js';
import { GameView } from '../../../packages/elements/src/game/game.js';
import { later } from '../../../packages/elements/src/later.js';
import { go, heading, ways } from '../router.js';
import { halfmove, isPerson } from '../session.js';

const AboutGame = later(() => import('./about-game.js').then((read) => read.AboutGame));

/** A game, as the element shows it anywhere. */
export function GamePage() {
  const [, id = ''] = ways.value;
  const shown = useSignal<Game | null>(null);
  return (
    <>
      <GameView
        key={id}
        client={halfmove}
        id={id}
        mayTalk={isPerson.value}
        onTitle={(title) => (heading.value = title)}
        onShown={({ game }) => (shown.value = game)}
        onNext={(next) => go(`/games/${next}`)}
      />
      {shown.value?.id === id && <AboutGame game={shown.value} />}
    </>
  );
}
