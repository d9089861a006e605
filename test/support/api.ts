import { APPLICATIONS } from './operations/applications.js';
import { ACCOUNTS } from './operations/accounts.js';
import { CHANGES } from './operations/changes.js';
import { EVENTS } from './operations/events.js';
import { EXPORTS } from './operations/exports.js';
import { GAMES } from './operations/games.js';
import { HISTORY } from './operations/history.js';
import { IMPORTS } from './operations/imports.js';
import { MATCHMAKING } from './operations/matchmaking.js';
import { MESSAGES } from './operations/messages.js';
import { NOTIFICATIONS } from './operations/notifications.js';
import { RATINGS } from './operations/ratings.js';
import { RULESETS } from './operations/rulesets.js';
import { VACATIONS } from './operations/vacations.js';
import { WEBHOOKS } from './operations/webhooks.js';
import { speak, type Spoken } from './verb.js';
import type { Http } from './transport.js';

/** The whole API for tests: one function per operation, with the same answers over GraphQL and REST. */

export const VERBS = {
  ...ACCOUNTS,
  ...APPLICATIONS,
  ...GAMES,
  ...MATCHMAKING,
  ...MESSAGES,
  ...NOTIFICATIONS,
  ...VACATIONS,
  ...CHANGES,
  ...EVENTS,
  ...RATINGS,
  ...HISTORY,
  ...RULESETS,
  ...IMPORTS,
  ...EXPORTS,
  ...WEBHOOKS,
};

export type Api = Spoken<typeof VERBS>;

export const restApi = (http: Http): Api => speak(VERBS, 'REST', http);
export const graphqlApi = (http: Http): Api => speak(VERBS, 'GraphQL', http);

export const TRANSPORTS = [
  ['GraphQL', graphqlApi],
  ['REST', restApi],
] as const;
