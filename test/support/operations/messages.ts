import type { Player } from '../../../src/rules/ruleset.js';
import { connection, USER } from '../documents.js';
import { get, keyed, mutation, post, put, query, queryPart, remove, verb } from '../verb.js';
import type { Edges, User } from '../shown.js';
import type { Body } from '../transport.js';

/** What people write, and whom they do not want to hear: messages, notes, mutes and blocks. */

export interface Message {
  readonly id: string;
  readonly player: Player;
  readonly text: string;
  readonly createdAt: string;
}

const MESSAGE = '{ id player text createdAt }';

const noteIn = { read: ({ note }: { readonly note: string | null }) => note };
const mutedIn = { read: ({ muted }: { readonly muted: boolean }) => muted };

/** Of a game, GraphQL answers null where REST refuses. */
export const MESSAGES = {
  sendMessage: verb<[id: string, text: unknown, key?: string], Message>({
    rest: (id, text, key) => post(`games/${id}/messages`, { text }, key),
    graphql: (gameId, text, key) => mutation('sendMessage', { input: keyed({ gameId, text }, key) }, MESSAGE),
  }),
  messages: verb<[id: string, page?: Body], Edges<Message> | null>({
    rest: (id, page) => get(`games/${id}/messages`, page),
    graphql: (id, page) => queryPart('game', { id }, 'messages', page, connection(MESSAGE)),
  }),
  setNote: verb<[id: string, note: unknown], string | null>({
    rest: (id, note) => ({ ...put(`games/${id}/note`, { note }), ...noteIn }),
    graphql: (gameId, note) => ({ ...mutation('setNote', { gameId, note }, '{ note }'), ...noteIn }),
  }),
  note: verb<[id: string], string | null>({
    rest: (id) => ({ ...get(`games/${id}/note`), ...noteIn }),
    graphql: (id) => queryPart('game', { id }, 'note'),
  }),
  muteOpponent: verb<[id: string, muted: unknown], boolean>({
    rest: (id, muted) => ({ ...put(`games/${id}/mute`, { muted }), ...mutedIn }),
    graphql: (gameId, muted) => ({
      ...mutation('muteOpponent', { gameId, muted }, '{ opponentMuted }'),
      read: ({ opponentMuted }: { readonly opponentMuted: boolean }) => opponentMuted,
    }),
  }),
  opponentMuted: verb<[id: string], boolean | null>({
    rest: (id) => ({ ...get(`games/${id}/mute`), ...mutedIn }),
    graphql: (id) => queryPart('game', { id }, 'opponentMuted'),
  }),
  blockUser: verb<[username: string], User>({
    rest: (username) => put(`me/blocks/${encodeURIComponent(username)}`),
    graphql: (username) => mutation('blockUser', { username }, USER),
  }),
  unblockUser: verb<[username: string], User>({
    rest: (username) => remove(`me/blocks/${encodeURIComponent(username)}`),
    graphql: (username) => mutation('unblockUser', { username }, USER),
  }),
  blockedUsers: verb<[page?: Body], Edges<User>>({
    rest: (page) => get('me/blocks', page),
    graphql: (page) => query('blockedUsers', page, connection(USER)),
  }),
};
