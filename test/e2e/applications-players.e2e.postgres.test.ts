import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { GamesService } from '../../src/features/games/games.service.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { register } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
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
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Answer, type Body, isMissing, must } from '../support/transport.js';

/** The players of applications and their games: how they are made, what they may, and where they are not shown. */

// Both databases: players and games of one name are made one by one, by locks and by conflicts of keys.

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
afterAll(() => server.close());

const db = () => server.app.get(PrismaService).db;

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  let site: Site;
  beforeEach(async () => {
    api = over(server.http);
    site = await newSite(api, server.http);
  });

  it('saves players, who are the same however often they are sent', async () => {
    const saved = must(await api.savePlayer(site.by, 'a.b_c~1-', 'Ann'));
    expect(must(await api.savePlayer(site.by, 'a.b_c~1-', 'Ann'))).toEqual(saved);
    const renamed = must(await api.savePlayer(site.by, 'a.b_c~1-', 'Anna'));
    expect(renamed).toEqual({ ...saved, player: { ...saved.player, displayName: 'Anna' } });
    const names = ['...', '~', 'x'.repeat(100)];
    const named = names.map((externalId) => ({ externalId, displayName: 'Ben' }));
    expect(must(await api.savePlayers(site.by, named)).map(({ externalId }) => externalId)).toEqual(names);
    expect(must(await api.ownPlayer(site.by, 'x'.repeat(100))).player.displayName).toBe('Ben');
    expect(must(await api.ownPlayers(site.by, {})).edges).toHaveLength(4);
  });

  it('refuses other characters in the id of a player, and the same one twice, and stores none of them', async () => {
    for (const externalId of [
      '',
      '.',
      '..',
      ' ',
      'a b',
      'a/b',
      'a@b.org',
      'a:b',
      'a%20',
      'a+b',
      'ä',
      '👑',
      'a\n',
      'a\0',
      'x'.repeat(101),
    ]) {
      // prettier-ignore
      const answer = await api.savePlayers(site.by, [{ externalId: 'good', displayName: 'Good' }, { externalId, displayName: 'Bad' }]); // prettier-ignore
      expect([externalId, answer.refusal?.code]).toEqual([externalId, 'BAD_INPUT']);
    }
    const twice = { externalId: 'twin', displayName: 'Twin' };
    expect((await api.savePlayers(site.by, [twice, twice])).refusal?.code).toBe('BAD_INPUT');
    expect(must(await api.ownPlayers(site.by, {})).edges).toEqual([]);
  });

  it('says which row of a list it refuses, and what the request calls it', async () => {
    const good = { externalId: 'good', displayName: 'Good' };
    for (const [bad, field] of [
      [{ externalId: 'member-17', displayName: '' }, 'players.1.displayName'],
      [{ externalId: 'member-17', displayName: 'Halfmove' }, 'players.1.displayName'],
      [{ externalId: 'a b', displayName: 'Ann' }, 'players.1.externalId'],
      [good, 'players.1.externalId'],
    ] as const) {
      const { refusal, message } = await api.savePlayers(site.by, [good, bad]);
      expect(refusal).toMatchObject({ code: 'BAD_INPUT', field });
      expect(message).toContain(`players.1 ("${bad.externalId}"): `);
    }
    expect((await api.savePlayer(site.by, 'a', '')).refusal).toMatchObject({ field: 'displayName' });
    await pairOf(api, site);
    const used = { externalId: 'ann', clientSeedHash: randomBytes(32).toString('hex') };
    must(await api.createGames(site.by, [newGame('seeded', 'ann', 'ben', { first: used })]));
    for (const [terms, field] of [
      [{ options: { sides: 3 } }, 'games.1.options'],
      [{ timeControl: { perMove: { seconds: 1 } } }, 'games.1.timeControl'],
      [{ first: { externalId: 'ann', clientSeedHash: 'x' } }, 'games.1.first.clientSeedHash'],
      [{ first: used }, 'games.1.first.clientSeedHash'],
    ] as const) {
      const sent = [newGame('round-3', 'ann', 'ben'), newGame('round-4', 'ann', 'ben', terms)];
      const { refusal, message } = await api.createGames(site.by, sent);
      expect(refusal?.field).toContain(field);
      expect(message).toContain('games.1 ("round-4"): ');
    }
  });

  it('makes one player where many requests make it at once', async () => {
    const saved = await Promise.all(
      Array.from({ length: 6 }, (_, i) => api.savePlayer(site.by, 'ann', `Ann ${i}`)),
    );
    expect(new Set(saved.map((answer) => must(answer).id)).size).toBe(1);
  });

  it('begins games at once, in which its players move', async () => {
    const { players, game } = await pairOf(api, site, { rated: true });
    expect(game).toMatchObject({ status: 'active', rated: true, turn: 'first' });
    const ended = await playAs(api, { game, players }, FOOLS_MATE);
    expect(ended.outcome).toEqual({ winner: 'second', reason: 'checkmate' });
    const pools = must(await api.ownPlayer(site.by, 'ben')).ratings.map(({ pool }) => pool.id);
    expect(pools).toEqual([`application:${site.id}:chess`]);
    const userId = { in: ended.players.map(({ player }) => player.id) };
    const rows = await db().rating.findMany({ where: { userId } });
    expect(rows.map(({ ruleset }) => ruleset)).toEqual([...pools, ...pools]);
    const record = await server.app.get(GamesService).record(game.id);
    expect(holds(verify(record))).toBe(true);
  });

  it('answers a game that is sent again with the same game, also ten times at once', async () => {
    await pairOf(api, site);
    const sent = [newGame('final', 'ann', 'ben')];
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.createGames(site.by, sent)));
    const ids = answers.map((answer) => must(answer)[0]!.game.id);
    expect(new Set(ids).size).toBe(1);
    const other = await api.createGames(site.by, [newGame('final', 'ben', 'ann')]);
    expect(other.refusal?.code).toBe('BAD_INPUT');
    expect(must(await api.ownGames(site.by, {})).edges).toHaveLength(2);
  });

  it('begins none of the games if one is of unknown players or on wrong terms', async () => {
    await pairOf(api, site);
    for (const [bad, code] of [
      [newGame('b', 'ann', 'nobody'), 'NOT_FOUND'],
      [newGame('b', 'ann', 'ann'), 'BAD_INPUT'],
      [newGame('b b', 'ann', 'ben'), 'BAD_INPUT'],
      [newGame('b', 'ann', 'ben', { ruleset: 'checkers' }), 'INVALID_RULESET'],
    ] as const) {
      const { refusal } = await api.createGames(site.by, [newGame('a', 'ann', 'ben'), bad]);
      expect(refusal?.code).toBe(code);
    }
    expect(must(await api.ownGames(site.by, {})).edges).toHaveLength(1);
  });

  it.each(['banqi-taiwan', 'banqi-hongkong', 'half-chess'])(
    'hides what lies face-down in %s',
    async (ruleset) => {
      const { game, players } = await pairOf(api, site, { ruleset });
      const listed = must(await api.ownGames(site.by, {})).edges.map(({ node }) => node.game);
      for (const shown of [game, ...listed, must(await api.game(players.first, game.id))]) {
        expect(shown.setup).toBeNull();
        const { squares } = shown.board;
        expect(squares.filter(({ faceDown }) => faceDown).map(({ piece }) => piece)).toEqual(Array(32).fill(null)); // prettier-ignore
      }
    },
  );

  it('gives its players tokens for playing, and for nothing else', async () => {
    const { players, game } = await pairOf(api, site);
    const by = players.first;
    must(await api.makeMove(by, game.id, 1, 'e2e4'));
    expect(must(await api.myGames(by)).games.map(({ id }) => id)).toEqual([game.id]);
    const refused = [await api.me(by), await api.myTokens(by), await api.createToken(by, { name: 'x', scopes: ['games:read'] }), await api.myApplications(by), await api.createApplication(by, SITE), await api.application(by), await api.ownPlayers(by, {}), await api.createPlayerToken(by, 'ben'), await api.createGames(by, [newGame('x', 'ann', 'ben')])]; // prettier-ignore
    expect(codesOf(refused)).toEqual(Array(9).fill('INSUFFICIENT_SCOPE'));
    const other = await pairOf(api, await newSite(api, server.http));
    expect(codesOf([await api.makeMove(by, other.game.id, 1, 'e2e4'), await api.resign(by, other.game.id)])).toEqual(['NOT_YOUR_GAME', 'NOT_YOUR_GAME']); // prettier-ignore
  });

  it('gives tokens with fewer scopes, which end when they say', async () => {
    const { game } = await pairOf(api, site);
    const ask = (asked: Body) => api.createPlayerToken(site.by, 'ann', asked);
    const lean = withToken(must(await ask({ scopes: ['games:read'], seconds: 60 })));
    expect(must(await api.myGames(lean)).games).toHaveLength(1);
    expect((await api.makeMove(lean, game.id, 1, 'e2e4')).refusal?.code).toBe('INSUFFICIENT_SCOPE');
    time.forward(60_000);
    expect((await api.myGames(lean)).refusal?.code).toBe('UNAUTHENTICATED');
    expect((await api.myGames({ authorization: `${lean.authorization}x` })).refusal?.code).toBe('UNAUTHENTICATED'); // prettier-ignore
    const wrong = [{ seconds: 59 }, { seconds: 86_401 }, { scopes: [] }, { scopes: ['profile:read'] }, { scopes: ['application'] }, { scopes: ['games:read', 'all'] }]; // prettier-ignore
    for (const asked of wrong)
      expect([asked, (await ask(asked)).refusal?.code]).toEqual([asked, 'BAD_INPUT']);
  });

  it('erases a player, whose games are resigned and whose name is gone', async () => {
    const { players, game } = await pairOf(api, site);
    const { id } = must(await api.ownPlayer(site.by, 'ann'));
    await playAs(api, { game, players }, ['e2e4', 'e7e5']);
    expect(must(await api.erasePlayer(site.by, 'ann'))).toBe(id);
    const ended = must(await api.game(null, game.id));
    expect(ended.outcome).toEqual({ winner: 'second', reason: 'resignation' });
    const shown = [ended, must(await api.exportGame(null, game.id)), await server.app.get(GamesService).record(game.id), must(await api.ownGames(site.by, {})), must(await api.changes(players.second)), await db().user.findUnique({ where: { id } })]; // prettier-ignore
    expect(JSON.stringify(shown)).not.toContain('Member ann');
    expect(JSON.stringify(shown)).toContain('Member ben');
    expect((await api.myGames(players.first)).refusal?.code).toBe('UNAUTHENTICATED');
    expect((await api.ownPlayer(site.by, 'ann')).refusal?.code).toBe('NOT_FOUND');
    const anew = must(await api.savePlayer(site.by, 'ann', 'Another Ann'));
    expect(anew.id).not.toBe(id);
    expect(must(await api.game(null, game.id))).toEqual(ended);
  });

  it('keeps its players out of the lobby', async () => {
    const { players } = await pairOf(api, site);
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
    // A time that no other seek of this server has, with which it would be paired.
    const timeControl = { type: 'perMove', seconds: randomInt(100_000, 5_000_000) };
    const seek = must(await api.createSeek(site.owner, { ...terms, timeControl }));
    const link = must(await api.createChallenge(site.owner, terms));
    const { linkToken } = link;
    const refused = [
      await api.createSeek(players.first, terms),
      await api.acceptChallenge(players.first, seek.id),
      await api.acceptChallenge(players.first, link.id, { linkToken }),
      await api.createChallenge(players.first, { ...terms, opponent: site.owner.username }),
    ];
    expect(codesOf(refused)).toEqual(Array(4).fill('FORBIDDEN'));
    must(await api.cancelChallenge(site.owner, seek.id));
  });

  it('lets its players invite each other, and persons to casual games', async () => {
    const { players } = await pairOf(api, site);
    const invite = async (who: Bearer, rated: boolean) => {
      const link = must(await api.createChallenge(players.first, { ruleset: 'chess', timeControl: NO_CLOCK, rated })); // prettier-ignore
      return api.acceptChallenge(who, link.id, { linkToken: link.linkToken });
    };
    const stranger = (await pairOf(api, await newSite(api, server.http))).players.first;
    const { owner } = site;
    const codes = codesOf([await invite(players.second, true), await invite(players.second, false), await invite(owner, true), await invite(stranger, false)]); // prettier-ignore
    expect(codes).toEqual([undefined, undefined, 'FORBIDDEN', 'FORBIDDEN']);
    const game = must(await invite(owner, false));
    expect(must(await api.ownGames(site.by, {})).edges.at(-1)!.node).toMatchObject({ externalId: null, game: { id: game.id } }); // prettier-ignore
    must(await api.resign(owner, game.id));
    const again = must(await api.offerRematch(owner, game.id));
    expect(must(await api.acceptChallenge(players.first, again.id)).status).toBe('active');
  });
});

