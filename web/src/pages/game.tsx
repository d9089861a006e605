import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { FACE_DOWN_LETTER, placed } from '../../../src/rules/board.js';
import { opponent, type Player } from '../../../src/rules/ruleset.js';
import { Board, nameOfPiece } from '../board/board.js';
import { faultOf, Form } from '../form.js';
import { offeredActs, type Offered } from '../game/acts.js';
import { type Followed, type LegalMove, type Ply, type Shown, useGame } from '../game/follow.js';
import { endOf, lastOf, nameOf, playerIn, timeOf, turnOf, warningOf } from '../game/words.js';
import { go, heading, ways } from '../router.js';
import { halfmove } from '../session.js';

/** A game: its board, its players, and what may be done. */
export function GamePage() {
  const [, id = ''] = ways.value;
  return <OneGame key={id} id={id} />;
}

const CONFIRM_KEY = 'halfmove-confirm';

function OneGame({ id }: { readonly id: string }) {
  const followed = useGame(id);
  const { shown, trouble } = followed;
  return (
    <>
      <p role="alert">{trouble.value}</p>
      {shown.value === null ? (
        trouble.value === null && <p>Reading the game ...</p>
      ) : (
        <Live {...followed} state={shown.value} />
      )}
    </>
  );
}

function Live({ state, again }: Followed & { readonly state: Shown }) {
  const { game, ruleset, moves, plies } = state;
  const own = game.viewer?.seat ?? null;
  const isTurned = useSignal(false);
  /** The ply after which the board is shown; null for the newest. */
  const at = useSignal<number | null>(null);
  const choices = useSignal<readonly LegalMove[]>([]);
  const fault = useSignal<string | null>(null);
  const asks = useSignal(localStorage.getItem(CONFIRM_KEY) !== 'no');
  const usual = own ?? 'first';
  const bottom = isTurned.value ? opponent(usual) : usual;
  const top = opponent(bottom);

  const title = `${ruleset.name}: ${game.players.map(nameOf).join(' against ')}`;
  useEffect(() => {
    heading.value = title;
  }, [title]);

  // A move that was chosen on a position that is over is chosen anew.
  useEffect(() => {
    choices.value = [];
  }, [game.version]);

  const act = async (work: () => Promise<unknown>) => {
    fault.value = null;
    try {
      await work();
    } catch (error) {
      fault.value = faultOf(error).message;
    }
    await again().catch(() => undefined);
  };
  const send = (move: LegalMove) =>
    act(() =>
      halfmove.rest.POST('/v1/games/{id}/moves', {
        params: { path: { id: game.id } },
        body: { ply: game.plyCount + 1, move: move.move },
      }),
    );
  const choose = (meant: readonly LegalMove[]) => {
    const [only] = meant;
    if (meant.length === 1 && !asks.value && warningOf(only!, ruleset) === null) void send(only!);
    else choices.value = meant;
  };
  // After the end it is the one who would move next, whose king may be mated.
  const next = game.turn ?? opponent(plies.at(-1)?.player ?? 'second');
  const name = playerIn(game, next).side;
  const side = name === null ? null : ruleset.sides.indexOf(name);
  const seen = plies.find(({ ply }) => ply === at.value) ?? null;
  const data = useMemo(() => (seen === null ? game.board : boardAfter(seen, game.board)), [seen, game.board]);
  const passes = moves.filter(({ from }) => from === null);

  return (
    <div class="game">
      <PlayerLine state={state} seat={top} />
      <Board
        ruleset={ruleset}
        data={data}
        sideToMove={side === 0 || side === 1 ? side : null}
        lastMove={seen ?? game.lastMove}
        orientation={bottom}
        moves={seen === null ? moves : []}
        chosen={choices.value.length === 1 ? choices.value[0]! : null}
        onMoves={choose}
      />
      <PlayerLine state={state} seat={bottom} />
      <p role="status" class="turn">
        {lastOf(game, plies, ruleset)} {turnOf(game)}
      </p>
      <p role="alert" class="fault">
        {fault.value}
      </p>
      {choices.value.length > 0 && (
        <Question state={state} choices={choices.value} onSend={send} onLeave={() => (choices.value = [])} />
      )}
      {passes.length > 0 && choices.value.length === 0 && (
        <button type="button" class="second" onClick={() => choose(passes)}>
          Pass
        </button>
      )}
      {game.viewer !== null && (
        <Acts
          acts={offeredActs(game.viewer.acts)}
          onAct={(chosen) => act(() => chosen.send(game.id))}
          key={game.version}
        />
      )}
      <p class="ways">
        <button type="button" class="plain" onClick={() => (isTurned.value = !isTurned.value)}>
          Turn the board
        </button>
        {own !== null && game.outcome === null && (
          <label class="choice">
            <input
              type="checkbox"
              checked={asks.value}
              onChange={({ currentTarget }) => {
                asks.value = currentTarget.checked;
                localStorage.setItem(CONFIRM_KEY, asks.value ? 'yes' : 'no');
              }}
            />
            Ask before a move is sent
          </label>
        )}
      </p>
      {own !== null && game.outcome !== null && <Rematch id={game.id} />}
      <Beside state={state} />
      <Moves plies={plies} at={at} />
    </div>
  );
}

