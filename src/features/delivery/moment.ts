/** A moment in words that mean the same everywhere, as `27 November 2026, 17:18 UTC`. */
export const momentOf = (iso: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(iso)).replace(' at ', ', ')} UTC`;
