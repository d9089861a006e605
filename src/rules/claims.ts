import { counted, NEEDED } from './claim-counts.js';
import { play, turnsUp, type Game, type Played } from './play.js';
import { accept, refuse, type Result } from './result.js';
import type { Claim, Outcome, Ruleset } from './ruleset.js';

/** Claims of a draw. */

/** Claims a draw in the current position. Refused with CLAIM_NOT_MET, which says what is missing, or GAME_OVER. */
export function claim<P>(game: Game<P>, claimed: Claim): Result<Outcome> {
  if (game.outcome !== null) return refuse('GAME_OVER', 'reason', 'The game is over.');
  const missing = missingIn(game, claimed, 'now');
  return missing === null ? accept({ winner: null, reason: claimed }) : notMet(missing);
}

/**
 * Plays a move and claims a draw with it. Refused with CLAIM_NOT_MET, or as the move itself (ILLEGAL_MOVE,
 * GAME_OVER). A refusal does not tell what the move would turn up.
 */
export function claimWith<P>(game: Game<P>, claimed: Claim, move: string): Result<Played<P>> {
  const square = turnsUp(game, move);
  if (!square.ok) return square;
  if (!game.ruleset.claims.includes(claimed)) return notMet(unknown(game.ruleset, claimed));
  if (square.value !== null) return notMet(FRESH);
  const played = play(game, move, null);
  if (!played.ok) return played;
  const { game: next, ply } = played.value;
  if (next.outcome !== null) return notMet('This move already ends the game. Play it without a claim.');
  const missing = missingIn(next, claimed, 'afterMove');
  if (missing !== null) return notMet(missing);
  return accept({ game: { ...next, outcome: { winner: null, reason: claimed } }, ply });
}

/** A draw that can be claimed now, with or without a move. */
export interface OpenClaim {
  readonly reason: Claim;
  readonly move: string | null;
}

/** The fewest quiet plies after which any claim can hold, even with a move. */
const FEWEST_QUIET = 7;

/** Whether a claim can be open in this position, as far as can be told without its history. */
export const mayBeClaimed = <P>(ruleset: Ruleset<P>, at: P): boolean =>
  ruleset.claims.length > 0 && ruleset.quiet(at) >= FEWEST_QUIET;

/** All claims open to the side to move. */
export function openClaims<P>(game: Game<P>): readonly OpenClaim[] {
  const { ruleset, outcome, history } = game;
  const at = history.positions.at(-1)!;
  if (outcome !== null || !mayBeClaimed(ruleset, at)) return [];
  const moves = [null, ...ruleset.legalMoves(at).map((move) => ruleset.text(move))];
  return ruleset.claims.flatMap((reason) =>
    moves
      .filter((move) => (move === null ? claim(game, reason) : claimWith(game, reason, move)).ok)
      .map((move) => ({ reason, move })),
  );
}

const FRESH = 'This move turns up a piece, which restarts every count, so no draw can be claimed with it.';

const notMet = (message: string): Result<never> => refuse('CLAIM_NOT_MET', 'reason', message);

type When = 'now' | 'afterMove';

/** What the claim lacks in the current position, or null if it holds. */
function missingIn<P>({ ruleset, history }: Game<P>, claimed: Claim, when: When): string | null {
  if (!ruleset.claims.includes(claimed)) return unknown(ruleset, claimed);
  if (ruleset.claimable(history).includes(claimed)) return null;
  return TOO_FEW[claimed](counted(ruleset, history, claimed), when);
}

const TOO_FEW: Readonly<Record<Claim, (count: number, when: When) => string>> = {
  threefoldRepetition: (count, when) => {
    const times = count === 1 ? 'once' : 'twice';
    const subject = when === 'now' ? 'The position has' : 'After this move the position will have';
    return `${subject} occurred ${times}; a claim needs three occurrences.`;
  },
  fiftyMoves: (count, when) => {
    const plies = count === 1 ? '1 ply' : `${count} plies`;
    const subject = when === 'now' ? 'The game has had' : 'After this move the game will have had';
    return `${subject} ${plies} in a row without a capture or pawn move; a claim needs ${NEEDED.fiftyMoves}.`;
  },
};

/** What the game does instead of a claim that it does not have. */
function unknown<P>({ hidden }: Pick<Ruleset<P>, 'hidden'>, claimed: Claim): string {
  const quiet = hidden ? 'a capture or a turn-up' : 'a capture';
  const end =
    claimed === 'threefoldRepetition'
      ? 'when a position occurs for the third time'
      : `after too many plies in a row without ${quiet}`;
  return `A draw by ${claimed} cannot be claimed in this game: it ends by itself ${end}.`;
}
