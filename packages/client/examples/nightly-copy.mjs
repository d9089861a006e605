// A copy of all games and ratings: HALFMOVE=... APPLICATION_ID=... APPLICATION_SECRET=... node nightly-copy.mjs FOLDER
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createApplicationClient } from '@halfmove/client/server';

const [{ HALFMOVE, APPLICATION_ID, APPLICATION_SECRET }, folder] = [process.env, process.argv[2]];
const { rest } = createApplicationClient({ url: HALFMOVE, id: APPLICATION_ID, secret: APPLICATION_SECRET });
const get = async (route, query, path) => (await rest.GET(route, { params: { query, path } })).data;
mkdirSync(`${folder}/games`, { recursive: true });
/** Replaces a file at once, so that a copy that is cut leaves no half of one. */
function write(name, content) {
  writeFileSync(`${folder}/${name}.new`, JSON.stringify(content));
  renameSync(`${folder}/${name}.new`, `${folder}/${name}`);
}
async function copy({ externalId, game }) {
  // A game that waits for a client seed has no position yet; its start is an event.
  const exported = game.status === 'pending' ? null : await get('/v1/games/{id}/export', { format: 'json' }, { id: game.id });
  write(`games/${game.id}.json`, { externalId, game, exported });
}
async function* pagesOf(route, after) {
  for (let page; page?.next !== null; yield page) page = await get(route, { first: 100, after: page?.next ?? after });
}
// Where the events end now: what happens from here on is copied the next night.
const { next: now } = await get('/v1/application/events', { fromNow: true });
const first = { place: now, listed: null };
/** All until `place` is in the copy, once the list of all games has been read; `listed` is how far, absent after its end. */
let state = existsSync(`${folder}/state.json`) ? JSON.parse(readFileSync(`${folder}/state.json`)) : first;
const { code } = await get('/v1/application/events', { first: 1, after: state.place }).catch((error) => error);
if (code === 'CURSOR_EXPIRED') state = first;
const [changed, players] = [new Set(), []];
for await (const { items } of pagesOf('/v1/application/events', state.place)) for (const { gameId } of items) changed.add(gameId);
for await (const { items, next } of state.listed === undefined ? [] : pagesOf('/v1/application/games', state.listed)) {
  for (const item of items) await copy(item);
  write('state.json', { ...state, listed: next ?? undefined });
}
for (const ids = [...changed]; ids.length > 0; )
  for (const item of (await get('/v1/application/games', { first: 100, ids: ids.splice(0, 100).join() })).items) await copy(item);
write('state.json', { place: first.place });
for await (const { items } of pagesOf('/v1/application/players')) players.push(...items);
write('players.json', players);
