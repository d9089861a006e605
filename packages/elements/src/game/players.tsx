import { useEffect, useState } from 'preact/hooks';
import type { Player } from '../../../../src/rules/ruleset.js';
import { type Texts, useTexts } from '../texts/texts.js';
import type { Shown } from './follow.js';
import { endOf, nameOf, playerIn, sideOf, timeOf } from './words.js';

/** A player of the game, with the time that is left. */
export function Players({ state: { game }, seat }: { readonly state: Shown; readonly seat: Player }) {
  const texts = useTexts();
  const now = useNow();
  const player = playerIn(game, seat);
  const isToMove = game.turn === seat && endOf(game, texts) === null;
  const away = game.clocks[seat].onVacationUntil;
  const rated = game.ratingChanges?.[seat];
  return (
    <p class={isToMove ? 'player to-move' : 'player'} part="player">
      <strong>{nameOf(player)}</strong>
      {game.viewer?.seat === seat && texts.game.isYou}
      {player.side === null ? '' : texts.game.side(sideOf(player.side, texts))}
      {isToMove && game.deadlineAt !== null && (
        <span>
          {texts.game.until(`${timeOf(game.deadlineAt, texts)} (${within(game.deadlineAt, now, texts)})`)}
        </span>
      )}
      {away !== null && texts.game.away(timeOf(away, texts))}
      {rated != null && <span>{texts.game.rating(Math.round(rated.before), Math.round(rated.after))}</span>}
    </p>
  );
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `in 3 days`, to the nearest: a time of three days reads so when it begins. Below two days in hours, below two hours in minutes. */
function within(iso: string, now: number, { dates }: Texts): string {
  const left = Math.max(0, Date.parse(iso) - now);
  const [unit, ms] = UNITS.find((each) => left >= 2 * each[1]) ?? UNITS.at(-1)!;
  return new Intl.RelativeTimeFormat(dates, { numeric: 'always' }).format(Math.round(left / ms), unit);
}

const TICK_MS = 30_000;

function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
