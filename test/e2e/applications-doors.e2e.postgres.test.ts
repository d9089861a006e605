import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountsService } from '../../src/features/accounts/accounts.service.js';
import { ApplicationsService } from '../../src/features/applications/applications.service.js';
import { AuthService } from '../../src/features/auth/auth.service.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { untilChangesVisible } from '../support/changes.js';
import { openStream } from '../support/event-streams.js';
import type { Application } from '../support/operations/applications.js';
import type { Happened } from '../support/operations/events.js';
import { ownFile } from '../support/own-data.js';
import { bearer, PASSWORD, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { sharedServer, startServer, type TestServer } from '../support/server.js';
import {
  type Bearer,
  codesOf,
  FOOLS_MATE,
  newGame,
  newSite,
  pairOf,
  playAs,
  SITE,
  type Site,
  withToken,
} from '../support/sites.js';
import { openSocket } from '../support/sockets.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** What comes out of an application: its events, messages and exports, and players who become persons. */

// Both databases: events are read by an index and in the order of transactions, and claims wait for locks.

const HOUR_MS = 3_600_000;

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
afterAll(() => server.close());

const newName = () => `claimed-${randomUUID().slice(0, 8)}`;
const secretIn = ({ url }: { readonly url: string }): string => {
  const { pathname, hash } = new URL(url);
  expect(pathname).toBe('/claim');
  return hash.slice(1);
};
const typesOf = (events: readonly Pick<Happened, 'type'>[]) => events.map(({ type }) => type);

describe.each(TRANSPORTS)('over %s', (transport, over) => {
  let api: Api;
  let site: Site;
  beforeEach(async () => {
    api = over(server.http);
    site = await newSite(api, server.http);
  });

  /** The claim of the player of a link. */
  const ways = (link: { readonly url: string }, more: Body = {}): Body => ({
    ...{ token: secretIn(link), username: newName(), password: PASSWORD },
    ...more,
  });

  it('gives a player who is claimed a way in, and loses them', async () => {
    const pair = await pairOf(api, site, { rated: true });
    const { players, game } = pair;
    const before = must(await api.ownPlayer(site.by, 'ann'));
    const link = must(await api.createClaimLink(site.by, 'ann'));
    // On a shared database the log waits for transactions of others.
    await untilChangesVisible(server.app);
    const { items, next: now } = must(await api.ownEvents(site.by, { fromNow: true }));
    expect(items).toEqual([]);
    const session = must(await api.claimPlayer(null, ways(link, { username: newName() })));
    const person = bearer(session);
    let told: readonly Happened[] = [];
    for (let tries = 0; tries < 100 && told.length === 0; tries++) {
      await pause(50);
      told = must(await api.ownEvents(site.by, { after: now! })).items;
    }
    expect(told).toMatchObject([{ type: 'playerLeft', subject: 'ann', gameId: null }]);
    expect(session.user).toMatchObject({
      id: before.id,
      displayName: 'Member ann',
      guest: false,
      closed: false,
    });
    // The tokens of the player end, and the application finds nobody under the old name.
    expect((await api.makeMove(players.first, game.id, 1, 'f2f3')).refusal?.code).toBe('UNAUTHENTICATED');
    const refused = [await api.ownPlayer(site.by, 'ann'), await api.createPlayerToken(site.by, 'ann'), await api.erasePlayer(site.by, 'ann'), await api.createClaimLink(site.by, 'ann')]; // prettier-ignore
    expect(codesOf(refused)).toEqual(Array(4).fill('NOT_FOUND'));
    // The game goes on, and is still one of the application: its rating stays there.
    const ended = await playAs(api, { game, players: { ...players, first: person } }, FOOLS_MATE);
    expect(ended.players.map(({ player }) => player.username)).toEqual([session.user.username, null]);
    expect(must(await api.ownGames(site.by, {})).edges.map(({ node }) => node.game.id)).toContain(game.id);
    expect(holds(verify(await server.app.get(GamesService).record(game.id)))).toBe(true);
    const pool = `application:${site.id}:chess`;
    const ratings = must(await api.ratings(null, session.user.username))!;
    expect(ratings.map((rating) => rating.pool.id)).toEqual([pool]);
    expect((await ownFile(server.http, person)).of('ratingPoint')).toMatchObject([{ pool: { id: pool } }]);
    // Under the old name there is a new player from now on.
    expect(must(await api.savePlayer(site.by, 'ann', 'Ann')).id).not.toBe(before.id);
    must(await api.login(null, { username: session.user.username, password: PASSWORD }));
    const seek = must(await api.createSeek(person, { ruleset: 'chess', timeControl: NO_CLOCK, rated: true }));
    must(await api.cancelChallenge(person, seek.id));
  });

  it('tells whom a link is for, as often as it is asked, and changes nothing', async () => {
    const { players } = await pairOf(api, site);
    const link = must(await api.createClaimLink(site.by, 'ann'));
    const read = async () => ({
      player: must(await api.ownPlayer(site.by, 'ann')),
      events: must(await api.ownEvents(site.by)),
      games: must(await api.myGames(players.first)),
    });
    const before = await read();
    const look = {
      displayName: 'Member ann',
      application: { id: site.id, name: SITE.name, url: `${SITE.url}/` },
    };
    // Whoever is signed in, be it with a token that is valid no more.
    const askers = [null, players.second, site.owner, { authorization: 'Bearer x' }];
    for (const by of askers) expect((await api.lookAtClaim(by, secretIn(link))).data).toEqual(look);
    expect(await read()).toEqual(before);
    must(await api.savePlayer(site.by, 'ann', 'Ann Lee'));
    expect(must(await api.lookAtClaim(null, secretIn(link))).displayName).toBe('Ann Lee');
    expect(must(await api.claimPlayer(null, ways(link))).user.id).toBe(before.player.id);
  });

  it('refuses to tell of a link as it refuses to use it', async () => {
    await pairOf(api, site);
    const claims = async (token: string) => {
      const { refusal } = await api.claimPlayer(null, { token, username: newName(), password: PASSWORD });
      return refusal!;
    };
    const made = async (externalId: string) => secretIn(must(await api.createClaimLink(site.by, externalId)));
    const expectRefused = async (token: string) => {
      const { refusal } = await api.lookAtClaim(null, token);
      expect(refusal).toMatchObject({ code: 'INVALID_LINK', field: 'token' });
      expect(refusal).toEqual(await claims(token));
    };
    await expectRefused(randomBytes(32).toString('base64url'));
    await expectRefused('');
    const [first, second] = [await made('ben'), await made('ben')];
    await expectRefused(first);
    time.forward(HOUR_MS);
    await expectRefused(second);
    time.forward(-HOUR_MS);
    const erased = await made('ann');
    must(await api.erasePlayer(site.by, 'ann'));
    await expectRefused(erased);
    must(await api.savePlayer(site.by, 'ann', 'Ann'));
    const ofDeleted = await made('ann');
    const service = server.app.get(ApplicationsService);
    await service.suspend(site.id, true);
    await expectRefused(second);
    await service.suspend(site.id, false);
    must(await api.claimPlayer(null, { token: second, username: newName(), password: PASSWORD }));
    await expectRefused(second);
    must(await api.deleteApplication(site.owner, site.id));
    await expectRefused(ofDeleted);
  });

  it('lets nobody claim without its link, which works once, for an hour, and is replaced by the next', async () => {
    const { players } = await pairOf(api, site);
    const first = must(await api.createClaimLink(site.by, 'ben'));
    const second = must(await api.createClaimLink(site.by, 'ben'));
    const claim = async (link: { readonly url: string }) =>
      (await api.claimPlayer(null, ways(link))).refusal?.code;
    expect(await claim(first)).toBe('INVALID_LINK');
    expect(await claim({ url: 'https://a.example/claim#x' })).toBe('INVALID_LINK');
    time.forward(HOUR_MS);
    expect(await claim(second)).toBe('INVALID_LINK');
    time.forward(-HOUR_MS);
    const other = await newSite(api, server.http);
    expect((await api.createClaimLink(other.by, 'ben')).refusal?.code).toBe('NOT_FOUND');
    const proof = { refreshToken: 'x', username: newName(), password: PASSWORD };
    expect((await api.claimAccount(players.second, proof)).refusal?.code).toBe('FORBIDDEN');
    const third = must(await api.createClaimLink(site.by, 'ben'));
    must(await api.claimPlayer(null, ways(third)));
    expect(await claim(third)).toBe('INVALID_LINK');
  });

  it('lets nobody claim a player who was erased, nor one of an application that is suspended', async () => {
    await pairOf(api, site);
    const links = [
      must(await api.createClaimLink(site.by, 'ann')),
      must(await api.createClaimLink(site.by, 'ben')),
    ];
    must(await api.erasePlayer(site.by, 'ann'));
    const service = server.app.get(ApplicationsService);
    await service.suspend(site.id, true);
    const refused = [
      await api.claimPlayer(null, ways(links[0]!)),
      await api.claimPlayer(null, ways(links[1]!)),
    ];
    expect(codesOf(refused)).toEqual(['INVALID_LINK', 'INVALID_LINK']);
    await service.suspend(site.id, false);
    must(await api.claimPlayer(null, ways(links[1]!)));
  });

  it('ends the links to claim its players with a secret, which may have made them', async () => {
    await pairOf(api, site);
    const other = await newSite(api, server.http);
    await pairOf(api, other);
    const links = [
      must(await api.createClaimLink(site.by, 'ann')),
      must(await api.createClaimLink(other.by, 'ann')),
    ];
    const [{ secrets }] = must(await api.myApplications(site.owner)) as [Application];
    const next = must(await api.createApplicationSecret(site.owner, site.id)).secret;
    must(await api.deleteApplicationSecret(site.owner, site.id, secrets[0]!.id));
    expect((await api.claimPlayer(null, ways(links[0]!))).refusal?.code).toBe('INVALID_LINK');
    must(await api.claimPlayer(null, ways(links[1]!)));
    const by = withToken(must(await api.createApplicationToken(null, site.id, next)));
    must(await api.claimPlayer(null, ways(must(await api.createClaimLink(by, 'ann')))));
  });

  it('keeps the account of who claims it while it is being erased', async () => {
    await pairOf(api, site);
    const given = ways(must(await api.createClaimLink(site.by, 'ann')));
    const accounts = server.app.get(AccountsService);
    const close = accounts.closePlayer.bind(accounts);
    accounts.closePlayer = async (id) => {
      must(await api.claimPlayer(null, given));
      return close(id);
    };
    const { refusal } = await api.erasePlayer(site.by, 'ann');
    Reflect.deleteProperty(accounts, 'closePlayer');
    expect(refusal?.code).toBe('NOT_FOUND');
    const { user } = must(await api.login(null, { username: given['username'], password: PASSWORD }));
    expect(user).toMatchObject({ displayName: 'Member ann', closed: false });
  });

  it('is not claimed by who comes after it was erased', async () => {
    await pairOf(api, site);
    const given = ways(must(await api.createClaimLink(site.by, 'ann')));
    const auth = server.app.get(AuthService);
    const hash = auth.hashNew.bind(auth);
    auth.hashNew = async (...args) => {
      must(await api.erasePlayer(site.by, 'ann'));
      return hash(...args);
    };
    const { refusal } = await api.claimPlayer(null, given);
    Reflect.deleteProperty(auth, 'hashNew');
    expect(refusal?.code).toBe('INVALID_LINK');
  });

  it('leaves a name that is taken, and the link, to try again', async () => {
    const taken = await register(server.http, 'taken');
    await pairOf(api, site);
    const link = must(await api.createClaimLink(site.by, 'ann'));
    const refused = [
      await api.claimPlayer(null, ways(link, { username: taken.username })),
      await api.claimPlayer(null, ways(link, { password: 'password' })),
      await api.claimPlayer(null, ways(link, { username: 'a' })),
    ];
    expect(codesOf(refused)).toEqual(['USERNAME_TAKEN', 'PASSWORD_TOO_COMMON', 'BAD_INPUT']);
    must(await api.claimPlayer(null, ways(link)));
  });

  it('reads in the record of a rematch which game it follows', async () => {
    const { players, game } = await pairOf(api, site);
    must(await api.resign(players.first, game.id));
    const { id } = must(await api.offerRematch(players.second, game.id));
    must(await api.acceptChallenge(players.first, id));
    const followed = async (gameId: string) =>
      must(await restApi(server.http).record(null, gameId)).rows[0]!.data['rematchOf'];
    expect([await followed(id), await followed(game.id)]).toEqual([game.id, null]);
  });

  it('reads the events of its games and of no others, without what concerns one player alone', async () => {
    const end = must(await api.ownEvents(site.by));
    expect(end.items).toEqual([]);
    const pair = await pairOf(api, site, { rated: true });
    const { players, game } = pair;
    const other = await newSite(api, server.http);
    await playAs(api, await pairOf(api, other), ['e2e4']);
    must(await api.setConditionalMoves(players.second, game.id, [{ when: 'f2f3', reply: 'e7e5' }]));
    must(await api.setNote(players.second, game.id, 'mine'));
    must(await api.sendMessage(players.first, game.id, 'Good luck'));
    await playAs(api, pair, FOOLS_MATE.slice(0, 1));
    await playAs(api, { players, game: must(await api.game(null, game.id)) }, FOOLS_MATE.slice(2));
    const all = async () => {
      const found: Happened[] = [];
      for (let after: string | undefined; ; after = found.at(-1)!.id) {
        const { items } = must(
          await api.ownEvents(site.by, { first: 3, ...(after === undefined ? {} : { after }) }),
        );
        if (items.length === 0) return found;
        found.push(...items);
      }
    };
    let events = await all();
    // Ratings change soon after the end.
    for (let tries = 0; tries < 100 && !typesOf(events).includes('ratingChanged'); tries++) {
      await pause(50);
      events = await all();
    }
    expect(new Set(events.map(({ gameId }) => gameId))).toEqual(new Set([game.id]));
    expect(typesOf(events)).toEqual(['accept', 'start', 'messageSent', 'ply', 'ply', 'ply', 'ply', 'end', 'ratingChanged', 'ratingChanged']); // prettier-ignore
    const [message] = must(await api.ownMessages(site.by)).edges.map(({ node }) => node);
    expect(message).toMatchObject({ gameId: game.id, player: 'first', text: 'Good luck' });
    expect(events.find(({ type }) => type === 'messageSent')!.subject).toBe(message!.id);
    expect(must(await api.ownMessages(other.by)).edges).toEqual([]);
    expect(must(await api.ownMessages(other.by, { gameId: game.id })).edges).toEqual([]);
    expect(must(await api.ownMessages(site.by, { gameId: game.id })).edges).toHaveLength(1);
    // Cursors of one application are no places in the events of another.
    const both = await api.ownEvents(site.by, { after: events[0]!.id, fromNow: true });
    expect(both.refusal).toMatchObject({ code: 'BAD_INPUT', field: 'fromNow' });
    expect((await api.ownEvents(other.by, { after: events[0]!.id })).refusal?.code).toBe('INVALID_CURSOR');
    const strangers = [await api.ownEvents(players.first), await api.ownEvents(null), await api.ownMessages(site.owner)]; // prettier-ignore
    expect(codesOf(strangers)).toEqual(['INSUFFICIENT_SCOPE', 'UNAUTHENTICATED', 'INSUFFICIENT_SCOPE']);
  });

  it('lists those of its games that are asked for, and none of others', async () => {
    const { game } = await pairOf(api, site);
    const second = must(await api.createGames(site.by, [newGame('two', 'ann', 'ben')]))[0]!.game;
    const strange = (await pairOf(api, await newSite(api, server.http))).game;
    const ids = [second.id, strange.id, 'nothing', randomUUID()];
    const listed = async (asked: readonly string[]) =>
      must(await api.ownGames(site.by, { ids: asked })).edges.map(({ node }) => node.game.id);
    expect(await listed(ids)).toEqual([second.id]);
    expect(await listed([second.id, game.id])).toEqual([game.id, second.id]);
    expect((await api.ownGames(site.by, { ids: Array<string>(101).fill(game.id) })).refusal?.code).toBe(
      'BAD_INPUT',
    );
  });

  it.each(['first', 'second'] as const)(
    'waits for the client seed that its %s player has announced',
    async (seat) => {
      const { players } = await pairOf(api, site);
      const seed = randomBytes(16).toString('hex');
      const by = { first: 'ann', second: 'ben' };
      const withHash = (hash: string, more: object = {}) => ({
        ...newGame(`drawn-${seat}`, 'ann', 'ben', { ruleset: 'banqi-hongkong' }),
        ...{ [seat]: { externalId: by[seat], clientSeedHash: hash }, ...more },
      });
      const announced = withHash(clientSeedHash(seed));
      const [made] = must(await api.createGames(site.by, [announced]));
      expect(made!.game.status).toBe('pending');
      expect(must(await api.createGames(site.by, [announced]))[0]!.game.id).toBe(made!.game.id);
      const [other, giver] =
        seat === 'first' ? [players.second, players.first] : [players.first, players.second];
      expect((await api.giveClientSeed(other, made!.game.id, seed)).refusal?.code).toBe('INVALID_SEED');
      must(await api.giveClientSeed(giver, made!.game.id, seed));
      const begun = must(await api.game(null, made!.game.id));
      expect([begun.status, begun.players.map(({ player }) => player.id)]).toEqual(['active', made!.game.players.map(({ player }) => player.id)]); // prettier-ignore
      must(await api.resign(players.first, begun.id));
      const record = await server.app.get(GamesService).record(begun.id);
      expect(holds(verify(record))).toBe(true);
      expect(JSON.stringify(record)).toContain(seed);
      const refused = [
        await api.createGames(site.by, [{ ...announced, externalId: 'again' }]),
        await api.createGames(site.by, [withHash('x', { externalId: 'wrong' })]),
        await api.createGames(site.by, [
          {
            ...withHash(clientSeedHash(seed), { externalId: 'both' }),
            first: { externalId: 'ann', clientSeedHash: clientSeedHash(seed) },
            second: { externalId: 'ben', clientSeedHash: clientSeedHash(seed) },
          },
        ]),
      ];
      expect(codesOf(refused)).toEqual(['INVALID_SEED', 'INVALID_SEED', 'BAD_INPUT']);
    },
  );

  it('answers a game that is there also when a player has left, and refuses its name for another game', async () => {
    const { game } = await pairOf(api, site);
    const { externalId } = must(await api.ownGames(site.by, { ids: [game.id] })).edges[0]!.node;
    must(await api.savePlayer(site.by, 'cid', 'Cid'));
    const others = [newGame(externalId!, 'ben', 'ann'), newGame(externalId!, 'ann', 'cid'), newGame(externalId!, 'ann', 'ben', { rated: true }), newGame(externalId!, 'ann', 'ben', { timeControl: { perMove: { seconds: 60 } } }), newGame(externalId!, 'ann', 'ben', { ruleset: 'xiangqi' }), { ...newGame(externalId!, 'ann', 'ben'), first: { externalId: 'ann', clientSeedHash: 'ab'.repeat(32) } }]; // prettier-ignore
    for (const other of others) {
      const { refusal } = await api.createGames(site.by, [other]);
      expect(refusal).toMatchObject({ code: 'BAD_INPUT', field: 'games.0.externalId' });
    }
    // Nothing begins in a request that is refused.
    const beside = await api.createGames(site.by, [newGame('new', 'ann', 'ben'), others[0]!]);
    expect(beside.refusal).toMatchObject({ code: 'BAD_INPUT', field: 'games.1.externalId' });
    expect(beside.message).toMatch(/^games\.1 \("/);
    const twice = await api.createGames(site.by, [
      newGame('new', 'ann', 'ben'),
      newGame('new', 'ann', 'ben'),
    ]);
    expect(twice.refusal).toMatchObject({ code: 'BAD_INPUT', field: 'games.1.externalId' });
    expect(must(await api.ownGames(site.by, {})).edges).toHaveLength(1);
    const wrong = await api.createGames(site.by, [newGame('new', 'ann', 'ben', { ruleset: 'go' })]);
    expect(wrong.refusal).toMatchObject({ code: 'INVALID_RULESET', field: 'games.0.ruleset' });
    must(await api.claimPlayer(null, ways(must(await api.createClaimLink(site.by, 'ben')))));
    const again = must(await api.createGames(site.by, [newGame(externalId!, 'ann', 'ben')]));
    expect(again[0]!.game.id).toBe(game.id);
    // Somebody new has the name of who has left: they are not in the game.
    must(await api.savePlayer(site.by, 'ben', 'Ben'));
    const later = await api.createGames(site.by, [newGame(externalId!, 'ann', 'ben')]);
    expect(later.refusal).toMatchObject({ code: 'BAD_INPUT', field: 'games.0.externalId' });
  });

  it('judges an invitation of a player by the ratings of the application', async () => {
    const pair = await pairOf(api, site, { rated: true });
    await playAs(api, pair, FOOLS_MATE);
    const { first, second } = pair.players;
    const rated = async () => must(await api.ownPlayer(site.by, 'ben')).ratings;
    for (let tries = 0; tries < 100 && (await rated()).length === 0; tries++) await pause(50);
    const rating = Math.floor((await rated())[0]!.rating + 0.5);
    expect(rating).toBeGreaterThan(1500);
    const link = async (by: Bearer, more: Body) =>
      must(await api.createChallenge(by, { ruleset: 'chess', timeControl: NO_CLOCK, ...more }));
    const offered = await link(second, {});
    expect(offered.creatorRating.rating).toBe(rating);
    const narrow = await link(first, { minRating: rating });
    const accept = (by: Bearer) => api.acceptChallenge(by, narrow.id, { linkToken: narrow.linkToken! });
    must(await accept(second));
  });

  it('follows them live, goes on after the last one that it knows, and hears of its own end', async () => {
    const pair = await pairOf(api, site);
    const open = async (after?: string) => {
      if (transport === 'REST') {
        const stream = await openStream(server.url, 'application/events', site.by, after === undefined ? {} : { after }); // prettier-ignore
        return { ...stream, over: stream.ended };
      }
      const socket = await openSocket(server, site.by);
      const watch = socket.send('subscription ($after: String) { ownEvents(after: $after) { id type gameId version } }', after === undefined ? {} : { after }); // prettier-ignore
      // The subscription is told of nothing that was stored before it.
      await pause(300);
      const next = async () => ((await watch.next()).data as unknown as { ownEvents: Happened }).ownEvents;
      return { next, close: () => void socket.close(), over: socket.closed };
    };
    await untilChangesVisible(server.app);
    const live = await open();
    await playAs(api, pair, FOOLS_MATE.slice(0, 2));
    const first = await live.next();
    expect([first.type.toLowerCase(), first.gameId]).toEqual(['ply', pair.game.id]);
    live.close();
    const again = await open(first.id);
    expect((await again.next()).version).toBe(first.version! + 1);
    await server.app.get(ApplicationsService).suspend(site.id, true);
    expect(await again.over).toBeTruthy();
    await server.app.get(ApplicationsService).suspend(site.id, false);
  });
});

test('exports a player as the player would, and no other', async () => {
  const api = restApi(server.http);
  const site = await newSite(api, server.http);
  const pair = await pairOf(api, site, { rated: true });
  must(await api.setNote(pair.players.first, pair.game.id, 'A note'));
  must(await api.setNote(pair.players.second, pair.game.id, 'Of the other'));
  await playAs(api, pair, FOOLS_MATE);
  const file = await ownFile(server.http, site.by, 'ann');
  expect(file.of('profile')).toMatchObject([{ username: null, displayName: 'Member ann' }]);
  expect(file.of('game')).toMatchObject([{ id: pair.game.id, viewer: { seat: 'first', note: 'A note' } }]);
  expect(file.text).not.toContain('Of the other');
  expect(file.text).not.toContain(site.secret);
  const other = await newSite(api, server.http);
  await expect(ownFile(server.http, other.by, 'ann')).rejects.toThrow('NOT_FOUND');
  await expect(ownFile(server.http, pair.players.first, 'ann')).rejects.toThrow('INSUFFICIENT_SCOPE'); // prettier-ignore
});

test('counts the requests of an application and its players together, and tells how many are left', async () => {
  const small = await startServer({ REQUESTS_PER_MINUTE_OF_APPLICATION: '12' });
  try {
    const api = restApi(small.http);
    const site = await newSite(api, small.http);
    const { players } = await pairOf(api, site);
    const { requests, mostRequests } = must(await api.application(site.by)).usage as unknown as Body;
    expect([requests, mostRequests]).toEqual([5, 12]);
    for (let i = 0; i < 7; i++) must(await api.myGames(players.first));
    const refused = [await api.myGames(players.second), await api.application(site.by), await api.ownPlayers(site.by, {})]; // prettier-ignore
    expect(codesOf(refused)).toEqual(Array(3).fill('RATE_LIMITED'));
    // Another application, and everybody else, are not concerned.
    const other = await newSite(api, small.http);
    must(await api.savePlayers(other.by, [{ externalId: 'ann', displayName: 'Ann' }]));
    must(await api.myApplications(site.owner));
  } finally {
    await small.close();
  }
});
