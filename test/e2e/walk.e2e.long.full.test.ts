import type { Act } from '../../src/arbiter/acts/act.js';
import { makeMove } from '../../src/arbiter/acts/make-move.js';
import { ACTS } from '../../src/arbiter/acts/registry.js';
import { isOver } from '../../src/arbiter/state.js';
import { decodeMoves } from '../../src/engine/moves-text.js';
import { DealsStore } from '../../src/engine/deals.store.js';
import type { GameRow } from '../../src/features/games/game.row.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { GamesStore } from '../../src/features/games/games.store.js';
import { HotGames } from '../../src/features/games/hot-games.js';
import { rulesetById, rulesets, type AnyRuleset } from '../../src/rules/registry.js';
import { DAY, Pair, startStopped, stored } from '../support/pair.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { random, type Random } from '../support/random-games.js';
import { restApi } from '../support/api.js';
import { must } from '../support/transport.js';
import { PLAYERS, type Player } from '../../src/rules/ruleset.js';
import { rounds, SEED, printCounts } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import type { StoppedTime } from '../support/stopped-time.js';
import {
  attempts,
  listed,
  countOf,
  rarest,
  sendAct,
  someMove,
  type Answered,
  type Attempt,
  type Counts,
} from '../support/act-attempts.js';

/**
 * A walk through everything: in games of every rule set both players try every act with its samples, rarest first. An
 * act is accepted if and only if the arbiter and the rules allow it; repeating it changes nothing; the log and the
 * chain stay valid, and no answer reveals what is hidden.
 */
// Long: it plays many random cases.

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const AT_LEAST = rounds(5, 1);
const MOST_GAMES = rounds(200, 60);
const STEPS = 60;
const MAY_END_AFTER = 30;
const CLOCKS = [
  NO_CLOCK,
  { type: 'perMove', seconds: 259_200 },
  { type: 'bank', initial: 86_400, increment: 3600, cap: 172_800 },
];

/** Not every game has draws that may be claimed. */
const isPossible = ({ claims }: Pick<AnyRuleset, 'claims'>, { name }: Act): boolean =>
  name !== 'claimDraw' || claims.length > 0;

const isEnough = (counts: Counts, id: string): boolean =>
  ACTS.every((act: Act) => {
    const { accepted, refused } = countOf(counts, { ruleset: id }, act);
    return refused >= AT_LEAST && (accepted >= AT_LEAST || !isPossible(rulesetById(id)!, act));
  });

/** How often a game was known without reading it. */
let hot = 0;

/** A running game in the walk. */
class Walk {
  private steps = 0;
  private secret = '';
  private waited = false;

  constructor(
    private readonly pair: Pair,
    private readonly id: string,
    private readonly counts: Counts,
    private readonly pick: Random,
  ) {}

  async run(): Promise<void> {
    this.secret = (await server.app.get(DealsStore).seed(this.id)).toString('hex');
    for (let row = await this.row(); !isOver(row) && this.steps < STEPS; row = await this.row()) {
      this.steps++;
      await this.step(row);
    }
    const last = await this.row();
    if (isOver(last)) await this.afterwards(last);
    await this.whole();
  }

  private row(): Promise<GameRow> {
    return server.app.get(GamesService).game(this.id);
  }

  private async step(found: GameRow): Promise<void> {
    let row = found;
    if (row.timeControl.type === 'none' && this.steps > MAY_END_AFTER && !this.waited) {
      this.waited = true;
      await this.pair.later(30 * DAY);
      // A pause that was called off is over by now.
      row = await this.row();
    }
    const all = await attempts(server, row, time.now());
    for (const player of PLAYERS) await this.demandListed(row, all, player);
    const plays = row.status === 'active' && this.pick(2) === 0;
    await this.attempt(row, plays ? this.move(row) : rarest(this.counts, row, all, this.mayEnd, this.pick));
  }

