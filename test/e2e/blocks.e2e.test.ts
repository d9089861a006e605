import { BlocksService } from '../../src/features/blocks/blocks.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { UsersStore } from '../../src/features/users/users.store.js';
import { type Api, graphqlApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** Blocks themselves. What a block prevents is tested with the blocked features. */

let server: TestServer;
let time: StoppedTime;

beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
afterAll(() => server.close());

const UNAUTHENTICATED = { code: 'UNAUTHENTICATED' };
const UNKNOWN = { code: 'NOT_FOUND', field: 'username' };

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  beforeAll(async () => {
    api = over(server.http);
    [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  });

  const count = () => server.app.get(PrismaService).db.block.count();
  const names = async (by: Person): Promise<readonly string[]> =>
    (await api.blockedUsers(by)).data.edges.map(({ node }) => node.username);
  const welcome = (actor: Person, other: Person): Promise<unknown> =>
    server.app.get(BlocksService).assertNotBlocked(actor.id, other.id);

  it('a block separates two users until it is removed, and the errors say why', async () => {
    await expect(welcome(ann, ben)).resolves.toBeUndefined();
    expect((await api.blockUser(ann, ben.username.toUpperCase())).data).toMatchObject({
      id: ben.id,
      username: ben.username,
    });
    const from = 'This user has blocked you. Wait until they remove the block.';
    await expect(welcome(ben, ann)).rejects.toMatchObject({ code: 'BLOCKED', message: from });
    const to = 'You have blocked this user. Unblock them first.';
    await expect(welcome(ann, ben)).rejects.toMatchObject({ code: 'BLOCKED', message: to });

    expect((await api.blockUser(ben, ann.username)).refusal).toBeUndefined();
    await expect(welcome(ann, ben)).rejects.toMatchObject({ code: 'BLOCKED', message: from });
    expect((await api.unblockUser(ann, ben.username)).data).toMatchObject({ id: ben.id });
    await expect(welcome(ben, ann)).rejects.toMatchObject({ code: 'BLOCKED', message: to });
    expect((await api.unblockUser(ben, ann.username)).data).toMatchObject({ id: ann.id });
    for (const pair of [[ann, ben] as const, [ben, ann] as const]) {
      await expect(welcome(...pair)).resolves.toBeUndefined();
    }
  });

  it('blocking twice, or several times at once, has the effect of one block', async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.blockUser(ann, ben.username)));
    expect(answers.map(({ data }) => data?.id)).toEqual(Array(5).fill(ben.id));
    expect([await count(), await names(ann), await names(ben)]).toEqual([before + 1, [ben.username], []]);
    for (let i = 0; i < 2; i += 1) {
      expect((await api.unblockUser(ann, ben.username)).data).toMatchObject({ id: ben.id });
      expect([await count(), await names(ann)]).toEqual([before, []]);
    }
  });

  it('refuses to block oneself or an unknown user', async () => {
    const before = await count();
    const own = { code: 'BAD_INPUT', field: 'username' };
    expect((await api.blockUser(ann, ann.username)).refusal).toEqual(own);
    for (const name of ['nobody-at-all', 'no name', `${ben.username}\u0000`, 'x'.repeat(90), 'é']) {
      expect([name, (await api.blockUser(ann, name)).refusal]).toEqual([name, UNKNOWN]);
      expect([name, (await api.unblockUser(ann, name)).refusal]).toEqual([name, UNKNOWN]);
    }
    expect(await count()).toBe(before);
  });

  it('requires a session', async () => {
    await api.blockUser(ann, ben.username);
    const before = await count();
    expect((await api.blockUser(null, ann.username)).refusal).toEqual(UNAUTHENTICATED);
    expect((await api.unblockUser(null, ben.username)).refusal).toEqual(UNAUTHENTICATED);
    expect((await api.blockedUsers(null)).refusal).toEqual(UNAUTHENTICATED);
    expect(await count()).toBe(before);
  });

  describe('the list', () => {
    const newestFirst: string[] = [];
    let cid: Person;

    beforeAll(async () => {
      cid = await register(server.http, 'cid');
      const people = await Promise.all(Array.from({ length: 6 }, () => register(server.http, 'x')));
      // Every third pair is created at the same time: there the id decides.
      const made: { readonly at: number; readonly id: string; readonly username: string }[] = [];
      for (const [i, { id, username }] of people.entries()) {
        if (i % 3 !== 2) time.forward(1000);
        await api.blockUser(cid, username);
        made.push({ at: time.now().getTime(), id, username });
      }
      // A second block changes nothing, including its position.
      time.forward(1000);
      await api.blockUser(cid, people[0]!.username);
      made.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
      newestFirst.push(...made.map(({ username }) => username));
    });

    it('shows the user’s own blocks, newest first', async () => {
      expect(await names(cid)).toEqual(newestFirst);
      expect(await names(ann)).toEqual([ben.username]);
      expect(await names(ben)).toEqual([]);
    });

    it.each([1, 2, 4, 100])('is complete in pages of %d', async (first) => {
      const seen: string[] = [];
      for (let after: string | null = null; ;) {
        const { data } = await api.blockedUsers(cid, { first, ...(after === null ? {} : { after }) });
        expect([after !== null, undefined]).toContain(data.pageInfo.hasPreviousPage);
        expect(data.edges.length).toBeGreaterThan(0);
        seen.push(...data.edges.map(({ node }) => node.username));
        after = data.pageInfo.endCursor;
        if (!data.pageInfo.hasNextPage) break;
      }
      expect(seen).toEqual(newestFirst);
    });

    it('needs no more reads when it is longer', async () => {
      const store = server.app.get(UsersStore);
      const byIds = store.byIds.bind(store);
      let reads = 0;
      store.byIds = (ids) => ((reads += 1), byIds(ids));
      await api.blockedUsers(cid, { first: 6 });
      store.byIds = byIds;
      expect(reads).toBe(1);
    });

    it('refuses invalid page sizes and cursors of other lists', async () => {
      for (const first of [0, -1, 101]) {
        const { refusal } = await api.blockedUsers(cid, { first });
        expect([first, refusal]).toEqual([first, { code: 'BAD_INPUT', field: 'first' }]);
      }
      const theirs = (await graphqlApi(server.http).blockedUsers(ann)).data.pageInfo.endCursor!;
      for (const after of [theirs, 'x', '!', '']) {
        const { refusal } = await api.blockedUsers(cid, { after });
        expect([after, refusal]).toEqual([after, { code: 'INVALID_CURSOR', field: 'after' }]);
      }
    });
  });
});
