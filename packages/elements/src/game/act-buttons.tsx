import { useSignal } from '@preact/signals';
import { useTexts } from '../texts/texts.js';
import type { Offered } from './acts.js';

interface ActsProps {
  readonly acts: readonly Offered[];
  readonly onAct: (work: () => Promise<unknown>) => Promise<void>;
}

/** A button for each act, which asks first where it cannot be taken back. */
export function Acts({ acts, onAct }: ActsProps) {
  const texts = useTexts();
  const asked = useSignal<Offered | null>(null);
  if (acts.length === 0) return null;
  const { value } = asked;
  if (value !== null) {
    return (
      <div role="group" aria-label={value.question} class="question" part="question">
        <p>{value.question}</p>
        <button type="button" class="dangerous" onClick={() => void onAct(value.send)}>
          {value.label}
        </button>
        <button type="button" class="second" onClick={() => (asked.value = null)}>
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
          onClick={() => (act.question === undefined ? void onAct(act.send) : (asked.value = act))}
        >
          {act.label}
        </button>
      ))}
    </div>
  );
}
