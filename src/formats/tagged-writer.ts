import { rulesetById } from '../rules/registry.js';
import { resultOf } from './ending.js';
import type { Score, ScorePly } from './score.js';
import { tagLine, tagsOf } from './tags.js';
import { clockText } from './time-text.js';
import { iccsText } from './wxf.js';

/** Games as tags and numbered moves, in lines of at most 79 characters but for long tags. */

const WIDTH = 79;

export type TaggedFormat = 'pgn' | 'wxf' | 'iccs' | 'text';

/** The number of the first move, and whether the first player makes it. */
interface Count {
  readonly number: number;
  readonly isFirst: boolean;
}

function firstCount({ ruleset, start, plies }: Score): Count {
  const isHidden = rulesetById(ruleset)?.hidden === true;
  const number = Number(start?.split(' ').at(-1) ?? 1);
  return { number, isFirst: isHidden || plies[0]?.player !== 'second' };
}

const sanOf = ({ move, san }: ScorePly, format: TaggedFormat): string =>
  format === 'iccs' ? iccsText(move) : san;

/** The comment after a move: time used, clock, and whether it was a conditional move. */
function comment({ timeUsed, clock, automatic }: ScorePly): string | null {
  const emt = timeUsed === null ? [] : [`[%emt ${clockText(timeUsed)}]`];
  const clk = clock === null ? [] : [`[%clk ${clockText(clock)}]`];
  const auto = automatic ? ['[%auto 1]'] : [];
  const commands = [...emt, ...clk, ...auto];
  return commands.length === 0 ? null : `{${commands.join(' ')}}`;
}

/** The moves by turns, `1. e4 e5`; after a comment the second one is numbered too, `1... e5`. */
function byTurns(score: Score, format: TaggedFormat): readonly string[] {
  let { number, isFirst } = firstCount(score);
  let isOpen = true;
  const words: string[] = [];
  for (const ply of score.plies) {
    if (isFirst) words.push(`${number}.`);
    else if (isOpen) words.push(`${number}...`);
    words.push(sanOf(ply, format));
    const said = comment(ply);
    if (said !== null) words.push(said);
    isOpen = said !== null;
    if (!isFirst) number++;
    isFirst = !isFirst;
  }
  return words;
}

/** The plies one by one, `1. a1(N) 2. b2(p)`, since a turn may be several of them. */
function byPlies(score: Score, format: TaggedFormat): readonly string[] {
  const { number } = firstCount(score);
  return score.plies.flatMap((ply, index) => {
    const said = comment(ply);
    return [`${number + index}.`, sanOf(ply, format), ...(said === null ? [] : [said])];
  });
}

/** Fills lines with words; a word longer than a line gets its own. */
function filled(words: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= WIDTH) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join('\n');
}

/** The text of one game, its last line ended; games follow each other with an empty line between. */
export function writeTagged(score: Score, format: TaggedFormat): string {
  const tags = tagsOf(score, format).map(tagLine).join('\n');
  const words = format === 'text' ? byPlies(score, format) : byTurns(score, format);
  return `${tags}\n\n${filled([...words, resultOf(score.outcome)])}\n`;
}
