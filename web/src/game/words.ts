import { nameOfPiece } from '../board/board.js';
import type { Game, LegalMove, Ply, Ruleset } from './follow.js';

/** What happens in a game, in words. */

const REASONS: Readonly<Record<NonNullable<Game['outcome']>['reason'], string>> = {
  aborted: 'the game was aborted',
  agreement: 'agreed',
  allPiecesCaptured: 'all pieces were captured',
  checkmate: 'checkmate',
  fiftyMoves: 'fifty moves without progress',
  fivefoldRepetition: 'the position came five times',
  insufficientMaterial: 'nobody can win any more',
  kingCaptured: 'the king was captured',
  noLegalMove: 'no legal move is left',
  perpetualAttack: 'perpetual attack',
  perpetualChase: 'perpetual chase',
  perpetualCheck: 'perpetual check',
  quietLimit: 'too long without progress',
  resignation: 'resignation',
  seventyFiveMoves: '75 moves without progress',
  stalemate: 'stalemate',
  threefoldRepetition: 'the position came three times',
  timeout: 'out of time',
};

type Player = Game['players'][number];

export const nameOf = ({ player }: Player): string => player.displayName;

export const playerIn = ({ players }: Game, seat: string): Player =>
  players.find((player) => player.seat === seat)!;

export function endOf(game: Game): string | null {
  const { outcome } = game;
  if (outcome === null) return null;
  const reason = REASONS[outcome.reason];
  if (outcome.reason === 'aborted') return 'The game was aborted.';
  if (outcome.winner === null) return `Draw: ${reason}.`;
  return `${nameOf(playerIn(game, outcome.winner))} won: ${reason}.`;
}

/** Whose turn it is, as one of the players or somebody else reads it. */
export function turnOf(game: Game): string {
  const end = endOf(game);
  if (end !== null) return end;
  if (game.turn === null) return 'The game waits for its draw.';
  return game.viewer?.seat === game.turn ? 'Your move.' : `${nameOf(playerIn(game, game.turn))} is to move.`;
}

export function lastOf(game: Game, plies: readonly Ply[], ruleset: Ruleset): string {
  const last = plies.at(-1);
  if (last === undefined) return '';
  const who = game.viewer?.seat === last.player ? 'You' : nameOf(playerIn(game, last.player));
  const turned = last.reveals === null ? '' : ` It was a ${nameOfPiece(ruleset, last.reveals)}.`;
  return `${who} played ${last.san}.${turned}`;
}

/** `Sat 28 Nov, 14:05`, in the time zone of the reader. */
export const timeOf = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }); // prettier-ignore

/** What a player should know before a move is sent; null if nothing. */
export function warningOf({ losing, warning }: LegalMove, ruleset: Ruleset): string | null {
  if (losing) {
    const king = ruleset.pieces.find(({ letter }) => letter === 'K')?.name ?? 'king';
    return `Your opponent can capture your ${king} right after it.`;
  }
  if (warning === null) return null;
  return `It repeats the position: ${REASONS[warning.reason]}${warning.winner === null ? ', a draw' : ''}.`;
}
