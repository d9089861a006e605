import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { NotaryService } from '../../engine/notary.service.js';
import { CONFIG } from '../../platform/config.module.js';
import { tagOf } from '../../platform/tagged.js';
import { Time } from '../../platform/time.js';
import type { Principal } from '../auth/principal.js';
import { UsersService } from '../users/users.service.js';
import { timesOf } from './clocks.view.js';
import { ViewerService } from './viewer.service.js';
import { planOf, seatOf, storedRow, type ShownGame } from './game.row.js';

/** What the answers about a game are known by, before they are made. */
@Injectable()
export class GameTags {
  constructor(
    private readonly users: UsersService,
    private readonly viewers: ViewerService,
    private readonly notary: NotaryService,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Of the whole game as this viewer sees it, but for the seconds that a running clock has left, which count down by
   * themselves. Nothing of an opponent's plans is in it.
   */
  async ofDocument(row: ShownGame, viewer: Principal | null): Promise<string> {
    const { first, second } = timesOf(row, this.time.now()).clocks;
    const seat = seatOf(row, viewer);
    // What a player may do changes with time, too.
    const own = seat && { seat, plan: planOf(row, seat), acts: await this.viewers.acts(row, seat) };
    const keys = this.notary.verifierKeys('receipts');
    return tagOf([...(await this.seenByAll(row)), own, first.running, second.running, keys], row.version);
  }

  /** Of the game as a text of this form. */
  async ofText(row: ShownGame, form: unknown): Promise<string> {
    return tagOf([...(await this.seenByAll(row)), form], row.version);
  }

  /** What was stored of it, what the clock has done since, and its players. */
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