function PlayerLine({ state: { game }, seat }: { readonly state: Shown; readonly seat: Player }) {
  const player = playerIn(game, seat);
  const isToMove = game.turn === seat && endOf(game) === null;
  return (
    <p class={isToMove ? 'player to-move' : 'player'}>
      <strong>{nameOf(player)}</strong>
      {game.viewer?.seat === seat && ' (you)'}
      {player.side === null ? '' : `, ${player.side}`}
      {isToMove && game.deadlineAt !== null && (
        <span class="deadline"> has until {timeOf(game.deadlineAt)}</span>
      )}
    </p>
  );
}

interface QuestionProps {
  readonly state: Shown;
  readonly choices: readonly LegalMove[];
  readonly onSend: (move: LegalMove) => Promise<void>;
  readonly onLeave: () => void;
}

/** Which of several moves is meant, or whether the one that was chosen is to be sent. */
function Question({ state: { ruleset, game }, choices, onSend, onLeave }: QuestionProps) {
  const first = useRef<HTMLButtonElement>(null);
  const isSending = useSignal(false);
  useEffect(() => first.current?.focus(), [choices]);
  const [only] = choices;
  const warning = choices.length === 1 ? warningOf(only!, ruleset) : null;
  const send = (move: LegalMove) => {
    isSending.value = true;
    void onSend(move).finally(() => (isSending.value = false));
  };
  const labelOf = (move: LegalMove) => {
    if (choices.length === 1) return `Send ${move.san}`;
    const isFirst = game.turn !== null && playerIn(game, game.turn).side === ruleset.sides[0];
    return move.promotion === null ? move.san : nameOfPiece(ruleset, isFirst ? move.promotion.toUpperCase() : move.promotion); // prettier-ignore
  };
  return (
    <div role="group" aria-label="The move that you have chosen" class="question">
      {warning !== null && <p class="fault">{warning}</p>}
      {choices.map((move, i) => (
        <button
          type="button"
          key={move.move}
          ref={i === 0 ? first : null}
          disabled={isSending.value}
          onClick={() => send(move)}
        >
          {labelOf(move)}
        </button>
      ))}
      <button type="button" class="second" onClick={onLeave}>
        Choose another move
      </button>
    </div>
  );
}

interface ActsProps {
  readonly acts: readonly Offered[];
  readonly onAct: (act: Offered) => Promise<void>;
}

