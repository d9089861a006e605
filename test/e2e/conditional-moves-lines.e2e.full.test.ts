import type { PlanNode } from '../../src/arbiter/conditional-moves.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { chess } from '../../src/rules/chess/chess.js';
import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { randomGame } from '../support/random-games.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game, Plies, Ply } from '../support/api-types.js';
import { must } from '../support/transport.js';

/** Conditional moves that come with a move, long lines, and plans of both players at once. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const seeds = Array.from({ length: 50 }, (_, seed) => seed);
const long = seeds.map((seed) => randomGame(chess, {}, seed)).find(({ plies: all }) => all.length > 203)!;
const moves = long.plies.map(({ move: text }) => text);

/** A plan of one line: 100 replies to the moves from this index on. */
function answering(from: number): PlanNode[] {
  let line: PlanNode[] = [];
  for (let at = from + 198; at >= from; at -= 2) {
    line = [{ when: moves[at]!, reply: moves[at + 1]!, ...(line.length ? { then: line } : {}) }];
  }
  return line;
}

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const tree = async (by: Person, { id }: Game) => (await api.conditionalMoves(by, id)).data;

  async function planned(by: Person, plan: readonly PlanNode[]): Promise<Game> {
    const game = await begin(api, ann, ben);
    const answer = await api.setConditionalMoves(by, game.id, plan);
    if (answer.refusal) throw new Error(answer.text);
    return game;
  }

  async function toldToMove({ id }: Game): Promise<readonly unknown[]> {
    const { data } = await graphqlApi(server.http).notifications(ben, { first: 100 });
    const own = data.edges.filter(({ node }) => node.gameId === id && node.type === 'yourTurn');
    return own.map(({ node }) => node.data);
  }

  async function expectWhole({ id }: Game): Promise<void> {
    const record: unknown = must(await restApi(server.http).record(null, id));
    expect(holds(verify(record))).toBe(true);
  }

  test('plays 201 plies with one move when the plans of both players answer each other', async () => {
    const game = await planned(ben, answering(0));
    const { data } = await api.makeMove(ann, game.id, 1, moves[0], { conditionalMoves: answering(1) });
    expect(data).toMatchObject({ plyCount: 201, version: 202, turn: 'second' });
    const log: Ply[] = [];
    for (let after: string | null = null; ;) {
      const page: Plies = (await api.moves(null, game.id, { first: 100, ...(after && { after }) })).data;
      log.push(...page.edges.map(({ node }) => node));
      after = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) break;
    }
    expect(log.map((ply) => [ply.move, ply.automatic])).toEqual(moves.slice(0, 201).map((text, at) => [text, at > 0])); // prettier-ignore
    expect([await tree(ann, game), await tree(ben, game)]).toEqual([null, null]);
    expect(await toldToMove(game)).toMatchObject([{ ply: 202 }]);
    await expectWhole(game);
  });

  describe('a plan that comes with a move', () => {
    it('answers the next move, and repeating the move changes nothing', async () => {
      const game = await begin(api, ann, ben);
      const more = { conditionalMoves: [{ when: 'e7e5', reply: 'g1f3' }] };
      await api.makeMove(ann, game.id, 1, 'e2e4', more);
      expect(await tree(ann, game)).toEqual(more.conditionalMoves);
      expect((await api.makeMove(ann, game.id, 1, 'e2e4')).data.plyCount).toBe(1);
      expect(await tree(ann, game)).toEqual(more.conditionalMoves);
      expect((await api.makeMove(ben, game.id, 2, 'e7e5')).data.plyCount).toBe(3);
    });

    it('is refused with its path, and the move is not played', async () => {
      const game = await begin(api, ann, ben);
      const refusal = async (conditionalMoves: unknown) =>
        (await api.makeMove(ann, game.id, 1, 'e2e4', { conditionalMoves })).refusal;
      expect(await refusal([{ when: 'e7e5', reply: 'e1e3' }])).toMatchObject({
        code: 'ILLEGAL_MOVE',
        field: 'conditionalMoves.0.reply',
      });
      expect(await refusal([{ when: 'e7e5' }])).toEqual({
        code: 'INVALID_CONDITIONAL_MOVES',
        field: 'conditionalMoves.0.reply',
      });
      expect((await api.game(null, game.id)).data).toMatchObject({ plyCount: 0, version: 1 });
    });

    it('has no effect with a move that ends the game', async () => {
      const game = await begin(api, ann, ben);
      for (const [at, text] of ['f2f3', 'e7e5', 'g2g4'].entries()) {
        await api.makeMove(at % 2 === 0 ? ann : ben, game.id, at + 1, text);
      }
      const more = { conditionalMoves: [{ when: 'a2a3', reply: 'a7a6' }] };
      expect((await api.makeMove(ben, game.id, 4, 'd8h4', more)).data.status).toBe('finished');
      expect(await tree(ben, game)).toBeNull();
    });
  });

  test('plays a line of 100 nodes to its end', async () => {
    let line = answering(0);
    const game = await planned(ben, line);
    for (let at = 0; at < 200; at += 2) {
      const answer = await api.makeMove(ann, game.id, at + 1, moves[at]);
      expect(answer.data).toMatchObject({ plyCount: at + 2, version: at + 3 });
      line = [...(line[0]!.then ?? [])];
    }
    expect(await tree(ben, game)).toBeNull();
    await expectWhole(game);
  });
});
