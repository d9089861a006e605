import { DealsService } from '../../src/engine/deals.service.js';
import { DealsStore } from '../../src/engine/deals.store.js';
import { deal } from '../../src/fairness/deal.js';
import { identity } from '../../src/rules/deal.js';
import { rulesetById } from '../../src/rules/registry.js';
import { type Api, graphqlApi, restApi, TRANSPORTS, VERBS } from '../support/api.js';
import { newSeed, seedsOf } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK, playMoves } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { openSocket, type Socket } from '../support/sockets.js';
import { type Answer, must, select } from '../support/transport.js';

/**
 * No answer contains what lies face-down: two games with the same moves and different deals look the same to everyone,
 * byte for byte, apart from what is random in every game (ids, hashes, times).
 */

const RULESET = rulesetById('banqi-taiwan')!;
/** The soldier on a1 tries to capture the piece on a2, which is its own. */
const COURSE = ['a1', 'b1', 'a1a2'];
const OPTIONS = { darkCaptures: true, multipleCaptures: true };

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

/** A game whose deal begins this way: Ben tries client seeds until it does, which takes access to the server. */
async function dealt(api: Api, wanted: RegExp): Promise<{ game: Game; deal: string }> {
  const challenge = await api.createChallenge(ann, {
    ruleset: RULESET.id,
    options: OPTIONS,
    opponent: ben.username,
    seat: 'first',
    timeControl: NO_CLOCK,
  });
  const { id: gameId } = challenge.data;
  const creatorSeed = newSeed();
  must(await api.giveClientSeed(ann, gameId, creatorSeed));
  const serverSeed = await server.app.get(DealsStore).seed(gameId);
  for (;;) {
    const accepterSeed = newSeed();
    const seeds = { gameId, serverSeed, creatorSeed, accepterSeed } as const;
    const text = deal(RULESET, seeds)!;
    if (!wanted.test(text)) continue;
    const { data } = await api.acceptChallenge(ben, gameId, { clientSeed: accepterSeed });
    return { game: data, deal: text };
  }
}

/** Makes equal what differs between any two games. */
const anonymous = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/[0-9a-f]{64}/g, 'HASH')
    .replace(/— (\S+) [\w+/=]+/g, '— $1 SIGNATURE')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'MOMENT')
    .replace(/"(cursor|startCursor|endCursor|next|previous)":"[^"]+"/g, '"$1":"CURSOR"')
    .replace(/"id":"[\w-]{60,}"/g, '"id":"EVENT"')
    .replace(/"[0-9a-f]{32}"/g, '"SEED"')
    .replace(/"timeUsed":\d+/g, '"timeUsed":0')
    .replace(/"requestId":"[^"]+"/g, '"requestId":"ID"');

