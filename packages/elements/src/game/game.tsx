import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { opponent } from '../../../../src/rules/ruleset.js';
import type { Halfmove } from '../../../client/src/client.js';
import { Board } from '../board/board.js';
import { boardAfter } from '../board/position.js';
import { later } from '../later.js';
import { prefer, preferred } from '../preference.js';
import { useTexts } from '../texts/texts.js';
import { Fault } from './fault.js';
import { type Followed, type LegalMove, type Shown, troubleOf, useGame } from './follow.js';
import { Players } from './players.js';
import { Question } from './question.js';
import { lastOf, nameOf, nameOfPiece, noticesOf, rulesetOf, turnOf, warningOf } from './words.js';

/** A game: its board, its players, and what may be done. */

const Acts = later(() => import('./act-buttons.js').then((read) => read.Acts));
const Chat = later(() => import('./chat.js').then((read) => read.Chat));
const Rematch = later(() => import('./rematch.js').then((read) => read.Rematch));
const Steps = later(() => import('./steps.js').then((read) => read.Steps));
const Plans = later(() => import('./plans.js').then((read) => read.Plans));

interface GameProps {
  readonly client: Halfmove;
  readonly id: string;
  /** Whether the player may read and write messages. */
  readonly mayTalk: boolean;
  /** Another one each time that the page gives a token of the player. */
  readonly token?: unknown;
  /** What the viewer sees of each new state of the game; all of it when left out. */
  readonly asSeen?: (shown: Shown) => Shown;
  readonly onTitle?: (title: string) => void;
  /** Called for each new state of the game. */
  readonly onShown?: (shown: Shown) => void;
  /** Called with the id of a game that began from this one. */
  readonly onNext?: (id: string) => void;
}

export function GameView(props: GameProps) {
  const texts = useTexts();
  const followed = useGame(props.client, props.id, texts);
  const { shown, trouble } = followed;
  const { asSeen, onShown } = props;
  const state = useMemo(() => shown && (asSeen?.(shown) ?? shown), [shown]);
  useEffect(() => void (shown && onShown?.(shown)), [shown]);
  return (
    <>
      <Fault text={trouble} kind="trouble" />
      {state === null ? (
        trouble === null && <p>{texts.game.reading}</p>
      ) : (
        <Live {...props} {...followed} state={state} />
      )}
    </>
  );
}

