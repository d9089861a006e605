import { Injectable } from '@nestjs/common';
import { planning, sameVersion } from '../../arbiter/acts/conditions.js';
import type { Principal } from '../auth/principal.js';
import { EngineService } from '../../engine/engine.service.js';
import { assertAllowed } from '../../engine/refusals.js';
import { retry, type RetryPolicy } from '../../platform/process/retry.js';
import { planOf, situationOf, type GameRow } from './game.row.js';
import { GamesStore } from './games.store.js';
import { HotGames } from './hot-games.js';
import { namingVersion, type Expected } from './if-match.js';
import { Referee, tooContended, versionFor } from './referee.js';

const PLANS: RetryPolicy<never> = { tries: 5, otherwise: tooContended };

/** Setting conditional moves is not an act: it makes no new version, so that the opponent cannot notice it. */
@Injectable()
export class ConditionalMovesService {
  constructor(
    private readonly referee: Referee,
    private readonly store: GamesStore,
    private readonly engine: EngineService,
    private readonly hot: HotGames,
  ) {}

  /** Replaces the player's conditional moves; null deletes them. */
  set(viewer: Principal, gameId: string, given: unknown, expected: Expected): Promise<GameRow> {
    const setting = retry(async () => {
      const seat = await this.referee.seat(viewer, gameId);
      const { row, player } = seat;
      if (given == null && planOf(row, player) === null) return this.referee.settled(row);
      const situation = { ...situationOf(seat), version: versionFor(seat, expected) };
      assertAllowed({ conditions: [sameVersion, ...planning] }, situation);
      const plan = given == null ? null : this.engine.plan(row, player, given);
      const planned = await this.store.setPlan(row, player, plan);
      // Kept as hot as it was, so that the opponent's next act does not take longer.
      if (planned !== null) this.hot.replace(planned);
      return planned;
    }, PLANS);
    return namingVersion(expected, setting);
  }
}
