import { useEffect, useRef, useState } from 'preact/hooks';
import { useTexts } from '../texts/texts.js';
import type { LegalMove, Shown } from './follow.js';
import { nameOfPiece, playerIn, warningOf } from './words.js';

interface QuestionProps {
  readonly state: Shown;
  readonly choices: readonly LegalMove[];
  /** Whether a draw may be offered with the move. */
  readonly mayOffer: boolean;
  readonly onSend: (move: LegalMove, offerDraw?: boolean) => Promise<void>;
  readonly onLeave: () => void;
}

/** Which of several moves is meant, or whether the one that was chosen is to be sent. */
export function Question({ state: { ruleset, game }, choices, mayOffer, onSend, onLeave }: QuestionProps) {
  const texts = useTexts();
  const first = useRef<HTMLButtonElement>(null);
  const [isSending, setIsSending] = useState(false);
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
    // All of it, which on a small screen is below a board.
    first.current?.parentElement!.scrollIntoView({ block: 'nearest' });
  }, [choices]);
  const [only] = choices;
  const isOne = choices.length === 1;
  const warning = isOne ? warningOf(only!, ruleset, texts) : null;
  const send = (move: LegalMove, offerDraw?: boolean) => {
    if (isSending) return;
    setIsSending(true);
    void onSend(move, offerDraw).finally(() => setIsSending(false));
  };
  const labelOf = (move: LegalMove) => {
    if (isOne) return texts.move.send(move.san);
    const isFirst = game.turn !== null && playerIn(game, game.turn).side === ruleset.sides[0];
    return move.promotion === null ? move.san : nameOfPiece(ruleset, isFirst ? move.promotion.toUpperCase() : move.promotion, texts); // prettier-ignore
  };
  return (
    <div
      role="group"
      aria-label={texts.move.label}
      class="question"
      part="question"
      onKeyDown={({ key }) => key === 'Escape' && onLeave()}
    >
      {warning !== null && <p class="fault">{warning}</p>}
      {choices.map((move, i) => (
        <button
          type="button"
          key={move.move}
          ref={i === 0 ? first : null}
          aria-disabled={isSending}
          onClick={() => send(move)}
        >
          {labelOf(move)}
        </button>
      ))}
      {isOne && mayOffer && (
        <button type="button" class="second" aria-disabled={isSending} onClick={() => send(only!, true)}>
          {texts.move.sendWithDraw(only!.san)}
        </button>
      )}
      <button type="button" class="second" onClick={onLeave}>
        {texts.move.other}
      </button>
    </div>
  );
}