/** Everything that anyone can be told about a game, including errors. */
async function everything(api: Api, { id, plyCount }: Game): Promise<readonly string[]> {
  const rest = restApi(server.http);
  const answers: Answer<unknown>[] = [await rest.record(null, id), await rest.claimable(null, id)];
  for (const by of [ann, ben, null]) {
    answers.push(
      ...(await Promise.all([
        api.game(by, id),
        api.moves(by, id),
        api.legalMoves(by, id),
        api.events(by, id),
        api.gameEvents(by, id),
      ])),
    );
  }
  for (const by of [ann, ben]) {
    answers.push(await api.myGames(by, { list: 'running', first: 1 }));
    const refused = [await api.makeMove(by, id, plyCount, 'd8'), await api.abort(by, id)];
    for (const move of ['c1c2', 'd1d2', 'a1h8', 'a1', 'a1a3', 'a1c1', 'b1d1', 'pass', 'zz']) {
      refused.push(await api.makeMove(by, id, plyCount + 1, move));
    }
    expect(refused.filter(({ refusal }) => refusal === undefined)).toEqual([]);
    answers.push(...refused);
  }
  return answers.map(({ text }) => text);
}

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  it('a running game looks the same whatever lies face-down', async () => {
    const seen: (readonly string[])[] = [];
    const deals: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      const { game, deal: text } = await dealt(api, /^Pp..P/);
      deals.push(text);
      const at = await playMoves(api, game, COURSE, { first: ann, second: ben });
      seen.push((await everything(api, at)).map(anonymous));
      await api.resign(ben, game.id);
    }
    expect(deals[0]).not.toBe(deals[1]);
    expect(seen[0]!.length).toBeGreaterThan(30);
    expect(seen[0]).toEqual(seen[1]);
  });

  it('no answer contains the deal, its salts or the secret', async () => {
    const { game, deal: text } = await dealt(api, /^Pp..P/);
    const secret = await server.app.get(DealsStore).seed(game.id);
    const at = await playMoves(api, game, COURSE, { first: ann, second: ben });
    const said = (await everything(api, at)).join('\n');
    for (const form of ['hex', 'base64', 'base64url'] as const)
      expect(said).not.toContain(secret.toString(form));
    expect(said).not.toContain(text.slice(0, 8));
    expect(said).not.toContain(text.slice(-8));
    // A part of the server that asks too early does not get it either.
    expect(await server.app.get(DealsService).publish(game.id)).toBeNull();
    const { proof } = (await api.moves(null, game.id)).data.edges[0]!.node;
    expect(proof!.salt).toMatch(/^[0-9a-f]{64}$/);
  });

  it('after the end everyone may read all of it', async () => {
    const { game, deal: text } = await dealt(api, /^P/);
    expect((await api.game(null, game.id)).data.fairness.serverSeed).toBeNull();
    await api.abort(ann, game.id);
    expect(deal(RULESET, seedsOf((await api.game(null, game.id)).data))).toBe(text);
  });

  it('a ply that turns a piece up shows that piece, as dealt', async () => {
    const { game, deal: text } = await dealt(api, /^Pp..P/);
    await playMoves(api, game, ['a1', 'b1', 'd8'], { first: ann, second: ben });
    const plies = (await api.moves(null, game.id)).data.edges.map(({ node }) => node);
    expect(plies.map(({ reveals }) => reveals)).toEqual(
      ['a1', 'b1', 'd8'].map((at) => identity(RULESET, text, at)),
    );
  });
});

it('a subscription reveals no more than an answer', async () => {
  const api = graphqlApi(server.http);
  const seen: string[][] = [];
  for (let i = 0; i < 2; i += 1) {
    const { game } = await dealt(api, /^Pp..P/);
    const sockets: Socket[] = [];
    for (const by of [ann, ben, null]) sockets.push(await openSocket(server, by));
    const watched = sockets.map((socket) =>
      socket.watch(
        game.id,
        '{ id position claimable viewer { acts { act } legalMoves { move captures san notations { name text } losing warning { winner reason } } } players { side } board { squares { square piece faceDown } captured faceDown { piece count } } moves { edges { node { move reveals san proof { salt path } } } } fairness { serverSeed } }',
      ),
    );
    const told: string[] = [];
    for (const watch of watched) told.push(JSON.stringify(await watch.next()));
    await playMoves(api, game, ['a1', 'b1'], { first: ann, second: ben });
    for (const watch of watched) {
      let last = '';
      while (!last.includes('"move":"b1","reveals"')) last = JSON.stringify(await watch.next());
      told.push(last);
    }
    seen.push(told.map(anonymous));
    await Promise.all(sockets.map((socket) => socket.close()));
  }
  expect(seen[0]).toEqual(seen[1]);
});

it('listing the legal moves does not read the secret', async () => {
  const api = graphqlApi(server.http);
  const { game } = await dealt(api, /^Pp..P/);
  await playMoves(api, game, COURSE, { first: ann, second: ben });
  const store = server.app.get(DealsStore);
  const seed = store.seed.bind(store);
  let asked = 0;
  store.seed = (id) => {
    asked += 1;
    return seed(id);
  };
  try {
    const fields =
      '{ claimable viewer { acts { act } legalMoves { captures san notations { name text } losing warning { reason } } } }';
    const told = must(await select(server.http, ben, VERBS.game.graphql(game.id), fields));
    expect(told.viewer.legalMoves.length).toBeGreaterThan(20);
    const moves = [
      { move: 'a1', reveals: 'P' },
      { move: 'b1', reveals: 'p' },
    ];
    const line = must(await restApi(server.http).analyse(null, { ruleset: RULESET.id, moves }));
    expect(line.legalMoves.length).toBeGreaterThan(20);
    expect(asked).toBe(0);
    expect((await api.makeMove(ben, game.id, COURSE.length + 1, 'd8')).refusal).toBeUndefined();
    expect(asked).toBe(1);
  } finally {
    store.seed = seed;
  }
});
