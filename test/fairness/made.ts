import { isDecision, isMove, rule } from '../../src/arbiter/acts/act.js';
import { ACTS, actOf, type EventType } from '../../src/arbiter/acts/registry.js';
import type { Situation } from '../../src/arbiter/acts/situation.js';
import {
  adjudicate,
  finishVacation,
  due,
  flag,
  startVacation,
  withheld,
} from '../../src/arbiter/clock-acts.js';
import { NO_OFFERS } from '../../src/arbiter/offers.js';
import { afterPly, timeUsed } from '../../src/arbiter/ply.js';
import { withTurn, type Decision, type GameState } from '../../src/arbiter/state.js';
import { newClock, seedDeadline, type TimeControl } from '../../src/arbiter/time-control.js';
import { chained } from '../../src/fairness/chain.js';
import { clientSeedHash, commitment } from '../../src/fairness/commitment.js';
import { deal, sides } from '../../src/fairness/deal.js';
import type { GameRecord, Row } from '../../src/fairness/record.js';
import { dealRoot, prove, type SealedDeal } from '../../src/fairness/merkle.js';
import { claim, claimWith } from '../../src/rules/claims.js';
import { identity } from '../../src/rules/deal.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, legalMoves, play, position, turnsUp, type Game } from '../../src/rules/play.js';
import type { AnyRuleset } from '../../src/rules/registry.js';
import type { Result } from '../../src/rules/result.js';
import { opponent, type Claim, type Outcome, type Player } from '../../src/rules/ruleset.js';
import { chosenSetup } from '../../src/rules/setup.js';

/** Plays games and writes their records, as the server does, from the rules and the arbiter alone. */

export const SERVER_SEED = '62377bbc3fa9bb96df0fc0c0e1f419e396906d916e95bcd0d95692f2e6873c44';
export const GAME_ID = '0198c0de-0000-7000-8000-000000000001';
export const SEEK_ID = '0198c0de-0000-7000-8000-000000000002';
export const CREATOR_SEED = '0123456789abcdef0123456789abcdef';
export const ACCEPTER_SEED = 'fedcba9876543210fedcba9876543210';
const START = Date.UTC(2026, 0, 31, 9, 5);
const MINUTE = 60_000;
export const DAY = 86_400_000;

export const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
};

type Role = 'creator' | 'accepter';

/** What a game is made of; all that is not said is as ordinary as can be. */
export interface Given {
  readonly options?: Readonly<Record<string, boolean | number | string>>;
  readonly timeControl?: TimeControl;
  readonly rated?: boolean;
  readonly kind?: 'direct' | 'link' | 'seek';
  readonly side?: Player | 'any';
  readonly accepterSide?: Player | 'any';
  /** Null: left to the server. */
  readonly creatorSeed?: string | null;
  readonly accepterSeed?: string | null;
  /** Who announces his seed, and gives it behind the acceptance. */
  readonly announced?: readonly Role[];
  /** The creator gives his seed before the acceptance. */
  readonly givesEarly?: boolean;
  readonly seek?: string | null;
  readonly rematchOf?: string | null;
  /** In how many earlier games each was first; in none where nothing is said. */
  readonly earlier?: Readonly<Record<Role, number>>;
  /** Until when somebody is on vacation at the start. */
  readonly away?: Readonly<Partial<Record<Player, number>>>;
  /** Hex of 32 bytes; the usual one where none is given. */
  readonly serverSeed?: string;
  /** Whoever announced a seed gives none. */
  readonly withheld?: readonly Role[];
}

interface Standing {
  readonly game: Game<unknown>;
  readonly row: Row | null;
  readonly bank: GameState['clock']['bank'];
}

const iso = (at: number): string => new Date(at).toISOString();

export class Made {
  readonly rows: Row[] = [];
  now = START;
  state!: GameState;
  private readonly serverSeed: Buffer;
  private line: Standing[] = [];
  private sealed: SealedDeal | null = null;

  constructor(
    readonly ruleset: AnyRuleset,
    readonly given: Given = {},
  ) {
    this.serverSeed = Buffer.from(given.serverSeed ?? SERVER_SEED, 'hex');
    this.open();
  }

