import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type components, hasCode } from '../../../packages/client/src/client.js';
import { faultOf } from '../form.js';
import { halfmove } from '../session.js';

/** A game as it stands, read anew after each event, also after the server was away. */

export type Game = components['schemas']['Game'];
export type LegalMove = components['schemas']['LegalMove'];
export type Ply = components['schemas']['Ply'];
export type Ruleset = components['schemas']['Ruleset'];

export interface Shown {
  readonly game: Game;
  readonly ruleset: Ruleset;
  readonly moves: readonly LegalMove[];
  readonly plies: readonly Ply[];
}

const AGAIN_MS = 3000;

async function read(id: string, known: Ruleset | null): Promise<Shown> {
  const path = { params: { path: { id } } };
  const { data: game } = await halfmove.rest.GET('/v1/games/{id}', path);
  const isMine = game.viewer?.acts.some(({ act }) => act === 'makeMove') ?? false;
  const [ruleset, moves, plies] = await Promise.all([
    known ?? halfmove.rest.GET('/v1/rulesets/{id}', { params: { path: { id: game.ruleset.id } } }).then(({ data }) => data), // prettier-ignore
    isMine ? halfmove.rest.GET('/v1/games/{id}/legal-moves', path).then(({ data }) => data.items) : [],
    halfmove.rest
      .GET('/v1/games/{id}/moves', { params: { path: { id }, query: { last: 100 } } })
      .then(({ data }) => data.items),
  ]);
  return { game, ruleset, moves, plies };
}

export interface Followed {
  readonly shown: Signal<Shown | null>;
  /** Why it cannot be shown, or is not live at the moment; null if all is well. */
  readonly trouble: Signal<string | null>;
  readonly again: () => Promise<void>;
}

export function useGame(id: string): Followed {
  const shown = useSignal<Shown | null>(null);
  const trouble = useSignal<string | null>(null);
  const asked = useRef(0);
  const again = async () => {
    const number = (asked.current += 1);
    const next = await read(id, shown.value?.ruleset ?? null);
    // One that was overtaken is older than what is shown; the same again would end what was begun on the board.
    if (number === asked.current && next.game.version > (shown.value?.game.version ?? -1)) shown.value = next;
    trouble.value = null;
  };
  useEffect(() => {
    const ending = new AbortController();
    void follow(id, ending.signal, again, (message) => (trouble.value = message));
    return () => ending.abort();
  }, [id]);
  return { shown, trouble, again };
}

async function follow(
  id: string,
  signal: AbortSignal,
  again: () => Promise<void>,
  tell: (message: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = halfmove.gameEvents(id, { signal });
      // Opened first, so that nothing between the reading and the stream is missed.
      await events.opened;
      await again();
      for await (const _ of events) await again();
    } catch (error) {
      if (signal.aborted) return;
      tell(faultOf(error).message);
      // There is no such game, and there will be none.
      if (hasCode(error, 'NOT_FOUND') || hasCode(error, 'BAD_INPUT')) return;
      // The client has tried again by itself; what is left may take longer.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
