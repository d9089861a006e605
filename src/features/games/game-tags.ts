import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { SigningService } from '../../engine/signing.service.js';
import { CONFIG } from '../../platform/config.module.js';
import { tagOf } from '../../platform/etag.js';
import { Time } from '../../platform/time.js';
import type { Principal } from '../auth/principal.js';
import { UsersService } from '../users/users.service.js';
import { timesOf } from './clocks.view.js';
import { ViewerService } from './viewer.service.js';
import { planOf, seatOf, storedRow, type ShownGame } from './game.row.js';

/** ETags of answers about a game, computed without building the answers. */
@Injectable()
export class GameTags {
  constructor(
    private readonly users: UsersService,
    private readonly viewers: ViewerService,
    private readonly signing: SigningService,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The tag of the game as this viewer sees it, without the seconds left on a running clock, which change all the time.
   * It must not depend on the opponent's conditional moves.
   */
  async ofDocument(row: ShownGame, viewer: Principal | null): Promise<string> {
    const { first, second } = timesOf(row, this.time.now()).clocks;
    const seat = seatOf(row, viewer);
    // The allowed acts also change with time.
    const own = seat && { seat, plan: planOf(row, seat), acts: await this.viewers.acts(row, seat) };
    const keys = this.signing.verifierKeys('receipts');
    return tagOf([...(await this.seenByAll(row)), own, first.running, second.running, keys], row.version);
  }

  /** The tag of the game as text in this form. */
  async ofText(row: ShownGame, form: unknown): Promise<string> {
    return tagOf([...(await this.seenByAll(row)), form], row.version);
  }

  /** What everybody can see: the stored state, what the clock has done since, and the players. */
  private async seenByAll(row: ShownGame): Promise<readonly unknown[]> {
    const { version, headHash } = storedRow(row);
    const players = await Promise.all([this.users.one(row.firstId), this.users.one(row.secondId)]);
    const { id, status, unrated, lastActivityAt } = row;
    return [
      id,
      row.version,
      version,
      headHash,
      status,
      unrated,
      lastActivityAt,
      players,
      this.config.publicUrl,
    ];
  }
}
