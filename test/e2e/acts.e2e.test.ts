import { clientSeedHash } from '../../src/fairness/commitment.js';
import { DAY, startStopped, stored, type Stored } from '../support/pair.js';
import {
  begin,
  type By,
  PLAIN_ACTS,
  type PlainAct,
  type Person,
  type Play,
  playMoves,
  register,
  renewed,
  restPlay,
  TRANSPORTS,
} from '../support/play.js';
import type { TestServer } from '../support/server.js';
import type { Game } from '../support/shown.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { ACTS, type ActOfTable, type StateOfTable, WHO_MAY_ACT } from '../support/who-may-act.js';

/** Who may do what in which state of a game: every act of everybody in every state. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  [server, time] = await startStopped();
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
}, 180_000);
afterAll(() => server.close());

const DAYS = { timeControl: { type: 'perMove', seconds: (3 * DAY) / 1000 } };
const MINUTE = { timeControl: { type: 'perMove', seconds: 60 } };
const HASHED = { clientSeedHash: clientSeedHash('later') };
const OPENING = ['e2e4', 'e7e5'];
const FOOLS_MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
const KNIGHTS = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const TURN_UPS = ['a1', 'b1', 'c1', 'd1'];

async function after(play: Play, moves: readonly string[], terms = {}): Promise<Game> {
  return playMoves(play, await begin(play, ann, ben, terms), moves, { first: ann, second: ben });
}

/** Time goes by, and everybody signs in again where a token would have ended. */
async function later(milliseconds: number): Promise<void> {
  time.forward(milliseconds);
  if (milliseconds < DAY) return;
  [ann, ben, cid] = await Promise.all([renewed(server.http, ann), renewed(server.http, ben), renewed(server.http, cid)]); // prettier-ignore
}

async function waited(milliseconds: number, game: Promise<Game>): Promise<Game> {
  const left = await game;
  await later(milliseconds);
  return left;
}

/** A game after ply 2 and these acts. */
async function acted(play: Play, ...acts: readonly ((id: string) => ReturnType<Play['resign']>)[]) {
  let game = await after(play, OPENING, DAYS);
  for (const act of acts) {
    const { data, text } = await act(game.id);
    if (data === undefined) throw new Error(text);
    game = data;
  }
  return game;
}

const plain =
  (play: Play, who: 'first' | 'second', verb: Parameters<Play['plain']>[1]) =>
  (id: string): ReturnType<Play['plain']> =>
    play.plain(who === 'first' ? ann : ben, verb, id);

const pause = (play: Play) => [plain(play, 'first', 'offerPause'), plain(play, 'second', 'acceptPause')];

/** How a game comes into each of the states. */
const STATES: Readonly<Record<StateOfTable, (play: Play) => Promise<Game>>> = {
  'awaiting a seed': (play) => begin(play, ann, ben, { ...HASHED, ...DAYS }),
  'before ply 1': (play) => after(play, [], DAYS),
  'before ply 2': (play) => after(play, ['e2e4'], DAYS),
  'before ply 3': (play) => acted(play),
  'draw offered by first': (play) => acted(play, plain(play, 'first', 'offerDraw')),
  'draw offered by second': (play) => acted(play, plain(play, 'second', 'offerDraw')),
  'draw offer of first refused': (play) =>
    acted(play, plain(play, 'first', 'offerDraw'), plain(play, 'second', 'declineDraw')),
  'takeback offered by first': (play) => acted(play, plain(play, 'first', 'offerTakeback')),
  'takeback offered by second': (play) => acted(play, plain(play, 'second', 'offerTakeback')),
  'pause offered by first': (play) => acted(play, plain(play, 'first', 'offerPause')),
  paused: (play) => acted(play, ...pause(play)),
  'paused before ply 1': async (play) => {
    const { id } = await after(play, [], DAYS);
    await play.plain(ann, 'offerPause', id);
    return (await play.plain(ben, 'acceptPause', id)).data;
  },
  'paused, first gave notice': (play) => acted(play, ...pause(play), plain(play, 'first', 'unpause')),
  'paused, draw offered by second': (play) => acted(play, ...pause(play), plain(play, 'second', 'offerDraw')),
  'time given': (play) => acted(play, (id) => play.giveTime(ben, id, 3)),
  rated: (play) => after(play, OPENING, { ...DAYS, rated: true }),
  'last ply turned a piece up': (play) =>
    after(play, TURN_UPS.slice(0, 2), { ...DAYS, ruleset: 'banqi-taiwan' }),
  untimed: (play) => after(play, OPENING),
  'untimed for 30 days': (play) => waited(30 * DAY, after(play, OPENING)),
  'untimed for 30 days before ply 2': (play) => waited(30 * DAY, after(play, ['e2e4'])),
  'overdue before ply 3': (play) => waited(60_001, after(play, OPENING, MINUTE)),
  'overdue before ply 1': (play) => waited(60_001, after(play, [], MINUTE)),
  'overdue awaiting a seed': (play) => waited(60_001, begin(play, ann, ben, { ...HASHED, ...MINUTE })),
  checkmated: (play) => after(play, FOOLS_MATE, DAYS),
  'resigned by second': (play) => acted(play, plain(play, 'second', 'resign')),
  'aborted by first': async (play) => (await play.abort(ann, (await after(play, ['e2e4'], DAYS)).id)).data,
  'drawn by agreement': (play) =>
    acted(play, plain(play, 'first', 'offerDraw'), plain(play, 'second', 'acceptDraw')),
  'drawn by a claim': async (play) => {
    const { id } = await after(play, [...KNIGHTS, ...KNIGHTS], DAYS);
    return (await play.claimDraw(ann, id, { reason: 'threefoldRepetition' })).data;
  },
  'timed out': async (play) =>
    (await play.game(null, (await waited(60_001, after(play, OPENING, MINUTE))).id)).data,
};

