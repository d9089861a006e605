import { useState } from 'preact/hooks';
import { prefer, preferred } from '../preference.js';
import { useTexts } from '../texts/texts.js';
import type { Ply, Ruleset } from './follow.js';
import { nameOfPiece } from './words.js';

interface StepsProps {
  readonly plies: readonly Ply[];
  /** The ply after which the board is shown; null for the newest. */
  readonly at: number | null;
  readonly onStep: (at: number | null) => void;
  readonly ruleset: Ruleset;
  /** A page that only shows reads nothing of what its browser has stored. */
  readonly isPlayer: boolean;
}

const NOTATIONS = ['san', 'coordinates'] as const;
type NotationName = (typeof NOTATIONS)[number];

/** The moves, and the steps through them on the board. */
export function Steps({ plies, at, onStep, ruleset, isPlayer }: StepsProps) {
  const texts = useTexts();
  const [notation, setNotation] = useState<NotationName>(
    isPlayer && preferred('notation', 'san') === 'coordinates' ? 'coordinates' : 'san',
  );
  const last = plies.at(-1);
  if (last === undefined) return null;
  // Only the newest plies of a long game are read.
  const first = plies[0]!.ply === 1 ? 0 : plies[0]!.ply;
  const shown = at ?? last.ply;
  const written = ({ san, move }: Ply) => (notation === 'san' ? san : move);
  const seen = plies.find(({ ply }) => ply === at);
  const step = (label: string, to: number | null, isOff: boolean) => (
    <button
      type="button"
      class="second"
      aria-disabled={isOff}
      onClick={() => (isOff ? undefined : onStep(to))}
    >
      {label}
    </button>
  );
  const forward = shown + 1 >= last.ply ? null : shown + 1;
  return (
    <>
      <div role="group" aria-label={texts.steps.label} class="acts" part="steps">
        {step(texts.steps.first, first, shown === first)}
        {step(texts.steps.back, shown - 1, shown === first)}
        {step(texts.steps.forward, forward, shown === last.ply)}
        {step(texts.steps.newest, null, shown === last.ply)}
      </div>
      <p role="status">
        {at === 0 ? texts.steps.start : seen !== undefined && texts.steps.after(seen.ply, written(seen))}
      </p>
      <details>
        <summary>{texts.steps.moves}</summary>
        <label class="choice">
          {texts.steps.notation}
          <select
            value={notation}
            onChange={({ currentTarget }) => {
              const name = currentTarget.value as NotationName;
              setNotation(name);
              if (isPlayer) prefer('notation', name);
            }}
          >
            {NOTATIONS.map((name) => (
              <option key={name} value={name}>
                {texts.steps.notations[name]}
              </option>
            ))}
          </select>
        </label>
        <ol class="moves" start={plies[0]!.ply} part="moves">
          {plies.map((each) => (
            <li key={each.ply}>
              <button
                type="button"
                class="plain"
                aria-current={each.ply === shown}
                onClick={() => onStep(each.ply === last.ply ? null : each.ply)}
              >
                {written(each)}
                {each.reveals !== null && ` (${nameOfPiece(ruleset, each.reveals, texts)})`}
                {each.automatic && texts.steps.automatic}
              </button>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
