import { randomUUID } from 'node:crypto';
import { restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { register } from '../support/people.js';
import { ownTerms } from '../support/seeks.js';
import { onServer, rounds } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';

/** One idempotency key for two different acts, sent at the same moment. */

const ROUNDS = rounds(100, 10);

onServer('a key for two acts at once', () => {
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

  test(`applies to one of them and is refused for the other, ${ROUNDS} times`, async () => {
    for (let i = 0; i < ROUNDS; i++) {
      const ann = await register(server.http, 'ann');
      const key = randomUUID();
      const [seek, vacation] = await Promise.all([
        restApi(server.http).createSeek(ann, ownTerms(), key),
        restApi(server.http).planVacation(ann, { days: 1 }, key),
      ]);
      const codes = [seek, vacation].map(({ refusal }) => refusal?.code);
      expect(codes.filter((code) => code !== undefined)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
    }
  });
});
