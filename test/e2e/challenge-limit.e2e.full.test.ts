import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/api-types.js';

/** How many challenges of one user may be open at once. */

const MOST = 25;
/** A fifth of the limit. */
const MOST_TO_ONE = 5;
const TERMS = { ruleset: 'chess', timeControl: NO_CLOCK };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ MAX_OPEN_CHALLENGES: String(MOST) });
});
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  let cid: Person;
  beforeEach(async () => {
    api = over(server.http);
    [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
  });

  const challenge = (to: Person | null, by = ann) =>
    api.createChallenge(by, { ...TERMS, ...(to === null ? {} : { opponent: to.username }) });
  const many = (count: number, to: Person | null) =>
    Promise.all(Array.from({ length: count }, () => challenge(to)));
  const countOpen = () =>
    server.app.get(PrismaService).db.challenge.count({ where: { creatorId: ann.id, status: 'open' } });

  it('limits challenges to one user to five until one is answered or cancelled', async () => {
    const answers = await many(MOST_TO_ONE + 3, ben);
    const refused = answers.filter(({ refusal }) => refusal !== undefined);
    const refusal = { code: 'LIMIT_REACHED', field: 'opponent' };
    expect(refused.map((answer) => answer.refusal)).toEqual(Array(3).fill(refusal));
    expect(refused[0]!.message).toMatch(
      /5 open challenges to this user, and the limit is 5\. Cancel one, or wait/,
    );
    const [one, two] = answers.flatMap(({ data }) => (data === undefined ? [] : [data])) as [Challenge, Challenge]; // prettier-ignore
    expect((await challenge(cid)).refusal).toBeUndefined();
    expect((await challenge(ann, ben)).refusal).toBeUndefined();
    await api.declineChallenge(ben, one.id);
    expect((await challenge(ben)).refusal).toBeUndefined();
    expect((await challenge(ben)).refusal).toEqual(refusal);
    await api.cancelChallenge(ann, two.id);
    expect((await challenge(ben)).refusal).toBeUndefined();
  });

  it('limits the open total, links and direct challenges together', async () => {
    await many(3, ben);
    const answers = await many(MOST, null);
    const refused = answers.filter((answer) => answer.refusal !== undefined);
    expect(refused.map(({ refusal }) => refusal)).toEqual(Array(3).fill({ code: 'LIMIT_REACHED' }));
    expect(refused[0]!.message).toMatch(/25 open challenges, and the limit is 25\. Cancel one/);
    expect([(await challenge(cid)).refusal, await countOpen()]).toEqual([{ code: 'LIMIT_REACHED' }, MOST]);
    expect((await api.createSeek(ann, TERMS)).refusal).toBeUndefined();
    const link = answers.find(({ data }) => data !== undefined)!.data;
    await server.app
      .get(PrismaService)
      .db.challenge.update({ where: { id: link.id }, data: { expiresAt: new Date() } });
    expect((await challenge(cid)).refusal).toBeUndefined();
  });

  it('does not count counter-offers and rematches', async () => {
    const game = await begin(api, ann, ben);
    await api.abort(ann, game.id);
    const { data: theirs } = await challenge(ann, ben);
    await many(MOST_TO_ONE, ben);
    await many(MOST - MOST_TO_ONE, null);
    expect((await challenge(null)).refusal).toEqual({ code: 'LIMIT_REACHED' });
    expect((await api.counterChallenge(ann, theirs.id, TERMS)).refusal).toBeUndefined();
    expect((await restApi(server.http).offerRematch(ann, game.id)).refusal).toBeUndefined();
    const link = (await api.challenges(ann, { box: 'outgoing', first: 50 })).data.edges.find(({ node }) => node.kind === 'link')!; // prettier-ignore
    await api.cancelChallenge(ann, link.node.id);
    expect((await challenge(null)).refusal).toBeUndefined();
    expect(await countOpen()).toBe(MOST + 2);
  });
});
