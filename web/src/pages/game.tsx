import { GameView } from '../../../packages/elements/src/game/game.js';
import { go, heading, ways } from '../router.js';
import { halfmove, isPerson } from '../session.js';

/** A game, as the element shows it anywhere. */
export function GamePage() {
  const [, id = ''] = ways.value;
  return (
    <GameView
      key={id}
      client={halfmove}
      id={id}
      mayTalk={isPerson.value}
      onTitle={(title) => (heading.value = title)}
      onNext={(next) => go(`/games/${next}`)}
    />
  );
}
