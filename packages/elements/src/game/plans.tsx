import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Player } from '../../../../src/rules/ruleset.js';
import type { components, Halfmove } from '../../../client/src/client.js';
import { Board } from '../board/board.js';
import { boardAfter } from '../board/position.js';
import { useTexts } from '../texts/texts.js';
import { type LegalMove, type Shown, troubleOf } from './follow.js';
import { nameOfPiece } from './words.js';

/** Conditional moves, made by playing them on the board: a move of the opponent, then the answer, and so on. */

type Plan = components['schemas']['ConditionalMove'];
type Analysis = components['schemas']['Analysis'];

/** A move of the line on the board, with the piece that it is taken to turn up. */
interface LineMove {
  readonly move: string;
  readonly san: string;
  readonly reveals: string | null;
}

interface PlansProps {
  readonly client: Halfmove;
  readonly state: Shown;
  readonly orientation: Player;
  readonly onLeave: () => void;
}

const moveOf = (move: string | null, reveals: string | null): string => `${move ?? '*'}${reveals === null ? '' : ` (${reveals})`}`; // prettier-ignore

/** The plans without one of them and all that follow it. */
function without(plans: readonly Plan[], id: number): readonly Plan[] {
  const gone = new Set([id]);
  for (const plan of plans) if (plan.parent !== null && gone.has(plan.parent)) gone.add(plan.id);
  return plans.filter((plan) => !gone.has(plan.id));
}

const depthOf = (plans: readonly Plan[], { parent }: Plan): number =>
  parent === null
    ? 0
    : 1 +
      depthOf(
        plans,
        plans.find(({ id }) => id === parent)!,
      );

export function Plans({ client, state: { game, ruleset }, orientation, onLeave }: PlansProps) {
  const texts = useTexts();
  const plans = useSignal<readonly Plan[]>([]);
  const line = useSignal<readonly LineMove[]>([]);
  const analysis = useSignal<Analysis | null>(null);
  /** Where the next pair belongs; null at the top. */
  const parent = useSignal<number | null>(null);
  /** A move whose piece is still to be named. */
  const turning = useSignal<LegalMove | null>(null);
  const fault = useSignal<string | null>(null);
  const path = { params: { path: { id: game.id } } };
  const own = game.viewer!.seat;

  // A reader hears of what has taken the place of the game.
  const top = useRef<HTMLElement>(null);
  useEffect(() => top.current!.focus(), []);

  const begin = () => {
    line.value = [];
    parent.value = null;
  };
  const work = (doing: () => Promise<void>) => {
    fault.value = null;
    doing().catch((error: unknown) => {
      fault.value = troubleOf(error, texts);
    });
  };
  // What was planned on a position that is over is planned anew.
  useEffect(() => {
    begin();
    work(async () => {
      const { data } = await client.rest.GET('/v1/games/{id}/conditional-moves', path);
      plans.value = data.conditionalMoves ?? [];
    });
  }, [game.version]);
  useEffect(() => {
    analysis.value = null;
    const moves = line.value.map(({ move, reveals }) => ({ move, reveals }));
    const body = { ruleset: ruleset.id, options: game.options, position: game.position, moves };
    let isOld = false;
    work(async () => {
      const { data } = await client.rest.POST('/v1/analyse', { body });
      if (!isOld) analysis.value = data;
    });
    return () => {
      isOld = true;
    };
  }, [line.value, game.version]);

  const store = async (next: readonly Plan[]) => {
    if (next.length === 0) {
      await client.rest.DELETE('/v1/games/{id}/conditional-moves', path);
      plans.value = [];
      return;
    }
    const { data } = await client.rest.PUT('/v1/games/{id}/conditional-moves', {
      ...path,
      body: { tree: [...next] },
    });
    plans.value = data.conditionalMoves ?? [];
  };
  const theirs = line.value.length % 2 === 1 ? line.value.at(-1)! : null;
  const play = (found: LegalMove, reveals: string | null) => {
    turning.value = null;
    const played = { move: found.move, san: found.san, reveals };
    if (theirs === null) {
      line.value = [...line.value, played];
      return;
    }
    work(async () => {
      const isSame = (plan: Plan) =>
        plan.parent === parent.value && plan.when === theirs.move && plan.reveals === theirs.reveals;
      const old = plans.value.find(isSame);
      const kept = old === undefined ? plans.value : without(plans.value, old.id);
      const id = Math.max(0, ...kept.map((plan) => plan.id)) + 1;
      const rest = { any: false, offerDraw: false, replyRevealed: null, resign: false, unverified: false };
      const plan = { ...rest, id, parent: parent.value, when: theirs.move, reveals: theirs.reveals, reply: played.move }; // prettier-ignore
      await store([...kept, plan]);
      const stored = plans.value.find((each) => isSame(each) && each.reply === played.move);
      // What an own turn-up shows is not known, so that the line ends with it.
      if (stored === undefined || found.to === null) return begin();
      parent.value = stored.id;
      line.value = [...line.value, played];
    });
  };
  const choose = ([found]: readonly LegalMove[]) => {
    if (found!.to === null && found!.from !== null && theirs === null) turning.value = found!;
    else play(found!, null);
  };

  const position = analysis.value?.position ?? game.position;
  const data = useMemo(() => boardAfter(position, ruleset), [position]);
  const last = analysis.value?.plies.at(-1) ?? null;
  const isOver = analysis.value !== null && analysis.value.legalMoves.length === 0;
  return (
    <section ref={top} tabIndex={-1} class="game" aria-label={texts.plans.heading}>
      <p>{texts.plans.about}</p>
      {game.turn !== own && (
        <>
          <Board
            ruleset={ruleset}
            data={data}
            sideToMove={null}
            lastMove={last}
            orientation={orientation}
            moves={turning.value === null ? (analysis.value?.legalMoves ?? []) : []}
            chosen={null}
            onMoves={choose}
          />
          <p role="status" class="turn">
            {theirs === null ? texts.plans.theirs : texts.plans.mine(theirs.san)}
          </p>
        </>
      )}
      {turning.value !== null && (
        <div role="group" aria-label={texts.plans.turnedUp} class="question">
          <p>{texts.plans.turnedUp}</p>
          {[...new Set(analysis.value?.mayTurnUp ?? '')].map((letter) => (
            <button type="button" class="second" key={letter} onClick={() => play(turning.value!, letter)}>
              {nameOfPiece(ruleset, letter, texts)}
            </button>
          ))}
        </div>
      )}
      <p role="alert" class="fault">
        {fault.value}
      </p>
      <p class="ways">
        {(line.value.length > 0 || isOver) && (
          <button type="button" class="second" onClick={begin}>
            {texts.plans.again}
          </button>
        )}
        <button type="button" class="second" onClick={onLeave}>
          {texts.plans.leave}
        </button>
      </p>
      <ul class="plans">
        {plans.value.map((plan) => (
          <li key={plan.id} style={{ marginInlineStart: `${depthOf(plans.value, plan)}rem` }}>
            {texts.plans.answer(moveOf(plan.when, plan.reveals), moveOf(plan.reply, null))}
            <button
              type="button"
              class="plain"
              onClick={() => work(() => store(without(plans.value, plan.id)))}
            >
              {texts.plans.remove}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
