import { makeMove } from '../../src/arbiter/acts/make-move.js';
import { isOver } from '../../src/arbiter/state.js';
import { decodeMoves } from '../../src/engine/moves-text.js';
import type { GameRow } from '../../src/features/games/game.row.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { Referee } from '../../src/features/games/referee.js';
import { rulesetById } from '../../src/rules/registry.js';
import { restApi } from '../support/api.js';
import { forgetGames } from '../support/known-games.js';
import { DAY, HOUR, Pair, startStopped } from '../support/pair.js';
import { PASSWORD, type Person, register, renewed } from '../support/people.js';
import { begin } from '../support/play.js';
import { random, type Random } from '../support/random-games.js';
import { rounds, SEED, printCounts } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { fewestStatements } from '../support/statements.js';
import { type By, must, type Response, send } from '../support/transport.js';
import { attempts, rarest, sendAct, someMove, type Attempt, type Counts } from '../support/act-attempts.js';

/**
 * What a client may cache. Random games are played; after every event five viewers repeat their requests with the last
 * tag. Where the answer is 304, a fresh answer must be the same, apart from the running clock.
 */
// Long: it plays many random cases.

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const STEPS = rounds(150, 12);
const GAMES = [
  ['chess', { type: 'perMove', seconds: 259_200 }],
  ['banqi-taiwan', { type: 'bank', initial: 86_400, increment: 3600, cap: 172_800 }],
  ['half-court-chess', { type: 'none' }],
] as const;

/** What counts down by itself, which the tag leaves out. */
function still({ text, body, headers }: Response): unknown {
  if (!/json/.test(headers['content-type']!) || body.clocks === undefined) return text;
  const clock = (one: { readonly running: boolean }) => (one.running ? { ...one, remaining: null } : one);
  const { first, second } = body.clocks;
  return { ...body, clocks: { first: clock(first), second: clock(second) } };
}

class Watch {
  kept = 0;
  renewed = 0;
  private readonly seen = new Map<string, Response>();
  private blocked!: Person;
  private stranger!: Person;

  constructor(
    readonly pair: Pair,
    private readonly id: string,
  ) {}

  async begin(): Promise<void> {
    [this.stranger, this.blocked] = [await register(server.http, 'cid'), await register(server.http, 'dot')];
    must(await restApi(server.http).blockUser(this.pair.first, this.blocked.username));
  }

  async later(milliseconds: number): Promise<void> {
    await this.pair.later(milliseconds);
    const { http } = server;
    [this.stranger, this.blocked] = [await renewed(http, this.stranger), await renewed(http, this.blocked)];
  }

  private get viewers(): readonly (readonly [string, By])[] {
    const { first, second } = this.pair;
    return [
      ['first', first],
      ['second', second],
      ['stranger', this.stranger],
      ['blocked', this.blocked],
      ['nobody', null],
    ];
  }

  private get paths(): readonly string[] {
    const game = `/v1/games/${this.id}`;
    const names = [this.pair.first, this.pair.second].map(({ username }) => `/v1/users/${username}`);
    return [
      game,
      `${game}/export`,
      `${game}/export?format=json&fields=-tags`,
      `/v1/challenges/${this.id}`,
      ...names,
    ];
  }

  /** Every viewer repeats every request. */
  async look(after: string): Promise<void> {
    for (const [who, by] of this.viewers) {
      for (const path of this.paths) {
        const key = `${who} ${path}`;
        const before = this.seen.get(key);
        const headers = before === undefined ? undefined : { 'If-None-Match': before.headers['etag']! };
        const answer = await send(server.http, path, headers && { headers }, by);
        const fresh = await send(server.http, path, {}, by);
        if (answer.status !== 304) {
          expect([key, after, answer.status]).toEqual([key, after, fresh.status]);
          if (answer.status === 200) this.seen.set(key, answer);
          else this.seen.delete(key);
          this.renewed++;
          continue;
        }
        this.kept++;
        expect([key, after, answer.text, fresh.status]).toEqual([key, after, '', 200]);
        expect([key, after, still(before!)]).toEqual([key, after, still(fresh)]);
        expect(answer.headers['etag']).toBe(before!.headers['etag']);
        expect(answer.headers['cache-control']).toBe(fresh.headers['cache-control']);
        expect(answer.headers['vary']).toBe(fresh.headers['vary']);
      }
    }
  }

  /** The tag that each viewer has of the game. */
  tags(): ReadonlyMap<string, string> {
    const of = (who: string) => this.seen.get(`${who} /v1/games/${this.id}`)!.headers['etag']!;
    return new Map(this.viewers.map(([who]) => [who, of(who)]));
  }
}

const rowOf = (id: string): Promise<GameRow> => server.app.get(GamesService).game(id);

