import { Injectable } from '@nestjs/common';
import { batchGroups } from '../../platform/gathering/batch-groups.js';
import { batchById } from '../../platform/gathering/batch.js';
import type { GameRow, PlyRow } from './game.row.js';
import { GameLogStore, type PliesOf, type PlyRange } from './game-log.store.js';

/** Reads the logs of games; concurrent calls are batched into one statement. */
@Injectable()
export class GameLog {
  /** The number of plies, including those taken back. */
  readonly count = batchById(
    (ids) => this.store.counts(ids),
    () => 0,
  );
  readonly events = batchById(
    (ids) => this.store.events(ids),
    () => [],
  );
  private readonly gathered = batchGroups((asked: readonly (PliesOf & PlyRange)[], extent) =>
    this.store.plies(asked, extent),
  );

  constructor(private readonly store: GameLogStore) {}

  /** The plies without those taken back, or all of them. */
  plies(
    { id, takebacks }: Pick<GameRow, 'id' | 'takebacks'>,
    all: boolean,
    range: PlyRange,
  ): Promise<readonly PlyRow[]> {
    return this.gathered({ ...range, gameId: id, takebacks: all ? [] : takebacks });
  }

  /** The ply with this number that was not taken back, and the conditional moves that answered it. */
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
