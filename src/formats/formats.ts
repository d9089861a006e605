import { play } from '../rules/play.js';
import { rulesetById, rulesets } from '../rules/registry.js';
import { accept, type Result } from '../rules/result.js';
import type { Outcome } from '../rules/ruleset.js';
import type { ResultToken } from './ending.js';
import { miss, refusalIn, UNPRINTABLE, type Found, type Miss, type Step } from './fault.js';
import { shown } from '../rules/shown.js';
import type { Expected } from './head.js';
import { jsonGames } from './json-parser.js';
import { writeJson, type FieldSelection } from './json-writer.js';
import { notationKind, type NotationKind } from './notations.js';
import { open, type GivenOrigin } from './opening.js';
import { LIMITS, NO_HEAD, type Head, type ReadGame, type Score, type ScorePly } from './score.js';
import { taggedGames } from './tagged-parser.js';
import { ucciGames, writeUcci } from './ucci.js';
import { writeTagged } from './tagged-writer.js';

/** The text formats of games: which a rule set has, how a game is written, and how a text is read (docs/formats.md). */

export const FORMATS = ['pgn', 'wxf', 'iccs', 'ucci', 'text', 'json'] as const;
export type FormatId = (typeof FORMATS)[number];

export interface Format {
  readonly id: FormatId;
  /** Its name for people. */
  readonly name: string;
  readonly mediaType: string;
  /** The extension of its files, without a dot. */
  readonly extension: string;
  /** Writes one game; in JSON only the fields in `keeps`. Texts of several games are joined by `between`. */
  readonly write: (score: Score, keeps?: FieldSelection) => string;
  readonly between: string;
}

const PGN = { mediaType: 'application/vnd.chess-pgn', extension: 'pgn', between: '\n' };

const formats: Readonly<Record<FormatId, Format>> = {
  pgn: { ...PGN, id: 'pgn', name: 'PGN', write: (score) => writeTagged(score, 'pgn') },
  wxf: { ...PGN, id: 'wxf', name: 'PGN with WXF moves', write: (score) => writeTagged(score, 'wxf') },
  iccs: { ...PGN, id: 'iccs', name: 'PGN with ICCS moves', write: (score) => writeTagged(score, 'iccs') },
  ucci: {
    id: 'ucci',
    name: 'UCCI position line',
    mediaType: 'text/plain',
    extension: 'txt',
    between: '',
    write: writeUcci,
  },
  text: {
    id: 'text',
    name: 'Tags and plies with all that they turned up',
    mediaType: 'text/plain',
    extension: 'txt',
    between: '\n',
    write: (score) => writeTagged(score, 'text'),
  },
  json: {
    id: 'json',
    name: 'JSON',
    mediaType: 'application/json',
    extension: 'json',
    between: '',
    write: writeJson,
  },
};

/** The formats of a notation, the usual one first. */
const BY_NOTATION: Readonly<Record<NotationKind, readonly FormatId[]>> = {
  san: ['pgn', 'json'],
  xiangqi: ['wxf', 'iccs', 'ucci', 'json'],
  turnUps: ['text', 'json'],
};

export const formatById = (id: string): Format | undefined =>
  FORMATS.includes(id as FormatId) ? formats[id as FormatId] : undefined;

/** The formats of a rule set, the usual one first; empty for an unknown rule set. */
export function formatsOf(rulesetId: string): readonly Format[] {
  const ruleset = rulesetById(rulesetId);
  return ruleset === undefined ? [] : BY_NOTATION[notationKind(ruleset)].map((id) => formats[id]);
}

/** The text of a game; null if its rule set does not have the format. */
export function write(score: Score, format: FormatId): string | null {
  return (
    formatsOf(score.ruleset)
      .find(({ id }) => id === format)
      ?.write(score) ?? null
  );
}

/** What a text is expected to be. What is left out is detected. */
export interface ReadRequest {
  readonly ruleset?: string | undefined;
  readonly format?: FormatId | undefined;
  /** The result of games whose text does not state one; a different statement is refused. */
  readonly result?: ResultToken | undefined;
  /** True to refuse games that are not over. */
  readonly over?: boolean | undefined;
  /** The most games, and the most plies of all games together. */
  readonly most?: { readonly games: number; readonly plies: number } | undefined;
}

/** Parses a text with one or more games and plays each through the rules. A text without games is refused. */
export function read(text: string, request: ReadRequest = {}): Result<readonly Score[]> {
  const scores: Score[] = [];
  for (const game of readEach(text, request)) {
    if (!game.ok) return game;
    scores.push(game.value);
  }
  return accept(scores);
}

/** The games of a text, parsed lazily. Stops at the first refusal. */
export function* readEach(text: string, request: ReadRequest = {}): Generator<Result<Score>> {
  for (const game of readInSteps(text, request)) {
    if (game !== null) yield game.ok ? accept(game.value.score) : game;
  }
}

