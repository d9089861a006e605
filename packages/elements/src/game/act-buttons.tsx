import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useTexts } from '../texts/texts.js';
import type { Halfmove } from '../../../client/src/client.js';
import { offeredActs } from './acts.js';
import type { Game } from './follow.js';

interface ActsProps {
  readonly client: Halfmove;
  readonly game: Game;
  readonly onAct: (work: () => Promise<unknown>) => Promise<void>;
}

/** A button for each act, which asks first where it cannot be taken back. */
export function Acts({ client, game, onAct }: ActsProps) {
  const texts = useTexts();
  const acts = offeredActs(client, game.id, game.viewer!.acts, texts);
  const [asked, setAsked] = useState<string | null>(null);
  /** The act that was not done after all. */
  const left = useRef<string | null>(null);
  const next = useRef<HTMLButtonElement>(null);
  const question = acts.find(({ id }) => id === asked);
  const ask = (id: string | null) => {
    left.current = asked;
    setAsked(id);
  };
  // The focus goes to the answer that does nothing, and from there back to the act.
  useLayoutEffect(() => {
    if (question === undefined) setAsked(null);
    next.current?.focus();
  }, [question?.id]);
  if (acts.length === 0) return null;
  if (question !== undefined) {
    return (
      <div role="group" aria-label={question.question} class="question" part="question">
        <p>{question.question}</p>
        {/* The second click of a double click is no answer. */}
        <button
          type="button"
          class="dangerous"
          onClick={({ detail }) => (detail > 1 ? undefined : void onAct(question.send))}
        >
          {question.label}
        </button>
        <button ref={next} type="button" class="second" onClick={() => ask(null)}>
          {texts.move.no}
        </button>
      </div>
    );
  }
  return (
    <div role="group" aria-label={texts.move.mayDo} class="acts" part="acts">
      {acts.map((act) => (
        <button
          type="button"
          class="second"
          key={act.id}
          ref={act.id === left.current ? next : null}
          onClick={() => (act.question === undefined ? void onAct(act.send) : ask(act.id))}
        >
          {act.label}
        </button>
      ))}
    </div>
  );
}
