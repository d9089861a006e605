import { clientSeedHash } from '../../src/fairness/commitment.js';
import { deal } from '../../src/fairness/deal.js';
import { dealRoot } from '../../src/fairness/merkle.js';
import { verify } from '../../src/fairness/verify.js';
import { DealsStore } from '../../src/engine/deals.store.js';
import { rulesetById } from '../../src/rules/registry.js';
import { type Api, restApi, type TRANSPORTS } from './api.js';
import { newSeed, seedsOf } from './chosen-deals.js';
import { type Person, register } from './people.js';
import { NO_CLOCK } from './play.js';
import type { ChainRecord } from './record.js';
import { ownTerms } from './seeks.js';
import { sharedServer, type TestServer } from './server.js';
import type { Challenge, Game } from './api-types.js';
import { type StoppedTime, stopTime } from './stopped-time.js';
import { type Body, must } from './transport.js';

/**
 * Shared by tests of client seeds in the protocol of docs/fairness.md: who gives a seed when, and what it
 * decides.
 */

export const BANQI = { ruleset: 'banqi-hongkong' };
export const HOURS = { timeControl: { type: 'perMove', seconds: 3600 } };
export const WRONG_SEED = { code: 'INVALID_SEED', field: 'clientSeed' };

export const announcing = (seed: string): Body => ({ clientSeedHash: clientSeedHash(seed) });

/** The root of the deal that a game's seeds give, computed independently here. */
export function rootOf(game: Game, secret?: Uint8Array): string {
  const ruleset = rulesetById(game.ruleset.id)!;
  const seeds = seedsOf(game, secret);
  const { gameId, serverSeed } = seeds;
  return dealRoot({ gameId, serverSeed, board: ruleset.board, deal: deal(ruleset, seeds)! });
}

/**
 * Ann makes challenges, Ben accepts them, and Cid is a spectator, over one transport of the shared server
 * with a stopped clock.
 */
export class SeedPlay {
  api!: Api;
  server!: TestServer;
  time!: StoppedTime;
  ann!: Person;
  ben!: Person;
  cid!: Person;

  async start(over: (http: TestServer['http']) => Api): Promise<void> {
    this.server = await sharedServer();
    this.time = stopTime(this.server.app);
    this.api = over(this.server.http);
  }

  /** Registers new users for each test, who have never played nor withheld a seed. */
  async meet(): Promise<void> {
    const people = await Promise.all(['ann', 'ben', 'cid'].map((name) => register(this.server.http, name)));
    [this.ann, this.ben, this.cid] = people as [Person, Person, Person];
  }

  async open(terms: Body = {}): Promise<Challenge> {
    const usual = { ...BANQI, timeControl: NO_CLOCK, opponent: this.ben.username };
    return must(await this.api.createChallenge(this.ann, { ...usual, ...terms }));
  }

  async give(by: Person, id: string, seed: string) {
    return must(await this.api.giveClientSeed(by, id, seed));
  }

  async accept(id: string, clientSeed: string | null = newSeed()): Promise<Game> {
    return must(await this.api.acceptChallenge(this.ben, id, { clientSeed }));
  }

  /** Two seeks that match; the game uses Ann's. */
  async paired(hers: Body, his: Body, terms: Body = ownTerms(BANQI)): Promise<Game> {
    const older = must(await this.api.createSeek(this.ann, { ...terms, ...hers }));
    this.time.forward(1);
    const younger = must(await this.api.createSeek(this.ben, { ...terms, ...his }));
    expect(younger.gameId).toBe(older.id);
    return must(await this.api.game(null, older.id));
  }

  async record(id: string): Promise<ChainRecord> {
    return must(await restApi(this.server.http).record(null, id));
  }

  /** The findings of the verifier for an ended game. */
  async findings(id: string): Promise<Readonly<Record<string, boolean | null>>> {
    return Object.fromEntries(verify(await this.record(id)).map(({ check, ok }) => [check, ok]));
  }

  /** The seats of Ann and Ben. */
  seatsOf({ fairness }: Game) {
    const [first, second] = fairness.creator === 'first' ? [this.ann, this.ben] : [this.ben, this.ann];
    return { first, second };
  }

  secretOf(id: string): Promise<Buffer> {
    return this.server.app.get(DealsStore).seed(id);
  }
}

/** Runs the tests over each transport. */
export function overEach(
  transports: readonly (typeof TRANSPORTS)[number][],
  tests: (play: SeedPlay) => void,
): void {
  describe.each(transports)('over %s', (_, over) => {
    const play = new SeedPlay();
    beforeAll(() => play.start(over));
    beforeEach(() => play.meet());
    afterAll(() => play.server.close());
    tests(play);
  });
}
