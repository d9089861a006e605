import { counted, NEEDED } from './claim-counts.js';
import { play, turnsUp, type Game, type Played } from './play.js';
import { accept, refuse, type Result } from './result.js';
import type { Claim, Outcome, Ruleset } from './ruleset.js';

/** Does a draw hold that a player claims? */

/** The draw that is claimed as the game stands; CLAIM_NOT_MET says what is missing, GAME_OVER that none can be. */
export function claim<P>(game: Game<P>, claimed: Claim): Result<Outcome> {
  if (game.outcome !== null) return refuse('GAME_OVER', 'reason', 'The game is over.');
  const missing = missingIn(game, claimed, 'now');
  return missing === null ? accept({ winner: null, reason: claimed }) : notMet(missing);
}

/**
 * The game that this move leads to, drawn by what is claimed with it. Refused with CLAIM_NOT_MET, and as the move
 * itself is refused (ILLEGAL_MOVE, GAME_OVER). A refusal says nothing of what the move would turn up.
 */
export function claimWith<P>(game: Game<P>, claimed: Claim, move: string): Result<Played<P>> {
  const square = turnsUp(game, move);
  if (!square.ok) return square;
  if (!game.ruleset.claims.includes(claimed)) return notMet(unknown(game.ruleset, claimed));
  if (square.value !== null) return notMet(FRESH);
  const played = play(game, move, null);
  if (!played.ok) return played;
  const { game: next, ply } = played.value;
  if (next.outcome !== null) return notMet('That move ends the game by itself: play it without a claim.');
  const missing = missingIn(next, claimed, 'afterMove');
  if (missing !== null) return notMet(missing);
  return accept({ game: { ...next, outcome: { winner: null, reason: claimed } }, ply });
}

/** A draw that may be claimed now: as the game stands, or with a move. */
export interface OpenClaim {
  readonly reason: Claim;
  readonly move: string | null;
}

/** No claim holds sooner after a ply that cannot be undone, even with a move. */
const FEWEST_QUIET = 7;

/** All claims that would be accepted from whoever is to move. */
export function openClaims<P>(game: Game<P>): readonly OpenClaim[] {
  const { ruleset, outcome, history } = game;
  const at = history.positions.at(-1)!;
  if (outcome !== null || ruleset.quiet(at) < FEWEST_QUIET) return [];
  const moves = [null, ...ruleset.legalMoves(at).map((move) => ruleset.text(move))];
  return ruleset.claims.flatMap((reason) =>
    moves
      .filter((move) => (move === null ? claim(game, reason) : claimWith(game, reason, move)).ok)
      .map((move) => ({ reason, move })),
  );
}

const FRESH = 'That move turns a piece up, so that every count begins anew: play it without a claim.';

const notMet = (message: string): Result<never> => refuse('CLAIM_NOT_MET', 'reason', message);

type When = 'now' | 'afterMove';

/** What the claim lacks in the last position of the game, null when it holds. */
function missingIn<P>({ ruleset, history }: Game<P>, claimed: Claim, when: When): string | null {
  if (!ruleset.claims.includes(claimed)) return unknown(ruleset, claimed);
  if (ruleset.claimable(history).includes(claimed)) return null;
  return TOO_FEW[claimed](counted(ruleset, history, claimed), when);
}

const TOO_FEW: Readonly<Record<Claim, (count: number, when: When) => string>> = {
  threefoldRepetition: (count, when) => {
    const times = count === 1 ? 'once' : 'twice';
    const subject = when === 'now' ? 'The position has' : 'With that move the position has';
    return `${subject} occurred ${times} so far; a claim needs three times.`;
  },
  fiftyMoves: (count, when) => {
    const plies = count === 1 ? '1 ply' : `${count} plies`;
    const subject = when === 'now' ? plies : `With that move ${plies}`;
    const have = count === 1 ? 'has' : 'have';
    return `${subject} without a capture or pawn move ${have} been played; a claim needs ${NEEDED.fiftyMoves}.`;
  },
};

/** What a rule set does instead of a claim that it does not know. */
function unknown<P>({ hidden }: Pick<Ruleset<P>, 'hidden'>, claimed: Claim): string {
  const quiet = hidden ? 'a capture or a turn-up' : 'a capture';
  const end =
    claimed === 'threefoldRepetition'
      ? 'when a position occurs for the third time'
      : `after too many plies in a row without ${quiet}`;
  return `This game has no such claim: it ends by itself ${end}.`;
}
