import { randomUUID } from 'node:crypto';
import { serverPlace, type Place } from '../support/databases.js';
import { restAway } from '../support/away.js';
import { register } from '../support/play.js';
import { onServer, rounds } from '../support/rounds.js';
import { ownTerms, restSeeks } from '../support/seeks.js';
import { startServer, type TestServer } from '../support/server.js';

/** One idempotency key for two different acts, sent at the same moment. */

const ROUNDS = rounds(100);

onServer('a key that comes with two acts at once', () => {
  let place: Place;
  let server: TestServer;
  beforeAll(async () => {
    place = await serverPlace();
    server = await startServer({ SWEEP_SECONDS: '3600' }, place);
  });
  afterAll(async () => {
    await server.close();
    await place.remove();
  });

  test(`does one of them and refuses the other, ${ROUNDS} times`, async () => {
    for (let i = 0; i < ROUNDS; i++) {
      const ann = await register(server.http, 'ann');
      const key = randomUUID();
      const [seek, vacation] = await Promise.all([
        restSeeks(server.http).createSeek(ann, ownTerms(), key),
        restAway(server.http).plan(ann, { days: 1 }, key),
      ]);
      const codes = [seek, vacation].map(({ refusal }) => refusal?.code);
      expect(codes.filter((code) => code !== undefined)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
    }
  });
});