/** A change that is not an act of the game. */
async function happens({ pair }: Watch, row: GameRow, pick: Random): Promise<string> {
  const api = restApi(server.http);
  const who = pick(2) === 0 ? pair.first : pair.second;
  const what = ['name', 'note', 'mute', 'message', 'vacation', 'welcome'][pick(6)]!;
  if (what === 'name') await api.updateProfile(who, { displayName: `Player ${pick(1000)}` });
  if (what === 'note') await api.setNote(who, row.id, `note ${pick(1000)}`);
  if (what === 'mute') await api.muteOpponent(who, row.id, pick(2) === 0);
  if (what === 'message') await api.sendMessage(who, row.id, 'Hello');
  if (what === 'vacation') await api.planVacation(who, { days: 1 + pick(2) });
  if (what === 'welcome') {
    await api.updateProfile(who, { challengesFrom: pick(2) === 0 ? 'everybody' : 'nobody' });
  }
  return what;
}

const LATER_PLY = 10_000;

/** The opponent of the side to move sets or clears a plan: no other viewer's tag may change. */
async function plans(watch: Watch, row: GameRow, pick: Random): Promise<void> {
  const { pair } = watch;
  const planner = row.turn === 'first' ? 'second' : 'first';
  const move = someMove(server, row, undefined, pick);
  const { data } = await restApi(server.http).legalMoves(pair[row.turn!], row.id);
  const tree = pick(3) === 0 ? null : [{ when: move, reply: data[0]!.move }];
  // A refused move first stores what the clock has done, which tags may show.
  const late = await restApi(server.http).makeMove(pair[row.turn!], row.id, LATER_PLY, move);
  expect(late.refusal).toBeDefined();
  await watch.look('time');
  const before = watch.tags();
  await restApi(server.http).setConditionalMoves(pair[planner], row.id, tree);
  await watch.look('plan');
  for (const [who, tag] of watch.tags())
    if (who !== planner) expect([who, tag]).toEqual([who, before.get(who)]);
}

test.each(GAMES)(
  'what a client caches of a game of %s equals a fresh answer',
  async (ruleset, timeControl) => {
    const pick = random(SEED);
    const counts: Counts = new Map();
    const pair = new Pair(server, time, restApi(server.http));
    await pair.meet();
    const { id } = await begin(restApi(server.http), pair.first, pair.second, { ruleset, timeControl });
    const watch = new Watch(pair, id);
    await watch.begin();
    await watch.look('start');
    for (let steps = 0; steps < STEPS; steps++) {
      const row = await rowOf(id);
      if (isOver(row)) break;
      const kind = pick(8);
      if (kind === 0) await watch.look(await happens(watch, row, pick));
      else if (kind === 1) {
        await watch.later([1, 1000, HOUR, DAY][pick(4)]!);
        await watch.look('time');
      } else if (kind === 2 && row.status === 'active') await plans(watch, row, pick);
      else {
        const all = await attempts(server, row, time.now());
        const attempt = kind < 6 && row.status === 'active' ? played(row, pick) : rarest(counts, row, all, steps > STEPS / 2, pick); // prettier-ignore
        await sendAct(server.http, 'REST', pair[attempt.player], id, attempt);
        await watch.look(attempt.act.name);
      }
      // An immediate second request is answered with 304.
      const { kept, renewed: made } = watch;
      await watch.look('nothing');
      expect(watch.renewed - made).toBeLessThan(watch.kept - kept);
    }
    await restApi(server.http).resign(pair.first, id);
    await watch.look('end');
    await watch.later(100 * DAY);
    await watch.look('long after');
    await server.app.get(Referee).sweep();
    await watch.look('stored');
    must(await restApi(server.http).closeAccount(pair.second, PASSWORD));
    await watch.look('closed');
    printCounts(`Kept of ${ruleset}`, { kept: watch.kept, renewed: watch.renewed });
  },
);

function played(row: GameRow, pick: Random): Attempt {
  const before =
    rulesetById(row.ruleset)!.claims.length > 0 ? decodeMoves(row.moves).at(-2)?.move : undefined;
  const input = { ply: row.plyCount + 1, move: someMove(server, row, before, pick) };
  return { act: makeMove, player: row.turn!, input, expected: 'done' };
}

test('an end by the clock, read before and after it is stored', async () => {
  const pair = new Pair(server, time, restApi(server.http));
  await pair.meet();
  const game = await pair.after(['e2e4', 'e7e5'], {
    timeControl: { type: 'perMove', seconds: 3600 },
    rated: true,
  });
  const watch = new Watch(pair, game.id);
  await watch.begin();
  await watch.look('start');
  const running = watch.tags();
  await watch.later(HOUR + 10_000);
  await watch.look('run out');
  const shown = watch.tags();
  expect(shown.get('nobody')).not.toBe(running.get('nobody'));
  await server.app.get(Referee).sweep();
  await watch.look('stored');
  expect(watch.tags().get('nobody')).not.toBe(shown.get('nobody'));
});