const LINES: Readonly<Record<string, readonly string[]>> = {
  chess: [...OPENING, 'g1f3', 'b8c6', 'f1b5'],
  'banqi-taiwan': TURN_UPS,
};

interface Done {
  readonly data: unknown;
  readonly refusal?: { readonly code: string };
}
type Doing = (play: Play, by: By, game: Game) => Promise<Done>;

const PLAIN = Object.fromEntries<Doing>(
  (Object.keys(PLAIN_ACTS) as PlainAct[]).map((act) => [
    act,
    (play: Play, by: By, { id }: Game) => play.plain(by, act, id),
  ]),
) as Record<PlainAct, Doing>;

/** The acts of the table for a game as it stands. */
const DO: Readonly<Record<ActOfTable, Doing>> = {
  ...PLAIN,
  move: (play, by, game) => play.makeMove(by, game.id, game.plyCount + 1, next(game)),
  moveWithOffer: (play, by, game) =>
    play.makeMove(by, game.id, game.plyCount + 1, next(game), { offerDraw: true }),
  claimThreefold: (play, by, { id }) => play.claimDraw(by, id, { reason: 'threefoldRepetition' }),
  claimFifty: (play, by, { id }) => play.claimDraw(by, id, { reason: 'fiftyMoves' }),
  giveTime: (play, by, { id, plyCount }) => play.giveTime(by, id, plyCount + 1),
  plan: (play, by, game) => play.setConditionalMoves(by, game.id, [{ when: next(game), reply: next(game, 1) }]), // prettier-ignore
};

const next = ({ ruleset, plyCount }: Game, behind = 0): string =>
  LINES[ruleset]![plyCount + behind] ?? 'a2a3';

/** Without what a player alone may see. */
const shared = ({ row: { firstPlan: _, secondPlan: __, plans: ___, ...row }, ...rest }: Stored) => ({
  row,
  ...rest,
});

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let play: Play;
  beforeAll(() => {
    play = over(server.http);
  });

  /** What came of an act, after a look at whether it changed what it says that it changed, and nothing else. */
  async function outcomeOf(act: ActOfTable, by: By, game: Game): Promise<string> {
    const before = await stored(server, game);
    const { data, refusal } = await DO[act](play, by, game);
    const now = await stored(server, game);
    if (refusal?.code === 'DEADLINE_PASSED') {
      expect(now.row).toMatchObject({ plyCount: game.plyCount, endedAt: new Date(game.deadlineAt!) });
      return refusal.code;
    }
    if (act === 'plan' && refusal === undefined) {
      expect(shared(now)).toEqual(shared(before));
      expect(now.row.plans).toBe(before.row.plans + 1);
      return 'planned';
    }
    const { version } = (data ?? game) as Game;
    if (version === before.row.version) {
      expect(now).toEqual(before);
      if (refusal === undefined) expect(data).toEqual({ ...game, you: (data as Game).you });
      return refusal?.code ?? 'same';
    }
    expect([refusal, now.row.version, version > game.version]).toEqual([undefined, version, true]);
    expect((await play.game(null, game.id)).data).toEqual({ ...(data as Game), you: null });
    return 'done';
  }

  /** A game in this state for every act that may change it. */
  async function answersIn(state: StateOfTable): Promise<unknown> {
    let game: Game | null = null;
    const answer = async (act: ActOfTable, by: () => By): Promise<string> => {
      game ??= await STATES[state](restPlay(server.http));
      const came = await outcomeOf(act, by(), game);
      if (['done', 'planned', 'DEADLINE_PASSED'].includes(came)) game = null;
      return came;
    };
    const answers: [ActOfTable, string[]][] = [];
    for (const act of ACTS) {
      const strangers = [await answer(act, () => cid), await answer(act, () => null)];
      const players = [await answer(act, () => ann), await answer(act, () => ben)];
      answers.push([act, [...players, ...strangers]]);
    }
    return Object.fromEntries(answers);
  }

  it.each(Object.keys(WHO_MAY_ACT) as StateOfTable[])(
    '%s: every act of everybody answers as the table says',
    async (state) => {
      const expected = Object.entries(WHO_MAY_ACT[state]).map(([act, players]) => [
        act,
        [...players, 'NOT_YOUR_GAME', 'UNAUTHENTICATED'],
      ]);
      expect(await answersIn(state)).toEqual(Object.fromEntries(expected));
    },
    300_000,
  );

  it.each(['overdue before ply 3', 'overdue before ply 1'] as const)(
    '%s: the act that came too late ended it',
    async (state) => {
      const game = await STATES[state](play);
      expect((await play.makeMove(ann, game.id, game.plyCount + 1, next(game))).refusal!.code).toBe(
        'DEADLINE_PASSED',
      );
      const now = (await play.game(null, game.id)).data;
      expect(now).toMatchObject({ status: 'finished', outcome: { winner: 'second', reason: 'timeout' } });
      expect([now.endedAt, now.plyCount]).toEqual([game.deadlineAt, game.plyCount]);
      const again = await play.makeMove(ann, game.id, game.plyCount + 1, next(game));
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
    for (const verb of ACTS) {
      const game = { id: nowhere, ruleset: 'chess', plyCount: 0 } as Game;
      expect((await DO[verb](play, ann, game)).refusal).toEqual({ code: 'NOT_FOUND', field: 'gameId' });
      expect((await DO[verb](play, ann, { ...game, id: 'x' })).refusal!.code).toBe('BAD_INPUT');
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
