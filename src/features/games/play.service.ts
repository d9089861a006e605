import { Injectable } from '@nestjs/common';
import * as acts from '../../arbiter/acts.js';
import { objectionTo, type Situation } from '../../arbiter/conditions.js';
import type { Plan } from '../../arbiter/plans.js';
import type { Viewer } from '../auth/viewer.js';
import { EngineService } from '../../engine/engine.service.js';
import { decodeMoves } from '../../engine/moves-text.js';
import { forbid } from '../../engine/refusals.js';
import { DomainError } from '../../platform/errors.js';
import { PLAYERS, type Claim, type Player } from '../../rules/ruleset.js';
import { begin, BY_HAND, decided, played, quietly } from './acts.js';
import { planOf, tableOf, withPlan, type Act, type GameRow } from './game.row.js';
import { GamesStore } from './games.store.js';
import { Referee, stale, type Seat } from './referee.js';
import { dropped, ConditionalReplies } from './conditional-replies.js';

const PLANS_BEFORE_GIVING_UP = 5;

/** Which game, and optionally which version of it an act is meant for. */
export interface OfGame {
  readonly gameId: string;
  readonly version?: number | null | undefined;
}

export interface MoveRequest extends OfGame {
  /** The number of the ply that the move is meant to be. */
  readonly ply: number;
  readonly move: string;
  readonly offerDraw?: boolean | null | undefined;
  /** Conditional moves for what the opponent may answer, as they came in. */
  readonly conditionalMoves?: unknown;
}

export interface ClaimRequest extends OfGame {
  readonly reason: Claim;
  /** The move that is to bring about what is claimed. */
  readonly move?: string | null | undefined;
}

/** The acts that need nothing but the table and a player. */
const PLAIN = {
  resign: acts.resign,
  abort: acts.abort,
  offerDraw: acts.offerDraw,
  acceptDraw: acts.acceptDraw,
  declineDraw: acts.declineDraw,
  declineTakeback: acts.declineTakeback,
  offerPause: acts.offerPause,
  acceptPause: acts.acceptPause,
  declinePause: acts.declinePause,
  unpause: acts.unpause,
} as const;
export type PlainAct = keyof typeof PLAIN;

/** The verbs of the two players. Every act is one straight line: read, judge, commit on that version, announce. */
@Injectable()
export class PlayService {
  constructor(
    private readonly referee: Referee,
    private readonly store: GamesStore,
    private readonly engine: EngineService,
    private readonly replies: ConditionalReplies,
  ) {}

  /** Plays a move. Sent again for a ply that is stored with it, it answers with the game as it stands. */
  makeMove(viewer: Viewer, request: MoveRequest): Promise<GameRow> {
    const { gameId, version, ply, move, offerDraw, conditionalMoves } = request;
    return this.referee.act(viewer, gameId, version, async (seat) => {
      if (await this.isStored(seat, ply, move)) return null;
      // Before anything is judged: how long that takes may depend on what the opponent has planned.
      if (version != null && version !== seat.row.version) throw stale();
      const situation = { ...situationOf(seat), ply };
      forbid(objectionTo('move', situation));
      if (offerDraw) forbid(objectionTo('offerDraw', situation));
      const { row, player, now } = seat;
      // Before the piece is known that the move turns up: nothing may be refused for what it is.
      const plan =
        conditionalMoves == null ? null : this.engine.planAfter(row, player, move, conditionalMoves);
      const judged = await this.engine.judge(row, move);
      const act = played(begin(row), judged, { ...BY_HAND, offersDraw: offerDraw === true }, now);
      return this.replies.follow(withAnswers(act, player, plan), now);
    });
  }

  plain(act: PlainAct, viewer: Viewer, { gameId, version }: OfGame): Promise<GameRow> {
    return this.referee.act(viewer, gameId, version, (seat) =>
      ruled(seat.row, PLAIN[act](situationOf(seat))),
    );
  }

  /** Claims a draw, as the game stands or with a move that brings it about. */
  claimDraw(viewer: Viewer, { gameId, version, reason, move }: ClaimRequest): Promise<GameRow> {
    return this.referee.act(viewer, gameId, version, (seat) => {
      const act = ruled(seat.row, acts.claimDraw(situationOf(seat), reason));
      if (act === null || move == null) {
        if (act !== null) this.engine.claim(seat.row, reason);
        return act;
      }
      const judged = this.engine.claimWith(seat.row, reason, move);
      return played(begin(seat.row), judged, { ...BY_HAND, claim: reason }, seat.now);
    });
  }