describe('the headers', () => {
  test('say who may cache an answer, and for how long', async () => {
    const pair = new Pair(server, time, restApi(server.http));
    await pair.meet();
    const { id } = await pair.after(['e2e4', 'e7e5']);
    const of = async (path: string) => (await send(server.http, path, {}, pair.first)).headers;
    const alive = {
      'cache-control': 'private, no-cache',
      vary: expect.stringMatching(/^Authorization\b/),
    };
    expect(await of(`/v1/games/${id}`)).toMatchObject(alive);
    expect(await of(`/v1/games/${id}/export`)).toMatchObject(alive);
    expect(await of('/v1/me')).toMatchObject(alive);
    expect((await of('/v1/games'))['cache-control']).toBe('no-store');
    must(await restApi(server.http).resign(pair.first, id));
    expect(await of(`/v1/games/${id}`)).toMatchObject(alive);
    const ended = await of(`/v1/games/${id}/export`);
    expect(ended['cache-control']).toBe('public, max-age=60, must-revalidate');
    expect(ended['vary'] ?? '').not.toMatch(/Authorization/);
  });

  test('an error has no tag', async () => {
    const answer = await send(server.http, '/v1/users/nobody-at-all', { headers: { 'If-None-Match': '*' } });
    expect(answer.status).toBe(404);
    expect(answer.headers['etag']).toBeUndefined();
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each([
    ['*', 304],
    ['ETAG', 304],
    ['"other", ETAG', 304],
    ['STRONG', 304],
    ['"other"', 200],
    ['nonsense', 200],
  ])('If-None-Match: %s is answered with %d', async (text, status) => {
    const etag = (await send(server.http, '/v1/rulesets/chess')).headers['etag']!;
    const known = text.replace('ETAG', etag).replace('STRONG', etag.replace('W/', ''));
    const answer = await send(server.http, '/v1/rulesets/chess', { headers: { 'If-None-Match': known } });
    expect([answer.status, answer.headers['etag']]).toEqual([status, etag]);
  });
});

test('a 304 does not compute the answer again', async () => {
  const pair = new Pair(server, time, restApi(server.http));
  await pair.meet();
  const { id } = await pair.after(['e2e4', 'e7e5'], { rated: true });
  must(await restApi(server.http).resign(pair.first, id));
  const path = `/v1/games/${id}`;
  const { headers } = await send(server.http, path);
  const asked = { headers: { 'If-None-Match': headers['etag']! } };
  const known = await fewestStatements(() => send(server.http, path, asked));
  // The game and its players, without ratings and seeds.
  expect(known).toHaveLength(2);
  const whole = await fewestStatements(() => {
    forgetGames(server);
    return send(server.http, path);
  });
  expect(whole.length).toBeGreaterThan(2);
});

describe('If-Match', () => {
  const sent = async (pair: Pair, id: string, match: string, body?: object) =>
    send(
      server.http,
      `/v1/games/${id}/draw-offer`,
      { method: 'post', headers: { 'If-Match': match }, ...(body && { body }) },
      pair.first,
    );

  test('guards conditional moves by the game’s version', async () => {
    const pair = new Pair(server, time, restApi(server.http));
    await pair.meet();
    const game = await pair.after(['e2e4', 'e7e5', 'g1f3']);
    const { version } = await pair.read(game);
    const path = `/v1/games/${game.id}/conditional-moves`;
    const body = { tree: [{ when: 'Nc6', reply: 'Bb5' }] };
    for (const [method, more] of [
      ['put', { body }],
      ['delete', {}],
    ] as const) {
      const planned = (match: string) =>
        send(server.http, path, { method, headers: { 'If-Match': match }, ...more }, pair.first);
      const stale = await planned(`"v${version - 1}"`);
      expect([stale.status, stale.body.currentVersion]).toEqual([412, version]);
      expect((await planned(`"v${version}"`)).status).toBe(200);
    }
  });

  test('guards an act by the game’s version', async () => {
    const pair = new Pair(server, time, restApi(server.http));
    await pair.meet();
    const game = await pair.after(['e2e4', 'e7e5']);
    const { version } = await pair.read(game);
    const stale = await sent(pair, game.id, `"v${version - 1}"`);
    expect([stale.status, stale.body.code, stale.body.status]).toEqual([412, 'STALE_VERSION', 412]);
    expect(stale.body.currentVersion).toBeGreaterThan(0);
    const { headers } = await send(server.http, `/v1/games/${game.id}`, {}, pair.first);
    for (const [match, status] of [
      [`W/"v${version + 1}-abc"`, 412],
      ['nonsense', 400],
      ['"abc"', 400],
      ['"v1", "v2"', 400],
      [headers['etag']!, 200],
    ] as const) {
      expect([match, (await sent(pair, game.id, match)).status]).toEqual([match, status]);
    }
    expect((await pair.read(game)).version).toBe(version + 1);
    expect((await sent(pair, game.id, '*')).status).toBe(200);
  });

  test('must match the version in the body', async () => {
    const pair = new Pair(server, time, restApi(server.http));
    await pair.meet();
    const game = await pair.after(['e2e4', 'e7e5']);
    const { version } = await pair.read(game);
    const both = await sent(pair, game.id, `"v${version}"`, { version: version - 1 });
    expect([both.status, both.body.code, both.body.field]).toEqual([400, 'BAD_INPUT', 'version']);
    expect((await sent(pair, game.id, `"v${version}"`, { version })).status).toBe(200);
  });
});
