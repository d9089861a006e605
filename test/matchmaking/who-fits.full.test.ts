import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { Quotas } from '../../src/platform/limits/quotas.js';
import type { SeatWish } from '../../src/features/games/given-seat.js';
import { UNANSWERED, type ChallengeRow } from '../../src/features/matchmaking/challenge.row.js';
import { ChallengesService } from '../../src/features/matchmaking/challenges.service.js';
import { Invitations } from '../../src/features/matchmaking/invitations.js';
import { LobbyStore } from '../../src/features/matchmaking/lobby.store.js';
import { Matching } from '../../src/features/matchmaking/matching.js';
import { SeeksStore } from '../../src/features/matchmaking/seeks.store.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { DomainError } from '../../src/platform/errors/errors.js';
import { people } from '../support/history-rows.js';
import { runs } from '../support/scale.js';
import { closeChallenges, setRating } from '../support/seeks.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Person } from '../support/people.js';

/** The lobby, acceptance and pairing agree on which users match, and so does this test's own implementation. */

let server: TestServer;
let db: PrismaClient;
beforeAll(async () => {
  server = await sharedServer();
  ({ db } = server.app.get(PrismaService));
});
afterAll(() => server.close());

const NOW = new Date();
const SIDES: readonly SeatWish[] = ['any', 'first', 'second'];
/** Around the initial rating, and around rounding. */
const RATINGS = [null, 1400, 1499.49, 1499.5, 1500, 1500.49, 1500.5, 1600];
const BOUNDS = [null, 1400, 1499, 1500, 1501, 1600];
const USERS = 6;

const user = fc.nat(USERS - 1);
const bound = fc.constantFrom(...BOUNDS);
const circumstances = fc.record({
  ratings: fc.array(fc.constantFrom(...RATINGS), { minLength: USERS, maxLength: USERS }),
  blocks: fc.array(fc.tuple(user, user), { maxLength: 4 }),
  seeks: fc.array(
    fc.record({
      by: user,
      bounds: fc.tuple(bound, bound).filter(([min, max]) => (min ?? 0) <= (max ?? 9999)),
      side: fc.constantFrom(...SIDES),
      announced: fc.boolean(),
    }),
    { minLength: 2, maxLength: 10 },
  ),
});
type Circumstances = typeof circumstances extends fc.Arbitrary<infer Case> ? Case : never;
type Seek = Circumstances['seeks'][number];

const isIn = ([min, max]: Seek['bounds'], rating: number) => rating >= (min ?? 0) && rating <= (max ?? 9999);

class World {
  readonly ids: readonly string[] = Array.from({ length: USERS }, () => '');
  readonly rows = new Map<Seek, ChallengeRow>();

  constructor(private readonly given: Circumstances) {}

  async store(): Promise<void> {
    const { ratings, blocks, seeks } = this.given;
    const found = await people(db, this.ids.map(() => randomUUID().slice(0, 18))); // prettier-ignore
    Object.assign(this.ids, [...found.values()]);
    for (const [i, rating] of ratings.entries()) {
      if (rating !== null) await setRating(server.app, { id: this.ids[i]! } as Person, rating);
    }
    const pairs = blocks.filter(([one, other]) => one !== other);
    await db.block.createMany({
      data: pairs.map(([one, other]) => ({ blockerId: this.ids[one]!, blockedId: this.ids[other]!, createdAt: NOW })), // prettier-ignore
      skipDuplicates: true,
    });
    const termsKey = randomUUID();
    for (const [i, seek] of seeks.entries()) this.rows.set(seek, await this.listed(seek, i, termsKey));
  }

  /** This test's own implementation: not their own seek, no block either way, their shown rating within the range. */
  takes(who: number, { by, bounds }: Seek): boolean {
    return who !== by && !this.apart(who, by) && isIn(bounds, Math.round(this.given.ratings[who] ?? 1500));
  }

  apart(one: number, other: number): boolean {
    return this.given.blocks.some(([a, b]) => (a === one && b === other) || (a === other && b === one));
  }

  idsOf(seeks: readonly Seek[]): string[] {
    return seeks.map((seek) => this.rows.get(seek)!.id).sort();
  }