  offerTakeback(viewer: Viewer, { gameId, version }: OfGame): Promise<GameRow> {
    return this.referee.act(viewer, gameId, version, (seat) => {
      const lastTurnUp = this.engine.lastTurnUp(seat.row);
      const lastOwnPly = this.engine.lastPlyOf(seat.row, seat.player);
      return ruled(seat.row, acts.offerTakeback({ ...situationOf(seat), lastTurnUp, lastOwnPly }));
    });
  }

  /** Play returns to the ply that was agreed on; the plies behind it stay in the log, and what was planned is dropped. */
  acceptTakeback(viewer: Viewer, { gameId, version }: OfGame): Promise<GameRow> {
    return this.referee.act(viewer, gameId, version, async (seat) => {
      const { row, now } = seat;
      forbid(objectionTo('acceptTakeback', situationOf(seat)));
      const { ply } = row.offers.takeback!;
      const { turn, ...board } = this.engine.rewind(row, ply);
      const bank = await this.bankAfter(row, ply);
      const act = ruled(row, acts.acceptTakeback(situationOf(seat), { turn, bank }), board);
      return (
        act &&
        PLAYERS.reduce(
          (all, player) => (planOf(row, player) ? dropped(all, player, 'takeback', now) : all),
          act,
        )
      );
    });
  }

  /** Adds a turn's time to the turn with this ply, once. */
  giveTime(viewer: Viewer, { gameId, version, ply }: OfGame & { readonly ply: number }): Promise<GameRow> {
    return this.referee.act(viewer, gameId, version, (seat) =>
      ruled(seat.row, acts.giveTime({ ...situationOf(seat), ply })),
    );
  }

  /** Ends a game without a clock in which nobody has moved for long. */
  claimAbandoned(viewer: Viewer, { gameId, version }: OfGame): Promise<GameRow> {
    return this.referee.act(viewer, gameId, version, (seat) => {
      const canWin = this.engine.canWin(seat.row, seat.player);
      return ruled(seat.row, acts.claimAbandoned(situationOf(seat), canWin));
    });
  }

  /** Puts conditional moves in the place of those that the player had; none with null. Nobody else learns of it. */
  async plan(viewer: Viewer, gameId: string, given: unknown): Promise<GameRow> {
    for (let race = 0; race < PLANS_BEFORE_GIVING_UP; race++) {
      const seat = await this.referee.seat(viewer, gameId);
      const { row, player } = seat;
      if (given == null && planOf(row, player) === null) return this.referee.settled(row);
      forbid(objectionTo('conditionalMoves', situationOf(seat)));
      const plan = given == null ? null : this.engine.plan(row, player, given);
      if (await this.store.setPlan(row, player, plan)) return { ...row, ...withPlan(player, plan) };
    }
    throw stale();
  }

  private async isStored({ row, player }: Seat, ply: number, move: string): Promise<boolean> {
    if (ply > row.plyCount || decodeMoves(row.moves)[ply - 1]?.move !== move) return false;
    return (await this.store.playerOf(row.id, ply)) === player;
  }

  /** What both banks held after this ply; null where there are none. */
  private async bankAfter(row: GameRow, ply: number): Promise<acts.Earlier['bank']> {
    if (row.timeControl.type !== 'bank') return null;
    const { initial } = row.timeControl;
    return { first: initial, second: initial, ...(await this.store.banksAfter(row, ply)) };
  }
}

/** The act with what its player plans for the answers to it; whoever moves has nothing else planned. */
function withAnswers(act: Act, player: Player, plan: Plan | null): Act {
  const isAnswered = act.after.status === 'active' && act.after.turn !== player;
  return quietly(act, withPlan(player, isAnswered ? plan : null));
}

const situationOf = ({ row, player, now }: Seat): Situation => ({
  table: tableOf(row),
  player,
  now: now.getTime(),
});

/** The act that a ruling of the arbiter makes of a row: null when there is nothing to do; throws what it objects. */
function ruled(row: GameRow, ruling: acts.Ruling, board: Partial<GameRow> = {}): Act | null {
  if (ruling === 'unchanged') return null;
  if (acts.isObjection(ruling)) throw new DomainError(ruling.code, ruling.message);
  return decided(begin(row), ruling, board);
}
