import { Referee } from '../../src/features/games/referee.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import type { ActName } from '../../src/arbiter/acts/registry.js';
import { PLAIN_ACTS } from '../support/operations/games.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { DAY, snapshot, type Snapshot, startStopped } from '../support/pair.js';
import { FULL } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { type Body, type By, must, isMissing } from '../support/transport.js';
import { type ActOfTable, ACTS, type StateOfTable, WHO_MAY_ACT } from '../support/permitted-acts.js';

/** Who may do what in which state of a game: every act by every user in every state. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  [server, time] = await startStopped();
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

const DAYS = { timeControl: { type: 'perMove', seconds: (3 * DAY) / 1000 } };
const MINUTE = { timeControl: { type: 'perMove', seconds: 60 } };
const OPENING = ['e2e4', 'e7e5'];
const FOOLS_MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
const KNIGHTS = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const TURN_UPS = ['a1', 'b1', 'c1', 'd1'];

async function after(api: Api, moves: readonly string[], terms = {}): Promise<Game> {
  return playMoves(api, await begin(api, ann, ben, terms), moves, { first: ann, second: ben });
}

/** Lets time pass; users whose token expires sign in again. */
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
async function acted(api: Api, ...acts: readonly ((id: string) => ReturnType<Api['resign']>)[]) {
  let game = await after(api, OPENING, DAYS);
  for (const act of acts) {
    const { data, text } = await act(game.id);
    if (data === undefined) throw new Error(text);
    game = data;
  }
  return game;
}

const plain =
  (api: Api, who: 'first' | 'second', verb: Parameters<Api['plain']>[1]) =>
  (id: string): ReturnType<Api['plain']> =>
    api.plain(who === 'first' ? ann : ben, verb, id);

const pause = (api: Api) => [plain(api, 'first', 'offerPause'), plain(api, 'second', 'acceptPause')];

/** A game that waits for Ann's seed; a week after the last one, so that she does not reach the limit. */
async function awaiting(api: Api, terms: Body): Promise<Game> {
  await later(7 * DAY);
  return begin(api, ann, ben, { clientSeedHash: clientSeedHash(newSeed()), ...terms });
}

/** How to bring a game into each of the states. */
const STATES: Readonly<Record<StateOfTable, (api: Api) => Promise<Game>>> = {
  'awaiting a seed': (api) => awaiting(api, DAYS),
  'before ply 1': (api) => after(api, [], DAYS),
  'before ply 2': (api) => after(api, ['e2e4'], DAYS),
  'before ply 2, ply 1 turned a piece up': (api) =>
    after(api, TURN_UPS.slice(0, 1), { ...DAYS, ruleset: 'banqi-taiwan' }),
  'before ply 3': (api) => acted(api),
  'draw offered by first': (api) => acted(api, plain(api, 'first', 'offerDraw')),
  'draw offered by second': (api) => acted(api, plain(api, 'second', 'offerDraw')),
  'draw offer of first refused': (api) =>
    acted(api, plain(api, 'first', 'offerDraw'), plain(api, 'second', 'declineDraw')),
  'takeback offered by first': (api) => acted(api, plain(api, 'first', 'offerTakeback')),
  'takeback offered by second': (api) => acted(api, plain(api, 'second', 'offerTakeback')),
  'pause offered by first': (api) => acted(api, plain(api, 'first', 'offerPause')),
  paused: (api) => acted(api, ...pause(api)),
  'paused before ply 1': async (api) => {
    const { id } = await after(api, [], DAYS);
    await api.plain(ann, 'offerPause', id);
    return (await api.plain(ben, 'acceptPause', id)).data;
  },
  'paused, first gave notice': (api) => acted(api, ...pause(api), plain(api, 'first', 'unpause')),
  'paused, draw offered by second': (api) => acted(api, ...pause(api), plain(api, 'second', 'offerDraw')),
  'time given': (api) => acted(api, (id) => api.giveTime(ben, id, 3)),
  rated: (api) => after(api, OPENING, { ...DAYS, rated: true }),
  'last ply turned a piece up': (api) =>
    after(api, TURN_UPS.slice(0, 2), { ...DAYS, ruleset: 'banqi-taiwan' }),
  untimed: (api) => after(api, OPENING),
  'untimed for 30 days': (api) => waited(30 * DAY, after(api, OPENING)),
  'untimed for 30 days before ply 2': (api) => waited(30 * DAY, after(api, ['e2e4'])),
  'overdue before ply 3': (api) => waited(60_001, after(api, OPENING, MINUTE)),
  'overdue before ply 1': (api) => waited(60_001, after(api, [], MINUTE)),
  'overdue awaiting a seed': (api) => waited(3_600_001, awaiting(api, MINUTE)),
  checkmated: (api) => after(api, FOOLS_MATE, DAYS),
  'resigned by second': (api) => acted(api, plain(api, 'second', 'resign')),
  'aborted by first': async (api) => (await api.abort(ann, (await after(api, ['e2e4'], DAYS)).id)).data,
  'drawn by agreement': (api) =>
    acted(api, plain(api, 'first', 'offerDraw'), plain(api, 'second', 'acceptDraw')),
  'drawn by a claim': async (api) => {
    const { id } = await after(api, [...KNIGHTS, ...KNIGHTS], DAYS);
    return (await api.claimDraw(ann, id, { reason: 'threefoldRepetition' })).data;
  },
  'timed out': async (api) => {
    const { id } = await waited(60_001, after(api, OPENING, MINUTE));
    await server.app.get(Referee).sweep();
    return (await api.game(null, id)).data;
  },
};

