import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { readAlike } from '../../platform/alike.js';
import type { EventRow, GameRow, PlyRow } from './game.row.js';
import { LogStore, type PliesOf, type PlyRange } from './log.store.js';

/** What was done in games: what is asked for in the same moment is read by one statement, however many games. */
@Injectable()
export class GameLog {
  // Without caches: they gather, and remember nothing.
  private readonly plyLoader = new DataLoader((asked: readonly Asked[]) => this.pliesOf(asked), {
    cache: false,
  });
  private readonly countLoader = new DataLoader((ids: readonly string[]) => this.countsOf(ids), {
    cache: false,
  });
  private readonly eventLoader = new DataLoader((ids: readonly string[]) => this.eventsOf(ids), {
    cache: false,
  });

  constructor(private readonly store: LogStore) {}

  /** The plies that stand, or all that were ever played. */
  plies(
    { id, takebacks }: Pick<GameRow, 'id' | 'takebacks'>,
    all: boolean,
    range: PlyRange,
  ): Promise<readonly PlyRow[]> {
    return this.plyLoader.load({ ...range, gameId: id, takebacks: all ? [] : takebacks });
  }

  /** All plies that were ever played. */
  count(gameId: string): Promise<number> {
    return this.countLoader.load(gameId);
  }

  /** In order. */
  events(gameId: string): Promise<readonly EventRow[]> {
    return this.eventLoader.load(gameId);
  }

  /** One statement for all that ask for as many from the same end. */
  private pliesOf(asked: readonly Asked[]): Promise<readonly (readonly PlyRow[])[]> {
    const kindOf = ({ limit, fromEnd }: Asked) => `${limit} ${fromEnd}`;
    return readAlike(asked, kindOf, (alike) => this.store.plies(alike, alike[0]!));
  }

  private async countsOf(ids: readonly string[]): Promise<readonly number[]> {
    const counts = await this.store.counts([...new Set(ids)]);
    return ids.map((id) => counts.get(id) ?? 0);
  }

  private async eventsOf(ids: readonly string[]): Promise<readonly (readonly EventRow[])[]> {
    const events = await this.store.events([...new Set(ids)]);
    return ids.map((id) => events.get(id)!);
  }
}

type Asked = PliesOf & PlyRange;
