/** A parsed text, or why it is invalid. `why` does not quote the text, which is untrusted. */
export type Reading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

export const read = <T>(value: T): Reading<T> => ({ ok: true, value });

export const unreadable = (why: string): Reading<never> => ({ ok: false, why });
