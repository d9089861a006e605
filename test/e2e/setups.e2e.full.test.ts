import { clientSeedHash } from '../../src/fairness/commitment.js';
import { deal } from '../../src/fairness/deal.js';
import { verify } from '../../src/fairness/verify.js';
import { rulesetById } from '../../src/rules/registry.js';
import { setupCount, setupNumber } from '../../src/rules/setup.js';
import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed, seedsOf } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type Game, playerAt } from '../support/api-types.js';
import { type Body, type Json, must, rest } from '../support/transport.js';
import { get } from '../support/verb.js';

/** Games with a drawn set-up: by the three seeds, or as the players agreed. */

const HALF_COURT = rulesetById('half-court-chess')!;
const UNDRAWN = HALF_COURT.dealing.join('/');
const CHOSEN = 'NQRBK/qbnrk';

type Shown = Game & { readonly setup: string | null; readonly setupNumber: number | null };

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const opening = (setup: string | null, options: object = { setup: 'random' }): string =>
  HALF_COURT.fen(HALF_COURT.start(options as never, setup));

/** As both transports show it. */
async function shown(id: string): Promise<Shown> {
  const rest = must(await restApi(server.http).game(null, id));
  const { setup, setupNumber, position } = must(await graphqlApi(server.http).game(null, id));
  expect(rest).toMatchObject({ setup, setupNumber, position });
  return rest;
}

const verdict = (record: Json): Readonly<Record<string, boolean | null>> =>
  Object.fromEntries(verify(record).map(({ check, ok }) => [check, ok]));

async function playSome(api: Api, game: Game): Promise<void> {
  for (let ply = 1; ply <= 4; ply += 1) {
    const by = playerAt(game, ply % 2 === 1 ? 'first' : 'second').id === ann.id ? ann : ben;
    const { data } = await api.legalMoves(by, game.id);
    // No mate: some of the drawn set-ups have one within a few plies.
    const quiet = data.filter(({ san }) => !/[#+]/.test(san));
    const { move } = quiet[(ply * 5) % quiet.length]!;
    expect((await api.makeMove(by, game.id, ply, move)).refusal).toBeUndefined();
  }
}

const startOf = ({ rows }: Json): Json => rows.find(({ type }: Json) => type === 'start');

/** The record with another set-up, and the original chain. */
const withSetup = (record: Json, setup: string | null): Json => ({
  ...record,
  rows: record.rows.map((row: Json) =>
    row.type === 'start' ? { ...row, data: { ...row.data, setup } } : row,
  ),
});

/** Plays on, resigns, and checks that the record is valid, and invalid with another set-up. */
async function expectProven(api: Api, id: string): Promise<void> {
  const game = await shown(id);
  await playSome(api, game);
  const running = must(await api.record(null, id));
  expect(verify(running).filter(({ ok }) => ok === false)).toEqual([]);
  await api.resign(ben, id);
  const record = must(await api.record(null, id));
  expect(verify(record).filter(({ ok }) => ok === false)).toEqual([]);
  expect(startOf(record).data.setup).toBe(game.setup);
  expect(verdict(record)).toMatchObject({
    commitment: true,
    clientSeeds: true,
    deal: true,
    chain: true,
    plies: true,
  });
  const [white, black] = game.setup!.split('/');
  const other = `${white}/${[...black!].reverse().join('')}`;
  expect(verdict(withSetup(record, other))).toMatchObject({ deal: false });
  expect(verdict(withSetup(record, null))).toMatchObject({ deal: false });
}

const drawn = (game: Game): string => deal(HALF_COURT, seedsOf(game))!;

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const opened = (terms: Body, accept: Body = { clientSeed: newSeed() }): Promise<Game> =>
    begin(api, ann, ben, { ruleset: HALF_COURT.id, seat: 'any', ...terms }, accept);

  it('the seeds draw it when the challenge is accepted', async () => {
    const { id } = await opened({ clientSeed: newSeed() });
    const game = await shown(id);
    expect(game).toMatchObject({
      status: 'active',
      position: opening(game.setup),
      fairness: { dealRoot: null },
    });
    expect(game.setupNumber).toBe(setupNumber(HALF_COURT, game.setup!));
    await expectProven(api, id);
    expect(drawn((await api.game(null, id)).data)).toBe(game.setup);
  });

  it('an announced seed draws it when it comes; until then it is null', async () => {
    const later = newSeed();
    const { id } = await opened({ clientSeedHash: clientSeedHash(later) });
    expect(await shown(id)).toMatchObject({
      status: 'pending',
      setup: null,
      setupNumber: null,
      position: opening(null),
    });
    await api.giveClientSeed(ann, id, later);
    const game = await shown(id);
    expect(game).toMatchObject({ status: 'active', position: opening(game.setup) });
    await expectProven(api, id);
    expect(drawn((await api.game(null, id)).data)).toBe(game.setup);
  });

  it('another seed draws another', async () => {
    const setups = new Set<string | null>();
    // With 14400 set-ups, three games practically never draw the same.
    for (const clientSeed of [newSeed(), newSeed(), newSeed()]) {
      const { id } = await opened({ clientSeed });
      setups.add((await shown(id)).setup);
      await api.abort(ben, id);
    }
    expect(setups.size).toBeGreaterThan(1);
  });

  it.each([
    ['at once', false],
    ['while a seed is awaited', true],
  ])('uses the agreed set-up, %s', async (_name, isAwaited) => {
    const [options, seed] = [{ setup: CHOSEN }, newSeed()];
    const part = isAwaited ? { clientSeedHash: clientSeedHash(seed) } : { clientSeed: seed };
    const { id } = await opened({ options, ...part });
    expect(await shown(id)).toMatchObject({ options, setup: CHOSEN, position: opening(CHOSEN, options) });
    if (isAwaited) must(await api.giveClientSeed(ann, id, seed));
    expect(await shown(id)).toMatchObject({
      status: 'active',
      options,
      setup: CHOSEN,
      setupNumber: setupNumber(HALF_COURT, CHOSEN),
      position: opening(CHOSEN, options),
    });
    await expectProven(api, id);
  });

  it.each(['NQRBK', 'NQRBK/qbnrr', 'NQRBKqbnrk', '', 'Random', 5, null, ['NQRBK/qbnrk']])(
    'refuses a challenge with the set-up %j, and says what is allowed',
    async (setup) => {
      const terms = { ruleset: HALF_COURT.id, timeControl: NO_CLOCK, options: { setup } };
      const { refusal, message } = await api.createChallenge(ann, terms);
      expect(refusal).toEqual({ code: 'INVALID_OPTIONS', field: 'options.setup' });
      expect(message).toContain(`setup must be "random" or a set-up such as "${UNDRAWN}"; got `);
    },
  );
});

