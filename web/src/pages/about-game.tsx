import type { Game } from '../../../packages/elements/src/game/follow.js';
import { OPTIONS, VALUES } from '../options.js';
import { day } from '../reading.js';
import { hasNoVacation, timeControlOf } from '../time-control.js';

/** What was agreed on for a game, when it was played, and its files. */

const UNRATED: Readonly<Record<NonNullable<Game['unrated']>, string>> = {
  aborted: 'it was aborted',
  casual: 'it is casual',
  customSetup: 'its set-up was chosen',
  tooShort: 'it was too short',
};

function ratedOf({ rated, unrated }: Game): string {
  if (!rated) return 'Casual';
  return unrated === null ? 'Rated' : `Agreed on as rated, but counts for no rating: ${UNRATED[unrated]}`;
}

function valueOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return VALUES[String(value)] ?? String(value);
}

export function AboutGame({ game }: { readonly game: Game }) {
  const { id, ruleset, options, timeControl, setup, setupNumber, takebacks } = game;
  const lines = [
    ratedOf(game),
    `Time: ${timeControlOf(timeControl)}${hasNoVacation(timeControl) ? ', also during vacations' : ''}`,
    ...Object.entries(options).map(([name, value]) => `${OPTIONS[name] ?? name}: ${valueOf(value)}`),
    ...(setup === null ? [] : [`Drawn set-up: ${setup}${setupNumber === null ? '' : `, number ${setupNumber}`}`]), // prettier-ignore
    `Created ${day(game.createdAt)}`,
    ...(game.endedAt === null ? [] : [`Over since ${day(game.endedAt)}`]),
    ...(takebacks.length === 0 ? [] : [`Takebacks: ${takebacks.length}`]),
  ];
  return (
    <details>
      <summary>About this game</summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="links">
        <a href={`/rules/${ruleset.id}`}>Rules of {ruleset.name}</a>
        <a href={`/v1/games/${id}/export`} download>
          Download the moves
        </a>
        <a href={`/v1/games/${id}/export?format=json`} download>
          as JSON
        </a>
      </p>
      {game.outcome !== null && (
        <p>
          <a href={`/verify?game=${id}`}>Check this game</a> with what this browser has kept of it. Anybody
          can verify it:{' '}
          <a href={`/v1/games/${id}/record`} download>
            download its record
          </a>
          , and give it to the verifier of your choice.
        </p>
      )}
    </details>
  );
}
