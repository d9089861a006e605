import { rulesets, type AnyRuleset } from '../rules/registry.js';
import type { Outcome } from '../rules/ruleset.js';
import { terminationOf, type WantedEnd } from './ending.js';
import { found, miss, refused, shown, type Found } from './fault.js';
import type { Tag } from './lexer.js';
import { open, type Opening } from './opening.js';
import type { Head } from './score.js';
import { CHINESE_CHESS, nameTags } from './tags.js';
import { isDateText, momentOf, parseMoment, parseTimeControl } from './time-text.js';

/** What the tags of a game say, and where it begins. */

export type Tags = ReadonlyMap<string, Tag>;

/** Names that some programs have for the variants of chess that are the game itself. */
const STANDARD = new Set(['standard', 'chess', 'normal', 'fromposition', 'regular']);
/** Xiangqi without a word on its rules is that of clubs. */
const USUAL_XIANGQI = 'xiangqi-tournament';

const simple = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A value that says nothing. */
export const isUnknown = (value: string): boolean => value === '' || value === '?';

/** A tag that says something. */
function saidBy(tags: Tags, name: string): Tag | undefined {
  const tag = tags.get(name);
  return tag === undefined || isUnknown(tag.value) ? undefined : tag;
}

/** The rule set that a tag names, null when there is none of that name. */
function rulesetNamed(name: string): string | null {
  const plain = simple(name);
  if (STANDARD.has(plain)) return 'chess';
  if (plain === 'xiangqi' || plain === simple(CHINESE_CHESS)) return USUAL_XIANGQI;
  const known = rulesets().find((each) => each.id === name || simple(each.name) === plain);
  return known?.id ?? null;
}

/** What the games of a text shall be. */
export interface Wanted {
  /** Id of the rule set; null for any. */
  readonly ruleset: string | null;
  /** That of a game that names none; null where it must. */
  readonly fallback: string | null;
  /** Has this rule set the format of the text? */
  readonly fits: (ruleset: string) => boolean;
  readonly end: WantedEnd;
}

/** The rule set of a game: the one that its text names, else the wanted one; `start` is where the text of it begins. */
export function rulesetOf(
  tags: Tags,
  { ruleset: wanted, fallback, fits }: Wanted,
  start: number,
): Found<string> {
  const own = saidBy(tags, 'Ruleset');
  const told = own ?? saidBy(tags, 'Variant') ?? saidBy(tags, 'Game');
  if (told === undefined) {
    const id = wanted ?? fallback;
    return id === null ? miss(start, 'Expected the tag Ruleset, which says what game this is.') : found(id);
  }
  const named = own === undefined ? rulesetNamed(told.value) : idOf(told.value);
  if (named === null) return miss(told.valueAt, `There is no game ${shown(told.value, 40)} here.`);
  const id = own === undefined ? sameFamily(named, wanted) : named;
  if (wanted !== null && id !== wanted) {
    return miss(told.valueAt, `This is a game of ${named}, and one of ${wanted} is wanted.`);
  }
  return fits(id) ? found(id) : miss(told.valueAt, `Games of ${id} are not written in this format.`);
}

/** Whoever says Xiangqi alone may mean either of its rule sets. */
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

/** Opens the game where its tags say that it begins. */
export function openBy(tags: Tags, ruleset: string, start: number): Found<Opening> {
  const [fen, options, faceDown] = [saidBy(tags, 'FEN'), tags.get('Options'), tags.get('FaceDown')];
  const opened = open({
    ruleset,
    options: optionsOf(options?.value ?? ''),
    setup: null,
    start: fen === undefined ? null : usualFen(fen.value, ruleset),
    faceDown: faceDown?.value ?? null,
  });
  if (opened.ok) return found(opened.value);
  const { code, field } = opened.refusal;
  const culprit = code === 'INVALID_OPTIONS' ? options : field?.endsWith('faceDown') ? faceDown : fen;
  return refused((culprit ?? fen ?? options ?? faceDown)?.valueAt ?? start, opened.refusal);
}

/** A position as many programs write it: without counters, the side to move by another word, `H` and `E` for horse and elephant. */
export function usualFen(text: string, ruleset: string): string {
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

/** The tags that the rest of a score says, so that they are not kept beside it. */
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

/** What the tags say beside the game itself. What is not of the form that a score has is kept as it stands. */
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
  // Many programs know White alone.
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

/** The date where it says more than the moment of the start; undefined when it is none. */
export function dateOf(date: string, startedAt: string | null): string | null | undefined {
  if (isUnknown(date) || date === '????.??.??') return null;
  if (startedAt?.slice(0, 10).replaceAll('-', '.') === date) return null;
  return isDateText(date) ? date : undefined;
}