describe('the published numbers', () => {
  const last = setupCount(HALF_COURT) - 1;
  const both = async (number: number) => {
    const rest = must(await restApi(server.http).setup(null, HALF_COURT.id, { number }));
    expect(must(await graphqlApi(server.http).setup(null, HALF_COURT.id, { number }))).toEqual(rest);
    return rest;
  };

  it('are in the catalogue', async () => {
    const ruleset = async (id: string) => must(await restApi(server.http).ruleset(null, id));
    expect(await ruleset(HALF_COURT.id)).toMatchObject({ setupCount: last + 1, chance: 'setup' });
    expect(await ruleset('chess')).toMatchObject({ setupCount: null });
  });

  it.each([0, 1, 4242, last])('identify one set-up each: %i', async (number) => {
    const found = await both(number);
    expect(found).toEqual({
      number,
      setup: expect.stringMatching(/^[KQRBN]{5}\/[kqrbn]{5}$/),
      position: opening(found.setup),
    });
    for (const [, over] of TRANSPORTS) {
      expect(must(await over(server.http).setup(null, HALF_COURT.id, { text: found.setup }))).toEqual(found);
    }
  });

  it('start with the order before the draw', async () => {
    expect((await both(0)).setup).toBe(UNDRAWN);
  });

  it.each([
    [`half-court-chess/setups/${last + 1}`, 400, 'INVALID_SETUP'],
    ['half-court-chess/setups/-1', 400, 'INVALID_SETUP'],
    ['half-court-chess/setups/007', 400, 'BAD_INPUT'],
    ['half-court-chess/setups/1.5', 400, 'BAD_INPUT'],
    ['half-court-chess/setups/0x10', 400, 'BAD_INPUT'],
    ['half-court-chess/setups/%20', 400, 'BAD_INPUT'],
    ['half-court-chess/setups/9999999999', 400, 'INVALID_SETUP'],
    ['half-court-chess/setups', 400, 'BAD_INPUT'],
    ['half-court-chess/setups?text=', 400, 'INVALID_SETUP'],
    ['half-court-chess/setups?text=NQRBK', 400, 'INVALID_SETUP'],
    ['half-court-chess/setups?text=a&text=b', 400, 'BAD_INPUT'],
    ['chess/setups/0', 400, 'INVALID_SETUP'],
    ['chess/setups?text=NQRBK/qbnrk', 400, 'INVALID_SETUP'],
    ['draughts/setups/0', 404, 'NOT_FOUND'],
  ])('exclude %s', async (path, status, code) => {
    const answer = await rest(server.http, null, get(`rulesets/${path}`));
    expect([answer.status, answer.refusal?.code]).toEqual([status, code]);
  });

  it.each([
    ['half-court-chess', { number: last + 1 }, 'INVALID_SETUP'],
    ['half-court-chess', { number: -1 }, 'INVALID_SETUP'],
    ['half-court-chess', { text: 'NQRBK' }, 'INVALID_SETUP'],
    ['half-court-chess', {}, 'BAD_INPUT'],
    ['half-court-chess', { number: 1, text: 'NQRBK/qbnrk' }, 'BAD_INPUT'],
    ['chess', { number: 0 }, 'INVALID_SETUP'],
    ['draughts', { number: 0 }, 'NOT_FOUND'],
  ])('exclude %s %j', async (ruleset, which, code) => {
    expect((await graphqlApi(server.http).setup(null, ruleset, which)).refusal?.code).toBe(code);
  });
});
