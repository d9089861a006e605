import { useEffect, useRef, useState } from 'preact/hooks';
import { styleOf } from '../../../../src/boards/board.js';
import { type components, type Halfmove, HalfmoveError, hasCode } from '../../../client/src/client.js';
import { readSet } from '../board/outlines.js';
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

/** The game with what belongs to its version; what is known if there is nothing newer, so that nothing begun on the board ends. */
async function read({ rest }: Halfmove, id: string, known: Shown | null): Promise<Shown> {
  const path = { params: { path: { id } } };
  const readPlies = () =>
    rest
      .GET('/v1/games/{id}/moves', { params: { path: { id }, query: { last: 100 } } })
      .then(({ data }) => data.items);
  // Whatever the first board needs is asked for at once: each further round trip would delay it.
  const [{ data: game }, rulesets, early] = await Promise.all([
    rest.GET('/v1/games/{id}', path),
    known === null ? rest.GET('/v1/rulesets').then(({ data }) => data.items) : [known.ruleset],
    known === null ? readPlies() : null,
  ]);
  if (known !== null && game.version <= known.game.version) return known;
  const isMine = game.viewer?.acts.some(({ act }) => act === 'makeMove') ?? false;
  const isWhole = (early?.at(-1)?.ply ?? 0) === game.plyCount;
  const ruleset = rulesets.find((each) => each.id === game.ruleset.id)!;
  const [moves, plies] = await Promise.all([
    isMine ? rest.GET('/v1/games/{id}/legal-moves', path).then(({ data }) => data.items) : [],
    early !== null && isWhole ? early : readPlies(),
    // No board without its pieces takes the place of one that the server has drawn.
    known === null && readSet(styleOf(ruleset)[1]),
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
  const latest = useRef<Promise<void> | null>(null);
  const again = (): Promise<void> => {
    const reading: Promise<void> = read(client, id, newest.current).then((next) => {
      // One that was overtaken is older than what is about to be shown.
      if (reading !== latest.current) return latest.current!;
      setShown((newest.current = next));
      return setTrouble(null);
    });
    return (latest.current = reading);
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
    // Before the stream: a browser opens six connections to a server, and what comes last may wait.
    const first = again();
    const events = client.gameEvents(id, { signal, onConnection });
    try {
      // Read anew once the stream is open, so that nothing between the two is missed.
      await Promise.all([first, events.opened]);
      await again();
      for await (const _ of events) await again();
    } catch (error) {
      if (signal.aborted) return;
      tell(troubleOf(error, texts));
      // There is no such game, and there will be none.
      if (hasCode(error, 'NOT_FOUND', 'BAD_INPUT')) return;
      // The client has tried again by itself; what is left may take longer.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } finally {
      await events.return();
    }
  }
}
