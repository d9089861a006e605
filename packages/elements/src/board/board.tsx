import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { drawBoard, styleOf, USUAL } from '../../../../src/boards/board.js';
import type { Marks } from '../../../../src/boards/marks.js';
import type { Drawn } from '../../../../src/boards/picture.js';
import { isUpper, type PieceSet } from '../../../../src/boards/pieces.js';
import { CELL, HALF, middle, paperOf, squareOf, viewOf } from '../../../../src/boards/view.js';
import { FACE_DOWN_LETTER } from '../../../../src/rules/board.js';
import type { Player } from '../../../../src/rules/ruleset.js';
import type { LegalMove } from '../game/follow.js';
import { nameOfPiece, rulesetOf } from '../game/words.js';
import { useTexts } from '../texts/texts.js';
import { elementOf } from './nodes.js';
import { useOutlines } from './outlines.js';
import type { BoardData } from './position.js';

/** A board to look at and to play on: by mouse, by touch, and by keyboard, with the name of every square. */

interface Props {
  readonly ruleset: Drawn & { readonly id?: string };
  readonly data: BoardData;
  /** The side to move: 0 for the pieces with letters in upper case; null if nobody has a side yet. */
  readonly sideToMove: 0 | 1 | null;
  readonly lastMove: { readonly from: string | null; readonly to: string | null } | null;
  readonly orientation: Player;
  readonly pieceSet?: PieceSet;
  /** The moves that may be played here; none for who only looks. */
  readonly moves: readonly LegalMove[];
  /** A move that waits for an answer of its player, or the first of those that may be meant. */
  readonly chosen: LegalMove | null;
  /** Those that a gesture can mean: several where a pawn promotes, or several pieces can be captured. */
  readonly onMoves: (moves: readonly LegalMove[]) => void;
}

const KING = 'K';
/** The least side of a square in pixels, for fingers, also where a page is low or enlarged. */
const LEAST = 24;

function checked({ squares, check }: BoardData, side: 0 | 1 | null): string | null {
  if (!check || side === null) return null;
  const king = side === 0 ? KING : KING.toLowerCase();
  return squares.find(({ piece }) => piece === king)?.square ?? null;
}

/** A face-down piece has no side yet. */
const isOnSide = (letter = FACE_DOWN_LETTER, other = FACE_DOWN_LETTER): boolean =>
  letter !== FACE_DOWN_LETTER && isUpper(letter) === isUpper(other);

/** The board as a chosen move would leave it; null where that is not known, or more than a piece moves. */
function previewOf({ from, to }: LegalMove, pieces: ReadonlyMap<string, string>) {
  const mover = pieces.get(from ?? '');
  if (from === null || mover === undefined) return null;
  const onto = pieces.get(to ?? from);
  if (to !== null && (onto === FACE_DOWN_LETTER || isOnSide(onto, mover))) return null;
  const after = new Map(pieces);
  after.delete(from);
  return after.set(to ?? from, mover);
}

