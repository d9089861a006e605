import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Player } from '../../../../src/rules/ruleset.js';
import type { components, Halfmove } from '../../../client/src/client.js';
import { Board } from '../board/board.js';
import { boardAfter } from '../board/position.js';
import { useTexts } from '../texts/texts.js';
import { Fault } from './fault.js';
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
  const [plans, setPlans] = useState<readonly Plan[]>([]);
  const [line, setLine] = useState<readonly LineMove[]>([]);
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  /** Where the next pair belongs; null at the top. */
  const parent = useRef<number | null>(null);
  /** A move whose piece is still to be named. */
  const [turning, setTurning] = useState<LegalMove | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const path = { params: { path: { id: game.id } } };
  const own = game.viewer!.seat;

  // A reader hears of what has taken the place of the game.
  const top = useRef<HTMLElement>(null);
  useEffect(() => top.current!.focus(), []);

  const begin = () => {
    setLine([]);
    parent.current = null;
  };
  const work = (doing: () => Promise<unknown>) => {
    setFault(null);
    doing().catch((error: unknown) => {
      setFault(troubleOf(error, texts));
    });
  };
  // What was planned on a position that is over is planned anew.
  useEffect(() => {
    begin();
    work(async () => {
      const { data } = await client.rest.GET('/v1/games/{id}/conditional-moves', path);
      setPlans(data.conditionalMoves ?? []);
    });
  }, [game.version]);
  useEffect(() => {
    setAnalysis(null);
    const moves = line.map(({ move, reveals }) => ({ move, reveals }));
    const body = { ruleset: ruleset.id, options: game.options, position: game.position, moves };
    let isOld = false;
    work(async () => {
      const { data } = await client.rest.POST('/v1/analyse', { body });
      if (!isOld) setAnalysis(data);
    });
    return () => {
      isOld = true;
    };
  }, [line, game.version]);

  const store = async (next: readonly Plan[]): Promise<readonly Plan[]> => {
    if (next.length === 0) {
      await client.rest.DELETE('/v1/games/{id}/conditional-moves', path);
      setPlans([]);
      return [];
    }
    const { data } = await client.rest.PUT('/v1/games/{id}/conditional-moves', {
      ...path,
      body: { tree: [...next] },
    });
    const stored = data.conditionalMoves ?? [];
    setPlans(stored);
    return stored;
  };
  const theirs = line.length % 2 === 1 ? line.at(-1)! : null;
  const play = (found: LegalMove, reveals: string | null) => {
    setTurning(null);
    const played = { move: found.move, san: found.san, reveals };
    if (theirs === null) {
      setLine([...line, played]);
      return;
    }
    work(async () => {
      const isSame = (plan: Plan) =>
        plan.parent === parent.current && plan.when === theirs.move && plan.reveals === theirs.reveals;
      const old = plans.find(isSame);
      const kept = old === undefined ? plans : without(plans, old.id);
      const id = Math.max(0, ...kept.map((plan) => plan.id)) + 1;
      const rest = { any: false, offerDraw: false, replyRevealed: null, resign: false, unverified: false };
      const plan = { ...rest, id, parent: parent.current, when: theirs.move, reveals: theirs.reveals, reply: played.move }; // prettier-ignore
      const all = await store([...kept, plan]);
      const stored = all.find((each) => isSame(each) && each.reply === played.move);
      // What an own turn-up shows is not known, so that the line ends with it.
      if (stored === undefined || found.to === null) return begin();
      parent.current = stored.id;
      setLine((now) => [...now, played]);
    });
  };
  const choose = ([found]: readonly LegalMove[]) => {
    if (found!.to === null && found!.from !== null && theirs === null) setTurning(found!);
    else play(found!, null);
  };

  const position = analysis?.position ?? game.position;
  const data = useMemo(() => boardAfter(position, ruleset), [position]);
  const last = analysis?.plies.at(-1) ?? null;
  const isOver = analysis !== null && analysis.legalMoves.length === 0;
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
            moves={turning === null ? (analysis?.legalMoves ?? []) : []}
            chosen={null}
            onMoves={choose}
          />
          <p role="status" class="turn">
            {theirs === null ? texts.plans.theirs : texts.plans.mine(theirs.san)}
          </p>
        </>
      )}
      {turning !== null && (
        <div role="group" aria-label={texts.plans.turnedUp} class="question">
          <p>{texts.plans.turnedUp}</p>
          {[...new Set(analysis?.mayTurnUp ?? '')].map((letter) => (
            <button type="button" class="second" key={letter} onClick={() => play(turning, letter)}>
              {nameOfPiece(ruleset, letter, texts)}
            </button>
          ))}
        </div>
      )}
      <Fault text={fault} />
      <p class="ways">
        {(line.length > 0 || isOver) && (
          <button type="button" class="second" onClick={begin}>
            {texts.plans.again}
          </button>
        )}
        <button type="button" class="second" onClick={onLeave}>
          {texts.plans.leave}
        </button>
      </p>
      <ul class="plans">
        {plans.map((plan) => (
          <li key={plan.id} style={{ marginInlineStart: `${depthOf(plans, plan)}rem` }}>
            {texts.plans.answer(moveOf(plan.when, plan.reveals), moveOf(plan.reply, null))}
            <button type="button" class="plain" onClick={() => work(() => store(without(plans, plan.id)))}>
              {texts.plans.remove}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
