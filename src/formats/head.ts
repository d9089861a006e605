import { rulesets, type AnyRuleset } from '../rules/registry.js';
import type { Outcome } from '../rules/ruleset.js';
import { terminationOf, type ExpectedEnd } from './ending.js';
import { found, miss, refused, type Found } from './fault.js';
import { shown } from '../rules/shown.js';
import type { Tag } from './lexer.js';
import { open, type Opening } from './opening.js';
import type { Head } from './score.js';
import { CHINESE_CHESS, nameTags } from './tags.js';
import { isDateText, momentOf, parseMoment, parseTimeControl } from './time-text.js';

/** The meaning of the tags of a game, and its start. */

export type Tags = ReadonlyMap<string, Tag>;

/** Names of the standard game among the variants of chess programs. */
const STANDARD = new Set(['standard', 'chess', 'normal', 'fromposition', 'regular']);
/** Xiangqi without a rule set means that of clubs. */
const USUAL_XIANGQI = 'xiangqi-tournament';

const simple = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** True for a value without information. */
export const isUnknown = (value: string): boolean => value === '' || value === '?';

/** A tag with a known value. */
function saidBy(tags: Tags, name: string): Tag | undefined {
  const tag = tags.get(name);
  return tag === undefined || isUnknown(tag.value) ? undefined : tag;
}

/** The rule set that a tag names, or null. */
function rulesetNamed(name: string): string | null {
  const plain = simple(name);
  if (STANDARD.has(plain)) return 'chess';
  if (plain === 'xiangqi' || plain === simple(CHINESE_CHESS)) return USUAL_XIANGQI;
  const known = rulesets().find((each) => each.id === name || simple(each.name) === plain);
  return known?.id ?? null;
}

/** What the caller expects of the games of a text. */
export interface Expected {
  /** Id of the rule set; null for any. */
  readonly ruleset: string | null;
  /** The rule set of a game that names none; null if it must name one. */
  readonly fallback: string | null;
  /** True if this rule set has the format of the text. */
  readonly fits: (ruleset: string) => boolean;
  readonly end: ExpectedEnd;
}

/** The rule set of a game: the one that its text names, else the wanted one. `start` is the offset of the game. */
export function rulesetOf(
  tags: Tags,
  { ruleset: wanted, fallback, fits }: Expected,
  start: number,
): Found<string> {
  const own = saidBy(tags, 'Ruleset');
  const told = own ?? saidBy(tags, 'Variant') ?? saidBy(tags, 'Game');
  if (told === undefined) {
    const id = wanted ?? fallback;
    return id === null
      ? miss(
          start,
          'The tag Ruleset is missing, so the game is not known. Add it, or name the rule set when you send the text.',
        )
      : found(id);
  }
  const named = own === undefined ? rulesetNamed(told.value) : idOf(told.value);
  if (named === null)
    return miss(
      told.valueAt,
      `There is no rule set ${shown(told.value)} here. Use one of ${rulesets()
        .map(({ id }) => id)
        .join(', ')}.`,
    );
  const id = own === undefined ? sameFamily(named, wanted) : named;
  if (wanted !== null && id !== wanted) {
    return miss(told.valueAt, `This game must be one of ${wanted}; it is one of ${named}.`);
  }
  return fits(id) ? found(id) : miss(told.valueAt, `Games of ${id} cannot be written in this format.`);
}

/** "Xiangqi" alone may mean either of its rule sets. */
const sameFamily = (named: string, wanted: string | null): string =>
  wanted?.startsWith('xiangqi') === true && named.startsWith('xiangqi') ? wanted : named;

const idOf = (text: string): string | null => rulesets().find(({ id }) => id === text)?.id ?? null;

/** The options of a tag, `name=value; name=value`. */
function optionsOf(text: string): Readonly<Record<string, unknown>> {
  const parts = text.split(';').map((part) => part.trim());
  const pairs = parts.filter((part) => part !== '').map((part): readonly [string, unknown] => {
    const [name, ...value] = part.split('=');
    return [name!.trim(), optionValue(value.join('=').trim())];
  }); // prettier-ignore
  return Object.fromEntries(pairs);
}

function optionValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : text;
}