  get game(): Game<unknown> {
    return this.line.at(-1)!.game;
  }

  private push(
    seq: number,
    type: string,
    player: Player | null,
    data: object,
    at = this.now,
    more: object = {},
  ): Row {
    const content = { seq, type, player, data: data as Row['data'], at: iso(at) };
    const row = { ...chained(GAME_ID, content, this.rows.at(-1)?.hash ?? null), ...more };
    this.rows.push(row);
    return row;
  }

  private seedOf(role: Role): string | null {
    const { creatorSeed = CREATOR_SEED, accepterSeed = ACCEPTER_SEED } = this.given;
    return role === 'creator' ? creatorSeed : accepterSeed;
  }

  private hashOf(role: Role): string | null {
    const seed = this.seedOf(role);
    return seed === null ? null : clientSeedHash(seed);
  }

  private open(): void {
    const { given, ruleset } = this;
    const { timeControl = { type: 'perMove', seconds: 86_400 }, kind = 'direct', announced = [] } = given;
    const options = value(parseOptions(ruleset, given.options ?? {}));
    const isAnnounced = announced.includes('creator');
    let seq = 0;
    this.push(seq, 'create', null, {
      format: 2,
      kind,
      creator: 'u-1',
      opponent: kind === 'direct' ? 'u-2' : null,
      ruleset: ruleset.id,
      options,
      timeControl,
      rated: given.rated ?? false,
      side: given.side ?? 'any',
      minRating: null,
      maxRating: kind === 'seek' ? 2000 : null,
      rematchOf: given.rematchOf ?? null,
      counterTo: null,
      expiresAt: iso(START + 14 * DAY),
      commitment: commitment(this.serverSeed),
      clientSeedHash: isAnnounced ? this.hashOf('creator') : null,
    });
    this.now += MINUTE;
    const gives = given.givesEarly ?? !isAnnounced;
    if (gives && this.seedOf('creator') !== null) {
      this.push(++seq, 'seed', null, {
        by: 'creator',
        clientSeedHash: this.hashOf('creator'),
        clientSeed: null,
      });
      this.now += MINUTE;
    }
    this.push(++seq, 'accept', null, {
      accepter: 'u-2',
      side: given.accepterSide ?? 'any',
      seek: given.seek ?? null,
      clientSeedHash: this.hashOf('accepter'),
      clientSeed: announced.includes('accepter') ? null : this.seedOf('accepter'),
      earlier: this.sidesBy() === 'wish' ? null : this.earlier,
      creator: this.seat(announced.some((role) => !(role === 'creator' && gives))),
    });
    const state: GameState = {
      status: 'pending',
      version: seq,
      plyCount: 0,
      turn: null,
      rated: given.rated ?? false,
      timeControl,
      turnStartedAt: this.now,
      clock: newClock(timeControl),
      offers: NO_OFFERS,
      takebacks: [],
      outcome: null,
      deadlineAt: seedDeadline(timeControl, this.now),
      wakeAt: null,
    };
    this.state = state;
    this.line = [{ game: begin<unknown>(ruleset, options), row: null, bank: state.clock.bank }];
    for (const role of announced.filter((each) => !(each === 'creator' && gives))) {
      if (given.withheld?.includes(role)) return;
      this.now += MINUTE;
      const data = { by: role, clientSeedHash: this.hashOf(role), clientSeed: this.seedOf(role) };
      this.push(++seq, 'seed', null, data);
      this.state = { ...this.state, version: seq, deadlineAt: seedDeadline(timeControl, this.now) };
    }
    this.start(options);
  }

  /** Where the creator sits; as long as seeds that decide it are awaited, first. */
  private seat(isWaiting: boolean): Player {
    const { side = 'any', accepterSide = 'any' } = this.given;
    if (side !== 'any') return side;
    if (accepterSide !== 'any') return opponent(accepterSide);
    const { creator, accepter } = this.earlier;
    if (creator !== accepter) return creator < accepter ? 'first' : 'second';
    const [creatorSeed, accepterSeed] = [this.seedOf('creator'), this.seedOf('accepter')];
    const { serverSeed } = this;
    const drawn = sides({ gameId: GAME_ID, serverSeed, creatorSeed, accepterSeed });
    return isWaiting || drawn === 'creator' ? 'first' : 'second';
  }

