import { rulesets } from '../../src/rules/registry.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { restApi } from '../support/api.js';
import { gameWithDeal, lie } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type By, must, type Response, send } from '../support/transport.js';

/** The page of a game as it is sent: with its position and what is shown of a shared link, and with nothing hidden. */

let server: TestServer;
let ann: Person;
let ben: Person;
let plain: string;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  plain = (await send(server.http, '/')).text;
});
afterAll(() => server.close());
afterEach(() => jest.restoreAllMocks());

const api = () => restApi(server.http);
const page = (id: string, by: By = null): Promise<Response> => send(server.http, `/games/${id}`, {}, by);
const positionIn = ({ text }: Response): string | undefined => / FEN: ([^<]*)<\/desc>/.exec(text)?.[1];
const previewIn = ({ text }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/property="og:(\w+)" content="([^"]*)"/g)].map(([, name, value]) => [name, value])); // prettier-ignore

it.each(rulesets().map(({ id }) => id))(
  'has the position of a game of %s, as anybody sees it',
  async (id) => {
    const { id: gameId } = await begin(api(), ann, ben, { ruleset: id });
    const { position } = must(await api().game(null, gameId));
    const answers = await Promise.all([page(gameId), page(gameId, ann), page(gameId, ben)]);
    expect(answers.map(positionIn)).toEqual([position, position, position]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [{ text, headers }] = answers;
    // Under the policy of all pages: nothing inline, and loaded from here.
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    const loaded = [...text.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)].map(([, address]) => address!); // prettier-ignore
    expect(loaded).toHaveLength(4);
    for (const path of loaded) expect((await send(server.http, path)).status).toBe(200);
    // An old position is kept nowhere.
    expect([headers['cache-control'], headers['set-cookie']]).toEqual(['no-store', undefined]);
    expect(headers['content-security-policy']).toBe((await send(server.http, '/')).headers['content-security-policy']); // prettier-ignore
  },
);

it('says what the game is, and whose move it is or how it ended', async () => {
  const game = await begin(api(), ann, ben);
  const { boardUrl } = await playMoves(api(), game, ['e2e4', 'e7e5', 'g1f3'], { first: ann, second: ben });
  const answer = await page(game.id);
  const title = `Chess: ${ann.username} against ${ben.username}`;
  expect(answer.text).toContain(`<title>${title} - Halfmove</title>`);
  expect(answer.text).toContain('Marked move: g1f3.');
  const image = boardUrl.replace('.svg', '.png').replace('&', '&amp;');
  const description = `${ben.username} is to move. Plies played: 3.`;
  expect(previewIn(answer)).toEqual({ title, description, image });
  const picture = await send(server.http, image.slice(new URL(image).origin.length).replace('&amp;', '&'));
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
  must(await api().resign(ben, game.id));
  const over = await page(game.id);
  expect(previewIn(over)['description']).toBe(`${ann.username} won. Plies played: 3.`);
});

it('shows names as text', async () => {
  const cid = await register(server.http, 'cid');
  must(await api().updateProfile(cid, { displayName: '<b>"Cid" & $& co</b>' }));
  const { text } = await page((await begin(api(), cid, ben)).id);
  expect(text).not.toContain('<b>');
  expect(text.match(/&lt;b&gt;&quot;Cid&quot; &amp; \$&amp; co&lt;\/b&gt;/g)).toHaveLength(6);
});

it.each([
  ['banqi-taiwan', 'a1=P b1=p', ['c1=K', 'c1=p'], ['a1', 'b1']],
  ['banqi-hongkong', 'a1=P b1=p', ['c1=K', 'c1=p'], ['a1', 'b1']],
  ['half-chess', 'a1=P', ['c1=K', 'c1=p'], ['a1']],
] as const)(
  'is the same in two worlds of %s that differ in what lies face-down',
  async (id, same, others, moves) => {
    const seen = new Set<string>();
    for (const other of others) {
      const { game } = await gameWithDeal(server, { ann, ben }, api(), id, lie(`${same} ${other}`));
      await playMoves(api(), game, moves, { first: ann, second: ben });
      for (const by of [ann, ben, null]) seen.add((await page(game.id, by)).text.replaceAll(game.id, 'ID'));
    }
    expect(seen.size).toBe(1);
  },
);

it.each(['00000000-0000-7000-8000-000000000000', 'nothing', '%00', "'"])(
  'is the page of all addresses for %s, which is no game',
  async (id) => {
    const { status, text, headers } = await page(id);
    expect([status, text, headers['cache-control']]).toEqual([200, plain, 'no-store']);
  },
);

it('is the page of all addresses while the database is away or slow', async () => {
  const { id } = await begin(api(), ann, ben);
  const reads = jest.spyOn(server.app.get(GamesService), 'found');
  reads.mockRejectedValueOnce(new Error('away'));
  expect((await page(id)).text).toBe(plain);
  reads.mockReturnValueOnce(new Promise(() => undefined));
  expect((await page(id)).text).toBe(plain);
  expect((await page(id)).text).not.toBe(plain);
});
