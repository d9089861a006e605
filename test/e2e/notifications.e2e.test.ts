import { randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';
import { v7 as uuid } from 'uuid';
import type { Notice } from '../../src/features/notifications/notification.row.js';
import { NotificationsService } from '../../src/features/notifications/notifications.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { openApi } from '../../src/pages/openapi.js';
import { type Api, graphqlApi, restApi, VERBS } from '../support/api.js';
import type { Notifications } from '../support/operations/notifications.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Answer, type Body, rest } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** A user's notifications: the list, its pages, and what is read. */

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
afterAll(() => server.close());

describe.each([
  ['GraphQL', graphqlApi],
  ['REST', restApi],
] as const)('over %s', (transport, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  beforeAll(() => {
    api = over(server.http);
  });
  beforeEach(async () => {
    ann = await register(server.http, 'ann');
    ben = await register(server.http, 'ben');
  });

  const add = (...notices: Notice[]) =>
    server.app
      .get(PrismaService)
      .transaction((tx) => server.app.get(NotificationsService, { strict: false }).add(tx, notices));
  const notice = (user: Person, more: Partial<Notice> = {}): Notice => ({
    userId: user.id,
    gameId: uuid(),
    type: 'gameOver',
    data: {},
    at: time.now(),
    ...more,
  });
  const later = (milliseconds: number) => new Date(time.now().getTime() + milliseconds);
  const nodes = ({ data }: Answer<Notifications>) => data.edges.map(({ node }) => node);
  const idOf = ({ gameId, type }: Notice) => `${gameId}:${type}`;

  it('lists them newest first, for their recipient only', async () => {
    const old = notice(ann, { type: 'challenge', data: { from: 'ben', terms: { days: [3, null] } } });
    const recent = notice(ann, { type: 'drawOffer', at: later(1000) });
    await add(old, recent, notice(ben));
    const shown = (one: Notice) => ({
      id: idOf(one),
      type: one.type,
      gameId: one.gameId,
      data: one.data,
      createdAt: one.at.toISOString(),
      readAt: null,
    });
    const answer = await api.notifications(ann);
    expect(nodes(answer)).toEqual([shown(recent), shown(old)]);
    expect(answer.data.unreadCount).toBe(2);
    expect(answer.data.pageInfo).toMatchObject({ hasNextPage: false });
  });

  it('is empty for a new user, and requires a session', async () => {
    const { data } = await api.notifications(ann);
    expect([data.edges, data.unreadCount, data.pageInfo.endCursor]).toEqual([[], 0, null]);
    const { id: gameId } = ann;
    for (const answer of [api.notifications(null), api.markNotificationsRead(null, { gameId })]) {
      expect((await answer).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    }
  });

  it('a repeated notification replaces the earlier one, and is unread', async () => {
    const first = notice(ann, { data: { ply: 1 } });
    await add(first);
    await api.markNotificationsRead(ann, { ids: [idOf(first)] });
    expect((await api.notifications(ann)).data.unreadCount).toBe(0);
    await add({ ...first, data: { ply: 3 }, at: later(5) });
    const answer = await api.notifications(ann);
    expect(nodes(answer)).toMatchObject([{ id: idOf(first), data: { ply: 3 }, readAt: null }]);
    expect(answer.data.unreadCount).toBe(1);
  });

  async function three(): Promise<[Notice, Notice, Notice]> {
    const game = uuid();
    const all: [Notice, Notice, Notice] = [
      notice(ann, { gameId: game }),
      notice(ann, { gameId: game, type: 'message', at: later(1) }),
      notice(ann, { at: later(2) }),
    ];
    await add(...all, ...all.map((one) => ({ ...one, userId: ben.id })));
    return all;
  }
  const unread = async (by: Person) =>
    nodes(await api.notifications(by, { unread: true })).map(({ id }) => id);

  it.each<[string, (all: [Notice, Notice, Notice]) => Body, number[]]>([
    ['ids', ([one, , three]) => ({ ids: [one, three, three].map(idOf) }), [1]],
    ['no ids', () => ({ ids: [] }), [2, 1, 0]],
    ['unknown ids', () => ({ ids: [`${randomUUID()}:message`] }), [2, 1, 0]],
    ['a game', ([{ gameId }]) => ({ gameId }), [2]],
    ['an unknown game', () => ({ gameId: randomUUID() }), [2, 1, 0]],
    ['a time', ([, two]) => ({ before: two.at.toISOString() }), [2]],
    ['a time in another notation', () => ({ before: '2999-01-01T00:00:00+05:00' }), []],
    ['a time long ago', () => ({ before: '1999-01-01T00:00:00Z' }), [2, 1, 0]],
  ])('marks those selected by %s as read, once, and no one else’s', async (_, which, left) => {
    const all = await three();
    expect((await api.markNotificationsRead(ann, which(all))).data).toBe(3 - left.length);
    expect((await api.markNotificationsRead(ann, which(all))).data).toBe(0);
    expect(await unread(ann)).toEqual(left.map((i) => idOf(all[i]!)));
    const answer = await api.notifications(ann);
    expect(answer.data.unreadCount).toBe(left.length);
    const now = time.now().toISOString();
    expect(nodes(answer).filter(({ readAt }) => readAt === now)).toHaveLength(3 - left.length);
    expect(await unread(ben)).toHaveLength(3);
  });

  it('accepts 100 ids, in upper or lower case', async () => {
    const [one] = await three();
    const ids = Array.from({ length: 99 }, () => `${randomUUID()}:rematch`);
    expect(
      (await api.markNotificationsRead(ann, { ids: [...ids, `${one.gameId.toUpperCase()}:${one.type}`] }))
        .data,
    ).toBe(1);
  });

  const ID = '018f3c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f';
  it.each<[Body, string | null]>([
    [{}, null],
    [{ ids: null, gameId: null, before: null }, null],
    [{ gameId: ID, ids: null }, null],
    [{ ids: [], gameId: ID }, null],
    [{ gameId: ID, before: '2999-01-01T00:00:00Z' }, null],
    [{ ids: [`${ID}:yourTurn`], gameId: ID, before: '2999-01-01T00:00:00Z' }, null],
    [{ ids: [ID] }, 'ids'],
    [{ ids: [''] }, 'ids'],
    [{ ids: [`${ID}:`] }, 'ids'],
    [{ ids: [`${ID}:yourTurn:`] }, 'ids'],
    [{ ids: [`${ID}:__proto__`] }, 'ids'],
    [{ ids: [`${ID}:your\0Turn`] }, 'ids'],
    [{ ids: ['yourTurn'] }, 'ids'],
    [{ ids: [null] }, null],
    [{ ids: [{}] }, null],
    [{ ids: { length: 1 } }, null],
    [{ gameId: 'x' }, 'gameId'],
    [{ gameId: '' }, 'gameId'],
    [{ gameId: [ID] }, null],
    [{ before: '0000-01-01T00:00:00Z' }, 'before'],
    [{ before: '1969-12-31T23:59:59Z' }, 'before'],
    [{ before: '9999-12-31T23:59:59-14:00' }, 'before'],
    [{ before: 'yesterday' }, null],
    [{ before: '2026-01-31' }, null],
    [{ before: '' }, null],
    [{ before: 5 }, null],
    [{ before: {} }, null],
    [{ before: ['2999-01-01T00:00:00Z'] }, null],
  ])('refuses to mark %j', async (which, field) => {
    const all = await three();
    const { refusal } = await api.markNotificationsRead(ann, which);
    expect(refusal!.code).toBe('BAD_INPUT');
    if (field !== null) expect(refusal!.field).toBe(field);
    expect(await unread(ann)).toEqual([...all].reverse().map(idOf));
  });

  it('refuses more than 100 ids, and one that is too long', async () => {
    const all = await three();
    const [one] = all;
    for (const ids of [Array.from({ length: 101 }, () => idOf(one)), [idOf(one), 'x'.repeat(501)]]) {
      expect((await api.markNotificationsRead(ann, { ids })).refusal).toEqual({
        code: 'BAD_INPUT',
        field: 'ids',
      });
    }
    expect(await unread(ann)).toEqual([...all].reverse().map(idOf));
  });

  it.each([1, 2, 3, 7, 100])('pages of %d contain all in order, each once', async (first) => {
    const all = Array.from({ length: 7 }, (_, i) => notice(ann, { at: later(Math.floor(i / 3)) }));
    await add(...all);
    const ids = [...all].sort(newestFirst).map(idOf);
    const read = [all[2]!, all[5]!].map(idOf);
    await api.markNotificationsRead(ann, { ids: read });
    const walked = async (filter: Body) => {
      const seen: string[] = [];
      for (let after: string | null = null; ;) {
        const page = await api.notifications(ann, { ...filter, first, ...(after === null ? {} : { after }) });
        const { endCursor, hasNextPage, hasPreviousPage } = page.data.pageInfo;
        expect(page.data.unreadCount).toBe(5);
        expect([after !== null, undefined]).toContain(hasPreviousPage);
        seen.push(...nodes(page).map(({ id }) => id));
        if (!hasNextPage) return seen;
        expect(page.data.edges).toHaveLength(first);
        after = endCursor;
      }
    };
    expect(await walked({})).toEqual(ids);
    expect(await walked({ unread: false })).toEqual(ids);
    expect(await walked({ unread: true })).toEqual(ids.filter((id) => !read.includes(id)));
  });

  const newestFirst = (a: Notice, b: Notice) =>
    b.at.getTime() - a.at.getTime() || (a.gameId < b.gameId ? 1 : -1);

  it('counts the unread up to 1000', async () => {
    const many = (count: number) => Array.from({ length: count }, () => notice(ann));
    await add(...many(999));
    expect((await api.notifications(ann, { first: 1 })).data.unreadCount).toBe(999);
    await add(...many(2));
    expect((await api.notifications(ann, { first: 1 })).data.unreadCount).toBe(1000);
    expect((await api.markNotificationsRead(ann, { before: later(0).toISOString() })).data).toBe(1001);
  });

  describe('of a turn', () => {
    const turnsOf = async (by: Person, filter: Body = {}) =>
      nodes(await api.notifications(by, filter)).filter(({ type }) => type === 'yourTurn');
    const play = async (by: Person, id: string, ply: number, move: string) => {
      time.forward(1000);
      expect((await api.makeMove(by, id, ply, move)).refusal).toBeUndefined();
    };

    it('is there as long as the turn, and unread until it is marked', async () => {
      const { id } = await begin(api, ann, ben);
      const turn = (ply: number) => ({ id: `${id}:yourTurn`, gameId: id, data: { ply, deadlineAt: null } });
      expect(await turnsOf(ann)).toEqual([expect.objectContaining({ ...turn(1), readAt: null })]);
      expect(await turnsOf(ben)).toEqual([]);
      await play(ann, id, 1, 'e2e4');
      expect(await turnsOf(ann)).toEqual([]);
      const createdAt = time.now().toISOString();
      expect(await turnsOf(ben)).toEqual([expect.objectContaining({ ...turn(2), createdAt, readAt: null })]);
    });

    it.each<[string, (id: string) => Body]>([
      ['its id', (id) => ({ ids: [`${id}:yourTurn`] })],
      ['its game', (gameId) => ({ gameId })],
      ['its time', () => ({ before: time.now().toISOString() })],
    ])('is marked by %s, once and for this turn only', async (_, which) => {
      const { id } = await begin(api, ann, ben);
      await play(ann, id, 1, 'e2e4');
      await play(ben, id, 2, 'e7e5');
      const before = (await api.notifications(ann)).data.unreadCount;
      await api.markNotificationsRead(ann, { ids: [`${id}:gameStarted`, `${id}:gameOver`] });
      time.forward(1000);
      expect((await api.markNotificationsRead(ann, { before: '1999-01-01T00:00:00Z' })).data).toBe(0);
      expect((await api.markNotificationsRead(ben, which(id))).data).toBeLessThan(2);
      expect((await api.markNotificationsRead(ann, which(id))).data).toBe(1);
      expect((await api.markNotificationsRead(ann, which(id))).data).toBe(0);
      expect(await turnsOf(ann)).toMatchObject([{ data: { ply: 3 }, readAt: time.now().toISOString() }]);
      expect(await turnsOf(ann, { unread: true })).toEqual([]);
      expect((await api.notifications(ann)).data.unreadCount).toBe(0);
      expect(before).toBeGreaterThan(0);
      await play(ann, id, 3, 'g1f3');
      await play(ben, id, 4, 'b8c6');
      expect(await turnsOf(ann, { unread: true })).toMatchObject([{ data: { ply: 5 }, readAt: null }]);
      expect((await api.markNotificationsRead(ann, which(id))).data).toBe(1);
    });

    it('keeps its mark as long as it lasts, and is in its place on pages', async () => {
      const { id } = await begin(api, ann, ben);
      const service = server.app.get(NotificationsService, { strict: false });
      await api.markNotificationsRead(ann, { gameId: id });
      const [older, newer] = [notice(ann, { at: later(-1000) }), notice(ann, { at: later(1000) })];
      await add(older, newer);
      const ids: string[] = [];
      for (let after: string | null = null; ;) {
        const page = await api.notifications(ann, { first: 1, ...(after === null ? {} : { after }) });
        ids.push(...nodes(page).map((node) => node.id));
        after = page.data.pageInfo.endCursor;
        if (!page.data.pageInfo.hasNextPage) break;
      }
      expect(ids).toEqual([idOf(newer), `${id}:yourTurn`, `${id}:gameStarted`, idOf(older)]);
      const real = time.moment;
      time.forward(181 * 86_400_000);
      await service.prune();
      time.moment = real;
      expect(await turnsOf(ann)).toMatchObject([{ id: `${id}:yourTurn`, readAt: real.toISOString() }]);
    });
  });

  it.each([0, -1, 101])('refuses a page of %d', async (first) => {
    expect((await api.notifications(ann, { first })).refusal).toEqual({ code: 'BAD_INPUT', field: 'first' });
  });

  it.each(['unread', 'first', 'after'])('refuses a page with a wrong %s', async (field) => {
    const { refusal } = await api.notifications(ann, { [field]: 'x'.repeat(501) });
    expect(refusal!.code).toBe('BAD_INPUT');
    if (transport === 'REST') expect(refusal!.field).toBe(field);
  });

  it('refuses a cursor of another user, another filter or another list', async () => {
    await add(notice(ann), notice(ann), notice(ben), notice(ben));
    const cursor = async (by: Person, page: Body) =>
      (await api.notifications(by, { ...page, first: 1 })).data.pageInfo.endCursor!;
    const invalid = { code: 'INVALID_CURSOR', field: 'after' };
    const [all, some] = [await cursor(ann, {}), await cursor(ann, { unread: true })];
    for (const after of [await cursor(ben, {}), some, 'x', '!', all.slice(1)]) {
      expect((await api.notifications(ann, { after })).refusal).toEqual(invalid);
    }
    for (const after of [await cursor(ben, { unread: true }), all]) {
      expect((await api.notifications(ann, { after, unread: true })).refusal).toEqual(invalid);
    }
    expect((await api.notifications(ann, { after: all })).data.edges).toHaveLength(1);
    expect((await api.notifications(ann, { after: some, unread: true })).data.edges).toHaveLength(1);
  });

  if (transport === 'REST') {
    it('answers in the form that the document promises', async () => {
      const ajv = new Ajv({ strict: false, validateFormats: false });
      ajv.addSchema(openApi(server.app), 'openapi');
      await add(notice(ann, { data: { san: 'e4' } }), notice(ann));
      await api.markNotificationsRead(ann, {
        gameId: (await api.notifications(ann)).data.edges[0]!.node.gameId,
      });
      const validate = ajv.getSchema('openapi#/components/schemas/NotificationPage')!;
      void validate(JSON.parse((await api.notifications(ann)).text));
      expect(validate.errors).toBeNull();
    });

    it.each([
      ['nothing', undefined],
      ['an object with an unknown key', { game: ID }],
      ['a list', []],
      ['null', 'null'],
    ])('a body that is %s marks nothing', async (_, body) => {
      const all = await three();
      const headers = { 'Content-Type': 'application/json' };
      const mark = VERBS.markNotificationsRead.rest({});
      const { status, refusal } = await rest(server.http, ann, { ...mark, headers, body });
      expect([status, refusal?.code]).toEqual([400, 'BAD_INPUT']);
      expect(await unread(ann)).toHaveLength(all.length);
    });
  }
});
