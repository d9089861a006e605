import request from 'supertest';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restAccounts } from '../support/accounts.js';
import { allToldOf } from '../support/changes.js';
import { close, CLOSED, registerNamed, type Named } from '../support/closing.js';
import { restDesk } from '../support/desk.js';
import { must, startStopped } from '../support/pair.js';
import { begin, NO_CLOCK, playMoves, restPlay, type By } from '../support/play.js';
import { ownTerms, restSeeks, setRating } from '../support/seeks.js';
import type { TestServer } from '../support/server.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { restWaiting } from '../support/waiting.js';

/** How a closed account is shown: in every place that names somebody, over both transports. */

let server: TestServer;
let time: StoppedTime;
let ann: Named;
let ben: Named;
let gameId: string;
let before: Record<string, string>;
let after: Record<string, string>;

const USER = '{ id username displayName closed createdAt challengesFrom challengesWithin }';
const GAMES = `edges { node { players { first ${USER} second ${USER} } export(format: "pgn") } }`;
const CHALLENGES = `edges { node { creator ${USER} opponent ${USER} } }`;

interface Place {
  readonly rest?: () => string;
  readonly graphql?: () => string;
  /** It leaves her out as soon as the account is closed. */
  readonly leaves?: true;
  /** Asked by nobody in particular: Ben has blocked her. */
  readonly anonymous?: true;
}

const PLACES: Readonly<Record<string, Place>> = {
  'a game': { rest: () => `games/${gameId}`, graphql: () => `game(id: "${gameId}") { players { first ${USER} second ${USER} } ratings: players { first { ratings { ruleset } } } }` }, // prettier-ignore
  'my games': { rest: () => 'games?list=all', graphql: () => `myGames(list: all) { ${GAMES} }` },
  'the record of a game': { rest: () => `games/${gameId}/record` },
  'a game as PGN': { rest: () => `games/${gameId}/export?format=pgn`, graphql: () => `game(id: "${gameId}") { export(format: "pgn") }` }, // prettier-ignore
  'a game as JSON': { rest: () => `games/${gameId}/export?format=json`, graphql: () => `game(id: "${gameId}") { export(format: "json") }` }, // prettier-ignore
  'the games of a user': { rest: () => `users/${ben.username}/games?format=pgn` },
  'all games': { rest: () => 'games/export' },
  search: { rest: () => `games/search?player=${ben.username}`, graphql: () => `games(filter: { player: "${ben.username}" }) { ${GAMES} }` }, // prettier-ignore
  opponents: { rest: () => `users/${ben.username}/opponents`, graphql: () => `opponents(username: "${ben.username}") { opponent ${USER} }` }, // prettier-ignore
  'challenges sent': { rest: () => 'challenges?box=outgoing', graphql: () => `challenges(box: outgoing) { ${CHALLENGES} }`, leaves: true }, // prettier-ignore
  'challenges received': { rest: () => 'challenges?box=incoming', graphql: () => `challenges(box: incoming) { ${CHALLENGES} }`, leaves: true }, // prettier-ignore
  lobby: { rest: () => 'lobby', graphql: () => `lobby { ${CHALLENGES} }`, leaves: true, anonymous: true },
  inbox: { rest: () => 'inbox', graphql: () => `inbox { edges { node { from ${USER} } } }`, leaves: true },
  notifications: {
    rest: () => 'notifications',
    graphql: () => 'notifications { edges { node { type data } } }',
  },
  blocks: { rest: () => 'me/blocks', graphql: () => `blockedUsers { edges { node ${USER} } }`, leaves: true },
  changes: { rest: () => 'changes', graphql: () => `changes(first: 50) { items { game { players { first ${USER} second ${USER} } } challenge { creator ${USER} } notification { data } blocked ${USER} } }` }, // prettier-ignore
  rematch: { rest: () => `games/${gameId}/rematch`, graphql: () => `game(id: "${gameId}") { rematch { creator ${USER} } }`, leaves: true }, // prettier-ignore
  leaderboard: { rest: () => 'leaderboards/chess', graphql: () => `leaderboard(ruleset: "chess") { edges { node { user ${USER} } } }`, leaves: true }, // prettier-ignore
};

/** What each place answers to Ben, word for word. */
async function look(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, { rest, graphql, anonymous }] of Object.entries(PLACES)) {
    const by = anonymous ? null : ben;
    const sent = rest && request(server.http).get(`/v1/${rest()}`).buffer(true);
    if (sent) texts[`${name}, REST`] = await textOf(sent, by);
    const asked =
      graphql &&
      request(server.http)
        .post('/graphql')
        .send({ query: `{ ${graphql()} }` });
    if (asked) texts[`${name}, GraphQL`] = await textOf(asked, by);
  }
  return texts;
}

async function textOf(sent: request.Test, by: By): Promise<string> {
  if (by !== null) void sent.set('Authorization', by.authorization);
  const parse = (response: NodeJS.ReadableStream, done: (error: Error | null, text: string) => void) => {
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    response.on('end', () => done(null, text));
  };
  const { body } = await sent.parse(parse as never);
  const text = body as unknown as string;
  if (text.includes('"errors"')) throw new Error(text);
  return text;
}

