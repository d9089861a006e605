import { get as httpGet } from 'node:http';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { OperationTypeNode, parse, validate } from 'graphql';
import { Time } from '../../src/platform/time.js';
import { expectPolicy, loadedBy, openPage, operationOf, tabsOf } from '../support/graphiql.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { stopTime } from '../support/stopped-time.js';
import { type Json, type Response, send } from '../support/transport.js';

/** The two pages for people: GraphiQL with its starter operations, and the REST reference. */

let server: TestServer;
let page: Response;
beforeAll(async () => {
  server = await sharedServer();
  page = await send(server.http, '/graphiql');
});
afterAll(() => server.close());

const INLINE_SCRIPT = /<script(?![^>]*\s(?:src=|type="application\/json"))/;

const typeOf = ({ headers }: Response) => headers['content-type']?.split(';')[0];

/** An address sent as it is written; clients of a higher level would tidy it up first. */
const statusOf = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpGet(server.url, { path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

describe('GraphiQL', () => {
  it('is where the root leads', async () => {
    const response = await send(server.http, '/');
    expect([response.status, response.headers['location']]).toEqual([302, '/graphiql']);
  });

  it('is a page under a strict policy, never kept', () => {
    expect(page.status).toBe(200);
    expect(typeOf(page)).toBe('text/html');
    expect(page.headers['cache-control']).toBe('no-store');
    expectPolicy(page);
    expect(page.text).not.toMatch(INLINE_SCRIPT);
  });

  it.each([
    ['play.example.org:3000', " connect-src 'self' ws://play.example.org:3000 wss://play.example.org:3000;"],
    ['[::1]:3000', " connect-src 'self';"],
    ['a.example; script-src *', " connect-src 'self';"],
  ])('lets sockets go to its own host, here %s', async (host, directive) => {
    const response = await send(server.http, '/graphiql', { headers: { host } });
    expect(response.headers['content-security-policy']).toContain(directive);
  });

  it('refers to no other host', () => {
    expect(page.text).not.toContain('//');
    for (const address of loadedBy(page.text)) expect(address).toMatch(/^(?:\/\w|data:,$)/);
  });

  it('loads scripts and styles that a browser may keep', async () => {
    const assets = loadedBy(page.text).filter((address) => address.startsWith('/graphiql/assets/'));
    expect(assets).toHaveLength(6);
    for (const path of assets) {
      const response = await send(server.http, path);
      expect(response.status).toBe(200);
      expect(typeOf(response)).toBe(path.endsWith('.css') ? 'text/css' : 'text/javascript');
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.text).not.toBe('');
      // A style sheet could fetch what the page does not name.
      if (typeOf(response) === 'text/css') expect(response.text).not.toMatch(/@import|url\((?!["']?data:)/);
    }
  });

  it.each([
    '/graphiql/assets/',
    '/graphiql/assets/graphiql.min.js.map',
    '/graphiql/assets/../../package.json',
    '/graphiql/assets/..%2f..%2fpackage.json',
    '/graphiql/assets/%2e%2e/%2e%2e/package.json',
    '/graphiql/assets/..\\..\\package.json',
    '/graphiql/assets//etc/passwd',
  ])('serves nothing else: %s', async (path) => {
    expect(await statusOf(path)).toBe(404);
  });
});

describe('the starter operations', () => {
  it('fit the schema', () => {
    const { schema } = server.app.get(GraphQLSchemaHost);
    for (const { query } of tabsOf(page.text)) expect(validate(schema, parse(query))).toEqual([]);
  });

  it('have one operation each, whose name is the name of the tab', () => {
    const names = tabsOf(page.text).map((tab) => operationOf(tab).name?.value);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain(undefined);
  });

  it('have comments that fit the editor of a window 1280 wide', () => {
    const comments = tabsOf(page.text).flatMap(({ query }) => query.match(/^#.*$/gm) ?? []);
    expect(comments.filter((line) => line.length > 51)).toEqual([]);
  });

  it('have new names each time', async () => {
    const names = new Set<string>();
    // Four digits may well be drawn twice, but not five times over.
    for (let i = 0; i < 5; i++) {
      const { text } = await send(server.http, '/graphiql');
      names.add(/ann\d{4}/.exec(text)![0]);
    }
    expect(names.size).toBeGreaterThan(1);
  });

  describe('run one after the other, as they stand', () => {
    let opened: Awaited<ReturnType<typeof openPage>>;
    const answers: Record<string, Json> = {};
    const refused: Record<string, string> = {};
    beforeAll(async () => {
      opened = await openPage(server);
      for (const [name, tab] of opened.tabs) {
        if (operationOf(tab).operation === OperationTypeNode.SUBSCRIPTION) continue;
        const { data, errors } = await opened.run(name);
        const announced = /\berror ([A-Z]+_[A-Z_]+)/.exec(tab.query)?.[1];
        expect([name, errors?.[0].extensions?.code ?? errors]).toEqual([name, announced]);
        answers[name] = data;
        if (announced !== undefined) refused[announced] = errors[0].message;
      }
    });

    const linesOf = (tab: string, field: string): Json[] =>
      answers[tab][field].moves.edges.map(({ node }: Json) => node);

    it('play a first game', () => {
      expect(answers['startHere'].rulesets.map(({ id }: Json) => id)).toContain('banqi-hongkong');
      expect(answers['benReads'].challenges.edges).toHaveLength(1);
      expect(answers['annLooks'].game.legalMoves).toHaveLength(20);
      expect(answers['benLooks'].game.legalMoves).toHaveLength(20);
      expect(answers['benMoves'].makeMove).toMatchObject({ plyCount: 2, turn: 'first' });
      expect(answers['analyse'].analyse.plies.map(({ san }: Json) => san)).toEqual(['Rd7', 'Kf8', 'Rd8+']);
      expect(linesOf('wholeGame', 'game').map(({ san }) => san)).toEqual(['f3', 'e5']);
      expect(answers['resign'].resign.outcome).toEqual({ winner: 'first', reason: 'resignation' });
      expect(answers['benAcceptsByLink'].acceptChallenge.position).toMatch(/^xxxx\//);
      expect(answers['abort'].abort.status).toBe('aborted');
    });

    it('have each rule of the clocks tried', () => {
      const { deadline, clocks } = answers['deadline'].game;
      expect(deadline.explain.map(({ kind }: Json) => kind)).toEqual(['turnStarted', 'allowance']);
      expect(clocks.second).toEqual({ remaining: 259_200, running: false, onVacationUntil: null });
      const { explain } = answers['benGivesTime'].giveTime.deadline;
      expect(explain).toContainEqual({ kind: 'given', seconds: 86_400 });
      expect(answers['benPauses'].acceptPause).toMatchObject({ status: 'paused', deadlineAt: null });
      expect(answers['annUnpauses'].unpause).toMatchObject({ status: 'paused' });
      expect(answers['annUnpauses'].unpause.resumesAt).not.toBeNull();
      expect(answers['benUnpauses'].unpause).toMatchObject({ status: 'active', resumesAt: null });
      expect(answers['annGoesAway'].planVacation).toMatchObject({ status: 'running', days: 2 });
      const seen = answers['benSeesVacation'].game;
      expect(seen.clocks.first.onVacationUntil).toBe(answers['annGoesAway'].planVacation.endsAt);
      expect(seen.deadline.explain.map(({ kind }: Json) => kind)).toContain('vacation');
      expect(answers['annComesBack'].endVacation).toMatchObject({ status: 'over', days: 1 });
      expect(answers['annPlansAhead'].planVacation).toMatchObject({ status: 'planned', days: 7 });
      expect(answers['annVacations'].myVacations.vacations).toHaveLength(2);
      expect(answers['annCallsOff'].endVacation).toMatchObject({ status: 'calledOff', days: 0 });
      expect(refused['NOT_ABANDONED']).toContain('time control');
    });

    it('have each rule of offers, claims and plans tried', () => {
      expect(answers['benReadsPlan'].game.conditionalMoves).toHaveLength(2);
      expect(linesOf('annIsAnswered', 'makeMove')).toEqual([
        { ply: 1, player: 'first', san: 'e4', automatic: false },
        { ply: 2, player: 'second', san: 'e5', automatic: true },
      ]);
      expect(answers['benClearsPlan'].clearConditionalMoves.conditionalMoves).toBeNull();
      expect(answers['annOffersDraw'].makeMove.offers.draw.by).toBe('first');
      expect(answers['benDeclinesDraw'].declineDraw.offers).toMatchObject({ draw: null, firstMustMove: 10 });
      expect(answers['annAsksTakeback'].offerTakeback.offers.takeback).toMatchObject({ by: 'first', ply: 2 });
      expect(answers['benAllowsTakeback'].acceptTakeback).toMatchObject({ plyCount: 2, turn: 'first' });
      expect(linesOf('benAllowsTakeback', 'acceptTakeback').map(({ takenBack }) => takenBack)).toEqual([
        false,
        false,
        true,
      ]);
      expect(refused['CLAIM_NOT_MET']).toMatch(/once .* three times/);
      expect(answers['annAcceptsDraw'].acceptDraw.outcome).toEqual({ winner: null, reason: 'agreement' });
      expect(answers['annOffersRematch'].offerRematch).toMatchObject({ status: 'open', side: 'second' });
      expect(answers['benAcceptsRematch'].acceptChallenge).toMatchObject({ you: 'first', turn: 'first' });
      expect(answers['benGoesToAndFro'].ply7).toEqual({ plyCount: 7, turn: 'second' });
      const warned = answers['annIsWarned'].game.legalMoves.filter(({ warning }: Json) => warning !== null);
      const outcome = { winner: null, reason: 'threefoldRepetition' };
      expect(warned).toEqual([{ move: 'f6g8', san: 'Ng8', warning: outcome }]);
      expect(answers['annClaims'].claimDraw).toEqual({ status: 'finished', outcome });
    });

    it('show what waits, and what players write', () => {
      expect(answers['benGames'].myGames.counts).toEqual({ toMove: 1, waiting: 0, offers: 1 });
      const waiting = answers['benInbox'].inbox.edges.map(({ node }: Json) => node.kind);
      expect(waiting).toEqual(['drawOffer']);
      const news = answers['benNews'].notifications.edges.map(({ node }: Json) => node.type);
      expect(news).toEqual(expect.arrayContaining(['yourTurn', 'drawOffer', 'conditionalPlayed']));
      expect(answers['benHasReadNews'].markNotificationsRead).toBeGreaterThanOrEqual(3);
      const messages = answers['benReadsMessages'].game.messages.edges;
      expect(messages.map(({ node }: Json) => node.text)).toEqual(['Good luck!']);
      expect(answers['benMutes'].muteOpponent.opponentMuted).toBe(true);
      expect(answers['annNotes'].setNote.note).toBe('He likes open games.');
      expect(answers['annReadsBlocks'].blockedUsers.edges).toEqual([
        { node: answers['annBlocks'].blockUser },
      ]);
      expect(answers['annUnblocks'].unblockUser).toEqual(answers['annBlocks'].blockUser);
    });

    it('find an opponent, rate a game and look for it', () => {
      const { id: gameId, ...sought } = answers['annSeeks'].createSeek;
      expect(sought).toMatchObject({ status: 'open', gameId: null });
      expect(answers['lobby'].lobby.edges).toMatchObject([{ node: { id: gameId } }]);
      expect(answers['benSeeks'].createSeek).toMatchObject({ status: 'accepted', gameId });
      const { unrated, ratingChanges } = answers['benResignsRated'].resign;
      expect([unrated, ratingChanges.first.before]).toEqual([null, 1500]);
      const { user, ratingHistory } = answers['annRatings'];
      expect(user.ratings).toMatchObject([{ rating: ratingChanges.first.after, wins: 1 }]);
      expect(ratingHistory.edges).toMatchObject([{ node: { gameId } }]);
      expect(answers['pool'].expectedScore.score).toBeGreaterThan(0.5);
      const { edges } = answers['searchGames'].games;
      expect(edges).toContainEqual({ node: expect.objectContaining({ id: gameId, rated: true }) });
      expect(answers['annStatistics'].headToHead.all.wins).toBe(edges.length);
      expect(answers['annImports'].importGames).toMatchObject([
        { outcome: { reason: 'checkmate' }, plyCount: 4 },
      ]);
      expect(answers['annChanges'].changes.items.length).toBeGreaterThan(9);
    });

    it('show each change over a socket', async () => {
      const socket = await openSocket(server, null);
      const { query } = opened.tabs.get('watch')!;
      const { gameId } = JSON.parse(opened.stored.get('graphiql:halfmove')!);
      const watch = socket.send(query, { gameId });
      expect((await watch.next()).data).toMatchObject({ gameChanged: { status: 'active', plyCount: 0 } });
      await socket.close();
    });

    it('let a turn run out', async () => {
      const ranOut = async (): Promise<Json> => (await opened.run('afterAMinute')).data.game;
      expect(answers['afterAMinute'].game).toMatchObject({ status: 'active', outcome: null });
      const time = stopTime(server.app);
      time.moment = new Date(Date.parse(answers['afterAMinute'].game.deadlineAt) - 10_000);
      const kindsOf = ({ events }: Json): string[] => events.map(({ type }: Json) => type);
      expect(kindsOf(await ranOut())).toContain('reminder');
      time.forward(11_000);
      const { outcome, endedAt, events } = await ranOut();
      Reflect.deleteProperty(server.app.get(Time), 'now');
      expect(outcome).toEqual({ winner: 'second', reason: 'timeout' });
      expect(endedAt).toBe(answers['afterAMinute'].game.deadlineAt);
      expect(events.slice(-2).map(({ at }: Json) => at)).toEqual([endedAt, endedAt]);
    });
  });
});

describe('what the page fills in', () => {
  it('is the rematch, once both have offered it', async () => {
    const { tabs, run, stored, fetcher } = await openPage(server);
    for (const name of [...tabs.keys()].slice(1, 6)) await run(name);
    const kept = () => JSON.parse(stored.get('graphiql:halfmove')!);
    const { gameId } = kept();
    await run('resign');
    await run('annOffersRematch');
    expect(kept().gameId).toBe(gameId);
    const { query, variables } = tabs.get('annOffersRematch')!;
    const { headers } = tabs.get('resign')!;
    const body = { query, variables: JSON.parse(variables!) };
    const { data } = await fetcher(body, { headers: JSON.parse(headers!) });
    expect(data.offerRematch.status).toBe('accepted');
    expect(kept()).toMatchObject({ gameId: data.offerRematch.id, rematchId: data.offerRematch.id });
  });

  it('asks for what is not known yet, and sends nothing', async () => {
    const { run, sent } = await openPage(server);
    const { errors } = await run('annMoves');
    expect(errors[0].message).toMatch(/^\{\{gameId\}\} is not known in this browser yet/);
    expect(sent).toEqual([]);
  });

  it('asks for the schema without headers', async () => {
    const { fetcher, sent } = await openPage(server);
    const headers = { Authorization: 'Bearer {{nobody}}' };
    await fetcher({ query: '{ __typename }', operationName: 'IntrospectionQuery' }, { headers });
    expect(sent).toEqual([{ query: '{ __typename }', headers: {} }]);
  });

  it('is a fresh token when the old one runs out', async () => {
    const { run, stored } = await openPage(server);
    const { data } = await run('registerBen');
    const { username } = data.register.user;
    const kept = () => JSON.parse(stored.get('graphiql:halfmove')!)[username];
    const accessTokenExpiresAt = new Date(Date.now() + 5_000).toISOString();
    stored.set('graphiql:halfmove', JSON.stringify({ [username]: { ...kept(), accessTokenExpiresAt } }));
    expect((await run('benReads')).errors).toBeUndefined();
    expect(kept().refreshToken).not.toBe(data.register.refreshToken);
    expect(Date.parse(kept().accessTokenExpiresAt)).toBeGreaterThan(Date.now() + 60_000);
  });

  it('is nothing when the session has ended', async () => {
    const { run, stored } = await openPage(server);
    const { data } = await run('registerBen');
    const { username } = data.register.user;
    const ended = { accessToken: 'x', accessTokenExpiresAt: '2020-01-01T00:00:00Z', refreshToken: 'x' };
    stored.set('graphiql:halfmove', JSON.stringify({ [username]: ended }));
    const { errors } = await run('benReads');
    expect(errors[0].message).toMatch(new RegExp(`^${username}: .* \\(tab signIn\\)$`));
  });

  it('goes to this server, over sockets too', async () => {
    const { urls } = await openPage(server);
    const endpoint = `${server.url}/graphql`;
    expect(urls).toMatchObject({ url: endpoint, subscriptionUrl: endpoint.replace('http', 'ws') });
  });
});

describe('the REST reference', () => {
  it.each(['/docs', '/docs/'])('is a page under the same policy: %s', async (path) => {
    const response = await send(server.http, path);
    expect(response.status).toBe(200);
    expect(typeOf(response)).toBe('text/html');
    expectPolicy(response);
    expect(response.text).not.toMatch(INLINE_SCRIPT);
  });

  it('loads everything from this server', async () => {
    const { text } = await send(server.http, '/docs');
    const loaded = loadedBy(text);
    expect(loaded.length).toBeGreaterThan(4);
    for (const address of loaded) {
      const { origin, pathname } = new URL(address, `${server.url}/docs`);
      expect(origin).toBe(new URL(server.url).origin);
      expect((await send(server.http, pathname)).status).toBe(200);
    }
  });

  it('is a document of OpenAPI, too', async () => {
    const response = await send(server.http, '/docs/openapi.json');
    const { status, body } = response;
    expect([status, typeOf(response)]).toEqual([200, 'application/json']);
    expect(body.openapi).toMatch(/^3\./);
    expect(Object.keys(body.paths).length).toBeGreaterThan(10);
    const yaml = await send(server.http, '/docs/openapi.yaml');
    expect(yaml.text).toMatch(/^openapi: 3\./);
  });
});
