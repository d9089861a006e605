import request from 'supertest';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { verify } from '../../src/fairness/verify.js';
import { type Body, type Person, type Play, register, TRANSPORTS } from '../support/play.js';
import { ownTerms, SEEKS, type Seeks } from '../support/seeks.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Challenge, Game } from '../support/shown.js';

/** Who has the first side, of two who sought. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '3600' });
});
afterAll(() => server.close());

describe.each(TRANSPORTS)('sides, over %s', (transport, over) => {
  let play: Play;
  let seeks: Seeks;
  let ann: Person;
  let ben: Person;
  let cid: Person;
  beforeEach(async () => {
    play = over(server.http);
    seeks = SEEKS[transport]!(server.http);
    [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
  });

  const seek = async (by: Person, terms: Body): Promise<Challenge> => {
    const answer = await seeks.createSeek(by, terms);
    if (answer.refusal) throw new Error(answer.text);
    return answer.data;
  };
  const gameOf = async ({ gameId }: Challenge): Promise<Game> => (await play.game(null, gameId!)).data;
  const seats = ({ players }: Game) => [players.first.id, players.second.id];
  const played = async (one: Person, other: Person, terms: Body): Promise<Game> => {
    await seek(one, terms);
    return gameOf(await seek(other, terms));
  };
  const checked = async (id: string): Promise<boolean | null> => {
    const { body } = await request(server.http).get(`/v1/games/${id}/record`);
    expect(verify(body).filter(({ ok }) => ok === false)).toEqual([]);
    return verify(body).find(({ check }) => check === 'sides')!.ok;
  };

  it('go by lot at first, then to who had the first one less often with this rule set', async () => {
    const terms = ownTerms();
    const one = await played(ann, ben, terms);
    const [had, hadNot] = one.players.first.id === ann.id ? [ann, ben] : [ben, ann];
    await play.resign(ann, one.id);
    expect(await checked(one.id)).toBe(true);
    for (const [older, younger] of [[had, hadNot] as const]) {
      const two = await played(older, younger, terms);
      expect(seats(two)).toEqual([hadNot.id, had.id]);
      await play.resign(ann, two.id);
      // Decided by games, and not by the seeds.
      expect(await checked(two.id)).toBeNull();
    }
  });

  it('a game of another rule set, or one that was called off, does not count', async () => {
    const terms = ownTerms({ side: 'first' });
    const other = await seek(ann, { ...terms, ruleset: 'half-court-chess' });
    await play.acceptChallenge(ben, other.id);
    const called = await seek(ann, terms);
    await play.acceptChallenge(ben, called.id);
    await play.abort(ben, called.id);
    const drawn = await played(ann, ben, ownTerms());
    await play.resign(ann, drawn.id);
    expect(await checked(drawn.id)).toBe(true);
  });

  it('what earlier games have decided stays when the seed comes, whatever was played meanwhile', async () => {
    const before = await seek(ann, ownTerms({ side: 'first' }));
    await play.acceptChallenge(ben, before.id);
    const terms = { ...ownTerms(), opponent: ben.username, clientSeedHash: clientSeedHash('later') };
    const { data: made } = await play.createChallenge(ann, terms);
    const waiting = (await play.acceptChallenge(ben, made.id)).data;
    expect(seats(waiting)).toEqual([ben.id, ann.id]);
    for (let i = 0; i < 2; i += 1) {
      const more = await seek(ben, ownTerms({ side: 'first' }));
      await play.acceptChallenge(cid, more.id);
    }
    const begun = (await play.revealClientSeed(ann, made.id, 'later')).data;
    expect(seats(begun)).toEqual([ben.id, ann.id]);
    await play.resign(ann, begun.id);
    expect(await checked(begun.id)).toBeNull();
  });
});
