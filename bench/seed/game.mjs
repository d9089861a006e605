import { isDecision, rule } from '../../dist/arbiter/acts/act.js';
import { ACTS } from '../../dist/arbiter/acts/registry.js';
import { due, flag } from '../../dist/arbiter/clock-acts.js';
import { isOver } from '../../dist/arbiter/state.js';
import { deal } from '../../dist/fairness/deal.js';
import { dealRoot } from '../../dist/fairness/merkle.js';
import { BY_HAND, start, withEvent, withPly } from '../../dist/features/games/transition.js';
import { stateOf } from '../../dist/features/games/game.row.js';
import { beginning, openingRow } from '../../dist/features/games/opening.js';
import * as rules from '../../dist/rules/play.js';
import { opponent } from '../../dist/rules/ruleset.js';
import { chosenSetup } from '../../dist/rules/setup.js';
import { choose, judge } from './moves.mjs';
import { agreedTerms, happenedBefore } from './terms.mjs';

/** Plays a game from its terms to its end, or to the present, with the server's own pure functions. */

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** The delay of the server's sweep. */
const SWEEP = 3 * SECOND;
const OFFERS_DRAW = 0.01;
const ASKS_TAKEBACK = 0.002;
const AUTOMATIC = 0.03;
const NEEDS_REMINDER = 0.3;

/** The deal drawn from the seeds of the game. */
function drawn({ ruleset, serverSeed, parts, challenge: { id: gameId, options } }) {
  const seeds = { gameId, serverSeed, creatorSeed: parts.creator, accepterSeed: parts.accepter };
  const text = deal(ruleset, seeds);
  const setup = ruleset.chance === 'setup' ? (chosenSetup(ruleset, options) ?? text) : null;
  const sealed = ruleset.hidden ? { gameId, serverSeed, board: ruleset.board, deal: text } : null;
  return { setup, sealed };
}

export class SeededGame {
  constructor(begun, plan, chance) {
    const { ruleset, parts, moments } = begun;
    const terms = agreedTerms(begun);
    const { setup, sealed } = drawn(begun);
    this.chance = chance;
    this.until = plan.until;
    this.sealed = sealed;
    this.rules = rules.begin(ruleset, terms.options, setup);
    const position = ruleset.fen(rules.position(this.rules));
    const opening = { setup, position, dealRoot: sealed === null ? null : dealRoot(sealed) };
    const happened = happenedBefore(begun, terms.creator);
    this.now = parts.announces ? moments.beginsAt : moments.takenAt;
    const { row, events } = beginning(
      openingRow(terms, opening, happened.at(-1).seq, new Date(this.now)),
      happened,
      null,
    );
    this.row = row;
    this.plies = [];
    this.events = [...events];
    /** The last transition, which its notifications are made from. */
    this.last = null;
    /** The game before the last ply, unless that was taken back. */
    this.before = null;
    this.median = chance.around(7 * HOUR, 0.7);
  }

  get isOver() {
    return isOver(this.row);
  }

  /** Whether the game has reached the present. */
  get isPresent() {
    return this.now >= this.until;
  }

  /**
   * Advances the time by a player's thinking time; returns false if that would pass the present or the
   * deadline.
   */
  wait(median) {
    const { deadlineAt } = this.row;
    const rest = deadlineAt === null ? Infinity : deadlineAt.getTime() - this.now;
    const most = rest * (this.chance.happens(NEEDS_REMINDER) ? 0.97 : 0.75);
    const pause = Math.max(SECOND, Math.floor(Math.min(this.chance.around(median, 1.1), most)));
    return this.waitUntil(this.now + pause);
  }

  waitUntil(moment) {
    const seen = Math.min(moment, this.until);
    for (let at = this.row.wakeAt; at !== null && at.getTime() + SWEEP <= seen; at = this.row.wakeAt) {
      const decision = due(stateOf(this.row), at.getTime() + SWEEP);
      if (decision === null || decision === 'flag') break;
      this.keep(withEvent(start(this.row), decision));
    }
    this.now = Math.max(this.now, seen);
    return moment < this.until;
  }

