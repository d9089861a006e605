import { Injectable } from '@nestjs/common';
import type { Look } from '../../boards/board.js';
import { drawPicture } from '../../boards/draw-picture.js';
import type { Theme } from '../../boards/palette.js';
import { pictureOf, type Picture } from '../../boards/picture.js';
import type { PieceSet } from '../../boards/pieces.js';
import { EngineService } from '../../engine/engine.service.js';
import { decodeMoves } from '../../engine/moves-text.js';
import { unwrap } from '../../engine/refusals.js';
import { normalizedFen } from '../../formats/head.js';
import { badInput, DomainError } from '../../platform/errors/errors.js';
import { squareIndex, squaresOfMove } from '../../rules/board.js';
import { parseOptions } from '../../rules/options.js';
import type { AnyRuleset } from '../../rules/registry.js';
import type { Result } from '../../rules/result.js';
import type { Options, Player } from '../../rules/ruleset.js';
import { shown } from '../../rules/shown.js';
import type { GameRow } from '../games/game.row.js';
import { SIZE } from './boards.inputs.js';
import { Rasters, type Waiting } from './rasters.js';

export type Format = 'svg' | 'png';

type Given<T> = T | null | undefined;

export interface LookRequest {
  readonly orientation?: Given<Player>;
  readonly size?: Given<number>;
  readonly theme?: Given<Theme>;
  readonly pieces?: Given<PieceSet>;
}

export interface PositionRequest {
  readonly fen?: Given<string>;
  readonly lastMove?: Given<string>;
}

/** Pictures of positions; everybody sees the same one. */
@Injectable()
export class BoardsService {
  constructor(
    private readonly engine: EngineService,
    private readonly rasters: Rasters,
  ) {}

  /** Throws INVALID_RULESET, INVALID_POSITION, BAD_INPUT. */
  ofPosition(rulesetId: string, { fen, lastMove }: PositionRequest): Picture<AnyRuleset> {
    const ruleset = this.engine.ruleset(rulesetId);
    const position: unknown =
      fen == null
        ? ruleset.start(this.engine.options(rulesetId, {}), null)
        : unwrap(inQuery(readPosition(ruleset, fen)));
    const move = lastMove == null ? null : moveOn(ruleset, lastMove);
    return pictureOf(ruleset, position, fen == null && move === null ? startOf(ruleset) : 'a position', move);
  }

  /** The game after one of its plies, or as it stands. Throws BAD_INPUT. */
  ofGame(row: GameRow, ply: number | null): Picture<AnyRuleset> {
    const ruleset = this.engine.ruleset(row.ruleset);
    const at = plyIn(row, ply);
    const rewound = at === row.plyCount ? row : this.engine.rewind(row, at);
    const position: unknown = unwrap(ruleset.parse(rewound.position, row.options));
    const lastMove = decodeMoves(rewound.moves).at(-1)?.move ?? null;
    return pictureOf(ruleset, position, at === 0 ? startOf(ruleset) : `after ply ${at}`, lastMove);
  }

  look({ orientation, size, theme, pieces }: LookRequest): Look {
    return {
      orientation: orientation ?? 'first',
      size: size ?? SIZE.usual,
      theme: theme ?? 'light',
      pieces: pieces ?? 'chinese',
      crop: null,
    };
  }

  /** Throws OVERLOADED. */
  draw(format: Format, picture: Picture<AnyRuleset>, look: Look, waiting: Waiting): Promise<Buffer> {
    if (format === 'svg') return Promise.resolve(Buffer.from(drawPicture(picture, look)));
    const theme = look.theme === 'dark' ? 'dark' : 'light';
    return this.rasters.png(drawPicture(picture, { ...look, theme }), theme, waiting);
  }
}

/** The number of the ply after which a game is drawn. Throws BAD_INPUT. */
function plyIn({ plyCount: max }: GameRow, ply: number | null): number {
  const at = ply ?? max;
  if (at >= 0 && at <= max) return at;
  throw new DomainError('BAD_INPUT', `ply must be between 0 and ${max}; got ${at}.`, {
    field: 'ply',
    min: 0,
    max,
  });
}

/** Reads a position under the default options, or else under those that allow the most. */
function readPosition(ruleset: AnyRuleset, text: string): Result<unknown> {
  const fen = ruleset.hidden ? text : normalizedFen(text, ruleset.id);
  const usual = ruleset.parse(fen, optionsOf(ruleset, {}));
  if (usual.ok) return usual;
  const flags = Object.entries(ruleset.options).filter(([, { type }]) => type === 'boolean');
  const allowed = Object.fromEntries(flags.map(([name]) => [name, true]));
  const read = ruleset.parse(fen, optionsOf(ruleset, allowed));
  return read.ok ? read : usual;
}

/** What a picture of the first position is called: with drawn set-ups it is one of many. */
const startOf = ({ chance }: AnyRuleset): string => (chance === 'setup' ? 'a set-up' : 'the start');

const optionsOf = (ruleset: AnyRuleset, given: object): Options => unwrap(parseOptions(ruleset, given));

/** Renames the field of a refusal to the query parameter. */
const inQuery = <T>(read: Result<T>): Result<T> =>
  read.ok
    ? read
    : { ok: false, refusal: { ...read.refusal, field: read.refusal.field!.replace(/^position/, 'fen') } };

function moveOn({ board }: AnyRuleset, text: string): string {
  const { from, to } = squaresOfMove(text);
  const squares = [from, to].filter((square) => square !== null);
  const isMove = text === 'pass' || squares.length > 0;
  if (isMove && squares.every((square) => squareIndex(board, square) >= 0)) return text;
  throw badInput(
    'lastMove',
    `lastMove must be a move in coordinates on a board of ${board.files} x ${board.ranks}, such as a1a2; got ${shown(text)}.`,
  );
}
