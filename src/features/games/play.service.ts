import { Injectable } from '@nestjs/common';
import { isMove, rule, type Act, type MoveToPlay } from '../../arbiter/acts/act.js';
import type { Plan } from '../../arbiter/conditional-moves.js';
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
import { expectedOf, namingVersion, type Asked, type Expected } from './if-match.js';
import { Referee, versionFor, type Done, type Seat } from './referee.js';

/** The game and the input of the act. */
export interface ActRequest extends Asked, Readonly<Record<string, unknown>> {
  readonly gameId: string;
}

/** Carries out the acts of players: read, judge, commit on that version, announce. */
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
   * Throws BAD_INPUT, NOT_FOUND, NOT_YOUR_GAME and the act's own refusals. A repeated request answers with the game as it stands
   * and the plies that the first one made.
   */
  async act(viewer: Principal, act: Act, request: ActRequest, matched?: Expected): Promise<Done> {
    const { gameId, version, seen, ...asked } = request;
    const expected = expectedOf({ version, seen }, matched);
    const acting = this.referee.act(viewer, gameId, async (seat) => {
      const input = { ...asked, version: versionFor(seat, expected) };
      const facts = await this.facts.find(act.needs, seat, input);
      const ruling = unwrap(rule(act, { ...input, ...facts, ...situationOf(seat) }));
      if (ruling === 'unchanged') return null;
      return isMove(ruling) ? this.play(seat, ruling) : this.changed(seat, ruling);
    });
    const done = await namingVersion(expected, acting);
    if (act.plays === null || asked['move'] == null || done.plies.length > 0) return done;
    return {
      ...done,
      plies: await this.log.madeWith(done.row, (asked['ply'] as number) ?? done.row.plyCount),
    };
  }

  /** Plays a ply and the opponent's conditional moves; a ply that claims a draw ends the game. */
  private async play({ row, player, now }: Seat, asked: MoveToPlay): Promise<Transition> {
    const { play: text, format, claim, offersDraw } = asked;
    const move = this.engine.moveIn(row, text, format);
    if (claim !== null) {
      return withPly(start(row), this.engine.claimWith(row, claim, move), { ...BY_HAND, claim }, now);
    }
    // Judge the plan before the turned-up piece is known: a refusal must not depend on it.
    const plan = asked.plan == null ? null : this.engine.planAfter(row, player, move, asked.plan);
    const judged = await this.engine.judge(row, move);
    const act = withPly(start(row), judged, { ...BY_HAND, offersDraw }, now);
    return this.replies.follow(withAnswers(act, player, plan), now);
  }

  private changed({ row, now }: Seat, decision: Decision): Transition {
    const { returnsTo } = decision;
    if (returnsTo === undefined) return withEvent(start(row), decision);
    // Plies taken back stay in the log; conditional moves are dropped.
    const { turn: _, ...board } = this.engine.rewind(row, returnsTo);
    const back = withEvent(start(row), decision, board);
    const planners = PLAYERS.filter((player) => planOf(row, player) !== null);
    return planners.reduce((act, player) => dropped(act, player, 'takeback', now), back);
  }
}

/** Replaces the mover's plan with the one sent with the move. */
function withAnswers(act: Transition, player: Player, plan: Plan | null): Transition {
  const isAnswered = act.after.status === 'active' && act.after.turn !== player;
  return withSilentChange(act, withPlan(player, isAnswered ? plan : null));
}
