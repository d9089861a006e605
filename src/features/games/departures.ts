import { Injectable, Logger } from '@nestjs/common';
import { abort } from '../../arbiter/acts/abort.js';
import { isDecision, rule } from '../../arbiter/acts/act.js';
import { resign } from '../../arbiter/acts/resign.js';
import { EngineService } from '../../engine/engine.service.js';
import { Time } from '../../platform/process/time.js';
import { start, withEvent } from './transition.js';
import { playerOf, stateOf, type Transition, type GameRow } from './game.row.js';
import { GamesStore } from './games.store.js';
import { Referee } from './referee.js';

const LEFT_AT_ONCE = 8;

/** Ends the running games of players who close their accounts. Several instances may do so at once. */
@Injectable()
export class Departures {
  private readonly logger = new Logger(Departures.name);

  constructor(
    private readonly store: GamesStore,
    private readonly engine: EngineService,
    private readonly referee: Referee,
    private readonly time: Time,
  ) {}

  /**
   * Aborts a user's running games where allowed and resigns the others; one whose deadline has passed ends on time.
   * Logs and skips a game that fails. Returns false if any game is still running.
   */
  async leaveAll(userId: string): Promise<boolean> {
    const games = await this.store.running(userId);
    for (let i = 0; i < games.length; i += LEFT_AT_ONCE) {
      await Promise.all(games.slice(i, i + LEFT_AT_ONCE).map(({ id }) => this.leave(id, userId)));
    }
    return games.length === 0 || (await this.store.running(userId)).length === 0;
  }

  private async leave(gameId: string, userId: string): Promise<void> {
    try {
      await this.referee.decideFor(gameId, (row) => this.departure(row, userId));
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** Null if the game is over or its deadline has passed. */
  private departure(row: GameRow, userId: string): Transition | null {
    const player = playerOf(row, userId)!;
    const situation = {
      state: stateOf(row),
      player,
      now: this.time.now().getTime(),
      lastTurnUp: this.engine.lastTurnUp(row),
      lastOwnPly: this.engine.lastPlyOf(row, player),
    };
    for (const leave of [abort, resign]) {
      const ruled = rule(leave, situation);
      if (ruled.ok && isDecision(ruled.value)) return withEvent(start(row), ruled.value);
    }
    return null;
  }
}
