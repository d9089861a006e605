import type { Game } from '../rules/play.js';
import { CLAIMS, REASONS, type Claim, type Outcome, type Player, type Reason } from '../rules/ruleset.js';

/** How a text says the end of a game, and whether the rules agree. */

export const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'] as const;
export type ResultToken = (typeof RESULTS)[number];

/** The result of an outcome; `*` for a game that runs or was aborted. */
export function resultOf(outcome: Outcome | null): ResultToken {
  if (outcome === null || outcome.reason === 'aborted') return '*';
  if (outcome.winner === null) return '1/2-1/2';
  return outcome.winner === 'first' ? '1-0' : '0-1';
}

const OTHER_SPELLINGS: Readonly<Record<string, ResultToken>> = { '1/2': '1/2-1/2', '½-½': '1/2-1/2' };

/** With hyphens for the dashes that word processors make of them. */
export const withHyphens = (text: string): string => text.replace(/[\u2010-\u2015\u2212]/g, '-');

/** The result that a word says, null when it is none. */
export function parseResult(text: string): ResultToken | null {
  const plain = withHyphens(text);
  const spelled = Object.hasOwn(OTHER_SPELLINGS, plain) ? OTHER_SPELLINGS[plain]! : plain;
  return RESULTS.find((token) => token === spelled) ?? null;
}

const WINNERS: Readonly<Record<ResultToken, Player | null>> = {
  '1-0': 'first',
  '0-1': 'second',
  '1/2-1/2': null,
  '*': null,
};

/** The Termination tag of an outcome, in the words of the PGN standard. */
export function terminationOf(outcome: Outcome | null): string {
  if (outcome === null) return 'unterminated';
  const { reason } = outcome;
  if (reason === 'aborted') return 'abandoned';
  if (reason === 'timeout') return 'time forfeit';
  return reason.startsWith('perpetual') ? 'rules infraction' : 'normal';
}

export const parseReason = (text: string): Reason | null => REASONS.find((each) => each === text) ?? null;

/** What a text says of the end; the parts that it leaves out are null. */
export interface SaidEnd {
  readonly result: ResultToken;
  readonly reason: Reason | null;
  readonly termination: string | null;
}

/** What is known of the end beside the text. */
export interface WantedEnd {
  /** How a game ended whose text does not say; null where that is not known either. */
  readonly result: ResultToken | null;
  /** Is a game refused that is not over? */
  readonly over: boolean;
}

/** The outcome that is meant, or what contradicts the rules: in the result, or in the reason. */
export type Ending =
  | { readonly ok: true; readonly outcome: Outcome | null }
  | { readonly ok: false; readonly part: 'result' | 'reason'; readonly message: string };

const wrong = (part: 'result' | 'reason', message: string): Ending => ({ ok: false, part, message });

/**
 * The rules decide what they can: an end on the board stands even where the text says `*`, and a text that says
 * something else is wrong. Where they see no end, the text is believed, as far as its reason can be true.
 */
export function endingOf(game: Game<unknown>, said: SaidEnd, wanted: WantedEnd): Ending {
  const { result, over } = wanted;
  if (result !== null && said.result !== '*' && said.result !== result) {
    return wrong('result', `The result here is ${said.result}, and the one that is given is ${result}.`);
  }
  const ending = endingSaid(game, said.result === '*' && result !== null ? { ...said, result } : said);
  return over && ending.ok && ending.outcome === null ? wrong('result', RUNNING) : ending;
}

const RUNNING =
  'The moves do not end this game, and its text does not say how it ended: give its result, or the reason "aborted".';

function endingSaid(game: Game<unknown>, said: SaidEnd): Ending {
  if (game.outcome !== null) return decided(game.outcome, said);
  if (said.result === '*') return unfinished(said);
  const winner = WINNERS[said.result];
  if (said.reason === null) return { ok: true, outcome: { winner, reason: guessed(game, said, winner) } };
  const fault = reasonFault(game, said.reason, winner);
  return fault === null ? { ok: true, outcome: { winner, reason: said.reason } } : wrong('reason', fault);
}

function decided(outcome: Outcome, { result, reason }: SaidEnd): Ending {
  const due = resultOf(outcome);
  if (result !== '*' && result !== due) {
    return wrong('result', `The game ends by ${outcome.reason}, so its result is ${due}, not ${result}.`);
  }
  if (reason !== null && reason !== outcome.reason) {
    return wrong('reason', `The game ends by ${outcome.reason}, not by ${reason}.`);
  }
  return { ok: true, outcome };
}

function unfinished({ reason }: SaidEnd): Ending {
  if (reason === null) return { ok: true, outcome: null };
  if (reason === 'aborted') return { ok: true, outcome: { winner: null, reason } };
  return wrong('reason', `A game with the result * has not ended, so it has no reason ${reason}.`);
}

/** As "Time forfeit" or "Ada won on time" say it: a word of its own, and not a part of a name as "time-lord". */
const TIME_OUT = /(?<![\w-])time(?:[ -]?out)?(?![\w-])/i;

/** The reason that players mean who name none. */
function guessed(game: Game<unknown>, { termination }: SaidEnd, winner: Player | null): Reason {
  if (TIME_OUT.test(termination ?? '')) return 'timeout';
  if (winner !== null) return 'resignation';
  return game.ruleset.claimable(game.history)[0] ?? 'agreement';
}

const isClaim = (reason: Reason): reason is Claim => (CLAIMS as readonly Reason[]).includes(reason);

/** Why the rules, which see no end, do not let the game end so; null when they do. */
function reasonFault(game: Game<unknown>, reason: Reason, winner: Player | null): string | null {
  if (reason === 'timeout') return null;
  if (reason === 'resignation') return winner === null ? 'A resignation has a winner.' : null;
  if (reason === 'agreement') return winner === null ? null : 'An agreement is a draw.';
  if (reason === 'aborted') return 'An aborted game has the result *.';
  if (!isClaim(reason)) return `The rules see no ${reason} in the last position.`;
  if (winner !== null) return `${reason} is a draw.`;
  return game.ruleset.claimable(game.history).includes(reason)
    ? null
    : `${reason} does not hold in the last position.`;
}
