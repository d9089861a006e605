import { Injectable } from '@nestjs/common';
import { isMove, isObjection, objectionTo, rule, type Ruling } from '../../arbiter/acts/act.js';
import { offerDraw } from '../../arbiter/acts/draw.js';
import { resign } from '../../arbiter/acts/resign.js';
import { afterReply, follow, type Plan, type PlanNode } from '../../arbiter/plans.js';
import type { Decision } from '../../arbiter/table.js';
import { EngineService, type Judged } from '../../engine/engine.service.js';
import type { NoticeType } from '../notifications/notification.row.js';
import { DomainError } from '../../platform/errors.js';
import { opponent, type Player } from '../../rules/ruleset.js';
import { BY_HAND, decided, played, quietly } from './acts.js';
import { planOf, tableOf, userOf, withPlan, type Act, type PlyRow } from './game.row.js';

/** Why conditional moves were dropped, for their owner. */
type Drop = 'unmatched' | 'illegal' | 'yourTurn' | 'takeback';

const PLAYED = 'conditionalPlayed';

/** Conditional moves at work: what the players have planned is played on in the act that it answers. */
@Injectable()
export class ConditionalReplies {
  constructor(private readonly engine: EngineService) {}

  /** The act with every reply that its last ply calls for, and those that they call for in turn. */
  async follow(act: Act, at: Date): Promise<Act> {
    let now = act;
    for (let plies = 0; plies < now.plies.length;) {
      plies = now.plies.length;
      now = await this.reply(now, at);
    }
    return now;
  }

  /** The act with the answer to its last ply, where one was planned. */
  private async reply(act: Act, at: Date): Promise<Act> {
    const ply = act.plies.at(-1)!;
    const owner = opponent(ply.player);
    const plan = planOf(act.after, owner);
    if (plan === null || act.after.status !== 'active') return act;
    const node = follow(plan, ply);
    return node === null ? dropped(act, owner, 'unmatched', at) : this.answer(act, owner, node, at);
  }

  private async answer(act: Act, owner: Player, node: PlanNode, at: Date): Promise<Act> {
    const situation = { table: tableOf(act.after), player: owner, now: at.getTime() };
    const used = quietly(act, withPlan(owner, null));
    if (node.reply !== undefined) {
      const judged = act.after.turn === owner ? await this.legal(act, node.reply) : null;
      return judged === null
        ? dropped(act, owner, 'illegal', at, node.reply)
        : replied(used, owner, node, judged, at);
    }
    if (node.resign)
      return told(stepped(used, rule(resign, situation)), owner, PLAYED, { resigned: true }, at);
    if (node.offerDraw) {
      const offered = stepped(used, rule(offerDraw, situation));
      return offered === used
        ? dropped(act, owner, 'illegal', at)
        : told(offered, owner, PLAYED, { offeredDraw: true }, at);
    }
    return act.after.turn === owner ? dropped(act, owner, 'yourTurn', at) : waiting(act, owner, node);
  }

  private async legal({ after }: Act, move: string): Promise<Judged | null> {
    try {
      return await this.engine.judge(after, move);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'ILLEGAL_MOVE') return null;
      throw error;
    }
  }
}

/** The act with the reply played, and what is left of the plan behind it. */
function replied(act: Act, owner: Player, node: PlanNode, judged: Judged, at: Date): Act {
  const ply = act.after.plyCount + 1;
  const situation = { table: tableOf(act.after), player: owner, now: at.getTime(), ply };
  const offersDraw = node.offerDraw === true && objectionTo(offerDraw, situation) === null;
  const after = played(act, judged, { ...BY_HAND, offersDraw, automatic: true }, at);
  const { move, san } = after.plies.at(-1)!;
  const more = {
    ...(node.offerDraw ? { offeredDraw: offersDraw } : {}),
    ...(act.after.offers.draw?.by === opponent(owner) ? { declinedDraw: true } : {}),
  };
  const now = told(after, owner, PLAYED, { ply, move, san, ...more }, at);
  const left = afterReply(node, judged.ply.reveals);
  if (now.after.status !== 'active' || left.length === 0) return now;
  return now.after.turn === owner ? dropped(now, owner, 'yourTurn', at) : kept(now, owner, left);
}

/** The opponent goes on with a turn of several plies: the plan waits for the next one. */
function waiting(act: Act, owner: Player, node: PlanNode): Act {
  const left = afterReply(node, null);
  return kept(act, owner, left.length === 0 ? null : left);
}

const kept = (act: Act, owner: Player, plan: Plan | null): Act => quietly(act, withPlan(owner, plan));

/** An act of a player that his plan did for him; what the arbiter refuses is left undone. */
function stepped(act: Act, ruling: Ruling): Act {
  if (ruling === 'unchanged' || isObjection(ruling) || isMove(ruling)) return act;
  const log = ruling.log.map((entry, i) =>
    i === 0 ? { ...entry, data: { ...entry.data, automatic: true } } : entry,
  );
  return decided(act, { ...ruling, log } satisfies Decision);
}

function told(
  act: Act,
  owner: Player,
  type: NoticeType,
  data: Readonly<Record<string, unknown>>,
  at: Date,
): Act {
  const { after } = act;
  return quietly(act, {}, { userId: userOf(after, owner), gameId: after.id, type, data, at });
}

/** The act without the plan of a player, who is told why it is gone. */
export function dropped(
  act: Act,
  owner: Player,
  why: Drop,
  at: Date,
  reply: PlyRow['move'] | null = null,
): Act {
  const data = { why, ply: act.after.plyCount, ...(reply === null ? {} : { reply }) };
  return told(quietly(act, withPlan(owner, null)), owner, 'conditionalDropped', data, at);
}
