import { parseReason, resultOf, type SaidEnd } from './ending.js';
import { miss, refused, shown, type Found, type Miss } from './fault.js';
import { Faults, Fields } from './json-fields.js';
import { JsonReader, type Node } from './json-nodes.js';
import { Line } from './line.js';
import { open, type GivenOrigin } from './opening.js';
import { LIMITS, type Head, type Score, type ScoreTimeControl } from './score.js';
import { isDateText, momentOf } from './time-text.js';

/** One game as one JSON value: the score itself, with the name and the version of the format. */

const NAME = 'halfmove-game';
const VERSION = 1;

const HEAD = 'id event site round date players timeControl startedAt endedAt tags'.split(' ');
const GAME = [...'format version ruleset options setup start faceDown plies outcome'.split(' '), ...HEAD];
const PLY = 'player move reveals captured san clock automatic'.split(' ');

/** One line, so that such lines together are NDJSON. */
export const writeJson = (score: Score): string =>
  `${JSON.stringify({ format: NAME, version: VERSION, ...score })}\n`;

/** The games of a text, one by one: values that follow each other, or lists of them; the first broken one is the last. */
export function* jsonGames(text: string, wanted: string | null): Generator<Found<Score>> {
  const reader = new JsonReader(text);
  while (!reader.isDone) {
    const value = reader.next();
    if (!value.ok) {
      yield value;
      return;
    }
    for (const node of value.value.kind === 'list' ? value.value.items : [value.value]) {
      const game = readGame(node, wanted);
      yield game;
      if (!game.ok) return;
    }
  }
}

function readGame(node: Node, wanted: string | null): Found<Score> {
  const faults = new Faults();
  const fields = new Fields(node, 'A game', GAME, faults);
  const isOurs = fields.text('format') === NAME && fields.whole('version') === VERSION;
  if (!isOurs && node.kind === 'object') {
    faults.add(fields.at('format'), `Expected "format": "${NAME}" and "version": ${VERSION}.`);
  }
  const origin = originIn(fields, wanted);
  const head = headIn(fields, faults);
  const plies = fields.list('plies').map((each) => new Fields(each, 'A ply', PLY, faults));
  const end = endIn(fields);
  if (faults.first !== null) return faults.first;
  const opened = open(origin);
  if (!opened.ok) return refused(fields.at(opened.refusal.field.split('.', 1)[0]!), opened.refusal);
  const line = new Line(opened.value);
  for (const ply of plies) {
    const fault = playFields(line, ply) ?? faults.first;
    if (fault !== null) return fault;
  }
  const ending = line.ending(end);
  return ending.ok ? line.score(head, ending.outcome) : miss(fields.at('outcome'), ending.message);
}

function originIn(fields: Fields, wanted: string | null): GivenOrigin {
  const ruleset = fields.text('ruleset') ?? '';
  if (wanted !== null && wanted !== ruleset) {
    fields.wrong('ruleset', `${wanted}, the game that is wanted`);
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
  const players = fields.object('players', ['first', 'second']);
  const date = fields.text('date');
  if (date !== null && !isDateText(date)) fields.wrong('date', 'a date, as 2026.01.31 or 2026.??.??');
  return {
    id: fields.text('id'),
    event: fields.text('event'),
    site: fields.text('site'),
    round: fields.text('round'),
    date,
    players: { first: players?.text('first') ?? null, second: players?.text('second') ?? null },
    timeControl: timeControlIn(fields),
    startedAt: momentIn(fields, 'startedAt'),
    endedAt: momentIn(fields, 'endedAt'),
    tags: tagsIn(fields, faults),
  };
}

function momentIn(fields: Fields, name: string): string | null {
  const text = fields.text(name);
  if (text === null) return null;
  return momentOf(text) ?? fields.wrong(name, 'a UTC time, as 2026-01-31T09:05:00Z');
}

function tagsIn(fields: Fields, faults: Faults): Readonly<Record<string, string>> {
  const tags = fields.object('tags', null);
  if (tags === null) return {};
  if (tags.names.length > LIMITS.tags)
    faults.add(fields.at('tags'), `A game has at most ${LIMITS.tags} tags.`);
  const wrong = tags.names.find((name) => name.length > LIMITS.name || !/^[A-Za-z0-9_]+$/.test(name));
  if (wrong !== undefined)
    faults.add(tags.at(wrong), `A tag's name has letters, digits and _, at most ${LIMITS.name}.`);
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

/** What the outcome says, in the terms of a result. */
function endIn(fields: Fields): SaidEnd {
  const outcome = fields.object('outcome', ['winner', 'reason']);
  if (outcome === null) return { result: '*', reason: null, termination: null };
  const reason = parseReason(outcome.text('reason') ?? '');
  const winner = outcome.text('winner');
  const isPlayer = winner === null || winner === 'first' || winner === 'second';
  if (reason === null) outcome.wrong('reason', 'the reason of an end');
  if (!isPlayer) outcome.wrong('winner', '"first", "second" or null');
  if (reason === null || !isPlayer) return { result: '*', reason: null, termination: null };
  if (reason === 'aborted' && winner !== null) outcome.wrong('winner', 'null in an aborted game');
  return { result: resultOf({ winner, reason }), reason, termination: null };
}

/** Plays a ply, and compares what else is said of it with what the rules say. */
function playFields(line: Line, fields: Fields): Miss | null {
  const [move, reveals, clock] = [fields.text('move'), fields.text('reveals'), fields.whole('clock')];
  const automatic = fields.flag('automatic') ?? false;
  const said = (['player', 'captured', 'san'] as const).map((name) => [name, fields.text(name)] as const);
  if (move === null) return miss(fields.at('move'), '"move" must be a move as text.');
  const fault = line.play(move, reveals, fields.at('move'));
  const last = line.last;
  if (fault !== null || last === undefined) return fault;
  const wrong = said.find(([name, text]) => text !== null && text !== last[name]);
  if (wrong !== undefined) {
    const [name] = wrong;
    return miss(fields.at(name), `"${name}" is ${shown(String(last[name]))} by the rules.`);
  }
  line.note({ clock, automatic });
  return null;
}
