import { get, queryPart, restVerb, verb } from '../verb.js';
import type { Body } from '../transport.js';

/** Games and own data as texts. */

const asText = { read: (_: unknown, text: string) => text };

export const EXPORTS = {
  exportGame: verb<[id: string, asked?: Body], string | null>({
    rest: (id, asked) => ({ ...get(`games/${id}/export`, asked), ...asText }),
    graphql: (id, asked) => queryPart('game', { id }, 'export', asked),
  }),
  /** The ended games of all users. */
  exportGames: restVerb<[asked?: Body], string>({
    rest: (asked) => ({ ...get('exports/games', asked), ...asText }),
  }),
  exportGamesOf: restVerb<[username: string, asked?: Body], string>({
    rest: (username, asked) => ({ ...get('exports/games', { ...asked, player: username }), ...asText }),
  }),
  exportOwnData: restVerb<[], string>({ rest: () => ({ ...get('me/export'), ...asText }) }),
  exportPlayer: restVerb<[externalId: string], string>({
    rest: (externalId) => ({ ...get(`application/players/${externalId}/export`), ...asText }),
  }),
  exportImportedGame: verb<[id: string, format?: string], string>({
    rest: (id, format) => ({ ...get(`imports/${id}/export`, { format }), ...asText }),
    graphql: (id, format) => queryPart('importedGame', { id }, 'export', { format }),
  }),
};
