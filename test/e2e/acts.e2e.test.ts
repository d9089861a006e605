import { begin, type By, type Person, type Play, playMoves, register, TRANSPORTS } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/shown.js';
import { stopTime, type StoppedTime } from '../support/stopped-time.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';

/** Who may do what in which state of a game: every act of everybody in every state. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  // The clock runs away by hours; the tokens must not end on the way.
  server = await startServer({ ACCESS_TOKEN_SECONDS: '86400' });
  time = stopTime(server.app);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
}, 60_000);
afterAll(() => server.close());

const MINUTE = { type: 'perMove', seconds: 60 };
const HASHED = { clientSeedHash: clientSeedHash('later') };
const FOOLS_MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];

async function after(play: Play, moves: readonly string[], terms = {}): Promise<Game> {
  return playMoves(play, await begin(play, ann, ben, terms), moves, { first: ann, second: ben });
}

async function overdue(game: Promise<Game>): Promise<Game> {
  const late = await game;
  time.forward(61_000);
  return late;
}

const STATES: Readonly<Record<string, (play: Play) => Promise<Game>>> = {
  'awaiting a seed': (play) => begin(play, ann, ben, HASHED),
  'before ply 1': (play) => after(play, []),
  'before ply 2': (play) => after(play, ['e2e4']),
  'before ply 3': (play) => after(play, ['e2e4', 'e7e5']),
  checkmated: (play) => after(play, FOOLS_MATE),
  'resigned by second': async (play) =>
    (await play.resign(ben, (await after(play, ['e2e4', 'e7e5'])).id)).data,
  'aborted by first': async (play) => (await play.abort(ann, (await after(play, ['e2e4'])).id)).data,
  'overdue before ply 3': (play) => overdue(after(play, ['e2e4', 'e7e5'], { timeControl: MINUTE })),
  'overdue before ply 1': (play) => overdue(after(play, [], { timeControl: MINUTE })),
  'overdue awaiting a seed': (play) => overdue(begin(play, ann, ben, { ...HASHED, timeControl: MINUTE })),
};

/** What comes of it: done, the same (it was done before), or the code of the refusal. */
const TABLE: readonly (readonly [
  state: string,
  act: 'move' | 'resign' | 'abort',
  first: string,
  second: string,
])[] = [
  ['awaiting a seed', 'move', 'GAME_PENDING', 'GAME_PENDING'],
  ['awaiting a seed', 'resign', 'GAME_PENDING', 'GAME_PENDING'],
  ['awaiting a seed', 'abort', 'done', 'done'],
  ['before ply 1', 'move', 'done', 'NOT_YOUR_TURN'],
  ['before ply 1', 'resign', 'done', 'done'],
  ['before ply 1', 'abort', 'done', 'done'],
  ['before ply 2', 'move', 'NOT_YOUR_TURN', 'done'],
  ['before ply 2', 'resign', 'done', 'done'],
  ['before ply 2', 'abort', 'done', 'done'],
  ['before ply 3', 'move', 'done', 'NOT_YOUR_TURN'],
  ['before ply 3', 'resign', 'done', 'done'],
  ['before ply 3', 'abort', 'TOO_LATE_TO_ABORT', 'TOO_LATE_TO_ABORT'],
  ['checkmated', 'move', 'GAME_OVER', 'GAME_OVER'],
  ['checkmated', 'resign', 'GAME_OVER', 'GAME_OVER'],
  ['checkmated', 'abort', 'GAME_OVER', 'GAME_OVER'],
  ['resigned by second', 'move', 'GAME_OVER', 'GAME_OVER'],
  ['resigned by second', 'resign', 'GAME_OVER', 'the same'],
  ['resigned by second', 'abort', 'GAME_OVER', 'GAME_OVER'],
  ['aborted by first', 'move', 'GAME_OVER', 'GAME_OVER'],
  ['aborted by first', 'resign', 'GAME_OVER', 'GAME_OVER'],
  ['aborted by first', 'abort', 'the same', 'the same'],
  ['overdue before ply 3', 'move', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
  ['overdue before ply 3', 'resign', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
  ['overdue before ply 3', 'abort', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
  ['overdue before ply 1', 'move', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
  ['overdue before ply 1', 'resign', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
  ['overdue before ply 1', 'abort', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
  ['overdue awaiting a seed', 'move', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
  ['overdue awaiting a seed', 'resign', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
  ['overdue awaiting a seed', 'abort', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
];

const MOVES = ['e2e4', 'e7e5', 'g1f3'];

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let play: Play;
  beforeAll(() => {
    play = over(server.http);
  });

  const act = (verb: (typeof TABLE)[number][1], by: By, { id, plyCount }: Game) =>
    verb === 'move' ? play.makeMove(by, id, plyCount + 1, MOVES[plyCount] ?? 'a2a3') : play[verb](by, id);

  /** The game and its log, without what depends on who asks. */
  const seen = async ({ id }: Game) => [(await play.game(null, id)).data, (await play.events(null, id)).data];

  it.each(TABLE)('%s, %s: %s by the first player, %s by the second', async (state, verb, first, second) => {
    let game = await STATES[state]!(play);
    const actors = [[cid, 'NOT_YOUR_GAME'], [null, 'UNAUTHENTICATED'], [ann, first], [ben, second]] as const; // prettier-ignore
    for (const [by, expected] of actors) {
      if (by !== null && by !== cid && state.startsWith('overdue')) game = await STATES[state]!(play);
      const before = state.startsWith('overdue') ? null : await seen(game);
      const { data, refusal } = await act(verb, by, game);
      expect(refusal?.code ?? (data.version === game.version ? 'the same' : 'done')).toBe(expected);
      const now = await seen(game);
      if (expected === 'done') {
        expect(now[0]).toEqual({ ...data, you: null });
        game = await STATES[state]!(play);
      } else if (before !== null) {
        expect(now).toEqual(before);
      }
    }
  });

  it.each(['overdue before ply 3', 'overdue before ply 1'])(
    '%s: the act that came too late ended it',
    async (state) => {
      const game = await STATES[state]!(play);
      expect((await play.makeMove(ann, game.id, game.plyCount + 1, MOVES[game.plyCount])).refusal!.code).toBe(
        'DEADLINE_PASSED',
      );
      const now = (await play.game(null, game.id)).data;
      expect(now).toMatchObject({ status: 'finished', outcome: { winner: 'second', reason: 'timeout' } });
      expect([now.endedAt, now.plyCount]).toEqual([game.deadlineAt, game.plyCount]);
      const again = await play.makeMove(ann, game.id, game.plyCount + 1, MOVES[game.plyCount]);
      expect(again.refusal).toEqual({ code: 'GAME_OVER' });
    },
  );

  it.each([
    ['first', 'second', 'resign'],
    ['second', 'first', 'resign'],
  ] as const)('a resignation of the %s player wins for the %s', async (loser, winner, verb) => {
    const game = await after(play, ['e2e4', 'e7e5']);
    const by = loser === 'first' ? ann : ben;
    const { data } = await play[verb](by, game.id);
    expect(data).toMatchObject({
      status: 'finished',
      turn: null,
      outcome: { winner, reason: 'resignation' },
    });
    const events = (await play.events(null, game.id)).data;
    expect(events.map(({ type, player }) => [type, player])).toEqual([['start', null], ['resign', loser], ['end', null]]); // prettier-ignore
    expect(events[1]!.seq).toBe(events[2]!.seq);
  });

  it('an aborted game stays, marked so, and its log says who did it', async () => {
    const game = await after(play, ['e2e4']);
    const { data } = await play.abort(ben, game.id);
    expect(data).toMatchObject({
      status: 'aborted',
      outcome: { winner: null, reason: 'aborted' },
      plyCount: 1,
    });
    const events = (await play.events(null, game.id)).data;
    expect(events.map(({ type, player }) => [type, player])).toEqual([['start', null], ['abort', 'second'], ['end', null]]); // prettier-ignore
  });

  it('no act finds a game that does not exist, or by what is no id', async () => {
    const nowhere = '01890000-0000-7000-8000-000000000000';
    for (const verb of ['move', 'resign', 'abort'] as const) {
      const game = { id: nowhere, plyCount: 0 } as Game;
      expect((await act(verb, ann, game)).refusal).toEqual({ code: 'NOT_FOUND', field: 'gameId' });
      expect((await act(verb, ann, { ...game, id: 'x' })).refusal!.code).toBe('BAD_INPUT');
    }
    expect((await play.game(null, nowhere)).refusal).toEqual({ code: 'NOT_FOUND', field: 'id' });
  });

  it('of several acts at once one wins, and the others hear why', async () => {
    const game = await after(play, ['e2e4', 'e7e5']);
    const answers = await Promise.all([
      play.makeMove(ann, game.id, 3, 'g1f3'),
      play.makeMove(ann, game.id, 3, 'b1c3'),
      play.makeMove(ann, game.id, 3, 'd2d4'),
      play.resign(ben, game.id),
    ]);
    const now = (await play.game(null, game.id)).data;
    const codes = answers.map(({ refusal }) => refusal?.code ?? 'done');
    expect(codes.slice(0, 3).filter((code) => code === 'done').length).toBeLessThanOrEqual(1);
    expect(codes[3]).toBe('done');
    expect(codes.every((code) => ['done', 'STALE_PLY', 'GAME_OVER'].includes(code))).toBe(true);
    expect(now).toMatchObject({ status: 'finished', outcome: { winner: 'first', reason: 'resignation' } });
    expect((await play.moves(null, game.id)).data.totalCount).toBe(now.plyCount);
  });
});
