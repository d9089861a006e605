import type { TimeControl } from '../../src/arbiter/time-control.js';
import { opponent, type Player } from '../../src/rules/ruleset.js';

/**
 * A chess clock as it stands on a state: it is wound up, runs down while time goes by, and is held by hand. The code
 * computes all times from facts that it keeps; this here keeps what is left instead, so that the two can be compared.
 */

const CEILING = 60 * 86_400;
/** Later than anything here. */
const FAR = 1e12;

const UNITS = { perMove: 'seconds', bank: 'initial' } as const;

interface Hand {
  /** Whole seconds of the turn that are over. */
  readonly at: number;
  /** Seconds until the player's time is used up, and until the turn is as long as a turn may be. */
  readonly own: number;
  readonly ceiling: number;
}

export class ChessClock {
  private startedAt = 0;
  private turn: Player = 'first';
  private hand: Hand = { at: 0, own: 0, ceiling: CEILING };
  private allowed = 0;
  private vacationUntil = 0;
  private pauseUntil = 0;
  private readonly home: Record<Player, number | null> = { first: null, second: null };
  bank: Readonly<Record<Player, number>>;

  constructor(private readonly control: TimeControl) {
    const initial = this.full;
    this.bank = { first: initial, second: initial };
  }

  private get full(): number {
    const { control } = this;
    return control.type === 'none'
      ? FAR
      : (control as unknown as Record<string, number>)[UNITS[control.type]]!;
  }

  startTurn(player: Player, at: number): void {
    this.turn = player;
    this.startedAt = at;
    this.allowed = this.control.type === 'bank' ? this.bank[player] : this.full;
    this.hand = { at: 0, own: this.allowed, ceiling: CEILING };
    this.pauseUntil = 0;
    const home = this.home[player];
    this.vacationUntil = home === null ? 0 : this.begunBy(home);
  }

  /** Seconds of the turn that are over, and that have begun, at an instant. */
  private overBy(now: number): number {
    return Math.floor(Math.max(0, now - this.startedAt) / 1000);
  }

  private begunBy(now: number): number {
    return Math.ceil(Math.max(0, now - this.startedAt) / 1000);
  }

  /** Lets time go by. */
  run(now: number): void {
    const until = this.overBy(now);
    while (this.hand.at < until) this.hand = this.step(this.hand, until);
  }

  /** From one change to the next. */
  private step({ at, own, ceiling }: Hand, until: number): Hand {
    const changes = [this.vacationUntil, this.pauseUntil].filter((second) => second > at);
    const to = Math.min(until, ...changes);
    const paused = at < this.pauseUntil;
    const stands = paused || at < this.vacationUntil;
    return { at: to, own: own - (stands ? 0 : to - at), ceiling: ceiling - (paused ? 0 : to - at) };
  }

  /** Where the hand will be when the first of the two is used up; `own` alone, or the ceiling alone. */
  private ahead(which: 'both' | 'ceiling', from: Hand = this.hand): Hand {
    let hand = from;
    const left = () => (which === 'ceiling' ? hand.ceiling : Math.min(hand.own, hand.ceiling));
    while (left() > 0 && hand.at < FAR) {
      const paused = hand.at < this.pauseUntil;
      const held = paused || (hand.at < this.vacationUntil && which === 'both');
      const far = held ? (paused ? FAR : hand.ceiling) : left();
      hand = this.step(hand, hand.at + far);
    }
    return hand;
  }

  deadline(): number | null {
    if (this.control.type === 'none') return null;
    const { at } = this.ahead('both');
    return at >= FAR ? null : this.startedAt + at * 1000;
  }

  /** What the player to move could still use; in a pause as if it ended now. */
  left(): number | null {
    if (this.control.type === 'none') return null;
    const pauseUntil = this.pauseUntil;
    if (pauseUntil === FAR) this.pauseUntil = this.hand.at;
    const left = this.hand.own - this.ahead('both').own;
    this.pauseUntil = pauseUntil;
    return left;
  }

  used(): number {
    return this.allowed - this.hand.own;
  }

  /** Is most of the turn's time used, though not all? Nobody knows while a pause has no end. */
  needsReminder(): boolean {
    if (this.control.type === 'none' || this.deadline() === null) return false;
    const all = this.used() + this.left()!;
    return 5 * this.used() >= 4 * all && Math.ceil((4 * all) / 5) < all;
  }

  move(now: number): void {
    const { control } = this;
    if (control.type === 'bank') {
      const after = Math.min(control.cap, Math.max(0, this.hand.own) + control.increment);
      this.bank = { ...this.bank, [this.turn]: after };
    }
    this.startTurn(opponent(this.turn), now);
  }

  /** What the opponent can give. */
  gift(): number {
    const { control } = this;
    const gift = control.type === 'bank' && control.increment > 0 ? control.increment : this.full;
    const cap = control.type === 'bank' ? control.cap - this.hand.own : FAR;
    const beforeCeiling = this.hand.own - this.ahead('ceiling').own;
    return Math.max(0, Math.min(gift, cap, beforeCeiling - this.hand.own));
  }

  give(seconds: number): void {
    this.hand = { ...this.hand, own: this.hand.own + seconds };
    this.allowed += seconds;
  }

  leave(player: Player, until: number): void {
    this.home[player] = until;
    if (player === this.turn) this.vacationUntil = this.begunBy(until);
  }

  finishVacation(player: Player, at: number): void {
    this.home[player] = null;
    if (player === this.turn) this.vacationUntil = Math.min(this.vacationUntil, this.begunBy(at));
  }

  pause(): void {
    this.pauseUntil = FAR;
  }

  resumeAt(instant: number): void {
    this.pauseUntil = this.begunBy(instant);
  }
}