  private sidesBy(): string {
    const { side = 'any', accepterSide = 'any' } = this.given;
    if (side !== 'any' || accepterSide !== 'any') return 'wish';
    return this.earlier.creator === this.earlier.accepter ? 'seeds' : 'balance';
  }

  private get earlier(): Readonly<Record<Role, number>> {
    return this.given.earlier ?? { creator: 0, accepter: 0 };
  }

  private start(options: Game<unknown>['options']): void {
    const { ruleset, given, state, serverSeed } = this;
    const [creatorSeed, accepterSeed] = [this.seedOf('creator'), this.seedOf('accepter')];
    const creator = this.seat(false);
    const creatorFirst = creator === 'first';
    const drawn = deal(ruleset, {
      gameId: GAME_ID,
      serverSeed,
      creatorSeed,
      accepterSeed,
    });
    const setup = ruleset.chance === 'setup' ? (chosenSetup(ruleset, options) ?? drawn) : null;
    if (ruleset.chance === 'deal')
      this.sealed = { gameId: GAME_ID, serverSeed, board: ruleset.board, deal: drawn! };
    const away = given.away ?? {};
    this.push(state.version, 'start', null, {
      first: creatorFirst ? 'u-1' : 'u-2',
      second: creatorFirst ? 'u-2' : 'u-1',
      creator,
      sidesBy: this.sidesBy(),
      creatorSeed,
      accepterSeed,
      setup,
      dealRoot: this.sealed === null ? null : dealRoot(this.sealed),
      ...(Object.keys(away).length === 0 ? {} : { onVacationUntil: Object.fromEntries(Object.entries(away).map(([player, until]) => [player, iso(until)])) }), // prettier-ignore
    });
    const absence = (player: Player) => (away[player] === undefined ? null : { from: this.now - DAY, until: away[player] }); // prettier-ignore
    const clock = { ...state.clock, away: { first: absence('first'), second: absence('second') } };
    this.state = withTurn({ ...state, status: 'active', clock }, 'first', this.now);
    this.line = [{ game: begin<unknown>(ruleset, options, setup), row: null, bank: this.state.clock.bank }];
  }

  private tell({ state, log, at, returnsTo }: Decision, automatic = false): void {
    const seq = this.state.version + 1;
    this.state = { ...state, version: seq };
    if (returnsTo !== undefined) this.line = this.line.slice(0, returnsTo + 1);
    log.forEach(({ type, player, data = {}, instants = {} }, index) => {
      const moments = Object.entries(instants).map(([name, moment]) => [name, iso(moment)]);
      const tells = ['vacationStart', 'vacationEnd'].includes(type) || actOf(type as EventType)?.logsDeadline;
      const deadline = tells ? { deadlineAt: state.deadlineAt === null ? null : iso(state.deadlineAt) } : {};
      const mark = automatic && index === 0 ? { automatic: true } : {};
      this.push(seq, type, player, { ...data, ...Object.fromEntries(moments), ...deadline, ...mark }, at);
    });
  }

  /** Plays a move, after so many seconds. */
  play(
    move: string,
    { after = 60, offersDraw = false, claims = null as Claim | null, automatic = false } = {},
  ): this {
    if (!automatic) this.now += after * 1000;
    const { game, state } = this;
    const square = value(turnsUp(game, move));
    const reveals =
      square === null || this.sealed === null ? null : identity(this.ruleset, this.sealed.deal, square);
    const next = claims === null ? value(play(game, move, reveals)) : value(claimWith(game, claims, move));
    const { player, san, fen } = next.ply;
    const data = {
      ply: this.line.length,
      move,
      reveals,
      san,
      position: fen,
      timeUsed: timeUsed(state, this.now),
      automatic,
    };
    const then = next.game.outcome ?? this.ruleset.turn(position(next.game));
    const more = square === null || this.sealed === null ? {} : { proof: prove(this.sealed, square) };
    const row = this.push(state.version + 1, 'ply', player, data, this.now, more);
    this.tell(afterPly(state, player, { then, offersDraw, claim: claims }, this.now));
    this.line.push({ game: next.game, row, bank: this.state.clock.bank });
    return this;
  }

