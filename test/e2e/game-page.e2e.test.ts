import { rulesets } from '../../src/rules/registry.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { OwnAddress } from '../../src/platform/http/own-address.js';
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
  Object.fromEntries([...text.matchAll(/property="og:([\w:]+)" content="([^"]*)"/g)].map(([, name, value]) => [name, value])); // prettier-ignore
/** What a browser without JavaScript shows beside the board: each fact by its name. */
const factsIn = ({ text }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries([.../<noscript>(.*)<\/noscript>/.exec(text)![1]!.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value])); // prettier-ignore

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
    const loaded = [...text.matchAll(/<(?:script|link(?! rel="alternate"))[^>]*(?:src|href)="([^"]+)"/g)].map(([, address]) => address!); // prettier-ignore
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
  const origin = new URL(boardUrl).origin;
  const image = `${boardUrl.replace('.svg', '.png')}&size=600`;
  expect(previewIn(answer)).toEqual({
    title,
    description: `${ben.username} is to move. Plies played: 3.`,
    type: 'website',
    site_name: 'Halfmove',
    url: `${origin}/games/${game.id}`,
    image: image.replaceAll('&', '&amp;'),
    'image:type': 'image/png',
    'image:width': '600',
    'image:height': '600',
    'image:alt': 'Chess: after ply 3',
  });
  expect(answer.text).toContain('<meta name="twitter:card" content="summary" />');
  const picture = await fetch(`${server.url}${image.slice(origin.length)}`);
  expect(picture.headers.get('content-type')).toBe('image/png');
  // The size stands in the head of a PNG.
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([600, 600]);
  must(await api().resign(ben, game.id));
  const over = await page(game.id);
  expect(previewIn(over)['description']).toBe(`${ann.username} won: resignation (1-0). Plies played: 3.`);
});

it('can be read without script: who plays, by which rules and with how much time, the result, the moves and the position', async () => {
  const timeControl = { bank: { initial: 259_200, increment: 90_000, cap: 604_800 } };
  const game = await begin(api(), ann, ben, { rated: true, timeControl });
  const moves = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
  const before = factsIn(await page(game.id));
  expect(before).toMatchObject({ White: ann.username, Black: ben.username, Now: `${ann.username} is to move.`, Moves: 'none' }); // prettier-ignore
  await playMoves(api(), game, moves, { first: ann, second: ben });
  let facts = before;
  // Ratings change soon after the end.
  while (!facts['White']!.includes('rating')) facts = factsIn(await page(game.id));
  expect(facts).toEqual({
    White: `${ann.username}, rating 1500, now 1259`,
    Black: `${ben.username}, rating 1500, now 1741`,
    Rules: 'Chess',
    Time: '3 days for all moves and 1 day 1 hour more with each move, at most 7 days',
    Kind: 'rated',
    Result: `${ben.username} won: checkmate (0-1).`,
    Moves: '1. f3 e5 2. g4 Qh4#',
    Position: expect.stringMatching(/^White: king e1, .* Black: king e8, queen h4, .* White to move, in check. Marked move: d8h4. FEN: /) as string, // prettier-ignore
  });
  const next = factsIn(await page((await begin(api(), ann, ben)).id));
  expect([next['White'], next['Black'], next['Time'], next['Kind']]).toEqual([
    `${ann.username}, rating 1259?`,
    `${ben.username}, rating 1741?`,
    'no limit',
    'casual',
  ]);
});

it('names in words what was turned up, and no side before it is known', async () => {
  const { game } = await gameWithDeal(server, { ann, ben }, api(), 'banqi-taiwan', lie('a1=P b1=p'));
  expect(factsIn(await page(game.id))).toMatchObject({ 'First player': ann.username, 'Second player': ben.username }); // prettier-ignore
  await playMoves(api(), game, ['a1', 'b1'], { first: ann, second: ben });
  expect(factsIn(await page(game.id))).toMatchObject({
    Red: ann.username,
    Black: ben.username,
    Moves: '1. a1(P) b1(p)',
  });
});

it('shows names as text', async () => {
  const cid = await register(server.http, 'cid');
  // No such name can be chosen with a line break.
  const displayName = `</title></noscript><script>alert("Cid")</script>\n& $& 'co'`;
  await server.app.get(PrismaService).db.user.update({ where: { id: cid.id }, data: { displayName } });
  const { id } = await begin(api(), cid, ben);
  const { text } = await page(id);
  expect([text.match(/<script/g)!.length, text.match(/<\/title>/g)!.length, text.match(/<\/noscript>/g)!.length]).toEqual([1, 2, 1]); // prettier-ignore
  const shown = `&lt;/title&gt;&lt;/noscript&gt;&lt;script&gt;alert(&quot;Cid&quot;)&lt;/script&gt; &amp; $&amp; 'co'`;
  expect(text.split(shown)).toHaveLength(10);
  const { html, title } = (await send(server.http, `/oembed?url=${server.app.get(OwnAddress).url('/games/')}${id}`)).body as Readonly<Record<string, string>>; // prettier-ignore
  expect(title).toBe(`Chess: ${displayName.replace('\n', ' ')} against ${ben.username}`);
  expect(html).toContain(` title="Chess: ${shown} against ${ben.username}" `);
  expect(html!.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
});

it.each([
  ['banqi-taiwan', 'a1=P b1=p', ['c1=K', 'c1=p'], ['a1', 'b1']],
  ['banqi-hongkong', 'a1=P b1=p', ['c1=K', 'c1=p'], ['a1', 'b1']],
  ['half-chess', 'a1=P', ['c1=K', 'c1=p'], ['a1']],
] as const)(
  'is the same in two worlds of %s that differ in what lies face-down',
  async (id, same, others, moves) => {
    const [seen, frames] = [new Set<string>(), new Set<string>()];
    for (const other of others) {
      const { game } = await gameWithDeal(server, { ann, ben }, api(), id, lie(`${same} ${other}`));
      await playMoves(api(), game, moves, { first: ann, second: ben });
      for (const by of [ann, ben, null]) seen.add((await page(game.id, by)).text.replaceAll(game.id, 'ID'));
      frames.add((await send(server.http, `/oembed?url=${server.app.get(OwnAddress).url('/games/')}${game.id}`)).text.replaceAll(game.id, 'ID')); // prettier-ignore
    }
    expect([seen.size, frames.size]).toEqual([1, 1]);
  },
);

it.each(['00000000-0000-7000-8000-000000000000', 'nothing', '%00', "'"])(
  'is the page of all addresses for %s, which is no game, with 404',
  async (id) => {
    const { status, text, headers } = await page(id);
    expect([status, text, headers['cache-control']]).toEqual([404, plain, 'no-store']);
  },
);

it('is the page of all addresses while the database is away or slow', async () => {
  const { id } = await begin(api(), ann, ben);
  const reads = jest.spyOn(server.app.get(GamesService), 'found');
  const sent = async () => {
    const { status, text } = await page(id);
    return [status, text === plain];
  };
  reads.mockRejectedValueOnce(new Error('away'));
  expect(await sent()).toEqual([200, true]);
  reads.mockReturnValueOnce(new Promise(() => undefined));
  expect(await sent()).toEqual([200, true]);
  expect(await sent()).toEqual([200, false]);
});