test('no public door shows a player of an application, nor their games', async () => {
  const own = await startServer({ SWEEP_SECONDS: '1' });
  stopTime(own.app);
  const api = restApi(own.http);
  const counted = async () => {
    while ((await own.app.get(PrismaService).db.unexploredGame.count()) > 0) await pause(50);
  };
  const site = await newSite(api, own.http);
  const [ann, ben] = [await register(own.http, 'ann'), await register(own.http, 'ben')];
  await playMoves(api, await begin(api, ann, ben, { rated: true }), FOOLS_MATE, { first: ann, second: ben });
  await begin(api, ben, ann);
  const doors = async () => {
    await counted();
    const found = [
      await api.users(null, 'mem'),
      await api.leaderboard(null, 'chess'),
      await api.ratingDistribution(null, 'chess'),
      await api.lobby(null),
      await api.explorer(null, { ruleset: 'chess' }),
      await api.statistics(null, ben.username),
      await api.headToHead(null, ann.username, ben.username),
      await api.opponents(null, ann.username),
      await api.games(null, {}, {}, {}, true),
      await api.games(null, { ruleset: 'chess', status: ['finished'] }, { by: 'createdAt' }, {}, true),
      await api.games(null, { ruleset: 'chess', opening: 'f2f3 e7e5' }),
      await api.games(null, { reason: 'checkmate' }, { by: 'endedAt' }),
      await api.exportGames(null),
    ];
    return found.map((answer) => (must<unknown>(answer as Answer<unknown>), answer.text));
  };
  const before = await doors();
  const { players, game } = await pairOf(api, site, { rated: true });
  await playAs(api, { game, players }, FOOLS_MATE);
  await pairOf(api, site);
  const link = must(await api.createChallenge(players.first, { ruleset: 'chess', timeControl: NO_CLOCK }));
  must(
    await api.resign(ann, must(await api.acceptChallenge(ann, link.id, { linkToken: link.linkToken })).id),
  );
  expect(await doors()).toEqual(before);
  const { id } = must(await api.ownPlayer(site.by, 'ann'));
  for (const name of ['ann', id, 'Member ann', 'null']) expect([name, isMissing(await api.user(null, name)) || (await api.user(null, name)).refusal?.code]).toEqual([name, true]); // prettier-ignore
  await own.close();
}, 60_000);
