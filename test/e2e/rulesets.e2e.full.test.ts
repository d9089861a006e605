import { playerAt } from '../support/api-types.js';
import { verify } from '../../src/fairness/verify.js';
import { rulesets } from '../../src/rules/registry.js';
import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { type Json, must } from '../support/transport.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** Every rule set of the catalogue is played with only what the API says of it. */

const PLIES = 8;

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

/** The legal moves and claims of a game, which must be the same over both transports. */
async function outlook(id: string, by: Person): Promise<Json> {
  const [graphql, rest] = await Promise.all(
    TRANSPORTS.map(async ([, over]) => ({
      claimable: must(await over(server.http).claimable(by, id)),
      legalMoves: must(await over(server.http).legalMoves(by, id)),
    })),
  );
  expect(rest).toEqual(graphql);
  return graphql;
}

it('the catalogue lists them all', async () => {
  const ids = must(await restApi(server.http).rulesets(null)).map(({ id }: Json) => id);
  expect(ids).toEqual(rulesets().map(({ id }) => id));
});

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  it.each(rulesets().map(({ id }) => id))(
    '%s is played, resigned, recorded and verified',
    async (ruleset) => {
      const terms = { ruleset, clientSeed: newSeed(), seat: 'any' };
      let game = await begin(api, ann, ben, terms, { clientSeed: newSeed() });
      const people = { first: ann, second: ben };
      if (playerAt(game, 'first').id === ben.id) [people.first, people.second] = [ben, ann];
      const sans: string[] = [];
      while (game.plyCount < PLIES && game.turn !== null) {
        const by = people[game.turn];
        const { legalMoves, claimable } = await outlook(game.id, by);
        expect(claimable).toEqual([]);
        expect(new Set(legalMoves.map(({ move }: Json) => move)).size).toBe(legalMoves.length);
        // No mate: some of the drawn set-ups have one within a few plies.
        const safe = legalMoves.filter(({ losing, san }: Json) => !losing && !/[#+]/.test(san));
        const { move, san } = safe[(game.plyCount * 7) % safe.length];
        sans.push(san);
        const answer = await api.makeMove(by, game.id, game.plyCount + 1, move);
        expect(answer.refusal).toBeUndefined();
        game = answer.data;
      }
      expect(game.plyCount).toBe(PLIES);
      const resigned = (await api.resign(ben, game.id)).data;
      const winner = people.first === ann ? 'first' : 'second';
      expect(resigned).toMatchObject({ status: 'finished', outcome: { winner, reason: 'resignation' } });
      expect(await outlook(game.id, ann)).toEqual({ claimable: [], legalMoves: [] });

      const record = must(await api.record(null, game.id));
      expect(verify(record).filter(({ ok }) => ok === false)).toEqual([]);
      const line = lineOf(record);
      const asked = line.plies.map(({ san, reveals }: Json) =>
        reveals === null ? san : san.replace(`(${reveals})`, '(?)'),
      );
      expect(asked).toEqual(sans);
      await expectAnalysed(line);
    },
  );
});

/** Where the game of a record began, and its plies. */
function lineOf({ rows }: Json): Json {
  const of = (type: string) => rows.filter((row: Json) => row.type === type).map(({ data }: Json) => data);
  const [{ ruleset, options }] = of('create');
  const [{ setup }] = of('start');
  return { ruleset, options, setup, plies: of('ply') };
}

/** A line of a record, analysed without the game, gives what was played. */
async function expectAnalysed({ ruleset, options, setup, plies }: Json): Promise<void> {
  const moves = plies.map(({ move, reveals }: Json) => ({ move, reveals }));
  const input = { ruleset, options, moves, ...(setup === null ? {} : { setup }) };
  const body = must(await restApi(server.http).analyse(null, input));
  expect(body.plies.map(({ san, position }: Json) => [san, position])).toEqual(
    plies.map(({ san, position }: Json) => [san, position]),
  );
  expect(body.legalMoves.length).toBeGreaterThan(0);
}

it('a game lists what may be claimed, and warns before the repetition', async () => {
  const api = graphqlApi(server.http);
  const { id } = await begin(api, ann, ben);
  const round = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  const warned: string[] = [];
  for (const [at, move] of [...round, ...round].entries()) {
    const by = at % 2 === 0 ? ann : ben;
    const { legalMoves, claimable } = await outlook(id, by);
    expect(claimable).toEqual([]);
    for (const each of legalMoves) if (each.warning !== null) warned.push(`${at} ${each.san}`);
    expect((await api.makeMove(by, id, at + 1, move)).refusal).toBeUndefined();
  }
  expect(warned).toEqual(['7 Ng8']);
  expect((await outlook(id, ann)).claimable).toEqual(['threefoldRepetition']);
  await api.resign(ben, id);
  expect((await outlook(id, ann)).claimable).toEqual([]);
});
