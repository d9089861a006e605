/** Types of operations.mjs, for the tests. */

export interface Operation<Args extends readonly unknown[]> {
  readonly query: string;
  readonly variables: (...args: Args) => Readonly<Record<string, unknown>>;
}

type Identified = { readonly id: (data: never) => string };

/** The game, player and so on that a read asks for. */
export interface Subject {
  readonly game: string;
  readonly own: string;
  readonly username: string;
}

export interface Read {
  readonly query?: string;
  readonly variables?: (subject: Subject) => Readonly<Record<string, unknown>>;
  readonly path?: (subject: Subject) => string;
  readonly unchanged?: boolean;
}

export const settings: Readonly<Record<string, string>>;
export const register: {
  readonly method: string;
  readonly path: string;
  readonly body: (username: string, password: string) => Readonly<Record<string, unknown>>;
  readonly token: (answer: never) => string;
};
export const challenge: Operation<[opponent: string]> & Identified;
export const accept: Operation<[id: string]> & Identified;
export const move: Operation<[gameId: string, ply: number, move: string]>;
export const watch: Operation<[gameId: string]>;
export const resign: Operation<[id: string]>;
export const reads: Readonly<Record<string, Read>>;
