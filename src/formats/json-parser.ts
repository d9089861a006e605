import type { AnyRuleset } from '../rules/registry.js';
import type { Refusal } from '../rules/result.js';
import { REASONS } from '../rules/ruleset.js';
import { parseReason, resultOf, type StatedEnd } from './ending.js';
import { miss, refused, type Found, type Miss, type Step } from './fault.js';
import { shown } from '../rules/shown.js';
import { factsIn, playersIn } from './json-facts.js';
import { Faults, Fields } from './json-fields.js';
import { dateOf, headOf, type Expected } from './head.js';
import { JsonReader, type Node } from './json-nodes.js';
import { JSON_FIELDS, NAME, VERSION } from './json-writer.js';
import { Line } from './line.js';
import { open, type GivenOrigin } from './opening.js';
import { LIMITS, type Head, type ReadGame, type Score, type ScoreTimeControl } from './score.js';
import { isReservedName, tagsOf } from './tags.js';
import { momentOf } from './time-text.js';

/** Reads games as JSON values. */

const GAME = ['format', 'version', ...JSON_FIELDS];
const PLY = 'player move reveals captured san timeUsed clock automatic'.split(' ');

/** The games of a text: consecutive values, or lists of them. Stops at the first fault. */
export function* jsonGames(text: string, wanted: Expected): Generator<Step | Found<ReadGame>> {
  for (const node of new JsonReader(text).games()) {
    if (!node.ok) {
      yield node;
      return;
    }
    yield { next: 'game', at: node.value.at };
    const game = yield* readGame(node.value, wanted);
    yield game;
    if (!game.ok) return;
  }
}

function* readGame(node: Node, wanted: Expected): Generator<Step, Found<ReadGame>> {
  const faults = new Faults();
  const fields = new Fields(node, 'A game', GAME, faults);
  const isOurs = fields.text('format') === NAME && fields.whole('version') === VERSION;
  if (!isOurs && node.kind === 'object') {
    faults.add(fields.at('format'), `Expected "format": "${NAME}" and "version": ${VERSION}.`);
  }
  const origin = originIn(fields, wanted.ruleset);
  const head = headIn(fields, faults);
  const plies = fields.list('plies').map((each) => new Fields(each, 'A ply', PLY, faults));
  const end = endIn(fields);
  if (faults.first !== null) return faults.first;
  const opened = open(origin);
  if (!opened.ok) return refused(fields.at(originField(opened.refusal)), opened.refusal);
  const line = new Line(opened.value.game);
  for (const ply of plies) {
    yield { next: 'ply', at: ply.at('move') };
    const fault = playFields(line, ply) ?? faults.first;
    if (fault !== null) return fault;
  }
  const ending = line.ending(end, wanted.end);
  if (!ending.ok) return miss(fields.at('outcome'), ending.message);
  const read = line.read(opened.value, head, ending.outcome);
  const taken = read.ok ? takenTag(read.value.score, opened.value.ruleset) : undefined;
  if (taken === undefined) return read;
  const at = fields.object('tags', null)!.at(taken);
  return miss(at, `The tag ${shown(taken)} repeats what a field of the game says. Leave it out of "tags".`);
}

/** The JSON field that a refusal of the start of a game is about. */
function originField({ field = '' }: Refusal): string {
  const [name, part] = field.split('.') as [string, string?];
  if (name !== 'position') return name;
  return part === 'faceDown' ? 'faceDown' : 'start';
}

/** A tag that would not survive writing the game with tags and reading it again. */
function takenTag(score: Score, ruleset: AnyRuleset): string | undefined {
  const written = new Map(tagsOf(score, 'json').map(([name, value]) => [name, { value }]));
  const { tags } = headOf(written, ruleset, score.outcome);
  const kept = new Map(Object.entries(tags));
  return Object.keys(score.tags).find((name) => kept.get(name) !== score.tags[name]);
}

function originIn(fields: Fields, wanted: string | null): GivenOrigin {
  const ruleset = fields.text('ruleset') ?? '';
  if (wanted !== null && wanted !== ruleset) {
    fields.wrong('ruleset', JSON.stringify(wanted));
  }
  const options = fields.object('options', null);
  const values = options?.names.map((name) => [name, options.scalar(name, 'a value')] as const) ?? [];
  return {
    ruleset,
    options: Object.fromEntries(values),
    setup: fields.text('setup'),
    start: fields.text('start'),
    faceDown: fields.text('faceDown'),
  };
}

