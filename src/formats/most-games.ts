/** How many games a text may have, before anything of it is read. */

const DASH = '[-\\u2010-\\u2015\\u2212]';

/**
 * What every game has, but perhaps the last one: the end of its tags or a result behind its moves, in JSON the list of
 * its plies, in UCCI where it starts.
 */
const MARKS = new RegExp(
  [
    // The comments of a clock end in a bracket, too: no tag stands before a }.
    '\\](?!\\s*[[}])',
    `(?<!")(?:\\*|½(?:${DASH}½)?)`,
    `(?<![0-9"])(?:[01]${DASH}[01]|1/2(?:${DASH}1/2)?)`,
    '\\[(?=\\s*[{\\]])',
    'startpos|fen',
  ].join('|'),
  'g',
);

/** Never less than there are, and in usual texts about two for each. */
export const mostGamesIn = (text: string): number => 1 + (text.match(MARKS)?.length ?? 0);
