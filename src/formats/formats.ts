import { play } from '../rules/play.js';
import { rulesetById } from '../rules/registry.js';
import { accept, type Result } from '../rules/result.js';
import type { Outcome } from '../rules/ruleset.js';
import type { ResultToken } from './ending.js';
import { miss, refusalIn, shown, UNPRINTABLE, type Found, type Step } from './fault.js';
import type { Wanted } from './head.js';
import { jsonGames } from './json.js';
import { writeJson, type Keeps } from './json-written.js';
import { notationKind, type NotationKind } from './notations.js';
import { open, type GivenOrigin } from './opening.js';
import { LIMITS, NO_HEAD, type Head, type ReadGame, type Score, type ScorePly } from './score.js';
import { taggedGames } from './tagged.js';
import { ucciGames, writeUcci } from './ucci.js';
import { writeTagged } from './written.js';

/** The text formats of games: which a rule set has, how a game is written, and how a text is read (docs/formats.md). */

export const FORMATS = ['pgn', 'wxf', 'iccs', 'ucci', 'text', 'json'] as const;
export type FormatId = (typeof FORMATS)[number];

export interface Format {
  readonly id: FormatId;
  /** What it is, in a few words. */
  readonly name: string;
  readonly mediaType: string;
  /** Of its files, without a dot. */
  readonly extension: string;
  /** The text of one game, in JSON with those of its fields that `keeps` holds. Texts of several are joined by `between`. */
  readonly write: (score: Score, keeps?: Keeps) => string;
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

/** The formats in which games of a rule set are written, the usual one first; none where there is no such rule set. */
export function formatsOf(rulesetId: string): readonly Format[] {
  const ruleset = rulesetById(rulesetId);
  return ruleset === undefined ? [] : BY_NOTATION[notationKind(ruleset)].map((id) => formats[id]);
}

/** The text of a game in a format of its rule set; null where its rule set has no such format. */
export function write(score: Score, format: FormatId): string | null {
  return (
    formatsOf(score.ruleset)
      .find(({ id }) => id === format)
      ?.write(score) ?? null
  );
}

/** What a text is expected to be; what is left out is found out. */
export interface ReadRequest {
  readonly ruleset?: string | undefined;
  readonly format?: FormatId | undefined;
  /** How games ended whose text does not say; a text that says something else is refused. */
  readonly result?: ResultToken | undefined;
  /** Only games that are over. */
  readonly over?: boolean | undefined;
  /** At most so many games, and so many plies of all games together. */
  readonly most?: { readonly games: number; readonly plies: number } | undefined;
}

/** Reads a text with one game or more, each played through the rules. A text without a game is refused. */
export function read(text: string, request: ReadRequest = {}): Result<readonly Score[]> {
  const scores: Score[] = [];
  for (const game of readEach(text, request)) {
    if (!game.ok) return game;
    scores.push(game.value);
  }
  return accept(scores);
}

/** The games of a text, read one at a time as they are asked for. What is broken ends it. */
export function* readEach(text: string, request: ReadRequest = {}): Generator<Result<Score>> {
  for (const game of readInSteps(text, request)) {
    if (game !== null) yield game.ok ? accept(game.value.score) : game;
  }
}

/** The same in small steps: null wherever whoever reads may pause, at least once for each ply. */
export function* readInSteps(text: string, request: ReadRequest = {}): Generator<Result<ReadGame> | null> {
  const { games, plies } = request.most ?? { games: LIMITS.games, plies: Infinity };
  const left = { game: games, ply: plies, word: Infinity };
  for (const part of gamesIn(text, request)) {
    if ('ok' in part) {
      yield part.ok ? part : { ok: false, refusal: refusalIn(text, part) };
      if (!part.ok) return;
    } else if (left[part.next]-- > 0) yield null;
    else {
      const message = `A text has at most ${games} games${plies === Infinity ? '' : ` and ${plies} plies in all`}.`;
      yield { ok: false, refusal: refusalIn(text, miss(part.at, message)) };
      return;
    }
  }
  if (left.game === games) yield { ok: false, refusal: refusalIn('', EMPTY) };
}

const EMPTY = miss(0, 'There is no game in this text.');

function gamesIn(file: string, request: ReadRequest): Iterable<Step | Found<ReadGame>> {
  if (file.length > LIMITS.text) return [miss(0, `A text has at most ${LIMITS.text} characters.`)];
  // Old programs end a file with Ctrl-Z.
  const text = file.replace(/\u001A\s*$/, '');
  const unprintable = text.search(UNPRINTABLE);
  if (unprintable >= 0) {
    const character = shown(text.charAt(unprintable));
    return [miss(unprintable, `${character} is no character of a text: expected a text file, in UTF-8.`)];
  }
  const format = request.format ?? formatOf(text);
  const ruleset = request.ruleset ?? null;
  const fault = requestFault(ruleset, format === 'ucci' ? format : request.format);
  if (fault !== null) return [miss(0, fault)];
  const wanted: Wanted = {
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

/** The game of tags that name none. */
const FALLBACK: Readonly<Record<Exclude<FormatId, 'json' | 'ucci'>, string | null>> = {
  pgn: 'chess',
  wxf: 'xiangqi-tournament',
  iccs: 'xiangqi-tournament',
  text: null,
};

function requestFault(ruleset: string | null, format: FormatId | undefined): string | null {
  if (ruleset === null) return null;
  const allowed = formatsOf(ruleset).map(({ id }) => id);
  if (allowed.length === 0) return 'There is no such rule set.';
  if (format === undefined || allowed.includes(format)) return null;
  return `Games of ${ruleset} have no format ${format}; they have ${allowed.join(', ')}.`;
}

/** The format that a text begins as. */
function formatOf(text: string): Exclude<FormatId, 'wxf' | 'iccs' | 'text'> {
  const start = /\S[^]{0,200}/.exec(text)?.[0].replace(/^\uFEFF\s*/, '') ?? '';
  if (/^(?:\{\s*(?:"[^"]*"\s*:|\})|\[\s*[{\]])/.test(start)) return 'json';
  return /^(?:position|startpos|fen)\s/.test(`${start} `) ? 'ucci' : 'pgn';
}

/** A ply as it is stored, and what its text may say beside it. */
export type StoredPly = Pick<ScorePly, 'move' | 'reveals'> &
  Partial<Pick<ScorePly, 'timeUsed' | 'clock' | 'automatic'>>;

/** The score of a game of which only moves and reveals are at hand, played through the rules for all else. */
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
