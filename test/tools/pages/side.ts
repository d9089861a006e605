import { authorized, begin } from '../.cache/session.js';
import type { Seen } from '../seen.js';

/** One side of a game, played in a page by the tool that it tries. */

/** What a tool shows of a game. */
export interface Shown {
  readonly plyCount: number;
  readonly turn?: string | null;
}

export interface Tool {
  /** Shows the game now and after each change; fails where the tool says that it has given up. */
  watch(gameId: string, shown: (game: Shown) => void, failed: (error: unknown) => void): void;
  play(gameId: string, ply: number, move: string): Promise<void>;
}

const AGAIN_MS = 1000;

/** Plays these moves as the first player. A ply that is sent again is played once. */
const side = ({ watch, play }: Tool) =>
  function playGame(gameId: string, moves: readonly string[]): Promise<Seen> {
    const plies = new Set<number>();
    let next = 0;
    let repeats = 0;
    const send = async (ply: number): Promise<void> => {
      for (;;) {
        try {
          return await play(gameId, ply, moves[(ply - 1) / 2]!);
        } catch (error) {
          console.log(`ply ${ply}: ${String(error)}`);
          repeats += 1;
          await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        }
      }
    };
    return new Promise((resolve, reject) => {
      const shown = ({ plyCount, turn }: Shown): void => {
        plies.add(plyCount);
        if (turn === null) resolve({ plies: [...plies], repeats });
        if (plyCount < next || plyCount % 2 === 1 || turn === null) return;
        next = plyCount + 1;
        send(next).catch(reject);
      };
      watch(gameId, shown, reject);
    });
  };

/** Makes the page play with this tool when it is told to. */
export const playsWith = (tool: Tool): void =>
  void Object.assign(globalThis, { authorized, begin, playGame: side(tool) });
