import { Injectable } from '@nestjs/common';
import { SigningService } from '../../engine/signing.service.js';
import { tagOf } from '../../platform/http/etag.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Time } from '../../platform/process/time.js';
import type { Principal } from '../auth/principal.js';
import type { AnyPlayer } from '../users/users.model.js';
import { runningClocks } from './clocks.view.js';
import { markOf } from './if-match.js';
import { openByTime } from './viewer.service.js';
import { planOf, seatOf, storedRow, type Seated, type ShownGame } from './game.row.js';

/** ETags of answers about a game, computed without building the answers. */
@Injectable()
export class GameTags {
  constructor(
    private readonly signing: SigningService,
    private readonly time: Time,
    private readonly address: OwnAddress,
  ) {}

  /**
   * The tag of the game as this viewer sees it, without the seconds left on a running clock, which change all the time.
   * It must not depend on the opponent's conditional moves.
   */
  ofDocument(row: ShownGame, users: Seated<AnyPlayer>, viewer: Principal | null): string {
    const now = this.time.now();
    const seat = seatOf(row, viewer);
    // The allowed acts also change with time.
    const own = seat && { seat, plan: planOf(row, seat), acts: openByTime(row, seat, now) };
    const keys = this.signing.verifierKeys('receipts');
    return tagOf([...this.seenByAll(row, users), own, runningClocks(row, now), keys], markOf(row));
  }

  /** The tag of the game as text in this form. */
  ofText(row: ShownGame, users: Seated<AnyPlayer>, form: unknown): string {
    return tagOf([...this.seenByAll(row, users), form], markOf(row));
  }

  /** What everybody can see: the stored state, what the clock has done since, and the players. */
  private seenByAll(row: ShownGame, players: Seated<AnyPlayer>): readonly unknown[] {
    const { version, headHash } = storedRow(row);
    const { id, status, unrated, lastActivityAt } = row;
    return [id, row.version, version, headHash, status, unrated, lastActivityAt, players, this.address.url()];
  }
}
