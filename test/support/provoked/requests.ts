import { newSeed } from '../chosen-deals.js';
import { NO_CLOCK } from '../play.js';
import { send, sendGraphql, type Body, type By } from '../transport.js';
import { NOWHERE, row, type Rows, type World } from './row.js';

/** Requests that are malformed, whatever they are about. */

const JSON_TYPE = { 'Content-Type': 'application/json' };

const ask =
  (query: string, variables: Body = {}) =>
  ({ server }: World) =>
    sendGraphql(server.http, query, variables);

const get =
  (path: string, by: (world: World) => By = () => null) =>
  (world: World) =>
    send(world.server.http, path, {}, by(world));

/** A challenge of Ann's, sent as this text. */
const raw =
  (body: string, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
  ({ server, ann }: World) =>
    send(server.http, '/v1/challenges', { method: 'post', body, headers }, ann);

const challenge =
  (input: Body, key?: string) =>
  ({ api, ann }: World) =>
    api.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK, ...input }, key);

const asAnn = ({ ann }: World): By => ann;
const marked =
  (which: Body) =>
  ({ api, ann }: World) =>
    api.markNotificationsRead(ann, which);

export const REQUESTS: Rows = {
  BAD_INPUT: [
    row(({ api, ann }) => api.createChallenge(ann, {}), 'ruleset is required.', { field: 'ruleset' }),
    row(({ api, ann }) => api.makeMove(ann, NOWHERE, 'one', 'e2e4'), '"one"', { field: 'ply' }),
    row(({ api, ann }) => api.makeMove(ann, NOWHERE, 1, 'e'.repeat(30)), '30', { field: 'move' }),
    row(challenge({ timecontrol: 1 }), 'timecontrol is not a known field here; did you mean timeControl?', {
      field: 'timecontrol',
    }),
    row(challenge({ timeControl: { perMove: { seconds: 60, colour: 1 } } }), 'The known fields are', {
      field: 'timeControl.perMove.colour',
    }),
    row(challenge({ clientSeed: 'x' }), 'clientSeed is not a known field here. Wait for', {
      field: 'clientSeed',
    }),
    row(challenge({ seat: 'white' }), 'seat must be one of first, second, any; got "white".', {
      field: 'seat',
    }),
    row(challenge({ rated: 'yes' }), 'rated must be true or false; got "yes".', { field: 'rated' }),
    row(
      challenge({ timeControl: {} }),
      'timeControl must have exactly one of perMove, bank and none; got none.',
      {
        field: 'timeControl',
      },
    ),
    row(challenge({ options: [] }), 'options must be an object; got an empty list.', { field: 'options' }),
    row(challenge({}, 'a key'), 'no spaces; got "a key".', { field: 'idempotencyKey', min: 1, max: 64 }),
    row(raw('{"ruleset":"chess","opponent":{"link":true},"timeControl":{"none":{}},"options":{"a":1e999}}', { ...JSON_TYPE, 'Idempotency-Key': newSeed() }), 'Numbers must be finite'), // prettier-ignore
    row(raw('{"ruleset":'), 'The body is not valid JSON.', { field: 'body' }),
    row(raw(''), 'The body must not be empty', { field: 'body' }),
    row(raw('[]'), 'The body must be an object; got an empty list.', { field: 'body' }),
    row(get('/v1/lobby?first=0'), 'first must be between 1 and 100; got 0.', { field: 'first', min: 1, max: 100 }), // prettier-ignore
    row(get('/v1/lobby?first=x'), 'first must be an integer; got "x".', { field: 'first' }),
    row(get('/v1/lobby?colour=red'), 'colour is not a known field here', { field: 'colour' }),
    row(get('/v1/me?colour=red', asAnn), '"colour" is not a known query parameter', { field: 'colour' }),
    row(get('/v1/games/%'), '"/v1/games/%"'),
    row(
      async ({ api, pair }) => api.moves(null, (await pair.after([])).id, { first: 1, last: 1 }),
      'last must not be used together with first.',
      { field: 'last' },
    ),
    row(marked({ before: 'tomorrow' }), 'before must be a time from 1970 to 9999, such as 2026-01-31T12:00:00.000Z; got "tomorrow".', { field: 'before' }), // prettier-ignore
    row(marked({ ids: ['x'] }), 'got "x"', { field: 'ids' }),
    row(marked({ ids: [1] }), 'Item 1 of ids must be a string; got 1.', { field: 'ids' }),
    row(marked({ ids: Array(101).fill('x') }), 'ids must have at most 100 items; got 101.', { max: 100 }),
    row(marked({}), 'ids, gameId and before; got none.', { field: 'body' }),
    row(
      ({ api, ann }) => api.changes(ann, { since: 'x', fromNow: true }),
      'fromNow must not be used together with since.',
      {
        field: 'fromNow',
      },
    ),
    row(ask('query ($n: Int) { lobby(first: $n) { edges { cursor } } }', { n: 'x' }), '"x"', {
      field: 'first',
    }),
    row(ask('query ($n: Int!) { lobby(first: $n) { edges { cursor } } }'), '"$n"'),
    row(ask('{ lobby(first: "x") { edges { cursor } } }'), '"x"', { field: 'first' }),
    row(ask('{ game { id } }'), '"id"', { field: 'id' }),
    row(ask('{ games(filter: { status: [ACTIVE, over] }) { edges { cursor } } }'), 'over', { field: 'filter.status.1' }), // prettier-ignore
    row(ask('{ games(filter: { createdFrom: "today" }) { edges { cursor } } }'), 'today', { field: 'filter.createdFrom' }), // prettier-ignore
    row(ask('{ lobby(first: 0) { edges { cursor } } }'), 'got 0.', { field: 'first', min: 1, max: 100 }),
    row(ask(`subscription { gameChanged(gameId: "${NOWHERE}") { id } }`), 'over WebSocket'),
  ],
  INVALID_CURSOR: [
    row(get('/v1/lobby?after=x'), 'does not belong to this list', { field: 'after' }),
    row(({ api, ann }) => api.changes(ann, { since: 'x' }), 'your changes', { field: 'since' }),
    row(({ api, ann }) => api.myEvents(ann, { after: 'x' }), 'your events', { field: 'after' }),
  ],
  CURSOR_EXPIRED: [
    row(
      async ({ api, pair }) => {
        const { cursor } = (await api.changes(pair.first, { fromNow: true })).data;
        await pair.later(91 * 86_400_000);
        return api.myEvents(pair.first, { after: cursor });
      },
      'with fromNow',
      { field: 'after' },
    ),
  ],
  NOT_FOUND: [
    row(get('/v1/games/x'), 'id must be a UUID; got "x".', { field: 'id' }),
    row(get('/v1/nothing'), '"/v1/nothing"'),
    row(get(`/v1/games/${NOWHERE}`), /game/),
    row(get('/v1/users/nobody-here'), '"nobody-here"'),
    row(({ api, ann }) => api.blockUser(ann, 'nobody-here'), '"nobody-here"', { field: 'username' }),
    row(({ api, ann }) => api.endVacation(ann, NOWHERE), NOWHERE, { field: 'id' }),
  ],
  METHOD_NOT_ALLOWED: [
    row(({ server }) => send(server.http, '/v1/games', { method: 'put' }), 'PUT is not allowed at "/v1/games"; the address accepts GET, HEAD.'), // prettier-ignore
  ],
  PAYLOAD_TOO_LARGE: [row(raw(JSON.stringify({ ruleset: 'x'.repeat(66_000) })), '65536', { max: 65_536 })],
  ADDRESS_TOO_LONG: [row(get(`/v1/games/${'x'.repeat(200)}`), '200', { max: 100 })],
  UNSUPPORTED_MEDIA_TYPE: [row(raw('<a/>', { 'Content-Type': 'application/xml' }), '"application/xml"')],
  IDEMPOTENCY_KEY_REUSED: [
    row(
      async (world) => {
        const key = newSeed();
        await challenge({ seat: 'first' }, key)(world);
        return challenge({ seat: 'second' }, key)(world);
      },
      'with a new key',
      { field: 'idempotencyKey' },
    ),
  ],
  QUERY_TOO_COSTLY: [
    row(ask(`{ ${Array.from({ length: 40 }, (_, n) => `a${n}: __typename`).join(' ')} }`), /40 root fields|40 aliases/), // prettier-ignore
    row(ask('{ games(first: 100) { edges { node { moves(first: 100) { edges { node { seq } } } } } } }'), '16000'), // prettier-ignore
  ],
  GRAPHQL_PARSE_FAILED: [row(ask('{ me('), '<EOF>')],
  GRAPHQL_VALIDATION_FAILED: [
    row(ask('{ nothing }'), '"nothing"'),
    row(ask('query ($n: String) { lobby(first: $n) { edges { cursor } } }', { n: 'x' }), '"$n"'),
  ],
  OPERATION_RESOLUTION_FAILURE: [
    row(ask('query A { __typename } query B { __typename }'), 'Must provide operation name'),
  ],
  PERSISTED_QUERY_NOT_FOUND: [
    row(({ server }) => {
      const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
      return send(server.http, '/graphql', { method: 'post', body: { extensions } });
    }, 'PersistedQueryNotFound'),
  ],
};
