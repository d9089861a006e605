import { useEffect, useState } from 'preact/hooks';
import { createClient } from '../../client/src/client.js';
import { Board } from './board/board.js';
import { boardAfter, isPosition } from './board/position.js';
import { Frame } from './frame.js';
import { Fault } from './game/fault.js';
import { type Ruleset, troubleOf } from './game/follow.js';
import { misuseIn } from './texts/misuse.js';
import { type Texts, useTexts } from './texts/texts.js';

/**
 * `<halfmove-board ruleset="xiangqi" fen="...">`: a position of a rule set, to look at. Attributes: `ruleset`; `fen`, by
 * default the start; `last-move`, such as `e2e4`; `orientation` (`first`, `second`); `pieces` (`chinese`, `western`);
 * `base`, `lang` and `theme` (`light`, `dark`; by default as the page around it).
 */
export class HalfmoveBoard extends Frame {
  static readonly observedAttributes = [
    'ruleset',
    'fen',
    'last-move',
    'orientation',
    'pieces',
    'base',
    'lang',
  ];

  protected content(texts: Texts) {
    const ruleset = this.getAttribute('ruleset');
    if (ruleset === null) return <p role="alert">{misuseIn(texts).missing('board ruleset="chess"')}</p>;
    const fen = this.getAttribute('fen');
    const lastMove = this.getAttribute('last-move');
    const isTurned = this.getAttribute('orientation') === 'second';
    const pieces = this.getAttribute('pieces') === 'western' ? 'western' : 'chinese';
    return (
      <Position
        key={`${this.base} ${ruleset}`}
        base={this.base}
        {...{ ruleset, fen, lastMove, isTurned, pieces }}
      />
    );
  }
}

interface PositionProps {
  readonly base: string;
  readonly ruleset: string;
  readonly fen: string | null;
  readonly lastMove: string | null;
  readonly isTurned: boolean;
  readonly pieces: 'chinese' | 'western';
}

const SQUARES = /^([a-z]\d+)([a-z]\d+)?/;

function Position({ base, ruleset: id, fen, lastMove, isTurned, pieces }: PositionProps) {
  const texts = useTexts();
  const [value, setValue] = useState<Ruleset | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    createClient({ url: base })
      .rest.GET('/v1/rulesets/{id}', { params: { path: { id } } })
      .then(({ data }) => setValue(data))
      .catch((error: unknown) => setFault(troubleOf(error, texts)));
  }, []);
  if (value === null) return <Fault text={fault} kind="trouble" />;
  const shown = fen ?? value.start;
  if (!isPosition(shown, value)) return <p role="alert">{misuseIn(texts).badPosition(shown)}</p>;
  const [, from = null, to = null] = SQUARES.exec(lastMove ?? '') ?? [];
  return (
    <Board
      ruleset={value}
      data={boardAfter(shown, value)}
      sideToMove={null}
      lastMove={{ from, to }}
      orientation={isTurned ? 'second' : 'first'}
      pieceSet={pieces}
      moves={[]}
      chosen={null}
      onMoves={() => undefined}
    />
  );
}
