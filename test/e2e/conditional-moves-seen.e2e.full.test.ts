import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { openSocket, type Socket, type Watch } from '../support/sockets.js';
import { stopTime } from '../support/stopped-time.js';
import type { Body, By } from '../support/transport.js';

/** Only their owner can notice conditional moves before they are played. Ben plans, Ann moves. */

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await sharedServer();
  stopTime(server.app);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((socket) => socket.close()));
});
afterAll(() => server.close());

/** What follows Ann's first move is never legal for her, so it occurs in no answer. */
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
/** Any move may occur by chance in an id, hash, signature or cursor, and in another game's moves. */
const PUBLIC = /[\w-]{20,}|— localhost [\w+/=]+|"lastMove":\{[^}]*\}/g;
const tells = (text: string) => SECRETS.test(text.replace(PUBLIC, ''));

/** Everything that a user can be told during a game, including errors. */
async function everything(by: By, { id }: Game): Promise<readonly string[]> {
  const texts: string[] = [];
  const keep = ({ text }: { readonly text: string }) => void texts.push(text);
  for (const api of [restApi(server.http), graphqlApi(server.http)]) {
    keep(await api.game(by, id));
    keep(await api.moves(by, id, { takenBack: true }));
    keep(await api.legalMoves(by, id));
    keep(await api.events(by, id));
    keep(await api.myGames(by, { list: 'running' }));
    keep(await api.conditionalMoves(by, id));
    keep(await api.setConditionalMoves(by, id, [{ when: 'zz', reply: 'zz' }]));
    keep(await api.setConditionalMoves(by, id, null));
    keep(await api.makeMove(by, id, 3, 'e2e8'));
    keep(await api.makeMove(by, id, 7, 'b1c3'));
    keep(await api.makeMove(by, id, 2, 'a7a6'));
    keep(await api.plain(by, 'abort', id));
    keep(await api.plain(by, 'acceptDraw', id));
    keep(await api.plain(by, 'acceptTakeback', id));
    keep(await api.plain(by, 'resign', id, 77));
  }
  const api = restApi(server.http);
  keep(await api.record(by, id));
  keep(await api.claimable(by, id));
  keep(await api.messages(by, id));
  keep(await api.note(by, id));
  const news = await graphqlApi(server.http).notifications(by, { first: 100 });
  return [...texts, JSON.stringify(news)];
}

const next = async (watch: Watch): Promise<Game> => {
  const { data, errors } = await watch.next();
  if (errors) throw new Error(JSON.stringify(errors));
  return data!['gameChanged'] as unknown as Game;
};

const watched = async (by: By, { id }: Game): Promise<Watch> => {
  const socket = await openSocket(server, by);
  sockets.push(socket);
  const watch = socket.watch(id, '{ version plyCount viewer { conditionalMoves { id parent when } } }');
  await next(watch);
  return watch;
};

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });
  const start = async (terms: Body = {}): Promise<Game> =>
    playMoves(api, await begin(api, ann, ben, terms), ['e2e4', 'e7e5'], { first: ann, second: ben });

  it.each([
    ['the opponent', () => ann],
    ['a stranger', () => cid],
    ['an anonymous viewer', () => null],
  ])('%s gets the same answers with a plan, another plan, and none', async (_who, who) => {
    const game = await start();
    const seen: (readonly string[])[] = [await everything(who(), game)];
    for (const tree of [PLAN, [{ when: 'd2d4', resign: true }], null]) {
      expect((await api.setConditionalMoves(ben, game.id, tree)).refusal).toBeUndefined();
      seen.push(await everything(who(), game));
    }
    for (const [i, text] of seen[0]!.entries())
      expect(seen.map((one) => one[i])).toEqual(Array(4).fill(text));
    expect(seen.flat().filter(tells)).toEqual([]);
  });

  it('only its owner is notified, in the fields meant for it', async () => {
    const game = await start();
    const before = await api.game(ben, game.id);
    await api.setConditionalMoves(ben, game.id, PLAN);
    expect((await api.game(ben, game.id)).text).toBe(before.text);
    expect((await api.conditionalMoves(ben, game.id)).data).toEqual(PLAN);
    const others = [ann, cid].map((by) => api.conditionalMoves(by, game.id));
    expect((await Promise.all(others)).map(({ data }) => data)).toEqual([null, null]);
    expect((await api.conditionalMoves(null, game.id)).data ?? null).toBeNull();
  });

  it('no subscription reports it, and after the reply each player sees only their own', async () => {
    const game = await start();
    const watches = await Promise.all([ann, ben, cid, null].map((by) => watched(by, game)));
    for (const tree of [PLAN, null, PLAN]) await api.setConditionalMoves(ben, game.id, tree);
    await api.makeMove(ann, game.id, 3, 'g1h3');
    const seen = await Promise.all(watches.map(next));
    const public_ = { version: 5, plyCount: 4 };
    const hers = { ...public_, viewer: { conditionalMoves: null } };
    const others = { ...public_, viewer: null };
    const left = PLAN[0]!.then.map(({ when }, at) => ({ id: at + 1, parent: null, when }));
    expect(seen).toEqual([hers, { ...public_, viewer: { conditionalMoves: left } }, others, others]);
  });

  it('a plan without a reply leaves no trace for the opponent', async () => {
    const anonymous = (text: string) =>
      text
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
        .replace(/[0-9a-f]{64}/g, 'HASH')
        .replace(/— (\S+) [\w+/=]+/g, '— $1 SIGNATURE')
        .replace(/"(cursor|startCursor|endCursor|next|previous)":"[^"]+"/g, '"$1":"CURSOR"');
    const seen: string[][] = [];
    for (const tree of [null, PLAN]) {
      const game = await start();
      await api.setConditionalMoves(ben, game.id, tree);
      const told = [(await api.makeMove(ann, game.id, 3, 'd2d4')).text];
      for (const by of [ann, cid, null]) {
        for (const answer of [api.game(by, game.id), api.moves(by, game.id), api.events(by, game.id)]) {
          told.push((await answer).text);
        }
      }
      const { data } = await graphqlApi(server.http).notifications(ann, { first: 100 });
      told.push(JSON.stringify(data.edges.filter(({ node }) => node.gameId === game.id)));
      seen.push(told.map(anonymous));
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  it('neither the end of the game nor its record reveals what was planned', async () => {
    const game = await start();
    await api.setConditionalMoves(ben, game.id, PLAN);
    await api.resign(ann, game.id);
    for (const by of [ann, cid, null]) {
      expect((await everything(by, game)).filter(tells)).toEqual([]);
    }
  });

  it('a plan does not count as activity', async () => {
    const [older, newer] = [await start(), await start()];
    await api.plain(ann, 'offerDraw', newer.id);
    await api.setConditionalMoves(ben, older.id, PLAN);
    for (const by of [ann, ben]) {
      const ids = (await api.myGames(by)).data.games.map(({ id }) => id);
      expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
    }
  });
});
