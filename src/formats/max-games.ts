/** An upper bound of the number of games in a text, without parsing it. */

const DASH = '[-\\u2010-\\u2015\\u2212]';

/**
 * What every game but the last must contain: the end of its tags or a result after its moves, in JSON the list of
 * plies, in UCCI the start position.
 */
const MARKS = new RegExp(
  [
    // Clock comments end with a bracket too, but before a }, which a tag never does.
    '\\](?!\\s*[[}])',
    `(?<!")(?:\\*|½(?:${DASH}½)?)`,
    `(?<![0-9"])(?:[01]${DASH}[01]|1/2(?:${DASH}1/2)?)`,
    '\\[(?=\\s*[{\\]])',
    'startpos|fen',
  ].join('|'),
  'g',
);

/** An upper bound; in usual texts about two per game. */
export const maxGamesIn = (text: string): number => 1 + (text.match(MARKS)?.length ?? 0);
