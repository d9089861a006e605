import { isUpper } from '../../../../src/boards/pieces.js';
import type { Drawn } from '../../../../src/boards/picture.js';
import type { SideName, Texts } from '../texts/en.js';
import type { Game, LegalMove, Ply, Ruleset } from './follow.js';

/** What happens in a game, in words. */

type Player = Game['players'][number];

/** Beside the name that of the application through which somebody plays. */
export const nameOf = ({ player }: Player): string =>
  'application' in player ? `${player.displayName} (${player.application.name})` : player.displayName;

export const playerIn = ({ players }: Game, seat: string): Player =>
  players.find((player) => player.seat === seat)!;

/** The name of a side, such as `white`. A server that is newer than this may have others. */
export const sideOf = (side: string, { sides }: Texts): string => sides[side as SideName] ?? side;

export const rulesetOf = (
  { id, name }: { readonly id?: string; readonly name: string },
  texts: Texts,
): string => texts.rulesets[id ?? ''] ?? name;

export function nameOfPiece({ pieces, sides }: Drawn, letter: string, texts: Texts): string {
  const kind = pieces.find((one) => one.letter === letter.toUpperCase());
  const place = isUpper(letter) ? 0 : 1;
  const side = sideOf(sides[place]!, texts);
  return texts.piece(side, kind ?? { name: letter, chinese: null }, place);
}

export function endOf(game: Game, texts: Texts): string | null {
  const { outcome, viewer } = game;
  if (outcome === null) return null;
  const reason = texts.reasons[outcome.reason];
  if (outcome.reason === 'aborted') return texts.game.aborted;
  if (outcome.winner === null) return texts.game.draw(reason);
  if (viewer?.seat == null) return texts.game.won(nameOf(playerIn(game, outcome.winner)), reason);
  return viewer.seat === outcome.winner ? texts.game.won(texts.game.you, reason) : texts.game.lost(reason);
}

/** Whose turn it is, as one of the players or somebody else reads it. */
export function turnOf(game: Game, texts: Texts): string {
  const end = endOf(game, texts);
  if (end !== null) return end;
  if (game.turn === null) return texts.game.waits;
  return game.viewer?.seat === game.turn
    ? texts.game.yourMove
    : texts.game.toMove(nameOf(playerIn(game, game.turn)));
}

const OFFERS = ['draw', 'takeback', 'pause', 'time'] as const;

/** What stands open beside the turn: offers, and a pause. */
export function noticesOf(game: Game, texts: Texts): string {
  const { offers, viewer, status, resumesAt } = game;
  const open = OFFERS.flatMap((kind) => {
    const by = offers[kind]?.by;
    if (by === undefined) return [];
    return [texts.offers[kind](viewer?.seat === by ? texts.game.you : nameOf(playerIn(game, by)))];
  });
  const pause = status === 'paused' ? [texts.game.paused(resumesAt && timeOf(resumesAt, texts))] : [];
  return [...pause, ...open].join(' ');
}

export function lastOf(game: Game, plies: readonly Ply[], ruleset: Ruleset, texts: Texts): string {
  const last = plies.at(-1);
  if (last === undefined) return '';
  const who = game.viewer?.seat === last.player ? texts.game.you : nameOf(playerIn(game, last.player));
  const turned = last.reveals === null ? '' : texts.game.turnedUp(nameOfPiece(ruleset, last.reveals, texts));
  return texts.game.played(who, last.san) + turned;
}

/** `Sat 28 Nov, 14:05`, in the time zone of the reader. */
export const timeOf = (iso: string, { dates }: Texts): string =>
  new Date(iso).toLocaleString(dates, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }); // prettier-ignore

/** What a player should know before a move is sent; null if nothing. */
export function warningOf({ losing, warning }: LegalMove, ruleset: Ruleset, texts: Texts): string | null {
  if (losing) {
    const king = ruleset.pieces.find(({ letter }) => letter === 'K')?.name ?? 'king';
    return texts.warning.losing(king);
  }
  if (warning === null) return null;
  return texts.warning.repeats(texts.reasons[warning.reason], warning.winner === null);
}
