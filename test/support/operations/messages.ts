import type { Player } from '../../../src/rules/ruleset.js';
import { connection, USER } from '../documents.js';
import { get, getEdges, keyed, mutation, part, post, put, query, queryPart, remove, verb } from '../verb.js';
import type { Edges, User } from '../api-types.js';
import type { Body } from '../transport.js';

/** Messages, notes, mutes and blocks. */

export interface Message {
  readonly id: string;
  readonly player: Player;
  readonly text: string;
  readonly createdAt: string;
}

const MESSAGE = '{ id player text createdAt }';

/** For an unknown game, GraphQL answers null where REST refuses. */
export const MESSAGES = {
  sendMessage: verb<[id: string, text: unknown, key?: string], Message>({
    rest: (id, text, key) => part('message', post(`games/${id}/messages`, { text }, key)),
    graphql: (gameId, text, key) =>
      part('message', mutation('sendMessage', keyed({ gameId, text }, key), MESSAGE)),
  }),
  messages: verb<[id: string, page?: Body], Edges<Message> | null>({
    rest: (id, page) => getEdges(`games/${id}/messages`, page),
    graphql: (id, page) => queryPart('game', { id }, 'viewer.messages', page, connection(MESSAGE)),
  }),
  messagesAllowed: verb<[id: string], boolean | null>({
    rest: (id) => part('messagesAllowed', get(`games/${id}/messages`)),
    graphql: (id) => queryPart('game', { id }, 'viewer.messagesAllowed'),
  }),
  setNote: verb<[id: string, note: unknown], string | null>({
    rest: (id, note) => part('note', put(`games/${id}/note`, { note })),
    graphql: (gameId, note) => part('note', mutation('setNote', { gameId, note })),
  }),
  note: verb<[id: string], string | null>({
    rest: (id) => part('note', get(`games/${id}/note`)),
    graphql: (id) => queryPart('game', { id }, 'viewer.note'),
  }),
  muteOpponent: verb<[id: string, muted: unknown], boolean>({
    rest: (id, muted) => part('muted', put(`games/${id}/mute`, { muted })),
    graphql: (gameId, muted) => part('muted', mutation('muteOpponent', { gameId, muted })),
  }),
  opponentMuted: verb<[id: string], boolean | null>({
    rest: (id) => part('muted', get(`games/${id}/mute`)),
    graphql: (id) => queryPart('game', { id }, 'viewer.opponentMuted'),
  }),
  blockUser: verb<[username: string], User>({
    rest: (username) => part('user', put(`me/blocks/${encodeURIComponent(username)}`)),
    graphql: (username) => part('user', mutation('blockUser', { username }, USER)),
  }),
  unblockUser: verb<[username: string], User>({
    rest: (username) => part('user', remove(`me/blocks/${encodeURIComponent(username)}`)),
    graphql: (username) => part('user', mutation('unblockUser', { username }, USER)),
  }),
  blockedUsers: verb<[page?: Body], Edges<User>>({
    rest: (page) => getEdges('me/blocks', page),
    graphql: (page) => query('blockedUsers', page, connection(USER)),
  }),
};
