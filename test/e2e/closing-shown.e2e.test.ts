import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLInterfaceType } from 'graphql';
import { playerAt } from '../support/api-types.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS, VERBS } from '../support/api.js';
import { untilChangesVisible } from '../support/changes.js';
import { close, CLOSED, type Named, registerNamed } from '../support/closed-accounts.js';
import { ANY_PLAYER, PLAYER, USER } from '../support/documents.js';
import { startStopped } from '../support/pair.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import { ownTerms, setRating } from '../support/seeks.js';
import type { TestServer } from '../support/server.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { type Answer, type By, must, select } from '../support/transport.js';

/** How a closed account is shown wherever a user is named, over both transports. */

let server: TestServer;
let time: StoppedTime;
let ann: Named;
let ben: Named;
let gameId: string;
let before: Record<string, string>;
let after: Record<string, string>;

const EXPORTS = '{ edges { node { export(format: PGN) } } }';
const CHANGED = `{
  game { players { player ${PLAYER} } } challenge { creator ${ANY_PLAYER} } notification { data } blocked ${USER}
}`;

interface Place {
  readonly ask: (api: Api, by: By) => Promise<Answer<unknown>>;
  /** The transports that have it, if not both. */
  readonly over?: 'REST' | 'GraphQL';
  /** It omits her as soon as the account is closed. */
  readonly leaves?: true;
  /** Requested anonymously: Ben has blocked her. */
  readonly anonymous?: true;
}

const PLACES: Readonly<Record<string, Place>> = {
  'a game': { ask: (api, by) => api.game(by, gameId) },
  'my games': { ask: (api, by) => api.myGames(by, { list: 'all' }) },
  'my games as PGN': {
    ask: (_, by) => select(server.http, by, VERBS.myGames.graphql({ list: 'all' }), EXPORTS),
    over: 'GraphQL',
  },
  'all games': { ask: (api, by) => api.exportGames(by), over: 'REST' },
  search: { ask: (api, by) => api.games(by, { player: ben.username }) },
  'search as PGN': {
    ask: (_, by) => select(server.http, by, VERBS.games.graphql({ player: ben.username }), EXPORTS),
    over: 'GraphQL',
  },
  opponents: { ask: (api, by) => api.opponents(by, ben.username) },
  'challenges sent': { ask: (api, by) => api.challenges(by, { box: 'outgoing' }), leaves: true },
  'challenges received': { ask: (api, by) => api.challenges(by, { box: 'incoming' }), leaves: true },
  lobby: { ask: (api, by) => api.lobby(by), leaves: true, anonymous: true },
  inbox: { ask: (api, by) => api.inbox(by), leaves: true },
  notifications: { ask: (api, by) => api.notifications(by) },
  blocks: { ask: (api, by) => api.blockedUsers(by), leaves: true },
  changes: { ask: (api, by) => api.changes(by, { first: 50 }, CHANGED) },
  rematch: { ask: (api, by) => api.rematch(by, gameId), leaves: true },
  leaderboard: { ask: (api, by) => api.leaderboard(by, 'chess'), leaves: true },
};

/** What each place answers to Ben, word for word. */
async function look(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, { ask, over, anonymous }] of Object.entries(PLACES)) {
    for (const [transport, apiOver] of TRANSPORTS) {
      if (over !== undefined && over !== transport) continue;
      const { text } = await ask(apiOver(server.http), anonymous ? null : ben);
      if (text.includes('"errors"')) throw new Error(text);
      texts[`${name}, ${transport}`] = text;
    }
  }
  return texts;
}

const placesWith = (texts: Readonly<Record<string, string>>, words: string): readonly string[] =>
  Object.keys(texts).filter((place) => texts[place]!.includes(words));

/** Something of Ann's in every place. */
async function fill(): Promise<void> {
  const api = restApi(server.http);
  const game = await begin(api, ann, ben, { rated: true });
  gameId = game.id;
  await playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: ben });
  must(await api.resign(ben, gameId));
  must(await api.offerRematch(ann, gameId));
  const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
  must(await api.createChallenge(ann, { ...terms, opponent: ben.username }));
  must(await api.createChallenge(ben, { ...terms, opponent: ann.username }));
  must(await api.createSeek(ann, ownTerms()));
  const cid = await registerNamed(server.http, 'cid');
  await begin(api, ann, cid);
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
  must(await restApi(server.http).blockUser(ben, ann.username));
  await untilChangesVisible(server.app);
  before = await look();
  await close(restApi(server.http), ann);
  await untilChangesVisible(server.app);
  after = await look();
});
afterAll(() => server.close());

