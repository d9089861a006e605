import { CHALLENGE, GAME, RATING, USER, VACATION } from '../documents.js';
import { get, query, verb } from '../verb.js';
import type { Challenge, Game, RatingPool, User } from '../api-types.js';
import type { Body } from '../transport.js';

export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly deleted: boolean;
  readonly at: string;
  readonly game: Game | null;
  readonly challenge: Challenge | null;
  readonly rating: { readonly pool: RatingPool; readonly games: number } | null;
  readonly profile: (User & { readonly displayName: string }) | null;
  readonly blocked: User | null;
  readonly vacation: { readonly id: string; readonly days: number } | null;
  readonly notification: {
    readonly id: string;
    readonly type: string;
    readonly readAt: string | null;
  } | null;
  readonly seat: { readonly note: string | null; readonly muted: boolean } | null;
}

export interface Changes {
  readonly items: readonly Change[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const CHANGE = `{
  kind id deleted at game ${GAME} challenge ${CHALLENGE} profile ${USER} blocked ${USER} rating ${RATING}
  vacation ${VACATION} notification { id type gameId data createdAt readAt } seat: game { viewer { note opponentMuted } }
}`;

/** The largest page that GraphQL allows when all fields are selected. */
export const A_PAGE = 20;

interface Kept {
  readonly note: string;
  readonly opponentMuted: boolean;
}
type Seat = { readonly viewer: Kept | null } | null;

/** The object that REST embeds: the game itself, or the data of the user's seat. */
function asInRest(change: Change & { readonly seat: Seat }): Change {
  const { kind, game, seat } = change;
  const own = seat?.viewer;
  const kept = kind === 'seat' && own ? { note: own.note, muted: own.opponentMuted } : null;
  return { ...change, game: kind === 'game' ? game : null, seat: kept };
}

export const CHANGES = {
  /** In GraphQL only these fields of each item, if given. */
  changes: verb<[asked?: Body, selection?: string], Changes>({
    rest: (asked) => get('changes', asked),
    graphql: (asked, selection = CHANGE) => ({
      ...query('changes', { first: A_PAGE, ...asked }, `{ items ${selection} cursor hasMore }`),
      read: ({ items, ...more }: { readonly items: readonly (Change & { readonly seat: Seat })[] }) => ({
        items: items.map(asInRest),
        ...more,
      }),
    }),
  }),
};