  private async listed(seek: Seek, i: number, termsKey: string): Promise<ChallengeRow> {
    const [minRating, maxRating] = seek.bounds;
    const seed = {
      creatorClientSeed: null,
      creatorClientSeedHash: seek.announced ? clientSeedHash(randomUUID()) : null,
      creatorSeedAt: null,
    } as const;
    const terms = {
      id: uuid(),
      kind: 'seek',
      creatorId: this.ids[seek.by]!,
      opponentId: null,
      ...UNANSWERED,
      ruleset: 'chess',
      options: {},
      timeControl: { type: 'none' },
      rated: false,
      side: seek.side,
      ...seed,
      createdAt: new Date(NOW.getTime() + i),
      expiresAt: new Date(NOW.getTime() + 3_600_000),
      rematchOf: null,
      personsOnly: false,
      minRating,
      maxRating,
      termsKey,
      counterTo: null,
    } as const;
    const invitations = server.app.get(Invitations, { strict: false });
    return (await invitations.send(terms, new Quotas(), () => Promise.resolve(true)))!;
  }
}

const soon = (): Date => new Date(NOW.getTime() + 1000);

async function shownTo(world: World, who: number): Promise<string[]> {
  const wanted = { ruleset: null, rated: null, timeControl: null, maxSeconds: null, acceptable: true };
  const lobby = server.app.get(LobbyStore, { strict: false });
  const { keys } = await lobby.page(
    { userId: world.ids[who]!, kind: 'password' },
    wanted,
    soon(),
    null,
    1000,
  );
  const own = new Set([...world.rows.values()].map(({ id }) => id));
  return keys.map(({ id }) => id).filter((id) => own.has(id)).sort(); // prettier-ignore
}

async function partnersOf(id: string): Promise<string[]> {
  const store = server.app.get(SeeksStore, { strict: false });
  const found: string[] = [];
  for (;;) {
    const partner = await store.oldestPartner(id, { now: soon(), mostGames: 1000, mostOfGuests: 3 }, found);
    if (partner === null) return found.sort();
    found.push(partner);
  }
}

const codeOf = (done: Promise<unknown>): Promise<string | null> =>
  done.then(
    () => null,
    (error: DomainError) => error.code,
  );

test('the lobby, acceptance and pairing agree on who matches', async () => {
  await fc.assert(
    fc.asyncProperty(circumstances, async (given) => {
      const world = new World(given);
      await world.store();
      const { seeks } = given;
      const matching = server.app.get(Matching, { strict: false });
      for (const [who, userId] of world.ids.entries()) {
        const fitting = seeks.filter((seek) => world.takes(who, seek));
        expect(await shownTo(world, who)).toEqual(world.idsOf(fitting));
        for (const seek of seeks.filter(({ by }) => by !== who)) {
          const refused = world.apart(who, seek.by) ? 'BLOCKED' : 'RATING_OUT_OF_RANGE';
          const code = await codeOf(matching.demandTaker(userId, world.rows.get(seek)!));
          expect(code).toBe(fitting.includes(seek) ? null : refused);
        }
      }
      for (const one of seeks) {
        const fit = (other: Seek) =>
          world.takes(one.by, other) &&
          world.takes(other.by, one) &&
          (one.side === 'any' || one.side !== other.side);
        expect(await partnersOf(world.rows.get(one)!.id)).toEqual(world.idsOf(seeks.filter(fit)));
      }
      await closeChallenges(server.app);
    }),
    runs(40),
  );
});

test('a matching user can accept a seek after all others were refused', async () => {
  const challenges = server.app.get(ChallengesService, { strict: false });
  await fc.assert(
    fc.asyncProperty(circumstances, async (given) => {
      const world = new World(given);
      await world.store();
      for (const seek of given.seeks.slice(0, 3)) {
        const { id } = world.rows.get(seek)!;
        const take = (who: number) =>
          codeOf(challenges.accept({ userId: world.ids[who]!, sessionId: '' } as never, { id }));
        const everybody = [...world.ids.keys()];
        const taker = everybody.find((who) => world.takes(who, seek));
        for (const who of everybody.filter((who) => !world.takes(who, seek))) {
          const refused = world.apart(who, seek.by) ? 'BLOCKED' : 'RATING_OUT_OF_RANGE';
          expect(await take(who)).toBe(who === seek.by ? 'OWN_CHALLENGE' : refused);
        }
        if (taker !== undefined) expect(await take(taker)).toBeNull();
      }
      await closeChallenges(server.app);
    }),
    runs(20),
  );
});