it('is named in all these places while it is open', () => {
  expect(placesWith(before, ann.username)).toEqual(Object.keys(before));
});

it('is named in none of them once closed', () => {
  expect(placesWith(after, ann.username)).toEqual([]);
  expect(placesWith(after, ann.displayName)).toEqual([]);
});

it('is shown as a closed account in all of them, or omitted', () => {
  const stays = Object.keys(after).filter((place) => !PLACES[place.split(',')[0]!]!.leaves);
  expect(placesWith(after, CLOSED.username)).toEqual(stays);
});

it('is a user still, since only a player of an application has no username', async () => {
  const type = server.app.get(GraphQLSchemaHost).schema.getType('Player') as GraphQLInterfaceType;
  const player = { id: ann.id, displayName: 'x', closed: false };
  const typeOf = (username: string | null) =>
    type.resolveType!({ ...player, username }, {}, {} as never, type);
  expect([typeOf('ann'), typeOf(CLOSED.username), typeOf(null)]).toEqual(['User', 'User', 'ManagedPlayer']);
  const names = '{ players { seat player { __typename username } } }';
  const shown = await select(server.http, ben, VERBS.game.graphql(gameId), names);
  expect(shown.data.players[0].player).toEqual({ __typename: 'User', username: CLOSED.username });
});

it('shows nothing of its owner but its id', async () => {
  const nothing = { challengesFrom: 'nobody', challengesWithin: null, guest: false };
  for (const [, over] of TRANSPORTS) {
    const game = must(await over(server.http).game(null, gameId));
    expect(playerAt(game, 'first')).toEqual({ id: ann.id, ...CLOSED, ...nothing });
  }
  const rated = await select(
    server.http,
    ben,
    VERBS.game.graphql(gameId),
    '{ players { player { ... on User { ratings { rating } } } } }',
  );
  expect(must(rated).players[0].player).toEqual({ ratings: [] });
});

it('is distinguished from another by its id', async () => {
  const api = restApi(server.http);
  const [dan, eva] = [await registerNamed(server.http, 'dan'), await registerNamed(server.http, 'eva')];
  const { id } = await begin(api, dan, eva);
  for (const person of [dan, eva]) await close(api, person);
  const game = must(await api.game(null, id));
  expect(playerAt(game, 'first')).toMatchObject({ id: dan.id, ...CLOSED });
  expect(playerAt(game, 'second')).toMatchObject({ id: eva.id, ...CLOSED });
});

it('is not found by any name: its old one, or that of closed accounts', async () => {
  const api = restApi(server.http);
  const asked: readonly ((name: string) => Promise<Answer<unknown>>)[] = [
    (name) => api.user(null, name),
    (name) => api.exportGamesOf(null, name),
    (name) => api.statistics(null, name),
    (name) => api.opponents(null, name),
    (name) => api.headToHead(null, name, ben.username),
    (name) => api.headToHead(null, ben.username, name),
    (name) => api.ratings(null, name),
    (name) => api.ratingHistory(null, name, 'chess'),
    (name) => api.games(null, { player: name }),
    (name) => api.games(null, { player: ben.username, opponent: name }),
    (name) => api.expectedScore(null, { pool: 'chess', a: name, b: ben.username }),
  ];
  for (const [at, ask] of asked.entries()) {
    const answer = async (name: string) => {
      const { status, refusal, message } = await ask(name);
      return [status, refusal?.code, message?.replace(name, 'NAME')];
    };
    const nobody = await answer('nobody-has-this');
    expect([at, nobody[1]]).toEqual([at, 'NOT_FOUND']);
    for (const name of [ann.username, CLOSED.username]) expect(await answer(name)).toEqual(nobody);
  }
  for (const name of [ann.username, CLOSED.username]) {
    expect((await api.blockUser(ben, name)).refusal?.code).toBe('NOT_FOUND');
  }
});

it('is no longer counted among the players of a pool', async () => {
  time.forward(60_001);
  const players = async () => must(await restApi(server.http).ratingDistribution(null, 'chess')).players;
  const { db } = server.app.get(PrismaService);
  expect(await players()).toBe(
    await db.rating.count({ where: { ruleset: 'chess', user: { closedAt: null } } }),
  );
  expect(await players()).toBeGreaterThan(0);
});
