import { randomUUID } from 'node:crypto';
import { NotesStore } from '../../src/features/messages/notes.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, graphqlApi, TRANSPORTS, VERBS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { type Json, must, select } from '../support/transport.js';
import { newGame, newSite, pairOf } from '../support/sites.js';
import { fewestStatements } from '../support/statements.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** What a player keeps privately for a game: a note and a mute. */

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;

beforeAll(async () => {
  server = await sharedServer();
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

const UNAUTHENTICATED = { code: 'UNAUTHENTICATED' };
const NOT_YOUR_GAME = { code: 'NOT_YOUR_GAME' };
const NO_GAME = { code: 'NOT_FOUND', field: expect.stringMatching(/^(id|gameId)$/) };

describe.each(TRANSPORTS)('over %s', (transport, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const newGame = async (): Promise<string> => (await begin(api, ann, ben)).id;
  /** Null in GraphQL, an error in REST. */
  const expectHidden = async (read: (by: Person | null) => ReturnType<Api['note' | 'opponentMuted']>) => {
    for (const [by, refusal] of [[cid, NOT_YOUR_GAME] as const, [null, UNAUTHENTICATED] as const]) {
      const answer = await read(by);
      if (transport === 'REST') expect(answer.refusal).toEqual(refusal);
      else expect([answer.refusal, answer.data]).toEqual([undefined, null]);
    }
  };

  it('a mute is visible to its player only, who alone can set it', async () => {
    const id = await newGame();
    await api.muteOpponent(ben, id, true);
    expect((await api.opponentMuted(ben, id)).data).toBe(true);
    expect((await api.opponentMuted(ann, id)).data).toBe(false);
    await expectHidden((by) => api.opponentMuted(by, id));
    expect((await api.muteOpponent(cid, id, true)).refusal).toEqual(NOT_YOUR_GAME);
    expect((await api.muteOpponent(null, id, true)).refusal).toEqual(UNAUTHENTICATED);
    expect((await api.muteOpponent(ann, randomUUID(), true)).refusal).toEqual(NO_GAME);
    expect((await api.muteOpponent(ann, id, 'yes')).refusal).toMatchObject({ code: 'BAD_INPUT' });
    expect((await api.opponentMuted(ann, id)).data).toBe(false);
  });

  describe('a note', () => {
    it('is visible to its owner only, one per player, and changes nothing in the game', async () => {
      const id = await newGame();
      const before = (await api.game(ann, id)).data;
      expect((await api.note(ann, id)).data).toBeNull();
      expect((await api.setNote(ann, id, ' e4, then\r\nsee ')).data).toBe('e4, then\nsee');
      expect((await api.note(ann, id)).data).toBe('e4, then\nsee');
      expect((await api.note(ben, id)).data).toBeNull();
      await expectHidden((by) => api.note(by, id));
      await api.setNote(ben, id, 'mine');
      expect((await api.setNote(ann, id, 'changed')).data).toBe('changed');
      expect([(await api.note(ann, id)).data, (await api.note(ben, id)).data]).toEqual(['changed', 'mine']);
      expect((await api.game(ann, id)).data).toEqual(before);
    });

    it('is removed by an empty one, which keeps the mute', async () => {
      const id = await newGame();
      await api.setNote(ann, id, 'x');
      await api.muteOpponent(ann, id, true);
      expect((await api.setNote(ann, id, ' ')).data).toBeNull();
      expect([(await api.note(ann, id)).data, (await api.opponentMuted(ann, id)).data]).toEqual([null, true]);
      await api.setNote(ann, id, 'y');
      await api.muteOpponent(ann, id, false);
      expect((await api.note(ann, id)).data).toBe('y');
    });

    it('has up to 2,000 characters, and no control characters', async () => {
      const id = await newGame();
      expect((await api.setNote(ann, id, '😀'.repeat(2000))).data).toBe('😀'.repeat(2000));
      for (const note of ['x'.repeat(2001), 'a\u0000', 'a\tb', '\udc00']) {
        expect((await api.setNote(ann, id, note)).refusal).toEqual({ code: 'BAD_INPUT', field: 'note' });
      }
      expect((await api.setNote(ann, id, 7)).refusal).toMatchObject({ code: 'BAD_INPUT' });
      expect((await api.note(ann, id)).data).toBe('😀'.repeat(2000));
    });

    it('can be set by players only', async () => {
      const id = await newGame();
      expect((await api.setNote(cid, id, 'x')).refusal).toEqual(NOT_YOUR_GAME);
      expect((await api.setNote(null, id, 'x')).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.setNote(ann, randomUUID(), 'x')).refusal).toEqual(NO_GAME);
      expect(await server.app.get(PrismaService).db.gameSeat.count({ where: { gameId: id } })).toBe(0);
    });

    it('and a mute can be set by two requests at once', async () => {
      const id = await newGame();
      const sent = [1, 2, 3, 4].map((n) => api.setNote(ann, id, `${n}`));
      const answers = await Promise.all([...sent, api.muteOpponent(ann, id, true)]);
      expect(answers.map(({ refusal }) => refusal)).toEqual(Array(5).fill(undefined));
      expect((await api.opponentMuted(ann, id)).data).toBe(true);
      expect(['1', '2', '3', '4']).toContain((await api.note(ann, id)).data);
    });
  });
});

test('a page of games reads notes and mutes with one statement', async () => {
  const api = graphqlApi(server.http);
  const [dan, eve] = [await register(server.http, 'dan'), await register(server.http, 'eve')];
  const ids: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    const seat = i % 2 === 0 ? 'first' : 'second';
    ids.unshift((await begin(api, dan, eve, { seat })).id);
    await api.setNote(dan, ids[0]!, `note ${i}`);
    await api.setNote(eve, ids[0]!, 'not his');
    await api.muteOpponent(dan, ids[0]!, i === 2);
  }
  const store = server.app.get(NotesStore);
  const seats = store.seats.bind(store);
  let reads = 0;
  store.seats = (keys) => ((reads += 1), seats(keys));
  const fields = '{ edges { node { id viewer { note opponentMuted } } } }';
  const { edges } = must(await select(server.http, dan, VERBS.myGames.graphql({ list: 'running' }), fields));
  store.seats = seats;
  const expected = ids.map((id, i) => ({ id, viewer: { note: `note ${3 - i}`, opponentMuted: i === 1 } }));
  expect(edges).toHaveLength(4);
  expect(edges.map(({ node }: Json) => node)).toEqual(expect.arrayContaining(expected));
  expect(reads).toBe(1);
});

test('a page of games says where messages are allowed with a statement for each reason, which others do not send', async () => {
  const api = graphqlApi(server.http);
  const site = await newSite(api, server.http);
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const { players } = await pairOf(api, site);
  must(await api.createGames(site.by, ids.map((id) => newGame(id, 'ann', 'ben')))); // prettier-ignore
  const read = (field: string) => async () => {
    const page = VERBS.myGames.graphql({ list: 'running' });
    const { edges } = must(await select(server.http, players.first, page, `{ edges { node { viewer { ${field} } } } }`)); // prettier-ignore
    expect(edges).toHaveLength(4);
  };
  const [without, asked] = [await fewestStatements(read('seat')), await fewestStatements(read('messagesAllowed'))]; // prettier-ignore
  expect(asked.length - without.length).toBe(4);
});