  /** Plays whatever there is, up to so many plies. */
  wander(plies: number): this {
    for (let ply = 1; ply <= plies && this.state.turn !== null; ply++) {
      const moves = legalMoves(this.game);
      this.play(moves[(ply * 7919) % moves.length]!);
    }
    return this;
  }

  /** An act of a player, after so many seconds. */
  act(
    player: Player,
    name: string,
    input: Readonly<Record<string, unknown>> = {},
    { after = 60, automatic = false } = {},
  ): this {
    if (!automatic) this.now += after * 1000;
    const act = ACTS.find((each) => each.name === name)!;
    const ruled = value(rule(act, { ...this.situation(player, input), ...input }));
    if (!isDecision(ruled) || isMove(ruled)) throw new Error(`${name} changes nothing`);
    this.tell(ruled, automatic);
    return this;
  }

  private situation(player: Player, { reason }: Readonly<Record<string, unknown>>): Situation {
    const { state, line, game } = this;
    const count = line.length - 1;
    const back = state.offers.takeback === null ? undefined : line[state.offers.takeback.ply];
    const claimed = reason === undefined ? null : claim(game, reason as Claim);
    return {
      state,
      player,
      now: this.now,
      lastTurnUp: Math.max(
        0,
        line.findLastIndex(({ row }) => row !== null && row.data['reveals'] !== null),
      ),
      lastOwnPly: [count, count - 1].find((ply) => ply > 0 && line[ply]!.row!.player === player) ?? 0,
      canWin: this.ruleset.canWin(position(game), player),
      earlier: back === undefined ? null : { turn: this.ruleset.turn(position(back.game)), bank: back.bank },
      isPlayed: false,
      claimRefusal: claimed === null || claimed.ok ? null : claimed.refusal,
    };
  }

  /** All that the clock does in so many seconds. */
  wait(seconds: number): this {
    this.now += seconds * 1000;
    for (;;) {
      const next = due(this.state, this.now);
      if (next === null) return this;
      this.tell(next === 'flag' ? this.flagged() : next);
    }
  }

  private flagged(): Decision {
    const { state } = this;
    if (state.turn !== null)
      return flag(state, state.turn, (player) => this.ruleset.canWin(position(this.game), player));
    const creator = this.seat(true);
    const late = this.given.withheld ?? [];
    return withheld(state, late.map((role) => ({ role, player: role === 'creator' ? creator : opponent(creator) }))); // prettier-ignore
  }

  /** The player goes on vacation now, for so many days. */
  vacation(player: Player, days: number): this {
    this.now += MINUTE;
    this.tell(startVacation(this.state, player, { from: this.now, until: this.now + days * DAY }, this.now)!);
    return this;
  }

  /** The player comes back before his vacation is over. */
  finishVacation(player: Player): this {
    this.now += MINUTE;
    this.tell(finishVacation(this.state, player, this.now, false)!);
    return this;
  }

  adjudicate(why: string): this {
    this.now += MINUTE;
    this.tell(adjudicate(this.state, why, this.now)!);
    return this;
  }

  get record(): GameRecord {
    const start = this.rows.find(({ type }) => type === 'start')?.data as
      { first: string; second: string } | undefined;
    const end = this.rows.at(-1)!;
    const isOver = end.type === 'end';
    const person = (id: string) => ({ id, username: id === 'u-1' ? 'ann' : 'bob' });
    return {
      format: 2,
      id: GAME_ID,
      players: start === undefined ? null : { first: person(start.first), second: person(start.second) },
      outcome: isOver ? (end.data as unknown as Outcome) : null,
      serverSeed: isOver ? this.serverSeed.toString('hex') : null,
      rows: this.rows,
    };
  }
}

/** The chain written again over altered rows, as a server that forges a game would. */
export function rechained(record: GameRecord, rows: readonly Row[]): GameRecord {
  let previousHash: string | null = null;
  const linked = rows.map((row) => {
    const next: Row = { ...row, ...chained(record.id, { seq: row.seq, type: row.type, player: row.player, data: row.data, at: row.at }, previousHash) }; // prettier-ignore
    previousHash = next.hash;
    return next;
  });
  return { ...record, rows: linked };
}
