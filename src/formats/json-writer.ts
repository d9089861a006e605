import type { Facts, Score } from './score.js';

/** A game as one JSON value. */

export const NAME = 'halfmove-game';
export const VERSION = 1;

/** The fields of a game in order, after `format` and `version`, which are always written. */
export const JSON_FIELDS: readonly string[] = [
  ...['ruleset', 'rulesetVersion', 'options', 'setup', 'start', 'faceDown'],
  ...['id', 'event', 'site', 'round', 'date', 'rated', 'players', 'timeControl'],
  ...['startedAt', 'endedAt', 'importedAt', 'tags', 'plies', 'outcome', 'fairness'],
];

/** Names of JSON_FIELDS. */
export type FieldSelection = ReadonlySet<string>;

const NO_PLAYER = { id: null, rating: null, ratingDiff: null };
const NO_FACTS: Facts = {
  rulesetVersion: null,
  rated: null,
  players: { first: NO_PLAYER, second: NO_PLAYER },
  fairness: null,
};

/** One line, so that such lines together are NDJSON. */
export function writeJson({ facts, ...score }: Score, keeps: FieldSelection = new Set(JSON_FIELDS)): string {
  const { players: known, ...more } = facts ?? NO_FACTS;
  const player = (seat: 'first' | 'second') => {
    const { id, rating, ratingDiff } = known[seat];
    return { id, name: score.players[seat], rating, ratingDiff };
  };
  const game: Readonly<Record<string, unknown>> = {
    ...{ ...score, ...more },
    players: { first: player('first'), second: player('second') },
  };
  const kept = JSON_FIELDS.filter((name) => keeps.has(name)).map((name) => [name, game[name]]);
  return `${JSON.stringify({ format: NAME, version: VERSION, ...Object.fromEntries(kept) })}\n`;
}
