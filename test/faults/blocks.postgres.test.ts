import { SeeksService } from '../../src/features/matchmaking/seeks.service.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { ownTerms } from '../support/seeks.js';
import { onServer } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';

/** A block during an act that it forbids: after the block is answered, no such act succeeds. */

const CHESS = { ruleset: 'chess', timeControl: NO_CLOCK };

onServer('a block in the middle of', () => {
  let place: Place;
  let db: SqlSession;
  let server: TestServer;
  let ann: Person;
  let ben: Person;
  beforeAll(async () => {
    place = await serverPlace();
    server = await startServer({ SWEEP_SECONDS: '3600' }, place);
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
  });
  afterAll(async () => {
    await server.close();
    await db.close();
    await place.remove();
  });
  beforeEach(async () => {
    [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  });

  const api = () => restApi(server.http);
  const toBen = async (): Promise<string> =>
    (await api().createChallenge(ann, { ...CHESS, opponent: ben.username })).data.id;
  const ended = async (): Promise<string> => {
    const { id } = await begin(api(), ann, ben);
    await api().abort(ann, id);
    return id;
  };
  const countBegun = async () => {
    const [row] = await db.query<{ count: string }>(
      `SELECT (SELECT count(*) FROM games WHERE status IN ('active', 'pending') AND $1::uuid IN (first_id, second_id))
            + (SELECT count(*) FROM challenges WHERE status = 'open' AND kind = 'direct' AND creator_id = $1::uuid) AS count`,
      [ben.id],
    );
    return Number(row!.count);
  };

  const hold = () =>
    db.run(`BEGIN; SELECT 1 FROM users WHERE id IN ('${ann.id}', '${ben.id}') ORDER BY id FOR NO KEY UPDATE`);

  /** Waits until this many statements of the server wait for a lock. */
  async function waiting(count: number): Promise<void> {
    for (let found = -1; found < count;) {
      const rows = await db.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      found = rows.length;
    }
  }

  /** What Ben does to Ann, prepared up to the act itself. */
  const ACTS: Readonly<
    Record<string, () => Promise<() => Promise<{ readonly refusal?: { code: string } }>>>
  > = {
    'an acceptance': async () => {
      const id = await toBen();
      return () => api().acceptChallenge(ben, id);
    },
    'an acceptance from the lobby': async () => {
      const { data } = await api().createSeek(ann, ownTerms());
      return () => api().acceptChallenge(ben, data.id);
    },
    'accepting a rematch': async () => {
      const gameId = await ended();
      await api().offerRematch(ann, gameId);
      return () => api().offerRematch(ben, gameId);
    },
    'offering a rematch': async () => {
      const gameId = await ended();
      return () => api().offerRematch(ben, gameId);
    },
    'a message': async () => {
      const gameId = await ended();
      return () => api().sendMessage(ben, gameId, 'Again?');
    },
    'a challenge': async () => () => api().createChallenge(ben, { ...CHESS, opponent: ann.username }),
    'a counter-offer': async () => {
      const id = await toBen();
      return () => api().counterChallenge(ben, id, CHESS);
    },
  };

  it.each(Object.keys(ACTS))('%s refuses it', async (name) => {
    const act = await ACTS[name]!();
    await hold();
    const answer = act();
    await waiting(1);
    await db.run(`INSERT INTO blocks VALUES ('${ann.id}', '${ben.id}', now()); COMMIT`);
    expect((await answer).refusal).toEqual({ code: 'BLOCKED' });
    expect(await countBegun()).toBe(0);
  });

  it('a pairing leaves both listed', async () => {
    const terms = ownTerms();
    // Ben's seek is stored before the lock is taken: the pairing is what waits.
    await api().blockUser(ann, ben.username);
    const [theirs, own] = [
      (await api().createSeek(ann, terms)).data,
      (await api().createSeek(ben, terms)).data,
    ];
    await api().unblockUser(ann, ben.username);
    await hold();
    const third = server.app.get(SeeksService, { strict: false }).sweep();
    await waiting(1);
    await db.run(`INSERT INTO blocks VALUES ('${ben.id}', '${ann.id}', now()); COMMIT`);
    await third;
    for (const { id } of [theirs, own]) expect((await api().challenge(null, id)).data.status).toBe('open');
    expect(await countBegun()).toBe(0);
  });

  it('an acceptance that was first makes the block wait', async () => {
    const id = await toBen();
    await hold();
    const accepted = api().acceptChallenge(ben, id);
    await waiting(1);
    const blocked = api().blockUser(ann, ben.username);
    await waiting(2);
    await db.run('COMMIT');
    expect((await accepted).data.status).toBe('active');
    expect((await blocked).data).toMatchObject({ id: ben.id });
  });
});
