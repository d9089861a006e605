import { rulesetById, rulesets, type AnyRuleset } from '../rules/registry.js';
import type { Options, Player } from '../rules/ruleset.js';
import { resultOf, terminationOf } from './ending.js';
import { notationKind } from './notations.js';
import type { Score } from './score.js';
import { momentTags, timeTags } from './time-text.js';

/** The tags that a game is written with. */

/** True for names that objects treat specially, so that their value would be lost. */
export const isReservedName = (name: string): boolean => name === '__proto__';

export type TagPair = readonly [name: string, value: string];

const UNKNOWN = '?';
const UNKNOWN_DATE = '????.??.??';

/** The value of the Game tag of Xiangqi. */
export const CHINESE_CHESS = 'Chinese Chess';

const capital = (side: string): string => side.charAt(0).toUpperCase() + side.slice(1);

/** The tags that name the players: their sides, if these are fixed. */
export function nameTags(ruleset: AnyRuleset): Readonly<Record<Player, string>> {
  const [first, second] = ruleset.hidden ? ['first', 'second'] : ruleset.sides;
  return { first: capital(first), second: capital(second) };
}

/** The options that differ from their defaults: `darkCaptures=true; quietLimit=80`. */
function optionsText(ruleset: AnyRuleset, options: Options): string {
  const chosen = Object.entries(options).filter(([name, value]) => value !== ruleset.options[name]?.default);
  return chosen.map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The tags of the start, unless it is the ordinary one. */
function originTags(ruleset: AnyRuleset, score: Score): Readonly<Record<string, string>> {
  const { options, setup, start, faceDown } = score;
  const chosen = optionsText(ruleset, options);
  const drawn = setup === null ? null : ruleset.fen(ruleset.start(options, setup));
  const fen = start ?? drawn;
  const isStandard = ruleset.id === 'chess';
  return {
    ...(isStandard ? {} : { Variant: ruleset.name, Ruleset: ruleset.id }),
    ...(chosen === '' ? {} : { Options: chosen }),
    ...(fen === null ? {} : { SetUp: '1', FEN: fen }),
    ...(faceDown === null ? {} : { FaceDown: faceDown }),
  };
}

function momentPairs(name: string, moment: string | null): Readonly<Record<string, string>> {
  if (moment === null) return {};
  const [date, time] = momentTags(moment);
  return { [`${name}Date`]: date, [`${name}Time`]: time };
}

/** The date; an invalid one is written as it was read. */
const dateOf = ({ date, tags, startedAt }: Score): string =>
  date ?? tags['Date'] ?? (startedAt === null ? UNKNOWN_DATE : momentTags(startedAt)[0]);

/** Seven tags in their fixed order, then all others by their names. */
export function tagsOf(score: Score, format: string): readonly TagPair[] {
  const ruleset = rulesetById(score.ruleset) ?? rulesets()[0]!;
  const names = nameTags(ruleset);
  const { id, outcome, startedAt, timeControl } = score;
  const roster: readonly TagPair[] = [
    ['Event', score.event ?? UNKNOWN],
    ['Site', score.site ?? UNKNOWN],
    ['Date', dateOf(score)],
    ['Round', score.round ?? UNKNOWN],
    [names.first, score.players.first ?? UNKNOWN],
    [names.second, score.players.second ?? UNKNOWN],
    ['Result', resultOf(outcome)],
  ];
  const others = new Map<string, string>([
    ['Termination', terminationOf(outcome)],
    ...Object.entries(score.tags),
    ...Object.entries(originTags(ruleset, score)),
    ...Object.entries(timeTags(timeControl)),
    ...Object.entries(momentPairs('UTC', startedAt)),
    ...Object.entries(momentPairs('End', score.endedAt)),
    ...(score.importedAt === null ? [] : [['Imported', score.importedAt] as const]),
    ...(outcome === null ? [] : [['Reason', outcome.reason] as const]),
    ...(id === null ? [] : [['GameId', id] as const]),
  ]);
  const isXiangqi = notationKind(ruleset) === 'xiangqi';
  if (isXiangqi) others.set('Format', format.toUpperCase());
  for (const [name] of roster) others.delete(name);
  others.delete('Game');
  const sorted = [...others].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...(isXiangqi ? [['Game', CHINESE_CHESS] as const] : []), ...roster, ...sorted];
}

/** A tag as a line. Characters that do not print, such as line breaks, become spaces. */
export function tagLine([name, value]: TagPair): string {
  const printing = value.replace(/[\u0000-\u001F\u007F\u0085\u2028\u2029]/g, ' ');
  return `[${name} "${printing.replace(/[\\"]/g, '\\$&')}"]`;
}