function Acts({ acts, onAct }: ActsProps) {
  const asked = useSignal<Offered | null>(null);
  if (acts.length === 0) return null;
  const { value } = asked;
  if (value !== null) {
    return (
      <div role="group" aria-label={value.question} class="question">
        <p>{value.question}</p>
        <button type="button" class="dangerous" onClick={() => void onAct(value)}>
          {value.label}
        </button>
        <button type="button" class="second" onClick={() => (asked.value = null)}>
          No
        </button>
      </div>
    );
  }
  return (
    <div role="group" aria-label="What you may do" class="acts">
      {acts.map((act) => (
        <button
          type="button"
          class="second"
          key={act.act}
          onClick={() => (act.question === undefined ? void onAct(act) : (asked.value = act))}
        >
          {act.label}
        </button>
      ))}
    </div>
  );
}

/** What was captured, and what still lies face-down. */
function Beside({ state: { game, ruleset } }: { readonly state: Shown }) {
  const { captured, faceDown } = game.board;
  const named = (letter: string) => nameOfPiece(ruleset, letter);
  const counted = new Map<string, number>();
  for (const letter of captured) counted.set(letter, (counted.get(letter) ?? 0) + 1);
  const taken = [...counted].map(([letter, count]) => (count === 1 ? named(letter) : `${count} × ${named(letter)}`)); // prettier-ignore
  const hidden = faceDown.map(({ piece, count }) => `${count} × ${named(piece)}`);
  return (
    <>
      {taken.length > 0 && <p>Captured: {taken.join(', ')}.</p>}
      {hidden.length > 0 && <p>Still face-down: {hidden.join(', ')}.</p>}
    </>
  );
}

interface MovesProps {
  readonly plies: readonly Ply[];
  readonly at: Signal<number | null>;
}

/** The moves, and the steps through them on the board. */
function Moves({ plies, at }: MovesProps) {
  const last = plies.at(-1);
  if (last === undefined) return null;
  const first = plies[0]!.ply;
  const shown = at.value ?? last.ply;
  const step = (label: string, to: number | null, isOff: boolean) => (
    <button
      type="button"
      class="second"
      aria-disabled={isOff}
      onClick={() => (isOff ? undefined : (at.value = to))}
    >
      {label}
    </button>
  );
  const forward = shown + 1 >= last.ply ? null : shown + 1;
  return (
    <>
      <div role="group" aria-label="Steps through the game" class="acts">
        {step('First', first, shown === first)}
        {step('Back', shown - 1, shown === first)}
        {step('Forward', forward, shown === last.ply)}
        {step('Newest', null, shown === last.ply)}
      </div>
      <p role="status">
        {at.value !== null && `After ply ${shown}: ${plies.find(({ ply }) => ply === shown)?.san ?? ''}`}
      </p>
      <details>
        <summary>Moves</summary>
        <ol class="moves" start={first}>
          {plies.map(({ ply, san, reveals }) => (
            <li key={ply}>
              <button
                type="button"
                class="plain"
                aria-current={ply === shown}
                onClick={() => (at.value = ply === last.ply ? null : ply)}
              >
                {san}
                {reveals !== null && ` (${reveals})`}
              </button>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

function boardAfter({ position }: Ply, board: Shown['game']['board']): Shown['game']['board'] {
  const squares = placed(board, position.split(' ', 1)[0]!).map(({ square, letter }) => {
    const isHidden = letter === FACE_DOWN_LETTER;
    return { square, piece: isHidden ? null : letter, faceDown: isHidden };
  });
  return { ...board, check: false, squares };
}

/** Offers another game, or takes the one that the opponent has offered. */
function Rematch({ id }: { readonly id: string }) {
  const isOffered = useSignal(false);
  const offer = async () => {
    const { data } = await halfmove.rest.POST('/v1/games/{id}/rematch', {
      params: { path: { id } },
      body: {},
    });
    if (data.challenge.gameId === null) isOffered.value = true;
    else go(`/games/${data.challenge.gameId}`);
  };
  if (isOffered.value)
    return <p role="status">A rematch is offered. It begins when your opponent asks for one as well.</p>;
  return (
    <Form label="Rematch" action="Rematch" kind="second" onSend={offer}>
      {() => null}
    </Form>
  );
}
