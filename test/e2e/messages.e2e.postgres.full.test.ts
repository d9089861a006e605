import { createHash, randomUUID } from 'node:crypto';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { sample } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { isMissing } from '../support/transport.js';

/** Messages between the players of a game, and when they are not delivered. */
// Both databases: pages depend on sort order.

/** The messages allowed per hour: more than Ann and Ben write here. */
const MOST = 60;

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;

beforeAll(async () => {
  server = await startServer({ MESSAGES_PER_MINUTE: '1000', MESSAGES_PER_HOUR: String(MOST) });
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

const UNAUTHENTICATED = { code: 'UNAUTHENTICATED' };
const NOT_YOUR_GAME = { code: 'NOT_YOUR_GAME' };
const NO_GAME = { code: 'NOT_FOUND', field: expect.stringMatching(/^(id|gameId)$/) };
const MUTED = { code: 'MUTED' };
const BLOCKED = { code: 'BLOCKED' };
const BAD_TEXT = { code: 'BAD_INPUT', field: 'text' };
const LIMITED = { code: 'RATE_LIMITED' };

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (transport, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const newGame = async (): Promise<string> => (await begin(api, ann, ben)).id;
  const texts = async (id: string, by = ann): Promise<readonly string[]> =>
    (await api.messages(by, id)).data!.edges.map(({ node }) => node.text);
  const stored = (gameId: string) => server.app.get(PrismaService).db.message.count({ where: { gameId } });
  /** Whether Ann and Ben are told that they may write. */
  const allowed = async (id: string) =>
    Promise.all([ann, ben].map(async (by) => (await api.messagesAllowed(by, id)).data));
  /** Nothing for anyone but the players: null in GraphQL, an error in REST. */
  const expectHidden = async (
    read: (by: Person | null) => ReturnType<Api['note' | 'messages' | 'messagesAllowed' | 'opponentMuted']>,
  ) => {
    for (const [by, refusal] of [[cid, NOT_YOUR_GAME] as const, [null, UNAUTHENTICATED] as const]) {
      const answer = await read(by);
      if (transport === 'REST') expect(answer.refusal).toEqual(refusal);
      else expect([answer.refusal, answer.data]).toEqual([undefined, null]);
    }
  };

  describe('messages', () => {
    it('can be read by both players, in order, and change nothing in the game', async () => {
      const id = await newGame();
      const before = (await api.game(ann, id)).data;
      const { data } = await api.sendMessage(ann, id, 'Good luck!');
      expect(data).toEqual({
        id: expect.any(String),
        player: 'first',
        text: 'Good luck!',
        createdAt: expect.any(String),
      });
      expect((await api.sendMessage(ben, id, 'To you too.')).data.player).toBe('second');
      const { edges } = (await api.messages(ben, id)).data!;
      expect(edges[0]!.node).toEqual(data);
      expect(await api.messages(ann, id)).toEqual(await api.messages(ben, id));
      expect(await texts(id)).toEqual(['Good luck!', 'To you too.']);
      expect((await api.game(ann, id)).data).toEqual(before);
    });

    it('can be written before a game starts and after it ends', async () => {
      const clientSeedHash = createHash('sha256').update(newSeed()).digest('hex');
      const pending = await begin(api, ann, ben, { clientSeedHash });
      expect(pending.status).toBe('pending');
      expect((await api.sendMessage(ben, pending.id, 'I wait.')).refusal).toBeUndefined();
      await api.abort(ben, pending.id);
      expect((await api.sendMessage(ann, pending.id, 'Sorry.')).refusal).toBeUndefined();
      expect(await texts(pending.id)).toEqual(['I wait.', 'Sorry.']);

      const id = await newGame();
      await api.resign(ben, id);
      expect((await api.sendMessage(ann, id, 'Thanks.')).refusal).toBeUndefined();
      expect(await texts(id, ben)).toEqual(['Thanks.']);
    });

    it('are visible to the players only', async () => {
      const id = await newGame();
      await api.sendMessage(ann, id, 'Between us.');
      expect((await api.sendMessage(cid, id, 'Hello?')).refusal).toEqual(NOT_YOUR_GAME);
      expect((await api.sendMessage(null, id, 'Hello?')).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.sendMessage(ann, randomUUID(), 'Hello?')).refusal).toEqual(NO_GAME);
      await expectHidden((by) => api.messages(by, id));
      await expectHidden((by) => api.messagesAllowed(by, id));
      expect(isMissing(await api.messages(ann, randomUUID()))).toBe(true);
      expect(await texts(id)).toEqual(['Between us.']);
    });

    it.each([
      ['a line', 'a line', 'a line'],
      ['lines', '  two\nlines\r\nand a third \n', 'two\nlines\nand a third'],
      ['500 letters of two code points', 'e\u0301'.repeat(500), 'é'.repeat(500)],
      ['500 emoji', '😀'.repeat(500), '😀'.repeat(500)],
      ['spaces before the text', `${' '.repeat(600)}!`, '!'],
      ['joiners', '👩\u200d👧 شما\u200cرا', '👩\u200d👧 شما\u200cرا'],
      ['quotes', "'; DROP TABLE messages; --", "'; DROP TABLE messages; --"],
    ])('keeps %s', async (_name, text, kept) => {
      const id = await newGame();
      expect((await api.sendMessage(ann, id, text)).data.text).toBe(kept);
      expect(await texts(id)).toEqual([kept]);
    });

    it.each([
      ['nothing', ''],
      ['spaces', ' \n\u00a0 '],
      ['only invisible characters', '\u200b\u2060'],
      ['501 letters', 'x'.repeat(501)],
      ['501 emoji', '😀'.repeat(501)],
      ['5000 letters', 'x'.repeat(5000)],
      ['a NUL', 'a\u0000b'],
      ['a tab', 'a\tb'],
      ['a lone carriage return', 'a\rb'],
      ['an escape sequence', 'a\u001b[31mb'],
      ['a C1 control character', 'a\u0085b'],
      ['half an emoji', '\ud83d!'],
    ])('refuses %s', async (_name, text) => {
      const id = await newGame();
      expect((await api.sendMessage(ann, id, text)).refusal).toEqual(BAD_TEXT);
      expect(await stored(id)).toBe(0);
    });

    it.each([[5], [null], [['x']], [{}]])('refuses %j, which is not a string', async (text) => {
      const id = await newGame();
      const { code } = (await api.sendMessage(ann, id, text)).refusal!;
      expect(code).toBe('BAD_INPUT');
      expect(await stored(id)).toBe(0);
    });
  });

  it('a mute applies to one game, in one direction, until it is removed', async () => {
    const [id, other] = [await newGame(), await newGame()];
    await api.sendMessage(ann, id, 'before');
    expect((await api.opponentMuted(ben, id)).data).toBe(false);
    expect((await api.muteOpponent(ben, id, true)).data).toBe(true);
    expect((await api.muteOpponent(ben, id, true)).data).toBe(true);
    expect((await api.sendMessage(ann, id, 'unheard')).refusal).toEqual(MUTED);
    expect((await api.sendMessage(ben, id, 'I still write')).refusal).toBeUndefined();
    expect((await api.sendMessage(ann, other, 'elsewhere')).refusal).toBeUndefined();
    for (const by of [ann, ben]) expect(await texts(id, by)).toEqual(['before', 'I still write']);
    expect([await allowed(id), await allowed(other)]).toEqual([[false, true], [true, true]]); // prettier-ignore

    expect((await api.muteOpponent(ben, id, false)).data).toBe(false);
    expect(await allowed(id)).toEqual([true, true]);
    expect((await api.sendMessage(ann, id, 'after')).refusal).toBeUndefined();
    expect(await texts(id)).toEqual(['before', 'I still write', 'after']);
  });

  it('a block stops messages in both directions, in all games, and keeps the old ones', async () => {
    const id = await newGame();
    await api.sendMessage(ann, id, 'before');
    await api.blockUser(ben, ann.username);
    const refused = await api.sendMessage(ann, id, 'unheard');
    expect([refused.refusal, refused.message]).toEqual([
      BLOCKED,
      'This user has blocked you. Wait until they remove the block.',
    ]);
    const own = await api.sendMessage(ben, id, 'unsaid');
    expect([own.refusal, own.message]).toEqual([BLOCKED, 'You have blocked this user. Unblock them first.']);
    for (const by of [ann, ben]) expect(await texts(id, by)).toEqual(['before']);
    expect((await api.makeMove(ann, id, 1, 'e2e4')).refusal).toBeUndefined();

    expect(await allowed(id)).toEqual([false, false]);

    await api.unblockUser(ben, ann.username);
    expect(await allowed(id)).toEqual([true, true]);
    expect((await api.sendMessage(ann, id, 'after')).refusal).toBeUndefined();
    expect(await texts(id)).toEqual(['before', 'after']);
  });

  describe('an idempotency key', () => {
    it('sends a message once, also when sent many times at once', async () => {
      const id = await newGame();
      const key = randomUUID();
      const first = await api.sendMessage(ann, id, ' once ', key);
      const again = await Promise.all(['once', 'once '].map((text) => api.sendMessage(ann, id, text, key)));
      for (const { data } of again) expect(data).toEqual(first.data);
      const other = randomUUID();
      const many = await Promise.all(
        Array.from({ length: 5 }, () => api.sendMessage(ben, id, 'me too', other)),
      );
      expect(new Set(many.map(({ data }) => data?.id)).size).toBe(1);
      expect(await texts(id)).toEqual(['once', 'me too']);
    });

    it('gives the same answer after a mute or a block', async () => {
      const id = await newGame();
      const key = randomUUID();
      const { data } = await api.sendMessage(ann, id, 'heard', key);
      await api.muteOpponent(ben, id, true);
      expect((await api.sendMessage(ann, id, 'heard', key)).data).toEqual(data);
      expect((await api.sendMessage(ann, id, 'heard', randomUUID())).refusal).toEqual(MUTED);
    });

    it('identifies one message of one player', async () => {
      const [id, other] = [await newGame(), await newGame()];
      const key = randomUUID();
      await api.sendMessage(ann, id, 'one', key);
      const reused = { code: 'IDEMPOTENCY_KEY_REUSED', field: 'idempotencyKey' };
      expect((await api.sendMessage(ann, id, 'two', key)).refusal).toEqual(reused);
      expect((await api.sendMessage(ann, other, 'one', key)).refusal).toEqual(reused);
      expect((await api.sendMessage(ben, id, 'one', key)).data.player).toBe('second');
      const wrong = { code: 'BAD_INPUT', field: 'idempotencyKey' };
      expect((await api.sendMessage(ann, id, 'one', 'with a space')).refusal).toEqual(wrong);
      expect([await texts(id), await texts(other)]).toEqual([['one', 'one'], []]);
    });
  });

  describe('the limit', () => {
    it('allows a number of messages per period over all games; only new and delivered ones count', async () => {
      const [dan, eve] = [await register(server.http, 'dan'), await register(server.http, 'eve')];
      const [id, other] = [(await begin(api, dan, eve)).id, (await begin(api, dan, eve)).id];
      await api.muteOpponent(eve, other, true);
      for (let i = 0; i < 3; i += 1) expect((await api.sendMessage(dan, other, 'x')).refusal).toEqual(MUTED);
      for (let i = 0; i < 3; i += 1) expect((await api.sendMessage(dan, id, '')).refusal).toEqual(BAD_TEXT);
      await api.muteOpponent(eve, other, false);
      const key = randomUUID();
      for (let i = 0; i < 3; i += 1) await api.sendMessage(dan, id, 'keyed', key);
      for (let i = 0; i < MOST - 6; i += 1) await api.sendMessage(dan, id, 'here');
      const last = await Promise.all(Array.from({ length: 8 }, () => api.sendMessage(dan, other, 'there')));
      const refused = last.filter(({ refusal }) => refusal !== undefined);
      expect(refused.map(({ refusal }) => refusal)).toEqual([LIMITED, LIMITED, LIMITED]);
      expect([await stored(id), await stored(other)]).toEqual([MOST - 5, 5]);
      const { refusal, retryAfter } = await api.sendMessage(dan, id, 'once more');
      expect(refusal).toEqual(LIMITED);
      expect([retryAfter! > 0, retryAfter! <= 3600]).toEqual([true, true]);
      expect((await api.sendMessage(dan, id, 'keyed', key)).data.text).toBe('keyed');
      expect((await api.sendMessage(eve, id, 'not I')).refusal).toBeUndefined();
      expect(await stored(id)).toBe(MOST - 4);
    });
  });

  describe('pages of messages', () => {
    let id: string;
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    beforeAll(async () => {
      id = await newGame();
      for (const [i, text] of all.entries()) await api.sendMessage(i % 3 === 0 ? ben : ann, id, text);
    });

    const page = async (asked: Record<string, unknown>) => {
      const { edges, pageInfo } = (await api.messages(ann, id, asked)).data!;
      return { texts: edges.map(({ node }) => node.text), ...pageInfo };
    };

    it.each([1, 2, 3, 7, 100])('of %d contain all in order, from both ends', async (size) => {
      const seen: string[] = [];
      for (let after: string | null = null; ;) {
        const {
          texts: shown,
          endCursor,
          hasNextPage,
          hasPreviousPage,
        } = await page({
          first: size,
          ...(after === null ? {} : { after }),
        });
        expect(hasPreviousPage).toBe(after !== null);
        seen.push(...shown);
        after = endCursor;
        if (!hasNextPage) break;
      }
      expect(seen).toEqual(all);
      seen.length = 0;
      for (let before: string | null = null; ;) {
        const {
          texts: shown,
          startCursor,
          hasNextPage,
          hasPreviousPage,
        } = await page({
          last: size,
          ...(before === null ? {} : { before }),
        });
        expect(hasNextPage).toBe(before !== null);
        seen.unshift(...shown);
        before = startCursor;
        if (!hasPreviousPage) break;
      }
      expect(seen).toEqual(all);
    });

    it('refuse invalid sizes and foreign cursors', async () => {
      const refusal = async (asked: Record<string, unknown>, of = id) =>
        (await api.messages(ann, of, asked)).refusal;
      for (const size of [0, -1, 101]) {
        expect(await refusal({ first: size })).toEqual({ code: 'BAD_INPUT', field: 'first' });
        expect(await refusal({ last: size })).toEqual({ code: 'BAD_INPUT', field: 'last' });
      }
      expect(await refusal({ first: 1, last: 1 })).toEqual({ code: 'BAD_INPUT', field: 'last' });
      const { endCursor } = await page({ first: 1 });
      const other = await newGame();
      for (const field of ['after', 'before']) {
        const invalid = { code: 'INVALID_CURSOR', field };
        expect(await refusal({ [field]: endCursor }, other)).toEqual(invalid);
        expect(await refusal({ [field]: `${endCursor}A` })).toEqual(invalid);
      }
    });
  });
});