  /** The acts that the API lists as allowed are exactly those that are accepted. */
  private async demandListed(row: GameRow, all: readonly Attempt[], player: Player): Promise<void> {
    const { api } = this.pair;
    const { viewer } = must(await api.game(this.pair[player], this.id));
    const now = time.now();
    const own = await listed(server, row, now, player, viewer!.acts);
    const refused = own.filter(({ expected }) => expected !== 'done');
    expect(refused.map(({ act, input, expected }) => [act.name, input, expected])).toEqual([]);
    const open = all.filter((each) => each.player === player && each.expected === 'done');
    const missing = open.filter(({ act }) => !viewer!.acts.some((each) => each.act === act.name));
    expect(missing.map(({ act }) => act.name)).toEqual([]);
  }

  private get mayEnd(): boolean {
    return this.steps > MAY_END_AFTER;
  }

  /** Some of what is refused in an ended game. */
  private async afterwards(row: GameRow): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const all = await attempts(server, row, time.now());
      await this.attempt(row, rarest(this.counts, row, all, false, this.pick));
    }
  }

  private move(row: GameRow): Attempt {
    const before = decodeMoves(row.moves).at(-2)?.move;
    const input = { ply: row.plyCount + 1, move: someMove(server, row, before, this.pick) };
    return { act: makeMove, player: row.turn!, input, expected: 'done' };
  }

  private async attempt(row: GameRow, attempt: Attempt): Promise<void> {
    const { act, player, input, expected } = attempt;
    const what = `${act.name} of ${player} with ${JSON.stringify(input)} in ${row.ruleset}, version ${row.version}`;
    const answer = await this.send(attempt);
    // Before the act is repeated, which reads the game.
    await this.demandHot();
    const answers = [answer];
    const count = countOf(this.counts, row, act);
    if (expected === 'done') {
      expect([what, answer.code]).toEqual([what, null]);
      expect(answer.version).toBeGreaterThan(row.version);
      count.accepted++;
      answers.push(await this.send(attempt));
    } else {
      expect([what, answer.code]).toEqual([what, expected]);
      count.refused++;
    }
    const now = await this.row();
    expect([what, now.version]).toEqual([what, expected === 'done' ? answer.version : row.version]);
    if (!isOver(now)) for (const { text } of answers) expect(text.includes(this.secret)).toBe(false);
  }

  /** What the server knows of the game without reading it is what is stored. */
  private async demandHot(): Promise<void> {
    const row = server.app.get(HotGames, { strict: false }).get(this.id);
    if (row === null) return;
    expect(row).toStrictEqual(await server.app.get(GamesStore, { strict: false }).find(this.id));
    hot++;
  }

  private send(attempt: Attempt): Promise<Answered> {
    const over = this.pick(2) === 0 ? 'REST' : 'GraphQL';
    return sendAct(server.http, over, this.pair[attempt.player], this.id, attempt);
  }

  /** Every version of the game is a ply or an event, and its chain can be verified. */
  private async whole(): Promise<void> {
    const { row, plies, events } = await stored(server, { id: this.id });
    const steps = new Set([...plies, ...events].map(({ seq }) => seq));
    expect([...steps].sort((a, b) => a - b)).toEqual(Array.from({ length: row.version + 1 }, (_, i) => i));
    await this.pair.record({ id: this.id });
  }
}

test.each(rulesets().map(({ id }) => [id]))('accepts an act in %s exactly if it is allowed', async (id) => {
  const counts: Counts = new Map();
  const pair = new Pair(server, time, restApi(server.http));
  const pick = random(SEED);
  let games = 0;
  for (; games < MOST_GAMES && !isEnough(counts, id); games++) {
    await pair.meet();
    const terms = { ruleset: id, timeControl: CLOCKS[games % CLOCKS.length] };
    const { id: gameId } = await begin(restApi(server.http), pair.first, pair.second, terms);
    await new Walk(pair, gameId, counts, pick).run();
  }
  const all = [...counts.values()];
  const sum = (of: 'accepted' | 'refused') => all.reduce((total, count) => total + count[of], 0);
  printCounts(`Walk of ${id}`, {
    games,
    accepted: sum('accepted'),
    refused: sum('refused'),
    least: AT_LEAST,
    hot,
  });
  expect(hot).toBeGreaterThan(0);
  const missing = ACTS.filter((act: Act) => {
    const { accepted, refused } = countOf(counts, { ruleset: id }, act);
    return refused < AT_LEAST || (accepted < AT_LEAST && isPossible(rulesetById(id)!, act));
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});