/** Opens the game by its tags. */
export function openBy(tags: Tags, ruleset: string, start: number): Found<Opening> {
  const [fen, options, faceDown] = [saidBy(tags, 'FEN'), tags.get('Options'), tags.get('FaceDown')];
  const opened = open({
    ruleset,
    options: optionsOf(options?.value ?? ''),
    setup: null,
    start: fen === undefined ? null : normalizedFen(fen.value, ruleset),
    faceDown: faceDown?.value ?? null,
  });
  if (opened.ok) return found(opened.value);
  const { code, field } = opened.refusal;
  const culprit = code === 'INVALID_OPTIONS' ? options : field?.endsWith('faceDown') ? faceDown : fen;
  return refused((culprit ?? fen ?? options ?? faceDown)?.valueAt ?? start, opened.refusal);
}

/**
 * Normalizes a position as other programs write it: without counters, with other words for the side to move, with `H`
 * and `E` for horse and elephant.
 */
export function normalizedFen(text: string, ruleset: string): string {
  const fields = text.trim().split(/\s+/, 8);
  if (ruleset.startsWith('xiangqi')) {
    fields[0] = fields[0]!.replace(/[hHeE]/g, (letter) => OTHER_LETTERS[letter]!);
  }
  const [, side] = fields;
  if (side !== undefined) fields[1] = SIDES.get(side.toLowerCase()) ?? side;
  return fields.length < 6 ? [...fields, ...ENDINGS.slice(fields.length)].join(' ') : fields.join(' ');
}

const OTHER_LETTERS: Readonly<Record<string, string>> = { h: 'n', H: 'N', e: 'b', E: 'B' };
const SIDES = new Map([['r', 'w'], ['red', 'w'], ['white', 'w'], ['w', 'w'], ['black', 'b'], ['b', 'b']]); // prettier-ignore
const ENDINGS = ['', 'w', '-', '-', '0', '1'];

/** The tags that other fields of a score hold, so that they are not kept as tags. */
const SAID = [
  'Game',
  'Event',
  'Site',
  'Date',
  'Round',
  'Result',
  'Variant',
  'Ruleset',
  'Options',
  'SetUp',
  'FEN',
  'FaceDown',
  'Format',
  'Reason',
  'GameId',
  'Imported',
];

/** The head of a score from its tags. Values that a score cannot hold are kept as tags. */
export function headOf(
  tags: ReadonlyMap<string, Pick<Tag, 'value'>>,
  ruleset: AnyRuleset,
  outcome: Outcome | null,
): Head {
  const rest = new Map([...tags].map(([name, { value }]) => [name, value]));
  const names = nameTags(ruleset);
  const known = (name: string): string | null => {
    const value = tags.get(name)?.value;
    return value === undefined || isUnknown(value) ? null : value;
  };
  const moment = (name: string): string | null => {
    const read = parseMoment(rest.get(`${name}Date`) ?? '', rest.get(`${name}Time`) ?? '');
    if (read !== null) for (const part of ['Date', 'Time']) rest.delete(name + part);
    return read;
  };
  const [startedAt, endedAt] = [moment('UTC'), moment('End')];
  const timeControl = takeTimeControl(rest);
  const date = dateOf(rest.get('Date') ?? '?', startedAt);
  const importedAt = momentOf(rest.get('Imported') ?? '');
  // Many programs write White whatever the side is called.
  const first = tags.has(names.first) ? names.first : 'White';
  const players = { first: known(first), second: known(names.second) };
  for (const name of [...SAID, first, names.second]) rest.delete(name);
  if (rest.get('Termination') === terminationOf(outcome)) rest.delete('Termination');
  if (date === undefined) rest.set('Date', tags.get('Date')!.value);
  return {
    id: known('GameId'),
    event: known('Event'),
    site: known('Site'),
    round: known('Round'),
    date: date ?? null,
    players,
    timeControl,
    startedAt,
    endedAt,
    importedAt,
    tags: Object.fromEntries(rest),
    facts: null,
  };
}

function takeTimeControl(rest: Map<string, string>): Head['timeControl'] {
  const control = rest.get('TimeControl');
  const read =
    control === undefined ? null : parseTimeControl(control, rest.get('TimeCap'), rest.get('Vacation'));
  if (read === null) return null;
  rest.delete('TimeControl');
  if (read.type === 'bank') rest.delete('TimeCap');
  if (read.noVacation === true) rest.delete('Vacation');
  return read;
}

/** The date, or null if it follows from the start; undefined if it is not a date. */
export function dateOf(date: string, startedAt: string | null): string | null | undefined {
  if (isUnknown(date) || date === '????.??.??') return null;
  if (startedAt?.slice(0, 10).replaceAll('-', '.') === date) return null;
  return isDateText(date) ? date : undefined;
}
