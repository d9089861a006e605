import { logged } from './log.mjs';
import { announced, newSeed } from './seeds.mjs';

/** The objects that the rows of the table use, and a scene in which each of them contains private data. */

const PGN = '[Event "canary-event"]\n[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';

const idOf = async (made) => (await made).id;

async function ended(api, { owner, opponent }) {
  const { id } = await api.game(owner, opponent);
  await api.well(owner, 'POST', `/v1/games/${id}/resign`);
  return id;
}

async function rematched(api, people) {
  const id = await ended(api, people);
  await api.well(people.owner, 'POST', `/v1/games/${id}/rematch`);
  return id;
}

let seeks = 0;

/** Unique terms, so that no seek is matched. */
const seekTerms = () => ({
  ruleset: 'xiangqi',
  timeControl: { perMove: { seconds: 86_400 + (seeks += 1) } },
});

const seek = async (api, owner, more = {}) =>
  (await api.well(owner, 'POST', '/v1/seeks', { ...seekTerms(), ...more })).challenge;

export const MAKERS = {
  game: (api, { owner, opponent }) => idOf(api.game(owner, opponent)),
  ended,
  rematched,
  pending: (api, { owner, opponent }) => announced((clientSeedHash) => api.game(owner, opponent, { clientSeedHash })), // prettier-ignore
  logged: async (api, { owner, opponent }) => logged(api, await idOf(api.game(owner, opponent)), 'open'),
  direct: (api, { owner, opponent }) => idOf(api.challenge(owner, opponent)),
  link: (api, { owner }) => idOf(api.challenge(owner, null)),
  seek: (api, { owner }) => announced((clientSeedHash) => seek(api, owner, { clientSeedHash })), // prettier-ignore
  import: async (api, { owner }) =>
    (await api.well(owner, 'POST', '/v1/imports', { text: PGN })).importedGames[0].id,
  vacation: (api, { owner }) => idOf(freshVacation(api, owner)),
  ann: (_, { owner }) => owner.id,
  sessions: () => null,
};

/** The days of vacation in a year are limited, so the previous one is cancelled first. */
async function freshVacation(api, owner) {
  const { items } = await api.well(owner, 'GET', '/v1/me/vacations');
  for (const { id, status } of items)
    if (status === 'planned') await api.well(owner, 'POST', `/v1/me/vacations/${id}/end`);
  const startsAt = new Date(Date.now() + 20 * 86_400_000).toISOString();
  return (await api.well(owner, 'POST', '/v1/me/vacations', { days: 1, startsAt })).vacation;
}

/** What the owner and the opponent see of an object. A refused request must not change it. */
export async function lookOf(api, { owner, opponent }, thing, id) {
  const paths = LOOKS[thing]?.(id) ?? [];
  const texts = [];
  for (const by of [owner, opponent])
    for (const path of paths) texts.push((await api.rest(by, 'GET', path)).text.replace(/"requestId":"[^"]*"|"remaining":\d+/g, '')); // prettier-ignore
  return texts.join('\n');
}

const gamePaths = (id) => ['', '/conditional-moves', '/messages', '/note', '/mute', '/log', '/events'].map((part) => `/v1/games/${id}${part}`); // prettier-ignore
const challengePaths = (id) => [`/v1/challenges/${id}`];

const LOOKS = {
  game: gamePaths,
  ended: gamePaths,
  pending: gamePaths,
  rematched: gamePaths,
  direct: challengePaths,
  link: challengePaths,
  seek: challengePaths,
  import: (id) => [`/v1/imports/${id}`, `/v1/imports/${id}/moves`],
  vacation: () => ['/v1/me/vacations'],
};

const BOTH = ['owner', 'opponent'];

/**
 * A canary is a text that only some actors may see. With `seen` they must see it, or else the search proves
 * nothing.
 */
const canary = (name, text, who, seen = true) => ({ name, text, who, seen });

async function talk(api, { owner, opponent }, id) {
  await api.well(owner, 'PUT', `/v1/games/${id}/note`, { note: 'canary-note-of-owner' });
  await api.well(opponent, 'PUT', `/v1/games/${id}/note`, { note: 'canary-note-of-opponent' });
  await api.well(owner, 'POST', `/v1/games/${id}/messages`, { text: 'canary-message' });
}

/** Each player sets conditional moves in the game in which the other is to move. */
async function plan(api, { owner, opponent }, scene) {
  await api.play(scene.game, [owner, opponent], ['e2e4']);
  await api.well(owner, 'PUT', `/v1/games/${scene.game}/conditional-moves`, { tree: [{ when: 'h7h5', reply: 'a2a3' }] }); // prettier-ignore
  await api.well(opponent, 'PUT', `/v1/games/${scene.other}/conditional-moves`, { tree: [{ when: 'h2h4', reply: 'a7a6' }] }); // prettier-ignore
  await api.well(opponent, 'POST', `/v1/games/${scene.game}/pause`, {});
}

const sidOf = ({ token }) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).sid;

/** One object of each kind, with private data in each. */
export async function setScene(api, people) {
  const { owner, opponent, blocked } = people;
  const scene = {};
  for (const thing of Object.keys(MAKERS)) scene[thing] = await MAKERS[thing](api, people);
  scene.other = await idOf(api.game(owner, opponent));
  scene.banqi = await idOf(api.game(owner, opponent, { ruleset: 'banqi-taiwan' }));
  await api.play(scene.banqi, [owner, opponent], ['a1', 'b1']);
  await talk(api, people, scene.game);
  await plan(api, people, scene);
  await api.well(owner, 'PUT', `/v1/me/blocks/${blocked.username}`);
  const secret = await withSeed(api, owner, await api.challenge(owner, opponent));
  const sought = await withSeed(api, owner, await seek(api, owner)); // prettier-ignore
  const { linkToken } = await api.well(owner, 'GET', `/v1/challenges/${scene.link}`);
  await api.challenge(opponent, owner);
  return { scene, linkToken, canaries: canariesOf(people, scene, { secret, sought, linkToken }) };
}

/** The creator reveals the client seed of an open challenge; others may see only its hash. */
async function withSeed(api, owner, { id }) {
  const clientSeed = newSeed();
  await api.well(owner, 'POST', `/v1/challenges/${id}/client-seed`, { clientSeed });
  return { id, clientSeed };
}

const canariesOf = ({ owner, opponent, blocked }, scene, { secret, sought, linkToken }) => [
  canary('the note of the owner', 'canary-note-of-owner', ['owner']),
  canary('the note of the opponent', 'canary-note-of-opponent', ['opponent']),
  canary('a message', 'canary-message', BOTH),
  canary('conditional moves of the owner', '"when":"h7h5"', ['owner']),
  canary('conditional moves of the opponent', '"when":"h2h4"', ['opponent']),
  canary('the token of a link', linkToken, ['owner']),
  canary('the id of a link challenge', scene.link, ['owner']),
  canary('the id of a challenge', secret.id, BOTH),
  canary('the client seed of an open challenge', secret.clientSeed, ['owner'], false),
  canary('the client seed of an open seek', sought.clientSeed, ['owner'], false),
  canary('the block list of the owner', blocked.id, ['owner']),
  canary('the id of a vacation', scene.vacation, ['owner']),
  canary('the session of the owner', sidOf(owner), ['owner'], false),
  canary('the session of the opponent', sidOf(opponent), ['opponent'], false),
  canary('the refresh token of the owner', owner.refreshToken, [], false),
  canary('the password of the owner', owner.password, [], false),
];