  keep(transition) {
    this.row = transition.after;
    this.plies.push(...transition.plies);
    this.events.push(...transition.events);
    this.last = transition;
  }

  /** Applies an act of a player to the game. */
  rule(name, player, more = {}) {
    const act = ACTS.find((one) => one.name === name);
    return rule(act, { state: stateOf(this.row), player, now: this.now, ...more });
  }

  /** Performs an act other than a move; returns false if the arbiter refuses it. */
  does(ruled, board) {
    if (!ruled.ok || !isDecision(ruled.value)) return false;
    this.keep(withEvent(start(this.row), ruled.value, board));
    return true;
  }

  /** Plays one ply of the player to move; with `automatic` as a conditional move. */
  move(aim, automatic) {
    const { row, chance } = this;
    const before = this.plies.at(-2)?.move;
    const text = choose(this.rules, { plyCount: row.plyCount, aim, before }, chance);
    const { game, judged } = judge(this.rules, text, this.sealed);
    const offersDraw =
      !automatic && chance.happens(OFFERS_DRAW) && row.plyCount >= 2 && row.offers.refused[row.turn] === 0;
    this.before = { rules: this.rules, row };
    this.rules = game;
    this.keep(withPly(start(row), judged, { ...BY_HAND, offersDraw, automatic }, new Date(this.now)));
  }

  /** A player offers a takeback of the last ply, and the opponent accepts. */
  takeBack() {
    const { row, before: earlier } = this;
    const player = earlier.row.turn;
    if (this.sealed !== null || row.turn === player || !this.wait(HOUR)) return;
    const asked = this.rule('offerTakeback', player, { lastTurnUp: 0, lastOwnPly: row.plyCount });
    if (!this.does(asked) || !this.wait(HOUR)) return;
    const { position, anchorPosition, anchorPly, moves, turn, clock } = earlier.row;
    const given = this.rule('acceptTakeback', row.turn, { earlier: { turn, bank: clock.bank } });
    if (this.does(given, { position, anchorPosition, anchorPly, moves })) {
      this.rules = earlier.rules;
      this.before = null;
    }
  }

  /** Plays up to this number of plies or the end of the game; returns false if the present comes first. */
  playTo(length, aim = null) {
    const { chance } = this;
    while (this.row.plyCount < length && !this.isOver) {
      const automatic = this.row.plyCount > 0 && chance.happens(AUTOMATIC);
      if (!automatic && !this.wait(this.median)) return false;
      this.move(aim, automatic);
      if (!this.isOver && !this.row.rated && chance.happens(ASKS_TAKEBACK)) this.takeBack();
    }
    return true;
  }

  resign(player) {
    if (this.wait(this.median)) this.does(this.rule('resign', player));
  }

  agree() {
    const { turn } = this.row;
    if (!this.wait(this.median)) return;
    this.does(this.rule('offerDraw', opponent(turn)));
    if (this.wait(this.median)) this.does(this.rule('acceptDraw', turn));
  }

  abort() {
    if (this.wait(this.median)) this.does(this.rule('abort', this.row.turn));
  }

  /**
   * Nobody moves any more: the player to move loses on time, or without a clock the opponent claims the game.
   */
  runOut() {
    const { turn, deadlineAt } = this.row;
    const { ruleset } = this.rules;
    const canWin = (player) => ruleset.canWin(rules.position(this.rules), player);
    const waiting = opponent(turn);
    if (deadlineAt === null) {
      if (!this.waitUntil(this.now + 31 * 24 * HOUR)) return;
      this.does(this.rule('claimAbandoned', waiting, { canWin: canWin(waiting) }));
    } else if (this.waitUntil(deadlineAt.getTime() + SWEEP)) {
      this.does({ ok: true, value: flag(stateOf(this.row), turn, canWin) });
    }
  }

  /** Claims a draw if the position allows it. */
  claim() {
    const [claimed] = this.rules.ruleset.claimable(this.rules.history);
    if (claimed !== undefined && this.wait(this.median)) {
      this.does(this.rule('claimDraw', this.row.turn, { reason: claimed }));
    }
  }
}