const LINES: Readonly<Record<string, readonly string[]>> = {
  chess: [...OPENING, 'g1f3', 'b8c6', 'f1b5'],
  'banqi-taiwan': TURN_UPS,
};

interface Done {
  readonly data: unknown;
  readonly refusal?: { readonly code: string };
}
type Doing = (api: Api, by: By, game: Game) => Promise<Done>;

const PLAIN = Object.fromEntries<Doing>(
  PLAIN_ACTS.map((act) => [act, (api: Api, by: By, { id }: Game) => api.plain(by, act, id)]),
) as Record<ActName, Doing>;

/** The acts of the table for the current game. */
const DO: Readonly<Record<ActOfTable, Doing>> = {
  ...PLAIN,
  move: (api, by, game) => api.makeMove(by, game.id, game.plyCount + 1, next(game)),
  moveWithOffer: (api, by, game) =>
    api.makeMove(by, game.id, game.plyCount + 1, next(game), { offerDraw: true }),
  claimThreefold: (api, by, { id }) => api.claimDraw(by, id, { reason: 'threefoldRepetition' }),
  claimFifty: (api, by, { id }) => api.claimDraw(by, id, { reason: 'fiftyMoves' }),
  giveTime: (api, by, { id, plyCount }) => api.giveTime(by, id, plyCount + 1),
  plan: (api, by, game) => api.setConditionalMoves(by, game.id, [{ when: next(game), reply: next(game, 1) }]), // prettier-ignore
};

const next = ({ ruleset, plyCount }: Game, behind = 0): string =>
  LINES[ruleset.id]![plyCount + behind] ?? 'a2a3';

/** Without the fields that only a player sees. */
const shared = ({ game: { first_plan: _, second_plan: __, plans: ___, ...game }, ...rest }: Snapshot) => ({
  game,
  ...rest,
});

/** All acts; in the quick suite every fourth, starting elsewhere in each state. */
const NUMBERS = Object.fromEntries(Object.keys(WHO_MAY_ACT).map((state, i) => [state, i])) as Record<
  StateOfTable,
  number
>;
const actsIn = (state: StateOfTable): readonly ActOfTable[] =>
  ACTS.filter((_, i) => FULL || (i + NUMBERS[state]) % 4 === 0);

const STRANGERS = ['NOT_YOUR_GAME', 'UNAUTHENTICATED'];

// The quick suite visits each state once, alternating between the transports.
const STATES_OVER: Readonly<Record<string, readonly StateOfTable[]>> = Object.fromEntries(
  TRANSPORTS.map(([name], which) => [
    name,
    (Object.keys(WHO_MAY_ACT) as StateOfTable[]).filter(
      (_, i) => FULL || (i >> 1) % TRANSPORTS.length === which,
    ),
  ]),
);

