/** What a text says, or why it says nothing; it quotes nothing of the text, which may come from anywhere. */
export type Reading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

export const read = <T>(value: T): Reading<T> => ({ ok: true, value });

export const unreadable = (why: string): Reading<never> => ({ ok: false, why });
