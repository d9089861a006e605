import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { drawBoard, USUAL } from '../../../src/boards/board.js';
import type { Marks } from '../../../src/boards/marks.js';
import type { Drawn } from '../../../src/boards/picture.js';
import { isUpper } from '../../../src/boards/pieces.js';
import { CELL, HALF, paperOf, viewOf } from '../../../src/boards/view.js';
import { FACE_DOWN_LETTER } from '../../../src/rules/board.js';
import type { Player } from '../../../src/rules/ruleset.js';
import type { LegalMove } from '../game/follow.js';
import type { components } from '../../../packages/client/src/client.js';
import { elementOf } from './nodes.js';

/** A board to look at and to play on: by mouse, by touch, and by keyboard, with the name of every square. */

type BoardData = components['schemas']['Board'];

interface Props {
  readonly ruleset: Drawn;
  readonly data: BoardData;
  /** The side to move: 0 for the pieces with letters in upper case; null if nobody has a side yet. */
  readonly sideToMove: 0 | 1 | null;
  readonly lastMove: { readonly from: string | null; readonly to: string | null } | null;
  readonly orientation: Player;
  /** The moves that may be played here; none for who only looks. */
  readonly moves: readonly LegalMove[];
  /** A move that waits for an answer of its player. */
  readonly chosen: LegalMove | null;
  /** Those that a gesture can mean: several where a pawn promotes, or several pieces can be captured. */
  readonly onMoves: (moves: readonly LegalMove[]) => void;
}

const KING = 'K';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Follows the colour scheme of the reader. */
function useTheme(): 'light' | 'dark' {
  const theme = useSignal<'light' | 'dark'>(dark.matches ? 'dark' : 'light');
  useEffect(() => {
    const change = () => (theme.value = dark.matches ? 'dark' : 'light');
    dark.addEventListener('change', change);
    return () => dark.removeEventListener('change', change);
  }, []);
  return theme.value;
}

export function nameOfPiece({ pieces, sides }: Drawn, letter: string): string {
  const kind = pieces.find((one) => one.letter === letter.toUpperCase());
  return `${sides[isUpper(letter) ? 0 : 1]} ${kind?.name ?? letter}`;
}

function checked({ squares, check }: BoardData, side: 0 | 1 | null): string | null {
  if (!check || side === null) return null;
  const king = side === 0 ? KING : KING.toLowerCase();
  return squares.find(({ piece }) => piece === king)?.square ?? null;
}

export function Board(props: Props) {
  const { ruleset, data, sideToMove, lastMove, orientation, moves, chosen, onMoves } = props;
  const { files, ranks } = ruleset.board;
  const theme = useTheme();
  const selected = useSignal<string | null>(null);
  const focused = useSignal('a1');
  const pressed = useRef<string | null>(null);
  const paper = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);

  // A position that came meanwhile ends what was begun on another one.
  useEffect(() => {
    selected.value = null;
  }, [data]);

  const pieces = useMemo(
    () => new Map(data.squares.map(({ square, piece }) => [square, piece ?? FACE_DOWN_LETTER])),
    [data],
  );
  const from = chosen?.from ?? selected.value;
  const targets = chosen === null ? moves.filter((move) => move.from === from && move.to !== null) : [chosen];
  const marks: Marks =
    from === null
      ? {}
      : { moves: { from, to: [...new Set(targets.flatMap(({ to }) => (to === null ? [] : [to])))] } };
  const drawing = drawBoard(
    {
      ruleset,
      fen: '',
      caption: '',
      toMove: '',
      lastMove: null,
      pieces: [...pieces].map(([square, letter]) => ({ square, letter })),
      check: checked(data, sideToMove),
      trail: [lastMove?.from, lastMove?.to].filter((square) => square != null),
    },
    { ...USUAL, orientation, theme },
    marks,
  );
  useEffect(() => {
    const svg = elementOf(drawing);
    svg.setAttribute('aria-hidden', 'true');
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    paper.current!.replaceChildren(svg);
  }, [drawing]);

  const take = (square: string) => {
    const onto = moves.filter(({ from: start, to }) => start === selected.value && to === square);
    const here = moves.filter(({ from: start }) => start === square);
    const turned = here.filter(({ to }) => to === null);
    if (selected.value !== null && onto.length > 0) return onMoves(onto);
    if (here.length > 0 && turned.length === here.length) return onMoves(turned);
    selected.value = here.length > 0 && selected.value !== square ? square : null;
  };

  const walk = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === 'Escape') selected.value = null;
    if (step === undefined) return;
    event.preventDefault();
    const turned = orientation === 'first' ? 1 : -1;
    const file = focused.value.charCodeAt(0) - 97 + step[0]! * turned;
    const rank = Number(focused.value.slice(1)) + step[1]! * turned;
    if (file < 0 || file >= files || rank < 1 || rank > ranks) return;
    focused.value = `${String.fromCharCode(97 + file)}${rank}`;
    grid.current!.querySelector<HTMLElement>(`[data-square="${focused.value}"]`)!.focus();
  };

  /** A piece that is dragged is let go on another square than the one on which it was taken. */
  const release = (event: TargetedPointerEvent<HTMLDivElement>) => {
    const on = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-square]');
    const square = on?.dataset['square'];
    const start = pressed.current;
    pressed.current = null;
    if (start === null || square === undefined || square === start) return;
    if (selected.value !== start) take(start);
    if (selected.value === start) take(square);
  };

  const labelOf = (square: string): string => {
    const letter = pieces.get(square);
    const piece = letter === undefined ? 'empty' : letter === FACE_DOWN_LETTER ? 'face-down piece' : nameOfPiece(ruleset, letter); // prettier-ignore
    const isTarget = targets.some(({ to }) => to === square);
    const canBegin = moves.some(({ from: start }) => start === square);
    return [square, piece, isTarget ? 'move here' : canBegin ? 'can move' : ''].filter(Boolean).join(', ');
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
    <div class="board" style={{ width: `min(100%, 38rem, ${Math.round((80 * wide) / high)}vh)` }}>
      <div ref={paper} class="paper" />
      <div
        ref={grid}
        class="squares"
        role="grid"
        aria-label={`Board of ${ruleset.name}`}
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
                  tabIndex={focused.value === square ? 0 : -1}
                  onFocus={() => (focused.value = square)}
                  onPointerDown={() => (pressed.current = square)}
                  onClick={() => take(square)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
