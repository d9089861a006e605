import { useEffect, useRef, useState } from 'preact/hooks';
import { type components, type Halfmove, HalfmoveError, hasCode } from '../../../client/src/client.js';
import type { Texts } from '../texts/en.js';

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

/** What went wrong, in words that say what to do. */
export function troubleOf(error: unknown, texts: Texts): string {
  if (!(error instanceof HalfmoveError)) throw error;
  if (error.code === 'NO_ANSWER') return texts.trouble.unreachable;
  return error.code === 'UNAUTHENTICATED' ? texts.trouble.over : error.message;
}

async function read({ rest }: Halfmove, id: string, known: Ruleset | null): Promise<Shown> {
  const path = { params: { path: { id } } };
  const { data: game } = await rest.GET('/v1/games/{id}', path);
  const isMine = game.viewer?.acts.some(({ act }) => act === 'makeMove') ?? false;
  const [ruleset, moves, plies] = await Promise.all([
    known ?? rest.GET('/v1/rulesets/{id}', { params: { path: { id: game.ruleset.id } } }).then(({ data }) => data), // prettier-ignore
    isMine ? rest.GET('/v1/games/{id}/legal-moves', path).then(({ data }) => data.items) : [],
    rest
      .GET('/v1/games/{id}/moves', { params: { path: { id }, query: { last: 100 } } })
      .then(({ data }) => data.items),
  ]);
  return { game, ruleset, moves, plies };
}

export interface Followed {
  readonly shown: Shown | null;
  /** Why it cannot be shown, or is not live at the moment; null if all is well. */
  readonly trouble: string | null;
  readonly again: () => Promise<void>;
}

export function useGame(client: Halfmove, id: string, texts: Texts): Followed {
  const [shown, setShown] = useState<Shown | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  /** What `shown` is or is about to be. */
  const newest = useRef<Shown | null>(null);
  const asked = useRef(0);
  const again = async () => {
    const number = (asked.current += 1);
    const next = await read(client, id, newest.current?.ruleset ?? null);
    // One that was overtaken is older than what is shown; the same again would end what was begun on the board.
    if (number === asked.current && next.game.version > (newest.current?.game.version ?? -1)) {
      newest.current = next;
      setShown(next);
    }
    setTrouble(null);
  };
  useEffect(() => {
    const ending = new AbortController();
    void follow(client, id, { signal: ending.signal, again, texts, tell: setTrouble });
    return () => ending.abort();
  }, [client, id, texts]);
  return { shown, trouble, again };
}

interface Following {
  readonly signal: AbortSignal;
  readonly again: () => Promise<void>;
  readonly texts: Texts;
  readonly tell: (message: string | null) => void;
}

async function follow(
  client: Halfmove,
  id: string,
  { signal, again, texts, tell }: Following,
): Promise<void> {
  const onConnection = (isOpen: boolean) => tell(isOpen ? null : texts.trouble.reconnecting);
  while (!signal.aborted) {
    try {
      const events = client.gameEvents(id, { signal, onConnection });
      // Opened first, so that nothing between the reading and the stream is missed.
      await events.opened;
      await again();
      for await (const _ of events) await again();
    } catch (error) {
      if (signal.aborted) return;
      tell(troubleOf(error, texts));
      // There is no such game, and there will be none.
      if (hasCode(error, 'NOT_FOUND', 'BAD_INPUT')) return;
      // The client has tried again by itself; what is left may take longer.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
