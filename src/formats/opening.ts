import { parseOptions } from '../rules/options.js';
import { begin, resume, type Game } from '../rules/play.js';
import { rulesetById, rulesets, type AnyRuleset } from '../rules/registry.js';
import { accept, refuse, type Result } from '../rules/result.js';
import type { Options } from '../rules/ruleset.js';
import { chosenSetup, parseSetup } from '../rules/setup.js';
import { shown } from '../rules/shown.js';
import type { Origin } from './score.js';

/** The game before its first ply, with its origin in normal form. */
export interface Opening {
  readonly origin: Origin;
  readonly ruleset: AnyRuleset;
  readonly game: Game<unknown>;
}

/** An origin whose options are not parsed yet. */
export interface GivenOrigin extends Omit<Origin, 'options'> {
  readonly options: unknown;
}

/**
 * Opens a game and normalizes its origin: the ordinary start and that of a set-up become null, and a set-up is always
 * named. Refused with INVALID_OPTIONS, INVALID_SETUP, INVALID_POSITION.
 */
export function open(given: GivenOrigin): Result<Opening> {
  const ruleset = rulesetById(given.ruleset);
  if (ruleset === undefined) {
    const ids = rulesets().map(({ id }) => id);
    return refuse(
      'INVALID_OPTIONS',
      'ruleset',
      `There is no rule set ${shown(given.ruleset)}. Use one of ${ids.join(', ')}.`,
    );
  }
  const options = parseOptions(ruleset, given.options);
  if (!options.ok) return options;
  const origin: Origin = { ...given, options: options.value };
  return origin.start === null ? openAtStart(ruleset, origin) : openAt(ruleset, origin, origin.start);
}

function openAt(ruleset: AnyRuleset, origin: Origin, start: string): Result<Opening> {
  const { options, faceDown } = origin;
  const unseen = faceDown === null ? {} : { unseen: faceDown };
  const resumed = resume<unknown>(ruleset, options, { fen: start, plies: [], ...unseen });
  if (!resumed.ok) return resumed;
  const game = resumed.value;
  const fen = ruleset.fen(game.history.positions.at(-1));
  const setup = setupIn(ruleset, options, fen);
  const isOrdinary = setup === null && fen === ruleset.fen(ruleset.start(options, null));
  if (setup === null && !isOrdinary) {
    const faceUp = !ruleset.hidden && faceDown !== null;
    if (faceUp)
      return refuse(
        'INVALID_POSITION',
        'faceDown',
        'faceDown must be left out: nothing lies face-down in this game.',
      );
    return accept({ origin: { ...origin, setup: null, start: fen }, ruleset, game });
  }
  return openAtStart(ruleset, { ...origin, setup: setup ?? origin.setup, start: null, faceDown: null });
}

/** The set-up whose game begins with this position, or null. */
function setupIn(ruleset: AnyRuleset, options: Options, fen: string): string | null {
  if (ruleset.chance !== 'setup') return null;
  const rows = fen.split(' ', 1)[0]!.split('/');
  const setup = `${rows.at(-1)}/${rows[0]}`;
  if (!parseSetup(ruleset, setup).ok) return null;
  return ruleset.fen(ruleset.start(options, setup)) === fen ? setup : null;
}

function openAtStart(ruleset: AnyRuleset, origin: Origin): Result<Opening> {
  if (origin.faceDown !== null) {
    return refuse(
      'INVALID_POSITION',
      'faceDown',
      'faceDown must be left out where the game begins from its ordinary start.',
    );
  }
  const setup = setupOf(ruleset, origin);
  if (!setup.ok) return setup;
  return accept({
    origin: { ...origin, setup: setup.value },
    ruleset,
    game: begin<unknown>(ruleset, origin.options, setup.value),
  });
}

function setupOf(ruleset: AnyRuleset, { options, setup }: Origin): Result<string | null> {
  if (ruleset.chance !== 'setup') return setup === null ? accept(null) : parseSetup(ruleset, setup);
  const named = chosenSetup(ruleset, options);
  const drawn = parseSetup(ruleset, setup ?? named ?? ruleset.dealing.join('/'));
  if (!drawn.ok || named === null || named === drawn.value) return drawn;
  return refuse(
    'INVALID_SETUP',
    'setup',
    `setup (${drawn.value}) differs from the set-up in the options (${named}). Leave one of them out.`,
  );
}