/** Like readEach in small steps: yields null wherever the caller may pause, at least once per ply. */
export function* readInSteps(text: string, request: ReadRequest = {}): Generator<Result<ReadGame> | null> {
  const { games, plies } = request.most ?? { games: LIMITS.games, plies: Infinity };
  const left = { game: games, ply: plies, word: Infinity };
  for (const part of gamesIn(text, request)) {
    if ('ok' in part) {
      yield part.ok ? part : { ok: false, refusal: refusalIn(text, part) };
      if (!part.ok) return;
    } else if (left[part.next]-- > 0) yield null;
    else {
      yield { ok: false, refusal: refusalIn(text, tooMuch(part, games, plies)) };
      return;
    }
  }
  if (left.game === games) yield { ok: false, refusal: refusalIn('', EMPTY) };
}

const tooMuch = ({ next, at }: Step, games: number, plies: number): Miss =>
  next === 'game'
    ? miss(at, `A text must have at most ${games} games; one more begins here. Send it in parts.`, {
        limit: games,
      })
    : miss(
        at,
        `The games of a text must have at most ${plies} plies in all; one more is here. Send it in parts.`,
        { limit: plies },
      );

const EMPTY = miss(0, 'The text has no game in it.');

function gamesIn(file: string, request: ReadRequest): Iterable<Step | Found<ReadGame>> {
  if (file.length > LIMITS.text)
    return [
      miss(0, `A text must have at most ${LIMITS.text} characters; this one has ${file.length}.`, {
        max: LIMITS.text,
      }),
    ];
  // Old programs end a file with Ctrl-Z.
  const text = file.replace(/\u001A\s*$/, '');
  const unprintable = text.search(UNPRINTABLE);
  if (unprintable >= 0) {
    const character = shown(text.charAt(unprintable));
    return [miss(unprintable, `${character} cannot stand in a text. Send a text file in UTF-8.`)];
  }
  const format = request.format ?? formatOf(text);
  const ruleset = request.ruleset ?? null;
  const fault = requestFault(ruleset, format === 'ucci' ? format : request.format);
  if (fault !== null) return [miss(0, fault)];
  const wanted: Expected = {
    ruleset,
    fallback: format === 'json' || format === 'ucci' ? null : FALLBACK[format],
    fits: fitsOf(request.format),
    end: { result: request.result ?? null, over: request.over === true },
  };
  if (format === 'json') return jsonGames(text, wanted);
  return format === 'ucci' ? ucciGames(text, wanted) : taggedGames(text, wanted);
}

/** Has a rule set the wanted format? */
const fitsOf =
  (format: FormatId | undefined) =>
  (ruleset: string): boolean =>
    format === undefined || formatsOf(ruleset).some(({ id }) => id === format);

/** The rule set if the tags do not name one. */
const FALLBACK: Readonly<Record<Exclude<FormatId, 'json' | 'ucci'>, string | null>> = {
  pgn: 'chess',
  wxf: 'xiangqi-tournament',
  iccs: 'xiangqi-tournament',
  text: null,
};

function requestFault(ruleset: string | null, format: FormatId | undefined): string | null {
  if (ruleset === null) return null;
  const allowed = formatsOf(ruleset).map(({ id }) => id);
  if (allowed.length === 0)
    return `There is no rule set ${shown(ruleset)}. Use one of ${rulesets()
      .map(({ id }) => id)
      .join(', ')}.`;
  if (format === undefined || allowed.includes(format)) return null;
  return `Games of ${ruleset} cannot be written as ${format}. Use one of ${allowed.join(', ')}.`;
}

/** The format by the beginning of a text. */
function formatOf(text: string): Exclude<FormatId, 'wxf' | 'iccs' | 'text'> {
  const start = /\S[^]{0,200}/.exec(text)?.[0].replace(/^\uFEFF\s*/, '') ?? '';
  if (/^(?:\{\s*(?:"[^"]*"\s*:|\})|\[\s*[{\]])/.test(start)) return 'json';
  return /^(?:position|startpos|fen)\s/.test(`${start} `) ? 'ucci' : 'pgn';
}

/** A stored ply, with what a text may add. */
export type StoredPly = Pick<ScorePly, 'move' | 'reveals'> &
  Partial<Pick<ScorePly, 'timeUsed' | 'clock' | 'automatic'>>;

/** The score of a game from its moves and reveals; the rest follows from playing them. */
export function scoreOf(
  origin: GivenOrigin,
  plies: readonly StoredPly[],
  outcome: Outcome | null,
  head: Partial<Head> = {},
): Result<Score> {
  const opened = open(origin);
  if (!opened.ok) return opened;
  let { game } = opened.value;
  const played: ScorePly[] = [];
  for (const { move, reveals, timeUsed = null, clock = null, automatic = false } of plies) {
    const next = play(game, move, reveals);
    if (!next.ok) return next;
    const { player, captured, san } = next.value.ply;
    game = next.value.game;
    played.push({ player, move, reveals, captured, san, timeUsed, clock, automatic });
  }
  return accept({
    ...opened.value.origin,
    ...NO_HEAD,
    ...head,
    plies: played,
    outcome: game.outcome ?? outcome,
  });
}