describe.each(TRANSPORTS)('over %s', (name, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  /** The outcome of an act, after checking that it changed what it reports, and nothing else. */
  async function outcomeOf(
    act: ActOfTable,
    by: By,
    game: Game,
    before: Snapshot,
  ): Promise<[string, Snapshot]> {
    const { data, refusal } = await DO[act](api, by, game);
    const now = await snapshot(server, game);
    if (refusal?.code === 'DEADLINE_PASSED') {
      expect(now.game['ply_count']).toBe(game.plyCount);
      expect(new Date(now.game['ended_at'] as string)).toEqual(new Date(game.deadlineAt!));
      return [refusal.code, now];
    }
    if (act === 'plan' && refusal === undefined) {
      expect(shared(now)).toEqual(shared(before));
      expect(now.game['plans']).not.toBe(before.game['plans']);
      return ['planned', now];
    }
    const { version } = (data ?? game) as Game;
    if (version === before.game['version']) {
      expect(now).toEqual(before);
      if (refusal === undefined) expect(data).toEqual({ ...game, viewer: (data as Game).viewer });
      return [refusal?.code ?? 'same', now];
    }
    expect([refusal, now.game['version'], version > game.version]).toEqual([undefined, version, true]);
    expect((await api.game(null, game.id)).data).toEqual({ ...(data as Game), viewer: null });
    return ['done', now];
  }

  /** A game in this state for every act that may change it. */
  async function answersIn(state: StateOfTable): Promise<unknown> {
    let game: Game | null = null;
    let seen!: Snapshot;
    const answer = async (act: ActOfTable, by: () => By): Promise<string> => {
      if (game === null) {
        game = await STATES[state](restApi(server.http));
        seen = await snapshot(server, game);
      }
      const [came, now] = await outcomeOf(act, by(), game, seen);
      seen = now;
      if (['done', 'planned', 'DEADLINE_PASSED'].includes(came)) game = null;
      return came;
    };
    const answers: [ActOfTable, string[]][] = [];
    for (const act of actsIn(state)) {
      // In the quick suite strangers try each act in every eighth state.
      const strange = FULL || (ACTS.indexOf(act) + NUMBERS[state]) % 8 === 0;
      const strangers = strange ? [await answer(act, () => cid), await answer(act, () => null)] : STRANGERS;
      const players = [await answer(act, () => ann), await answer(act, () => ben)];
      answers.push([act, [...players, ...strangers]]);
    }
    return Object.fromEntries(answers);
  }

  it.each(STATES_OVER[name]!)(
    '%s: every act of every user is answered as in the table',
    async (state) => {
      const expected = actsIn(state).map((act) => [act, [...WHO_MAY_ACT[state][act], ...STRANGERS]]);
      expect(await answersIn(state)).toEqual(Object.fromEntries(expected));
    },
    300_000,
  );

  it.each(['overdue before ply 3', 'overdue before ply 1'] as const)(
    '%s: the late act ended the game',
    async (state) => {
      const game = await STATES[state](api);
      expect((await api.makeMove(ann, game.id, game.plyCount + 1, next(game))).refusal!.code).toBe(
        'DEADLINE_PASSED',
      );
      const now = (await api.game(null, game.id)).data;
      expect(now).toMatchObject({ status: 'finished', outcome: { winner: 'second', reason: 'timeout' } });
      expect([now.endedAt, now.plyCount]).toEqual([game.deadlineAt, game.plyCount]);
      const again = await api.makeMove(ann, game.id, game.plyCount + 1, next(game));
      expect(again.refusal).toEqual({ code: 'GAME_OVER' });
    },
  );

  it.each([
    ['first', 'second', 'resign'],
    ['second', 'first', 'resign'],
  ] as const)('a resignation of the %s player wins for the %s', async (loser, winner, verb) => {
    const game = await after(api, ['e2e4', 'e7e5']);
    const by = loser === 'first' ? ann : ben;
    const { data } = await api[verb](by, game.id);
    expect(data).toMatchObject({
      status: 'finished',
      turn: null,
      outcome: { winner, reason: 'resignation' },
    });
    const events = (await api.events(null, game.id)).data;
    expect(events.map(({ type, player }) => [type, player])).toEqual([['create', null], ['accept', null], ['start', null], ['resign', loser], ['end', null]]); // prettier-ignore
    expect(events[3]!.seq).toBe(events[4]!.seq);
  });

  it('keeps an aborted game, marked as such, and logs who aborted it', async () => {
    const game = await after(api, ['e2e4']);
    const { data } = await api.abort(ben, game.id);
    expect(data).toMatchObject({
      status: 'aborted',
      outcome: { winner: null, reason: 'aborted' },
      plyCount: 1,
    });
    const events = (await api.events(null, game.id)).data;
    expect(events.map(({ type, player }) => [type, player])).toEqual([['create', null], ['accept', null], ['start', null], ['abort', 'second'], ['end', null]]); // prettier-ignore
  });

  it.each(['banqi-taiwan', 'banqi-hongkong', 'half-chess'])(
    'in %s a player who has turned a piece up resigns, and the opponent may still abort',
    async (ruleset) => {
      for (const [act, by, ended] of [
        ['resign', ann, { winner: 'second', reason: 'resignation' }],
        ['abort', ben, { winner: null, reason: 'aborted' }],
      ] as const) {
        const fresh = await begin(api, ann, ben, { ruleset });
        const turnUp = must(await api.legalMoves(ann, fresh.id)).find(({ san }) => san.includes('?'))!;
        const game = must(await api.makeMove(ann, fresh.id, 1, turnUp.move));
        const { refusal, message } = await api.abort(ann, game.id);
        expect([refusal, message]).toEqual([
          { code: 'TOO_LATE_TO_ABORT' },
          'You have turned up a piece, so you cannot abort this game any more. Resign instead.',
        ]);
        expect(must(await api[act](by, game.id))).toMatchObject({ plyCount: 1, outcome: ended });
      }
      // Nothing is turned up yet: both may abort.
      for (const by of [ann, ben]) {
        const { id } = await begin(api, ann, ben, { ruleset });
        expect(must(await api.abort(by, id)).status).toBe('aborted');
      }
    },
  );

  it('answers not found for an unknown game or an invalid id', async () => {
    const nowhere = '01890000-0000-7000-8000-000000000000';
    for (const verb of ACTS) {
      const game = { id: nowhere, ruleset: { id: 'chess' }, plyCount: 0 } as Game;
      expect((await DO[verb](api, ann, game)).refusal).toEqual({
        code: 'NOT_FOUND',
        field: name === 'REST' ? 'id' : 'gameId',
      });
      expect((await DO[verb](api, ann, { ...game, id: 'x' })).refusal!.code).toBe(
        name === 'REST' ? 'NOT_FOUND' : 'BAD_INPUT',
      );
    }
    expect(isMissing(await api.game(null, nowhere))).toBe(true);
  });

  it('accepts one of several simultaneous acts, and tells the others why they failed', async () => {
    const game = await after(api, ['e2e4', 'e7e5']);
    const answers = await Promise.all([
      api.makeMove(ann, game.id, 3, 'g1f3'),
      api.makeMove(ann, game.id, 3, 'b1c3'),
      api.makeMove(ann, game.id, 3, 'd2d4'),
      api.resign(ben, game.id),
    ]);
    const now = (await api.game(null, game.id)).data;
    const codes = answers.map(({ refusal }) => refusal?.code ?? 'done');
    expect(codes.slice(0, 3).filter((code) => code === 'done').length).toBeLessThanOrEqual(1);
    expect(codes[3]).toBe('done');
    expect(codes.every((code) => ['done', 'STALE_PLY', 'GAME_OVER'].includes(code))).toBe(true);
    expect(now).toMatchObject({ status: 'finished', outcome: { winner: 'first', reason: 'resignation' } });
    expect((await api.moves(null, game.id)).data.totalCount).toBe(now.plyCount);
  });
});
