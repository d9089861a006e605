// Errors and events: node packages/client/examples/errors-and-events.mjs [ADDRESS]
import { createClient, hasCode, operations } from '@halfmove/client';

const url = process.argv[2] ?? 'http://localhost:3000';
const username = `cara-${Date.now().toString(36)}`;
const password = 'a long evening in April';

const opened = createClient({ url });
await opened.register({ username, password });

// A session that goes on after a restart: store it whenever it changes.
let stored = JSON.stringify(opened.session);
const halfmove = createClient({
  url,
  session: JSON.parse(stored),
  onSession: (session) => (stored = JSON.stringify(session)),
});

// Your own document: the data is typed when graphql-codegen made it, and `unknown` when it is a plain string.
const data = await halfmove.graphql('query ($id: ID!) { ruleset(id: $id) { pieces { letter name } } }', {
  id: 'xiangqi',
});
console.log(JSON.stringify(data));

// The REST API, with the types of openapi.json.
const rulesets = await halfmove.rest.GET('/v1/rulesets');
for (const { id, name } of rulesets.data.items) console.log(`${id}: ${name}`);

const opponent = { username: 'nobody-has-this-name' };
const terms = { ruleset: 'chess', opponent, timeControl: { none: {} } };
try {
  await halfmove.graphql(operations.createChallenge, { input: terms });
} catch (error) {
  if (!hasCode(error, 'NOT_FOUND')) throw error;
  console.log(`${error.code}: ${error.message} Change ${error.field}.`);
}

/** What concerns the user, from where it was left; read again what may have been missed when that was too long ago. */
async function* eventsSince(after, signal) {
  try {
    yield* halfmove.events({ after, signal });
  } catch (error) {
    if (!hasCode(error, 'CURSOR_EXPIRED')) throw error;
    const now = await halfmove.rest.GET('/v1/changes', { params: { query: { fromNow: true } } });
    // Read your games and challenges here, then go on.
    yield* halfmove.events({ after: now.data.cursor, signal });
  }
}

const { data: me } = await halfmove.rest.PATCH('/v1/me', { body: { displayName: 'Cara Lee' } });
console.log(me.user.displayName);
const { myEvents } = await halfmove.graphql(operations.myEvents, { first: 1 });
await halfmove.rest.PATCH('/v1/me', { body: { displayName: 'Cara' } });

const leaving = new AbortController();
for await (const event of eventsSince(myEvents.edges[0].node.id, leaving.signal)) {
  console.log(`${event.type} at ${event.at}`);
  leaving.abort();
}
await halfmove.logout();
