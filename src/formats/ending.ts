import type { Game } from '../rules/play.js';
import { CLAIMS, REASONS, type Claim, type Outcome, type Player, type Reason } from '../rules/ruleset.js';

/** The end of a game as its text states it, checked against the rules. */

export const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'] as const;
export type ResultToken = (typeof RESULTS)[number];

/** The result of an outcome; `*` for a running or aborted game. */
export function resultOf(outcome: Outcome | null): ResultToken {
  if (outcome === null || outcome.reason === 'aborted') return '*';
  if (outcome.winner === null) return '1/2-1/2';
  return outcome.winner === 'first' ? '1-0' : '0-1';
}

const OTHER_SPELLINGS: Readonly<Record<string, ResultToken>> = { '1/2': '1/2-1/2', '½-½': '1/2-1/2' };

/** Replaces dashes, as word processors insert them, by hyphens. */
export const withHyphens = (text: string): string => text.replace(/[\u2010-\u2015\u2212]/g, '-');

/** The result that a word means, or null. */
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

/** The Termination tag of an outcome, in the terms of the PGN standard. */
export function terminationOf(outcome: Outcome | null): string {
  if (outcome === null) return 'unterminated';
  const { reason } = outcome;
  if (reason === 'aborted') return 'abandoned';
  if (reason === 'timeout') return 'time forfeit';
  return reason.startsWith('perpetual') ? 'rules infraction' : 'normal';
}

export const parseReason = (text: string): Reason | null => REASONS.find((each) => each === text) ?? null;

/** The end as the text states it; missing parts are null. */
export interface StatedEnd {
  readonly result: ResultToken;
  readonly reason: Reason | null;
  readonly termination: string | null;
}

/** What the caller knows or requires of the end. */
export interface ExpectedEnd {
  /** The result of games whose text does not state one; null if not known. */
  readonly result: ResultToken | null;
  /** True to refuse games that are not over. */
  readonly over: boolean;
}

/** The outcome, or which part of the statement contradicts the rules. */
export type Ending =
  | { readonly ok: true; readonly outcome: Outcome | null }
  | { readonly ok: false; readonly part: 'result' | 'reason'; readonly message: string };

const wrong = (part: 'result' | 'reason', message: string): Ending => ({ ok: false, part, message });

/**
 * An end on the board counts even if the text says `*`; any other statement is then refused. Without an end on the
 * board the text is believed, if its reason is possible.
 */
export function endingOf(game: Game<unknown>, said: StatedEnd, wanted: ExpectedEnd): Ending {
  const { result, over } = wanted;
  if (result !== null && said.result !== '*' && said.result !== result) {
    return wrong(
      'result',
      `The result in the text is ${said.result}, but the one given beside it is ${result}. Leave one of them out.`,
    );
  }
  const ending = endingSaid(game, said.result === '*' && result !== null ? { ...said, result } : said);
  return over && ending.ok && ending.outcome === null ? wrong('result', RUNNING) : ending;
}

const RUNNING =
  'This game is not over: neither its moves nor its text end it. Give its result, or the reason "aborted".';

function endingSaid(game: Game<unknown>, said: StatedEnd): Ending {
  if (game.outcome !== null) return decided(game.outcome, said);
  if (said.result === '*') return unfinished(said);
  const winner = WINNERS[said.result];
  if (said.reason === null) return { ok: true, outcome: { winner, reason: guessed(game, said, winner) } };
  const fault = reasonFault(game, said.reason, winner);
  return fault === null ? { ok: true, outcome: { winner, reason: said.reason } } : wrong('reason', fault);
}

function decided(outcome: Outcome, { result, reason }: StatedEnd): Ending {
  const due = resultOf(outcome);
  if (result !== '*' && result !== due) {
    return wrong(
      'result',
      `The game ends by ${outcome.reason}, so its result must be ${due}; got ${result}.`,
    );
  }
  if (reason !== null && reason !== outcome.reason) {
    return wrong('reason', `The game ends by ${outcome.reason}, so its reason cannot be ${reason}.`);
  }
  return { ok: true, outcome };
}

function unfinished({ reason }: StatedEnd): Ending {
  if (reason === null) return { ok: true, outcome: null };
  if (reason === 'aborted') return { ok: true, outcome: { winner: null, reason } };
  return wrong('reason', `A game with the result * is not over, so it cannot have the reason ${reason}.`);
}

/** Matches "Time forfeit" and "Ada won on time", but not part of a name such as "time-lord". */
const TIME_OUT = /(?<![\w-])time(?:[ -]?out)?(?![\w-])/i;

/** The most likely reason if none is stated. */
function guessed(game: Game<unknown>, { termination }: StatedEnd, winner: Player | null): Reason {
  if (TIME_OUT.test(termination ?? '')) return 'timeout';
  if (winner !== null) return 'resignation';
  return game.ruleset.claimable(game.history)[0] ?? 'agreement';
}

const isClaim = (reason: Reason): reason is Claim => (CLAIMS as readonly Reason[]).includes(reason);

/** Why a game without an end on the board cannot end for this reason, or null. */
function reasonFault(game: Game<unknown>, reason: Reason, winner: Player | null): string | null {
  if (reason === 'timeout') return null;
  if (reason === 'resignation') return winner === null ? 'The reason resignation needs a winner.' : null;
  if (reason === 'agreement')
    return winner === null ? null : 'The reason agreement means a draw, so there cannot be a winner.';
  if (reason === 'aborted') return 'The reason aborted means no result, so the result must be *.';
  if (!isClaim(reason)) return `The reason cannot be ${reason}: the last position does not show it.`;
  if (winner !== null) return `The reason ${reason} means a draw, so there cannot be a winner.`;
  return game.ruleset.claimable(game.history).includes(reason)
    ? null
    : `The reason cannot be ${reason}: it cannot be claimed in the last position.`;
}
