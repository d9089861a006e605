import { Injectable } from '@nestjs/common';
import { gatherAlike } from '../../platform/alike.js';
import { gatherById } from '../../platform/gather.js';
import type { GameRow, PlyRow } from './game.row.js';
import { LogStore, type PliesOf, type PlyRange } from './log.store.js';

/** What was done in games: what is asked for in the same moment is read by one statement, however many games. */
@Injectable()
export class GameLog {
  /** All plies that were ever played. */
  readonly count = gatherById(
    (ids) => this.store.counts(ids),
    () => 0,
  );
  /** In order. */
  readonly events = gatherById(
    (ids) => this.store.events(ids),
    () => [],
  );
  private readonly gathered = gatherAlike((asked: readonly (PliesOf & PlyRange)[], extent) =>
    this.store.plies(asked, extent),
  );

  constructor(private readonly store: LogStore) {}

  /** The plies that stand, or all that were ever played. */
  plies(
    { id, takebacks }: Pick<GameRow, 'id' | 'takebacks'>,
    all: boolean,
    range: PlyRange,
  ): Promise<readonly PlyRow[]> {
    return this.gathered({ ...range, gameId: id, takebacks: all ? [] : takebacks });
  }

  /** The ply that stands with this number, and the conditional moves that have answered it. */
  async madeWith(
    row: Pick<GameRow, 'id' | 'takebacks' | 'version'>,
    ply: number,
  ): Promise<readonly PlyRow[]> {
    return this.plies(row, false, {
      ...(await this.store.act(row.id, ply)),
      limit: row.version,
      fromEnd: false,
    });
  }
}
