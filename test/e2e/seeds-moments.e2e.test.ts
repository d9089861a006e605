import { holds, verify } from '../../src/fairness/verify.js';
import { GameStart } from '../../src/features/matchmaking/game-start.js';
import { restApi } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { onEmbedded } from '../support/scale.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** A client seed that arrives during an acceptance: read before it, stored after it. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

onEmbedded('a challenge that is being accepted', () => {
  /** Runs `work` once, when an acceptance has been judged and is not stored yet. */
  function meanwhile(work: () => Promise<unknown>): void {
    const openings = server.app.get(GameStart);
    const draft = openings.draft.bind(openings);
    openings.draft = async (...args) => {
      Reflect.deleteProperty(openings, 'draft');
      const made = await draft(...args);
      await work();
      return made;
    };
  }

  it('takes the seed that its creator gives in the meantime, and includes it in its chain', async () => {
    const api = restApi(server.http);
    const { id } = must(
      await api.createChallenge(ann, {
        ruleset: 'banqi-taiwan',
        timeControl: NO_CLOCK,
        opponent: ben.username,
      }),
    );
    const [hers, his] = [newSeed(), newSeed()];
    meanwhile(async () => must(await api.giveClientSeed(ann, id, hers)));
    must(await api.acceptChallenge(ben, id, { clientSeed: his }));

    const game = must(await api.resign(ann, id));
    expect(game).toMatchObject({ fairness: { creatorSeed: 'given', accepterSeed: 'given' } });
    const record: unknown = must(await api.record(null, id));
    expect(verify(record).filter(({ ok }) => ok === false)).toEqual([]);
    expect(holds(verify(record))).toBe(true);
  });
});
