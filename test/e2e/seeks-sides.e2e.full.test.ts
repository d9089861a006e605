import { clientSeedHash } from '../../src/fairness/commitment.js';
import { verify } from '../../src/fairness/verify.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import type { ChainRecord } from '../support/record.js';
import { sample } from '../support/scale.js';
import { ownTerms } from '../support/seeks.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type Challenge, type Game, playerAt } from '../support/api-types.js';
import { type Body, must } from '../support/transport.js';

/** Which player gets the first side when two seeks are paired. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'GraphQL'))('sides, over %s', (_, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  let cid: Person;
  beforeEach(async () => {
    api = over(server.http);
    [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
  });

  const seek = async (by: Person, terms: Body): Promise<Challenge> => {
    const answer = await api.createSeek(by, terms);
    if (answer.refusal) throw new Error(answer.text);
    return answer.data;
  };
  const gameOf = async ({ gameId }: Challenge): Promise<Game> => (await api.game(null, gameId!)).data;
  const seats = ({ players }: Game) => players.map(({ player }) => player.id);
  const played = async (one: Person, other: Person, terms: Body): Promise<Game> => {
    await seek(one, terms);
    return gameOf(await seek(other, terms));
  };
  /** What decided the sides, and the counts of earlier games, in a record with valid sides. */
  const decided = async (id: string) => {
    const record = must(await api.record(null, id)) as ChainRecord;
    const findings = verify(record);
    expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
    expect(findings.find(({ check }) => check === 'sides')!.ok).toBe(true);
    const of = (type: string) => record.rows.find((row) => row.type === type)!.data;
    return [of('start')['sidesBy'], of('accept')['earlier']];
  };

  it('are drawn at first, then the first side goes to the player who had it less often with this rule set', async () => {
    const terms = ownTerms();
    const one = await played(ann, ben, terms);
    const [had, hadNot] = playerAt(one, 'first').id === ann.id ? [ann, ben] : [ben, ann];
    await api.resign(ann, one.id);
    expect(await decided(one.id)).toEqual(['seeds', { creator: 0, accepter: 0 }]);
    for (const [older, younger] of [[had, hadNot] as const]) {
      const two = await played(older, younger, terms);
      expect(seats(two)).toEqual([hadNot.id, had.id]);
      await api.resign(ann, two.id);
      expect(await decided(two.id)).toEqual(['balance', { creator: 1, accepter: 0 }]);
    }
  });

  it('ignore games of other rule sets and aborted games', async () => {
    const terms = ownTerms({ seat: 'first' });
    const other = await seek(ann, { ...terms, ruleset: 'half-court-chess' });
    await api.acceptChallenge(ben, other.id);
    const called = await seek(ann, terms);
    await api.acceptChallenge(ben, called.id);
    await api.abort(ben, called.id);
    const drawn = await played(ann, ben, ownTerms());
    await api.resign(ann, drawn.id);
    expect(await decided(drawn.id)).toEqual(['seeds', { creator: 0, accepter: 0 }]);
    const wished = await seek(ann, ownTerms({ seat: 'second' }));
    await api.acceptChallenge(ben, wished.id);
    await api.resign(ann, wished.id);
    expect(await decided(wished.id)).toEqual(['wish', null]);
  });

  it('stay as earlier games decided them when the seed comes, whatever was played in the meantime', async () => {
    const before = await seek(ann, ownTerms({ seat: 'first' }));
    await api.acceptChallenge(ben, before.id);
    const later = newSeed();
    const terms = { ...ownTerms(), opponent: ben.username, clientSeedHash: clientSeedHash(later) };
    const { data: made } = await api.createChallenge(ann, terms);
    const waiting = (await api.acceptChallenge(ben, made.id)).data;
    expect(seats(waiting)).toEqual([ben.id, ann.id]);
    for (let i = 0; i < 2; i += 1) {
      const more = await seek(ben, ownTerms({ seat: 'first' }));
      await api.acceptChallenge(cid, more.id);
    }
    const begun = must(await api.giveClientSeed(ann, made.id, later)).game!;
    expect(seats(begun)).toEqual([ben.id, ann.id]);
    await api.resign(ann, begun.id);
    expect(await decided(begun.id)).toEqual(['balance', { creator: 1, accepter: 0 }]);
  });
});
