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
  const exported = await get('/v1/games/{id}/export', { format: 'json' }, { id: game.id });
  write(`games/${game.id}.json`, { externalId, game, exported });
}
async function* pagesOf(route, after) {
  for (let page; page?.next !== null; after = page.next ?? after) {
    page = await get(route, { first: 100, ...(after === null ? {} : { after }) });
    yield page;
  }
}
/** The cursor of the newest page, and the external id of each game that has not ended, by its id. */
const state = existsSync(`${folder}/state.json`) ? JSON.parse(readFileSync(`${folder}/state.json`)) : { after: null, running: {} };
for (const ids = Object.keys(state.running); ids.length > 0; write('state.json', state))
  for (const game of (await get('/v1/games/by-ids', { ids: ids.splice(0, 100).join() })).items.filter((found) => found?.endedAt)) {
    await copy({ externalId: state.running[game.id], game });
    delete state.running[game.id];
  }
for await (const { items, next } of pagesOf('/v1/application/games', state.after)) {
  for (const item of items) await copy(item);
  for (const { externalId, game } of items) if (game.endedAt === null) state.running[game.id] = externalId;
  // The newest page is read again the next time: it may have grown.
  state.after = next ?? state.after;
  write('state.json', state);
}
const players = [];
for await (const { items } of pagesOf('/v1/application/players', null)) players.push(...items);
write('players.json', players);
