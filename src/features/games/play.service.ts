import { Injectable } from '@nestjs/common';
import { isMove, rule, type Act, type MoveToPlay } from '../../arbiter/acts/act.js';
import type { Plan } from '../../arbiter/plans.js';
import type { Decision } from '../../arbiter/state.js';
import type { Principal } from '../auth/principal.js';
import { EngineService } from '../../engine/engine.service.js';
import { unwrap } from '../../engine/refusals.js';
import { PLAYERS, type Player } from '../../rules/ruleset.js';
import { BY_HAND, start, withEvent, withPly, withSilentChange } from './transition.js';
import { ConditionalReplies, dropped } from './conditional-replies.js';
import { FactFinder } from './facts.js';
import { planOf, situationOf, withPlan, type Transition } from './game.row.js';
import { GameLog } from './log.js';
import { Referee, versionFor, type Done, type Seat } from './referee.js';

/** Which game, which version of it where that is said, and what the act takes beside. */
export interface ActRequest extends Readonly<Record<string, unknown>> {
  readonly gameId: string;
  readonly version?: number | null | undefined;
}

/** Carries out the acts of the players, all in one straight line: read, judge, commit on that version, announce. */
@Injectable()
export class PlayService {
  constructor(
    private readonly referee: Referee,
    private readonly engine: EngineService,
    private readonly facts: FactFinder,
    private readonly replies: ConditionalReplies,
    private readonly log: GameLog,
  ) {}

  /**
   * Throws NOT_FOUND, NOT_YOUR_GAME, and what stands against the act. Done before, it answers with the game as it stands,
   * and with the plies that it has made then.
   */
  async act(viewer: Principal, act: Act, { gameId, ...asked }: ActRequest): Promise<Done> {
    const done = await this.referee.act(viewer, gameId, async (seat) => {
      const input = { ...asked, version: versionFor(seat, asked.version) };
      const facts = await this.facts.find(act.needs, seat, input);
      const ruling = unwrap(rule(act, { ...input, ...facts, ...situationOf(seat) }));
      if (ruling === 'unchanged') return null;
      return isMove(ruling) ? this.play(seat, ruling) : this.changed(seat, ruling);
    });
    if (act.plays === null || asked['move'] == null || done.plies.length > 0) return done;
    return {
      ...done,
      plies: await this.log.madeWith(done.row, (asked['ply'] as number) ?? done.row.plyCount),
    };
  }

  /** A ply, and what the opponent has planned to answer; one that claims a draw ends the game. */
  private async play({ row, player, now }: Seat, asked: MoveToPlay): Promise<Transition> {
    const { play: text, format, claim, offersDraw } = asked;
    const move = this.engine.moveIn(row, text, format);
    if (claim !== null) {
      return withPly(start(row), this.engine.claimWith(row, claim, move), { ...BY_HAND, claim }, now);
    }
    // Before the piece is known that the move turns up: nothing may be refused for what it is.
    const plan = asked.plan == null ? null : this.engine.planAfter(row, player, move, asked.plan);
    const judged = await this.engine.judge(row, move);
    const act = withPly(start(row), judged, { ...BY_HAND, offersDraw }, now);
    return this.replies.follow(withAnswers(act, player, plan), now);
  }

  private changed({ row, now }: Seat, decision: Decision): Transition {
    const { returnsTo } = decision;
    if (returnsTo === undefined) return withEvent(start(row), decision);
    // The plies behind it stay in the log, and what was planned is dropped.
    const { turn: _, ...board } = this.engine.rewind(row, returnsTo);
    const back = withEvent(start(row), decision, board);
    const planners = PLAYERS.filter((player) => planOf(row, player) !== null);
    return planners.reduce((act, player) => dropped(act, player, 'takeback', now), back);
  }
}

/** The act with what its player plans for the answers to it; whoever moves has nothing else planned. */
function withAnswers(act: Transition, player: Player, plan: Plan | null): Transition {
  const isAnswered = act.after.status === 'active' && act.after.turn !== player;
  return withSilentChange(act, withPlan(player, isAnswered ? plan : null));
}
