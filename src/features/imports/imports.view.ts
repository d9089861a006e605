import { Injectable } from '@nestjs/common';
import { squaresOfMove } from '../../rules/board.js';
import type { Principal } from '../auth/principal.js';
import { EngineService } from '../../engine/engine.service.js';
import { timeControlOf } from '../games/clocks.view.js';
import { Cursors, type Place } from '../../platform/contract/cursors.js';
import {
  pageOf,
  type PageRequest,
  type Range,
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
} from '../../platform/contract/page.js';
import { named } from '../rulesets/named.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import type { ImportRow } from './import.row.js';
import type {
  ImportedGame,
  ImportedGameConnection,
  ImportedGameDocument,
  ImportedPly,
  ImportedPlyConnection,
} from './imports.model.js';
import { ImportsService } from './imports.service.js';

/** Builds the responses about imported games, for both transports. */
@Injectable()
export class ImportsView {
  constructor(
    private readonly imports: ImportsService,
    private readonly engine: EngineService,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
  ) {}

  game(row: ImportRow): ImportedGame {
    const { id, ruleset, timeControl, startedAt, endedAt, outcome, facts: _, ...score } = row.score;
    return {
      ...score,
      id: row.id,
      ruleset: named(ruleset),
      imported: true,
      importedAt: row.importedAt,
      setupNumber: this.engine.setupNumber(row.score),
      rated: false,
      status: outcome!.reason === 'aborted' ? 'aborted' : 'finished',
      outcome: outcome!,
      originalId: id,
      timeControl: timeControl && timeControlOf(timeControl),
      startedAt: dateOf(startedAt),
      endedAt: dateOf(endedAt),
      plyCount: row.plyCount,
      position: row.position,
      row,
    };
  }

  importedBy({ userId }: ImportRow): Promise<User> {
    return this.users.person(userId);
  }

  /** A game without its plies, as REST shows it. */
  async document(row: ImportRow): Promise<ImportedGameDocument> {
    const { row: _, ...game } = this.game(row);
    return { ...game, importedBy: await this.importedBy(row) };
  }

  documents(rows: readonly ImportRow[]): Promise<ImportedGameDocument[]> {
    return Promise.all(rows.map((row) => this.document(row)));
  }

  /** The viewer's imported games, newest first. */
  mine(viewer: Principal, page: PageRequest): Promise<ImportedGameConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<Place>('imports', viewer.userId),
      size: DEFAULT_PAGE_SIZE,
      read: ({ after = null, limit }) => this.imports.mine(viewer, after, limit),
      key: ({ importedAt, id }: ImportRow) => ({ at: importedAt, id }),
      node: (row) => this.game(row),
    });
  }

  /** A page of the plies of a game, from either end. */
  async plies(row: ImportRow, page: PageRequest): Promise<ImportedPlyConnection> {
    const plies = await pageOf(page, {
      cursors: this.cursors.of<number>('imported plies', row.id),
      size: MAX_PAGE_SIZE,
      read: (range) => this.stretch(row, range),
      key: ({ ply }) => ply,
      node: (ply) => ply,
    });
    return { ...plies, totalCount: row.plyCount };
  }

  /** The plies of a game, or a range of them, without their numbers. */
  async played(row: ImportRow, after?: number, until?: number): Promise<readonly Omit<ImportedPly, 'ply'>[]> {
    const plies = await this.imports.plies(row, after, until);
    return plies.map((ply) => ({ ...ply, ...squaresOfMove(ply.move) }));
  }

  private async stretch(
    row: ImportRow,
    { after = 0, before = row.plyCount + 1, limit, fromEnd }: Range<number>,
  ): Promise<readonly ImportedPly[]> {
    const last = fromEnd ? before - 1 : Math.min(before - 1, after + limit);
    const first = fromEnd ? Math.max(after, last - limit) : after;
    const plies = await this.played(row, first, last);
    return plies.map((ply, i) => ({ ply: first + i + 1, ...ply }));
  }
}

const dateOf = (moment: string | null): Date | null => (moment === null ? null : new Date(moment));