export function Board(props: Props) {
  const {
    ruleset,
    data,
    sideToMove,
    lastMove,
    orientation,
    pieceSet = 'chinese',
    moves,
    chosen,
    onMoves,
  } = props;
  const texts = useTexts();
  const id = useId();
  const { files, ranks } = ruleset.board;
  const [selected, setSelected] = useState<string | null>(null);
  const [focused, setFocused] = useState('a1');
  const pressed = useRef<string | null>(null);
  const paper = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);

  // A position that came meanwhile ends what was begun on another one.
  useEffect(() => {
    setSelected(null);
  }, [data]);

  const pieces = useMemo(
    () => new Map(data.squares.map(({ square, piece }) => [square, piece ?? FACE_DOWN_LETTER])),
    [data],
  );
  const from = chosen?.from ?? selected;
  const targets = chosen === null ? moves.filter((move) => move.from === from && move.to !== null) : [chosen];
  const preview = chosen === null ? null : previewOf(chosen, pieces);
  const marks: Marks =
    from === null
      ? {}
      : preview !== null
        ? { chosen: [...new Set([from, chosen!.to ?? from])] }
        : { moves: { from, to: [...new Set(targets.flatMap(({ to }) => (to === null ? [] : [to])))] } };
  const check = checked(data, sideToMove);
  const drawing = drawBoard(
    {
      ruleset,
      pieces: [...(preview ?? pieces)].map(([square, letter]) => ({ square, letter })),
      check,
      trail: [lastMove?.from, lastMove?.to].filter((square) => square != null),
    },
    { ...USUAL, orientation, theme: 'page', pieces: pieceSet },
    useOutlines(styleOf(ruleset)[1]),
    marks,
  );
  // At once, so that no empty board is seen first.
  useLayoutEffect(() => {
    const svg = elementOf(drawing, id);
    svg.setAttribute('aria-hidden', 'true');
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    paper.current!.replaceChildren(svg);
  }, [drawing, id]);

  // A piece that has just been turned up is seen to turn.
  const before = useRef(pieces);
  useEffect(() => {
    const [square] = [...pieces.keys()].filter(
      (each) => before.current.get(each) === FACE_DOWN_LETTER && pieces.get(each) !== FACE_DOWN_LETTER,
    );
    before.current = pieces;
    if (square === undefined || lastMove?.from !== square) return;
    const [x, y] = middle(viewOf(ruleset.board, null, orientation), squareOf(square));
    paper.current!.querySelector(`use[x="${x}"][y="${y}"]`)?.classList.add('turning');
  }, [pieces]);

  /** Takes the piece on a square, or moves the one that is held there; the square of the piece that is held then. */
  const take = (square: string, held: string | null): string | null => {
    const onto = moves.filter(({ from: start, to }) => start === held && to === square);
    const here = moves.filter(({ from: start }) => start === square);
    const turned = here.filter(({ to }) => to === null);
    const meant = held !== null && onto.length > 0 ? onto : turned.length === here.length ? turned : [];
    if (meant.length > 0) {
      onMoves(meant);
      return held;
    }
    return here.length > 0 && held !== square ? square : null;
  };

  const walk = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
      Home: [-files, 0],
      End: [files, 0],
      PageUp: [0, ranks],
      PageDown: [0, -ranks],
    }[event.key];
    if (event.key === 'Escape') setSelected(null);
    if (step === undefined) return;
    event.preventDefault();
    const turned = orientation === 'first' ? 1 : -1;
    const within = (place: number, count: number) => Math.max(0, Math.min(place, count - 1));
    const file = within(focused.charCodeAt(0) - 97 + step[0]! * turned, files);
    const rank = within(Number(focused.slice(1)) - 1 + step[1]! * turned, ranks) + 1;
    const next = `${String.fromCharCode(97 + file)}${rank}`;
    setFocused(next);
    grid.current!.querySelector<HTMLElement>(`[data-square="${next}"]`)!.focus();
  };

  /** A piece that is dragged is let go on another square than the one on which it was taken. */
  const release = (event: TargetedPointerEvent<HTMLDivElement>) => {
    const root = grid.current!.getRootNode() as Document | ShadowRoot;
    const on = root.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-square]');
    const square = on?.dataset['square'];
    const start = pressed.current;
    pressed.current = null;
    if (start === null || square === undefined || square === start) return;
    const held = selected === start ? start : take(start, selected);
    setSelected(held === start ? take(square, held) : held);
  };

  const labelOf = (square: string): string => {
    const letter = pieces.get(square);
    const piece = letter === undefined ? texts.board.empty : letter === FACE_DOWN_LETTER ? texts.board.faceDown : nameOfPiece(ruleset, letter, texts); // prettier-ignore
    const isTarget = targets.some(({ to }) => to === square);
    const here = moves.filter(({ from: start }) => start === square);
    const begins = here.length === 0 ? '' : here.every(({ to }) => to === null) ? texts.board.turnable : texts.board.movable; // prettier-ignore
    const isCapture = isTarget && letter !== undefined && !isOnSide(letter, pieces.get(from!));
    const isChecked = square === check ? texts.board.inCheck : '';
    const can = isCapture ? texts.board.capture : isTarget ? texts.board.target : begins;
    return texts.list([square, piece, isChecked, can].filter(Boolean));
  };

  const { left, top, wide, high } = paperOf(viewOf(ruleset.board, null, orientation));
  const order = (count: number, isReversed: boolean) => {
    const all = Array.from({ length: count }, (_, i) => i);
    return isReversed ? all.reverse() : all;
  };
  const rows = order(ranks, orientation === 'first');
  const columns = order(files, orientation === 'second');
  const share = (part: number, whole: number) => `${(100 * part) / whole}%`;

  return (
    <div
      class="board"
      part="board"
      style={{
        width: `min(100%, 38rem, max(${Math.ceil((LEAST * wide) / CELL)}px, ${wide / high} * var(--tallest, 80vh)))`,
      }}
    >
      <div ref={paper} class="paper" />
      <div
        ref={grid}
        class="squares"
        role="grid"
        aria-label={texts.board.label(rulesetOf(ruleset, texts))}
        onKeyDown={walk}
        onPointerUp={release}
        style={{
          left: share(-HALF - left, wide),
          top: share(-HALF - top, high),
          width: share(files * CELL, wide),
          height: share(ranks * CELL, high),
        }}
      >
        {rows.map((rank) => (
          <div role="row" key={rank}>
            {columns.map((file) => {
              const square = `${String.fromCharCode(97 + file)}${rank + 1}`;
              return (
                <button
                  type="button"
                  role="gridcell"
                  key={square}
                  data-square={square}
                  aria-label={labelOf(square)}
                  aria-selected={from === square}
                  tabIndex={focused === square ? 0 : -1}
                  onFocus={() => setFocused(square)}
                  onPointerDown={() => (pressed.current = square)}
                  onClick={() => setSelected(take(square, selected))}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
