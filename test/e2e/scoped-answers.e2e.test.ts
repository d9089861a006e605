import { accessTable, type AccessRow } from '../../src/pages/access.js';
import { ALL_SCOPES, type Scope } from '../../src/platform/contract/scopes.js';
import { restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { withScopes } from '../support/scopes.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type By, must, send } from '../support/transport.js';

/** What an answer contains for a token with few scopes, read to its end. */

const TERMS = { ruleset: 'chess', timeControl: NO_CLOCK };

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close());

const tokenOf = (...scopes: readonly Scope[]) => withScopes(server, ann, scopes);

describe('each route that reads what is yours', () => {
  /** A stream of events has no end. */
  /** Each scope reads a part of these: event-scopes.e2e.postgres.test.ts. */
  const PARTLY = ['GET /v1/me/events', 'GET /v1/changes'];
  const paths: Record<string, string> = {};
  const isOwn = ({ name, access }: AccessRow) =>
    name.startsWith('GET ') &&
    access.token === 'required' &&
    access.kinds.includes('password') &&
    !PARTLY.includes(name);

  beforeAll(async () => {
    const api = restApi(server.http);
    const game = await begin(api, ann, ben);
    const over = await begin(api, ann, ben);
    must(await api.resign(ben, over.id));
    must(await api.offerRematch(ben, over.id));
    must(await api.setNote(ann, game.id, 'mine'));
    must(await api.sendMessage(ben, game.id, 'hello'));
    must(await api.muteOpponent(ann, game.id, true));
    must(await api.createChallenge(ann, TERMS));
    must(await api.createChallenge(ben, { ...TERMS, opponent: ann.username }));
    must(await api.makeMove(ann, game.id, 1, 'e2e4'));
    must(await api.setConditionalMoves(ann, game.id, [{ when: 'd7d5', reply: 'e4d5' }]));
    must(await api.importGames(ann, { text: '1. f3 e5 2. g4 Qh4# 0-1\n' }));
    must(await api.planVacation(ann, { days: 1 }));
    must(await api.blockUser(ann, (await register(server.http, 'cid')).username));
    const { webhook } = must(await api.createWebhook(ann, { url: 'https://hooks.example/' }));
    const idOf = (name: string) =>
      name.includes('/webhooks/') ? webhook.id : name.endsWith('/rematch') ? over.id : game.id;
    const pathOf = (name: string) =>
      `${name.slice('GET '.length).replace(':id', idOf(name))}${name.endsWith('/challenges') ? '?box=outgoing' : ''}`;
    for (const { name } of accessTable(server.app).Route.filter(isOwn)) paths[name] = pathOf(name);
  });

  /** Sealed cursors, the time of an export and the sessions of the tokens differ each time. */
  const withoutChance = (text: string) =>
    text
      .replace(/"(next|previous|cursor|at)":"[^"]*"/g, '"$1":""')
      .replace(/^\{"kind":"session".*\n/gm, '')
      .replace(/\{[^{}]*"isCurrent":(?:true|false)\},?/g, '')
      .replace(/"lines":\d+/, '"lines":0');

  const answerTo = async (path: string, by: By) => {
    const { status, text } = await send(server.http, path, {}, by);
    return [status, withoutChance(text)];
  };

  test('answers a token with only its scopes as it answers one with all', async () => {
    const rows = accessTable(server.app).Route.filter(isOwn);
    expect(rows.map(({ name }) => name)).toContain('GET /v1/me/export');
    for (const { name, access } of rows) {
      const [status, text] = await answerTo(paths[name]!, await tokenOf(...ALL_SCOPES));
      expect([name, status]).toEqual([name, 200]);
      const lean = await answerTo(paths[name]!, await tokenOf(...access.scopes));
      expect([name, ...lean]).toEqual([name, 200, text]);
    }
  });
});

describe.each(TRANSPORTS)('the secret of an open link over %s', (_, api_) => {
  const api = () => api_(server.http);
  const opened = async () => must(await api().createChallenge(ann, TERMS));
  const secretOf = ({ linkToken, url }: { linkToken: string | null; url: string | null }) => [linkToken, url];

  test('is in the answer to its creation', async () => {
    const made = must(await api().createChallenge(await tokenOf('challenges:write'), TERMS));
    expect(secretOf(made)).toEqual([expect.any(String), expect.stringContaining(made.linkToken!)]);
  });

  test('is in later answers only with the scope that reads it', async () => {
    const [writer, both] = [
      await tokenOf('challenges:write'),
      await tokenOf('challenges:write', 'challenges:read'),
    ];
    for (const [by, shown] of [
      [writer, [null, null]],
      [both, null],
    ] as const) {
      // prettier-ignore
      const made = await opened();
      const expected = shown ?? secretOf(made);
      const { challenge } = must(await api().giveClientSeed(by, made.id, newSeed()));
      expect(secretOf(challenge)).toEqual(expected);
      expect(secretOf(must(await api().cancelChallenge(by, made.id)))).toEqual(expected);
    }
  });
});