const placesWith = (texts: Readonly<Record<string, string>>, words: string): readonly string[] =>
  Object.keys(texts).filter((place) => texts[place]!.includes(words));

/** Something of Ann in every place. */
async function fill(): Promise<void> {
  const play = restPlay(server.http);
  const game = await begin(play, ann, ben, { rated: true });
  gameId = game.id;
  await playMoves(play, game, ['e2e4', 'e7e5'], { first: ann, second: ben });
  must(await play.resign(ben, gameId));
  must(await restWaiting(server.http).offerRematch(ann, gameId));
  const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
  must(await play.createChallenge(ann, { ...terms, opponent: ben.username }));
  must(await play.createChallenge(ben, { ...terms, opponent: ann.username }));
  must(await restSeeks(server.http).createSeek(ann, ownTerms()));
  const cid = await registerNamed(server.http, 'cid');
  await begin(play, ann, cid);
  for (const person of [ann, cid]) await setRating(server.app, person, 1600);
  await server.app.get(PrismaService).db.rating.updateMany({
    where: { userId: { in: [ann.id, cid.id] } },
    data: { deviation: 60, listedUntil: new Date(time.now().getTime() + 86_400_000) },
  });
}

beforeAll(async () => {
  [server, time] = await startStopped();
  [ann, ben] = await Promise.all([registerNamed(server.http, 'ann'), registerNamed(server.http, 'ben')]);
  await fill();
  must(await restDesk(server.http).blockUser(ben, ann.username));
  await allToldOf(server.app);
  before = await look();
  await close(restAccounts(server.http), ann);
  await allToldOf(server.app);
  after = await look();
}, 180_000);
afterAll(() => server.close());

it('is named in all these places as long as it is open', () => {
  expect(placesWith(before, ann.username)).toEqual(Object.keys(before));
});

it('is named in none of them from then on', () => {
  expect(placesWith(after, ann.username)).toEqual([]);
  expect(placesWith(after, ann.displayName)).toEqual([]);
});

it('is shown as a closed account in all of them, or left out', () => {
  const stays = Object.keys(after).filter((place) => !PLACES[place.split(',')[0]!]!.leaves);
  expect(placesWith(after, CLOSED.username)).toEqual(stays);
});

it('shows nothing of whose it was but its id', async () => {
  const { body } = await request(server.http).get(`/v1/games/${gameId}`);
  const nothing = { challengesFrom: 'nobody', challengesWithin: null };
  expect(body.players.first).toEqual({ id: ann.id, ...CLOSED, ...nothing });
  const { game } = JSON.parse(after['a game, GraphQL']!).data;
  expect(game.players.first).toEqual({ id: ann.id, ...CLOSED, ...nothing });
  expect(game.ratings.first.ratings).toEqual([]);
});

it('is told from another one by the id', async () => {
  const play = restPlay(server.http);
  const [dan, eva] = [await registerNamed(server.http, 'dan'), await registerNamed(server.http, 'eva')];
  const { id } = await begin(play, dan, eva);
  for (const person of [dan, eva]) await close(restAccounts(server.http), person);
  const { players } = must(await play.game(null, id));
  expect(players).toEqual({
    first: expect.objectContaining({ id: dan.id, ...CLOSED }),
    second: expect.objectContaining({ id: eva.id, ...CLOSED }),
  });
});

it('is found by no name, neither the old one nor that of all closed accounts', async () => {
  const asked: readonly ((name: string) => string)[] = [
    (name) => `users/${name}`,
    (name) => `users/${name}/games`,
    (name) => `users/${name}/statistics`,
    (name) => `users/${name}/opponents`,
    (name) => `users/${name}/against/${ben.username}`,
    (name) => `users/${ben.username}/against/${name}`,
    (name) => `users/${name}/ratings`,
    (name) => `users/${name}/ratings/chess`,
    (name) => `games/search?player=${name}`,
    (name) => `games/search?player=${ben.username}&opponent=${name}`,
    (name) => `expected-score?ruleset=chess&a=${name}&b=${ben.username}`,
  ];
  for (const path of asked) {
    const answer = async (name: string) => {
      const { status, body } = await request(server.http).get(`/v1/${path(name)}`);
      return [status, body.code, body.detail];
    };
    const nobody = await answer('nobody-has-this');
    expect([path(''), nobody[1]]).toEqual([path(''), 'NOT_FOUND']);
    for (const name of [ann.username, CLOSED.username]) expect(await answer(name)).toEqual(nobody);
  }
  const desk = restDesk(server.http);
  for (const name of [ann.username, CLOSED.username]) {
    expect((await desk.blockUser(ben, name)).refusal?.code).toBe('NOT_FOUND');
  }
});

it('counts no more among the players of a pool', async () => {
  time.forward(60_001);
  const players = async () =>
    (await request(server.http).get('/v1/ratings/chess/distribution')).body.players as number;
  const { db } = server.app.get(PrismaService);
  expect(await players()).toBe(
    await db.rating.count({ where: { ruleset: 'chess', user: { closedAt: null } } }),
  );
  expect(await players()).toBeGreaterThan(0);
});
