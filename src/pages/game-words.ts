import { resultOf } from '../formats/ending.js';
import type { TimeControl } from '../arbiter/time-control.js';
import { outcomeOf, type PlyRow, type Seated, type ShownGame } from '../features/games/game.row.js';
import { fullNameOf, type AnyPlayer } from '../features/users/users.model.js';

/** A game in words, as its page, its preview and its frame tell of it. */

export const titleOf = (ruleset: string, { first, second }: Seated<string>): string =>
  `${ruleset}: ${first} against ${second}`;

/** `fiftyMoves` is "fifty moves". */
const spelled = (reason: string): string => reason.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Whose move it is, or how the game ended. */
export function standingOf(row: ShownGame, names: Seated<string>): string {
  const { reason, winner, turn } = row;
  if (reason === 'aborted') return 'The game was aborted.';
  if (reason !== null) {
    const result = winner === null ? 'The game is a draw' : `${names[winner]} won`;
    return `${result}: ${spelled(reason)} (${resultOf(outcomeOf(row))}).`;
  }
  return turn === null ? 'The game waits for its draw.' : `${names[turn]} is to move.`;
}

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** The largest units first: 90,000 seconds are "1 day 1 hour". */
function duration(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([unit, name]) => {
    const many = Math.floor(rest / unit);
    rest %= unit;
    return many === 0 ? [] : [`${many} ${name}${many === 1 ? '' : 's'}`];
  });
  return parts.join(' ');
}

export function timeOf(control: TimeControl): string {
  const vacation = control.noVacation === true ? ', without vacations' : '';
  if (control.type === 'none') return `no limit${vacation}`;
  if (control.type === 'perMove') return `${duration(control.seconds)} per move${vacation}`;
  const { initial, increment, cap } = control;
  const added = increment === 0 ? '' : ` and ${duration(increment)} more with each move`;
  const most = increment === 0 ? '' : `, at most ${duration(cap)}`;
  return `${duration(initial)} for all moves${added}${most}${vacation}`;
}

/** The moves with their numbers: `1. e4 e5 2. Nf3`. What they turned up stands in their notation. */
export const movesOf = (plies: readonly Pick<PlyRow, 'san'>[]): string =>
  plies.map(({ san }, i) => (i % 2 === 0 ? `${i / 2 + 1}. ${san}` : san)).join(' ');

/** On one line, as the text of a page is. */
export const nameIn = (player: AnyPlayer): string => fullNameOf(player).replaceAll(/\s+/g, ' ');

export const seatName = (side: string | null, seat: string): string =>
  (side ?? `${seat} player`).replace(/^./, (letter) => letter.toUpperCase());
