import { Injectable } from '@nestjs/common';
import { readAlike } from '../../platform/alike.js';
import { gather, gatherById } from '../../platform/gather.js';
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
  private readonly gathered = gather((asked: readonly Asked[]) => this.pliesOf(asked));

  constructor(private readonly store: LogStore) {}

  /** The plies that stand, or all that were ever played. */
  plies(
    { id, takebacks }: Pick<GameRow, 'id' | 'takebacks'>,
    all: boolean,
    range: PlyRange,
  ): Promise<readonly PlyRow[]> {
    return this.gathered({ ...range, gameId: id, takebacks: all ? [] : takebacks });
  }

  /** One statement for all that ask for as many from the same end. */
  private pliesOf(asked: readonly Asked[]): Promise<readonly (readonly PlyRow[])[]> {
    const kindOf = ({ limit, fromEnd }: Asked) => `${limit} ${fromEnd}`;
    return readAlike(asked, kindOf, (alike) => this.store.plies(alike, alike[0]!));
  }
}

type Asked = PliesOf & PlyRange;
