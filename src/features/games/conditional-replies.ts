import { Injectable } from '@nestjs/common';
import { isDecision, refusalFor, rule, type Ruling } from '../../arbiter/acts/act.js';
import { offerDraw } from '../../arbiter/acts/draw.js';
import { resign } from '../../arbiter/acts/resign.js';
import { afterReply, follow, type Plan, type PlanNode } from '../../arbiter/conditional-moves.js';
import type { Decision } from '../../arbiter/state.js';
import { EngineService, type Judged } from '../../engine/engine.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import type { Result } from '../../rules/result.js';
import { opponent, type Player } from '../../rules/ruleset.js';
import { BY_HAND, withEvent, withPly, withPlanNews, withSilentChange } from './transition.js';
import { planOf, stateOf, withPlan, type PlanNews, type PlyRow, type Transition } from './game.row.js';

/** The reason why conditional moves were dropped, as their owner is told. */
type Drop = 'unmatched' | 'illegal' | 'yourTurn' | 'takeback';

const PLAYED = 'conditionalPlayed';

/** Plays conditional moves within the transition of the move that they answer. */
@Injectable()
export class ConditionalReplies {
  constructor(private readonly engine: EngineService) {}

  /** Adds every planned reply to the last ply, and the replies to those in turn. */
  async follow(transition: Transition, at: Date): Promise<Transition> {
    let now = transition;
    for (let plies = 0; plies < now.plies.length;) {
      plies = now.plies.length;
      now = await this.reply(now, at);
    }
    return now;
  }

  /** Adds the planned reply to the last ply, if there is one. */
  private async reply(transition: Transition, at: Date): Promise<Transition> {
    const ply = transition.plies.at(-1)!;
    const owner = opponent(ply.player);
    const plan = planOf(transition.after, owner);
    if (plan === null || transition.after.status !== 'active') return transition;
    const node = follow(plan, ply);
    return node === null
      ? dropped(transition, owner, 'unmatched', at)
      : this.answer(transition, owner, node, at);
  }

  private async answer(transition: Transition, owner: Player, node: PlanNode, at: Date): Promise<Transition> {
    const situation = { state: stateOf(transition.after), player: owner, now: at.getTime() };
    const used = withSilentChange(transition, withPlan(owner, null));
    if (node.reply !== undefined) {
      const judged = transition.after.turn === owner ? await this.legal(transition, node.reply) : null;
      return judged === null
        ? dropped(transition, owner, 'illegal', at, node.reply)
        : replied(used, owner, node, judged, at);
    }
    if (node.resign)
      return withNews(withPlannedAct(used, rule(resign, situation)), owner, PLAYED, { resigned: true }, at);
    if (node.offerDraw) {
      const offered = withPlannedAct(used, rule(offerDraw, situation));
      return offered === used
        ? dropped(transition, owner, 'illegal', at)
        : withNews(offered, owner, PLAYED, { offeredDraw: true }, at);
    }
    return transition.after.turn === owner
      ? dropped(transition, owner, 'yourTurn', at)
      : waiting(transition, owner, node);
  }

  private async legal({ after }: Transition, move: string): Promise<Judged | null> {
    try {
      return await this.engine.judge(after, move);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'ILLEGAL_MOVE') return null;
      throw error;
    }
  }
}

/** Plays the reply and keeps what is left of the plan. */
function replied(
  transition: Transition,
  owner: Player,
  node: PlanNode,
  judged: Judged,
  at: Date,
): Transition {
  const ply = transition.after.plyCount + 1;
  const situation = { state: stateOf(transition.after), player: owner, now: at.getTime(), ply };
  const offersDraw = node.offerDraw === true && refusalFor(offerDraw, situation) === null;
  const after = withPly(transition, judged, { ...BY_HAND, offersDraw, automatic: true }, at);
  const { move, san } = after.plies.at(-1)!;
  const more = {
    ...(node.offerDraw ? { offeredDraw: offersDraw } : {}),
    ...(transition.after.offers.draw?.by === opponent(owner) ? { declinedDraw: true } : {}),
  };
  const now = withNews(after, owner, PLAYED, { ply, move, san, ...more }, at);
  const left = afterReply(node, judged.ply.reveals);
  if (now.after.status !== 'active' || left.length === 0) return now;
  return now.after.turn === owner ? dropped(now, owner, 'yourTurn', at) : withPlanLeft(now, owner, left);
}

/** The opponent's turn has several plies: keep the plan for the next one. */
function waiting(transition: Transition, owner: Player, node: PlanNode): Transition {
  const left = afterReply(node, null);
  return withPlanLeft(transition, owner, left.length === 0 ? null : left);
}

const withPlanLeft = (transition: Transition, owner: Player, plan: Plan | null): Transition =>
  withSilentChange(transition, withPlan(owner, plan));

/** An act done by a plan; skipped if the arbiter refuses it. */
function withPlannedAct(transition: Transition, ruled: Result<Ruling>): Transition {
  if (!ruled.ok || !isDecision(ruled.value)) return transition;
  const log = ruled.value.log.map((entry, i) =>
    i === 0 ? { ...entry, data: { ...entry.data, automatic: true } } : entry,
  );
  return withEvent(transition, { ...ruled.value, log } satisfies Decision);
}

const withNews = (
  transition: Transition,
  player: Player,
  type: PlanNews['type'],
  data: PlanNews['data'],
  at: Date,
): Transition => withPlanNews(transition, { player, type, data, at });

/** Removes a player's plan and tells its owner why. */
export function dropped(
  transition: Transition,
  owner: Player,
  why: Drop,
  at: Date,
  reply: PlyRow['move'] | null = null,
): Transition {
  const data = { why, ply: transition.after.plyCount, ...(reply === null ? {} : { reply }) };
  return withNews(withSilentChange(transition, withPlan(owner, null)), owner, 'conditionalDropped', data, at);
}