function Live({
  client,
  state,
  again,
  mayTalk,
  token,
  onTitle,
  onNext,
}: GameProps & Followed & { readonly state: Shown }) {
  const texts = useTexts();
  const { game, ruleset, moves, plies } = state;
  const own = game.viewer?.seat ?? null;
  const [isTurned, setIsTurned] = useState(false);
  /** The ply after which the board is shown; null for the newest. */
  const [at, setAt] = useState<number | null>(null);
  const [choices, setChoices] = useState<readonly LegalMove[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [asks, setAsks] = useState(own === null || preferred('confirm', 'yes') === 'yes');
  /** A move at a time: what is chosen meanwhile would be for a position that is over. */
  const isSending = useRef(false);
  const [isPlanning, setIsPlanning] = useState(false);
  const usual = own ?? 'first';
  const bottom = isTurned ? opponent(usual) : usual;

  const title = texts.board.title(rulesetOf(ruleset, texts), game.players.map(nameOf));
  useEffect(() => onTitle?.(title), [title]);
  // With a new token there is access again.
  useLayoutEffect(() => setFault((last) => (last === texts.trouble.over ? null : last)), [token]);
  // A move that was chosen on a position that is over is chosen anew. At once, while it is known whether it was sent.
  useLayoutEffect(() => {
    if (choices.length > 0 && !isSending.current)
      setFault(game.viewer === null ? texts.trouble.over : texts.trouble.dropped);
    setChoices([]);
  }, [game.position, moves.length]);

  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setFault(null);
    try {
      await work();
    } catch (error) {
      setFault(troubleOf(error, texts));
    }
    await again().catch(() => undefined);
  };
  const send = (move: LegalMove, offerDraw = false) => {
    isSending.current = true;
    return act(() =>
      client.rest.POST('/v1/games/{id}/moves', {
        params: { path: { id: game.id } },
        body: { ply: game.plyCount + 1, move: move.move, ...(offerDraw ? { offerDraw } : {}) },
      }),
    ).finally(() => {
      isSending.current = false;
    });
  };
  const choose = (meant: readonly LegalMove[]) => {
    if (isSending.current) return;
    setFault(null);
    const [only] = meant;
    if (meant.length === 1 && !asks && warningOf(only!, ruleset, texts) === null) void send(only!);
    else setChoices(meant);
  };
  const side = sideToMove(state);
  const seen = at === 0 ? startOf(state) : (plies.find(({ ply }) => ply === at) ?? null);
  const data = useMemo(
    () => (seen === null ? game.board : boardAfter(seen.position, ruleset)),
    [seen?.position, game.board],
  );
  const passes = moves.filter(({ from }) => from === null);
  const mayOffer = game.viewer?.acts.some(
    ({ act, terms }) => act === 'makeMove' && terms?.offerDraw === true,
  );

  if (isPlanning && game.turn !== own)
    return <Plans client={client} state={state} orientation={bottom} onLeave={() => setIsPlanning(false)} />;
  return (
    <div class="game">
      <Players state={state} seat={opponent(bottom)} />
      <Board
        ruleset={ruleset}
        data={data}
        sideToMove={side}
        lastMove={seen ?? game.lastMove}
        orientation={bottom}
        moves={seen === null ? moves : []}
        chosen={choices[0] ?? null}
        onMoves={choose}
      />
      <p role="status" class="turn" part="status">
        {[lastOf(game, plies, ruleset, texts), turnOf(game, texts), noticesOf(game, texts)]
          .filter(Boolean)
          .join(' ')}
      </p>
      <Fault text={fault} />
      {choices.length > 0 && (
        <Question
          state={state}
          choices={choices}
          mayOffer={mayOffer === true}
          onSend={send}
          onLeave={() => setChoices([])}
        />
      )}
      {passes.length > 0 && choices.length === 0 && (
        <button type="button" class="second" onClick={() => choose(passes)}>
          {texts.move.pass}
        </button>
      )}
      <Players state={state} seat={bottom} />
      {own !== null ? (
        <Acts client={client} game={game} onAct={act} />
      ) : (
        client.session !== null && game.outcome === null && <p>{texts.game.watching}</p>
      )}
      <p class="ways">
        <button type="button" class="plain" onClick={() => setIsTurned(!isTurned)}>
          {texts.move.turn}
        </button>
        {own !== null && game.outcome === null && (
          <label class="choice">
            <input
              type="checkbox"
              checked={asks}
              onChange={({ currentTarget: { checked } }) => {
                setAsks(checked);
                prefer('confirm', checked ? 'yes' : 'no');
              }}
            />
            {texts.move.ask}
          </label>
        )}
        {own !== null && game.turn === opponent(own) && (
          <button type="button" class="plain" onClick={() => setIsPlanning(true)}>
            {texts.plans.heading}
          </button>
        )}
      </p>
      {own !== null && game.outcome !== null && onNext !== undefined && (
        <Rematch client={client} game={game} onAct={act} onNext={onNext} />
      )}
      <Beside state={state} />
      <Steps plies={plies} at={at} onStep={setAt} ruleset={ruleset} isPlayer={own !== null} />
      {own !== null && mayTalk && <Chat client={client} game={game} />}
    </div>
  );
}

/** Of the player to move; after the end of the one who would move next, whose king may be mated. */
function sideToMove({ game, ruleset, plies }: Shown): 0 | 1 | null {
  const next = game.turn ?? opponent(plies.at(-1)?.player ?? 'second');
  const name = game.players.find(({ seat }) => seat === next)!.side;
  const side = name === null ? null : ruleset.sides.indexOf(name);
  return side === 0 || side === 1 ? side : null;
}

/** The position before ply 1. That of the rule set has the rows of a drawn set-up before they are shuffled. */
function startOf({ game, ruleset }: Shown) {
  const [first = 'KQRBN', second = 'kqrbn'] = game.setup?.split('/') ?? [];
  return {
    position: ruleset.start.replace('KQRBN', first).replace('kqrbn', second),
    from: null,
    to: null,
  };
}

/** What was captured, and what still lies face-down. */
function Beside({ state: { game, ruleset } }: { readonly state: Shown }) {
  const texts = useTexts();
  const { captured, faceDown } = game.board;
  const counts = new Map<string, number>();
  for (const letter of captured) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const named = (letter: string, count: number) => texts.counted(count, nameOfPiece(ruleset, letter, texts));
  const taken = [...counts].map(([letter, count]) => named(letter, count));
  const hidden = faceDown.map(({ piece, count }) => named(piece, count));
  return (
    <>
      {taken.length > 0 && <p>{texts.game.captured(texts.list(taken))}</p>}
      {hidden.length > 0 && <p>{texts.game.faceDown(texts.list(hidden))}</p>}
    </>
  );
}