function headIn(fields: Fields, faults: Faults): Head {
  const players = playersIn(fields);
  const startedAt = momentIn(fields, 'startedAt');
  return {
    id: fields.known('id'),
    event: fields.known('event'),
    site: fields.known('site'),
    round: fields.known('round'),
    date: dateIn(fields, startedAt),
    players: { first: players.first.name, second: players.second.name },
    timeControl: timeControlIn(fields),
    startedAt,
    endedAt: momentIn(fields, 'endedAt'),
    importedAt: momentIn(fields, 'importedAt'),
    tags: tagsIn(fields, faults),
    facts: factsIn(fields, players),
  };
}

function dateIn(fields: Fields, startedAt: string | null): string | null {
  const date = dateOf(fields.text('date') ?? '', startedAt);
  return date === undefined ? fields.wrong('date', 'a date such as 2026.01.31 or 2026.??.??') : date;
}

function momentIn(fields: Fields, name: string): string | null {
  const text = fields.text(name);
  if (text === null) return null;
  return momentOf(text) ?? fields.wrong(name, 'a UTC time such as 2026-01-31T09:05:00Z');
}

function tagsIn(fields: Fields, faults: Faults): Readonly<Record<string, string>> {
  const tags = fields.object('tags', null);
  if (tags === null) return {};
  if (tags.names.length > LIMITS.tags)
    faults.add(
      fields.at('tags'),
      `A game must have at most ${LIMITS.tags} tags; this one has ${tags.names.length}.`,
    );
  const wrong = tags.names.find((name) => name.length > LIMITS.name || !/^[A-Za-z0-9_]+$/.test(name));
  if (wrong !== undefined)
    faults.add(
      tags.at(wrong),
      `The name of a tag must be 1 to ${LIMITS.name} letters, digits or _; got ${shown(wrong)}.`,
    );
  const lost = tags.names.find(isReservedName);
  if (lost !== undefined) faults.add(tags.at(lost), `A tag cannot be named ${lost}. Use another name.`);
  return Object.fromEntries(tags.names.map((name) => [name, tags.text(name) ?? '']));
}

function timeControlIn(fields: Fields): ScoreTimeControl | null {
  const control = fields.object('timeControl', [
    'type',
    'seconds',
    'initial',
    'increment',
    'cap',
    'noVacation',
  ]);
  if (control === null) return null;
  const away = control.flag('noVacation') === true ? { noVacation: true as const } : {};
  const [seconds, initial] = [control.whole('seconds'), control.whole('initial')];
  const type = control.text('type');
  if (type === 'none') return { type, ...away };
  if (type === 'perMove' && seconds !== null) return { type, seconds, ...away };
  if (type === 'bank' && initial !== null) {
    return { type, initial, increment: control.whole('increment') ?? 0, cap: control.whole('cap') ?? initial, ...away }; // prettier-ignore
  }
  return fields.wrong('timeControl', 'perMove with seconds, bank with initial, increment and cap, or none');
}

/** The outcome as a stated end. */
function endIn(fields: Fields): StatedEnd {
  const outcome = fields.object('outcome', ['winner', 'reason']);
  if (outcome === null) return { result: '*', reason: null, termination: null };
  const reason = parseReason(outcome.text('reason') ?? '');
  const winner = outcome.text('winner');
  const isPlayer = winner === null || winner === 'first' || winner === 'second';
  if (reason === null) outcome.wrong('reason', `one of ${REASONS.join(', ')}`);
  if (!isPlayer) outcome.wrong('winner', '"first", "second" or null');
  if (reason === null || !isPlayer) return { result: '*', reason: null, termination: null };
  if (reason === 'aborted' && winner !== null) outcome.wrong('winner', 'null in an aborted game');
  return { result: resultOf({ winner, reason }), reason, termination: null };
}

/** Plays a ply and compares its other fields with the rules. */
function playFields(line: Line, fields: Fields): Miss | null {
  const [move, reveals] = [fields.text('move'), fields.text('reveals')];
  const [timeUsed, clock] = [fields.whole('timeUsed'), fields.whole('clock')];
  const automatic = fields.flag('automatic') ?? false;
  const said = (['player', 'captured', 'san'] as const).map((name) => [name, fields.text(name)] as const);
  if (move === null) return miss(fields.at('move'), '"move" must be a move, such as "e2e4"; got null.');
  const fault = line.play(move, reveals, fields.at('move'));
  const last = line.last;
  if (fault !== null || last === undefined) return fault;
  const wrong = said.find(([name, text]) => text !== null && text !== last[name]);
  if (wrong !== undefined) {
    const [name] = wrong;
    return miss(
      fields.at(name),
      `"${name}" must be ${shown(last[name])} by the rules; got ${shown(wrong[1])}.`,
    );
  }
  line.note({ timeUsed, clock, automatic });
  return null;
}
