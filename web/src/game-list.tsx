import type { Game } from '../../packages/elements/src/game/follow.js';
import { noticesOf, playerIn, timeOf, turnOf } from '../../packages/elements/src/game/words.js';
import { en } from '../../packages/elements/src/texts/en.js';
import type { Player } from '../../src/rules/ruleset.js';
import { PlayerName } from './player-name.js';

/** Games as rows with their boards, seen from one of the seats. */

interface Props {
  readonly games: readonly Game[];
  readonly seatOf: (game: Game) => Player;
}

export function GameList({ games, seatOf }: Props) {
  return (
    <ul class="rows">
      {games.map((game) => {
        const seat = seatOf(game);
        const address = `/games/${game.id}`;
        return (
          <li key={game.id} class="pictured">
            {/* The words beside it lead there, too. */}
            <a href={address} tabIndex={-1} aria-hidden="true">
              <img
                src={`/v1${address}/board.svg?size=160&theme=auto&orientation=${seat}&ply=${game.plyCount}`}
                alt=""
                width="96"
              />
            </a>
            <span>
              <a href={address}>
                <strong>{game.ruleset.name}</strong>
              </a>
              , {game.rated ? 'rated' : 'casual'}, against{' '}
              <PlayerName player={playerIn(game, seat === 'first' ? 'second' : 'first').player} />
              <br />
              {turnOf(game, en)} {noticesOf(game, en)}
              {game.deadlineAt !== null && ` Until ${timeOf(game.deadlineAt, en)}.`}
              {game.endedAt !== null && ` ${timeOf(game.endedAt, en)}.`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
