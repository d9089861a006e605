import request from 'supertest';
import { graphqlInbox } from '../support/inbox.js';
import { begin, type Body, type By, graphqlPlay, type Person, type Play, playMoves, register, restPlay, TRANSPORTS } from '../support/play.js'; // prettier-ignore
import { startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/shown.js';
import { openSocket, type Socket, type Watch } from '../support/sockets.js';
import { stopTime } from '../support/stopped-time.js';

/** Nobody but their owner can notice conditional moves, before they are played. Ben plans, Ann moves. */

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await startServer();
  stopTime(server.app);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
}, 180_000);
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((socket) => socket.close()));
});
afterAll(() => server.close());

/** What follows Ann's first move is no legal move of hers, so that it occurs in no answer. */
const PLAN = [
  {
    when: 'g1h3',
    reply: 'h7h6',
    then: [
      { when: 'h3g5', resign: true },
      { when: 'g2g3', reply: 'h6h5' },
    ],
  },
];
const SECRETS = /h7h6|h3g5|h6h5|onditionalMoves":\[/;
/** By chance any move stands in some id, hash or cursor. */
const tells = (text: string) => SECRETS.test(text.replace(/[\w-]{20,}/g, ''));

const unnumbered = (text: string) => text.replace(/"requestId":"[^"]+"/g, '"requestId":"ID"');

/** Everything that somebody can be told while a game goes on, refusals too. */
async function everything(by: By, { id }: Game): Promise<readonly string[]> {
  const texts: string[] = [];
  const keep = ({ text }: { readonly text: string }) => void texts.push(unnumbered(text));
  for (const play of [restPlay(server.http), graphqlPlay(server.http)]) {
    keep(await play.game(by, id));
    keep(await play.moves(by, id, { takenBack: true }));
    keep(await play.legalMoves(by, id));
    keep(await play.events(by, id));
    keep(await play.myGames(by, { list: 'running' }));
    keep(await play.conditionalMoves(by, id));
    keep(await play.setConditionalMoves(by, id, [{ when: 'zz', reply: 'zz' }]));
    keep(await play.setConditionalMoves(by, id, null));
    keep(await play.makeMove(by, id, 3, 'e2e8'));
    keep(await play.makeMove(by, id, 7, 'b1c3'));
    keep(await play.makeMove(by, id, 2, 'a7a6'));
    keep(await play.plain(by, 'abort', id));
    keep(await play.plain(by, 'acceptDraw', id));
    keep(await play.plain(by, 'acceptTakeback', id));
    keep(await play.plain(by, 'resign', id, 77));
  }
  for (const path of ['', '/record', '/claimable', '/messages', '/note']) {
    const asked = request(server.http).get(`/v1/games/${id}${path}`);
    keep(await (by === null ? asked : asked.set('Authorization', by.authorization)));
  }
  const inbox = await graphqlInbox(server.http).page(by, { first: 100 });
  return [...texts, JSON.stringify(inbox)];
}

const next = async (watch: Watch): Promise<Game> => {
  const { data, errors } = await watch.next();
  if (errors) throw new Error(JSON.stringify(errors));
  return data!['gameChanged'] as unknown as Game;
};

const watched = async (by: By, { id }: Game): Promise<Watch> => {
  const socket = await openSocket(server, by);
  sockets.push(socket);
  const watch = socket.watch(id, '{ version plyCount conditionalMoves }');
  await next(watch);
  return watch;
};

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let play: Play;
  beforeAll(() => {
    play = over(server.http);
  });
  const start = async (terms: Body = {}): Promise<Game> =>
    playMoves(play, await begin(play, ann, ben, terms), ['e2e4', 'e7e5'], { first: ann, second: ben });

  it.each([
    ['the opponent', () => ann],
    ['a stranger', () => cid],
    ['an anonymous one', () => null],
  ])('%s is told the same with a plan, another one, and none', async (_who, who) => {
    const game = await start();
    const seen: (readonly string[])[] = [await everything(who(), game)];
    for (const tree of [PLAN, [{ when: 'd2d4', resign: true }], null]) {
      expect((await play.setConditionalMoves(ben, game.id, tree)).refusal).toBeUndefined();
      seen.push(await everything(who(), game));
    }
    for (const [i, text] of seen[0]!.entries())
      expect(seen.map((one) => one[i])).toEqual(Array(4).fill(text));
    expect(seen.flat().filter(tells)).toEqual([]);
  });

  it('its owner is told by what is for it alone', async () => {
    const game = await start();
    const before = await play.game(ben, game.id);
    await play.setConditionalMoves(ben, game.id, PLAN);
    expect((await play.game(ben, game.id)).text).toBe(before.text);
    expect((await play.conditionalMoves(ben, game.id)).data).toEqual(PLAN);
    const others = [ann, cid].map((by) => play.conditionalMoves(by, game.id));
    expect((await Promise.all(others)).map(({ data }) => data)).toEqual([null, null]);
    expect((await play.conditionalMoves(null, game.id)).data ?? null).toBeNull();
  });

  it('nobody’s subscription hears of it, and after the reply each sees but his own', async () => {
    const game = await start();
    const watches = await Promise.all([ann, ben, cid, null].map((by) => watched(by, game)));
    for (const tree of [PLAN, null, PLAN]) await play.setConditionalMoves(ben, game.id, tree);
    await play.makeMove(ann, game.id, 3, 'g1h3');
    const seen = await Promise.all(watches.map(next));
    const public_ = { version: 5, plyCount: 4, conditionalMoves: null };
    expect(seen).toEqual([public_, { ...public_, conditionalMoves: PLAN[0]!.then }, public_, public_]);
  });

  it('a plan without an answer leaves no trace before the opponent', async () => {
    const anonymous = (text: string) =>
      text
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
        .replace(/[0-9a-f]{64}/g, 'HASH')
        .replace(/"(cursor|startCursor|endCursor)":"[^"]+"/g, '"$1":"CURSOR"');
    const seen: string[][] = [];
    for (const tree of [null, PLAN]) {
      const game = await start();
      await play.setConditionalMoves(ben, game.id, tree);
      const told = [(await play.makeMove(ann, game.id, 3, 'd2d4')).text];
      for (const by of [ann, cid, null]) {
        for (const answer of [play.game(by, game.id), play.moves(by, game.id), play.events(by, game.id)]) {
          told.push((await answer).text);
        }
      }
      const { data } = await graphqlInbox(server.http).page(ann, { first: 100 });
      told.push(JSON.stringify(data.edges.filter(({ node }) => node.gameId === game.id)));
      seen.push(told.map(anonymous));
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  it('neither the end of the game nor its record tell of what was planned', async () => {
    const game = await start();
    await play.setConditionalMoves(ben, game.id, PLAN);
    await play.resign(ann, game.id);
    for (const by of [ann, cid, null]) {
      expect((await everything(by, game)).filter(tells)).toEqual([]);
    }
  });

  it('a plan does not count as activity', async () => {
    const [older, newer] = [await start(), await start()];
    await play.plain(ann, 'offerDraw', newer.id);
    await play.setConditionalMoves(ben, older.id, PLAN);
    for (const by of [ann, ben]) {
      const ids = (await play.myGames(by)).data.games.map(({ id }) => id);
      expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
    }
  });
});
