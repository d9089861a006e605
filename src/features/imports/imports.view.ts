import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { EngineService } from '../../engine/engine.service.js';
import { timeControlOf } from '../games/clocks.view.js';
import { Cursors, type Place } from '../../platform/cursors.js';
import { forwardPage, pageSize, rangePage, rangeSize, type PageRequest } from '../../platform/page.js';
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

const GAMES_ON_A_PAGE = 20;
const PLIES_ON_A_PAGE = 100;

/** From rows to what leaves: the same for both transports. */
@Injectable()
export class ImportsView {
  constructor(
    private readonly imports: ImportsService,
    private readonly engine: EngineService,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
  ) {}

  game(row: ImportRow): ImportedGame {
    const { id, timeControl, startedAt, endedAt, outcome, ...score } = row.score;
    return {
      ...score,
      id: row.id,
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
    return this.users.one(userId);
  }

  /** A whole game but its plies, as REST shows it. */
  async document(row: ImportRow): Promise<ImportedGameDocument> {
    const { row: _, ...game } = this.game(row);
    return { ...game, importedBy: await this.importedBy(row) };
  }

  documents(rows: readonly ImportRow[]): Promise<ImportedGameDocument[]> {
    return Promise.all(rows.map((row) => this.document(row)));
  }

  /** The viewer's own, newest first. */
  async mine(viewer: Viewer, { first, after }: PageRequest): Promise<ImportedGameConnection> {
    const list = this.cursors.of<Place>('imports', viewer.userId);
    const size = pageSize(first, 'first', GAMES_ON_A_PAGE);
    const behind = list.read(after, 'after');
    const rows = await this.imports.mine(viewer, behind, size + 1);
    const cursor = ({ importedAt, id }: ImportRow) => list.make({ at: importedAt, id });
    return forwardPage(rows, size, behind !== null, cursor, (row) => this.game(row));
  }

  /** A page of the plies of a game, from either end. */
  async plies(row: ImportRow, page: PageRequest): Promise<ImportedPlyConnection> {
    const { size, fromEnd } = rangeSize(page, PLIES_ON_A_PAGE);
    const list = this.cursors.of<number>('imported plies', row.id);
    const after = list.read(page.after, 'after') ?? 0;
    const before = list.read(page.before, 'before') ?? row.plyCount + 1;
    const last = fromEnd ? before - 1 : Math.min(before - 1, after + size + 1);
    const first = fromEnd ? Math.max(after, last - size - 1) : after;
    const plies = await this.imports.plies(row, first, last);
    const rows = plies.map((ply, i): ImportedPly => ({ ply: first + i + 1, ...ply }));
    const cursor = ({ ply }: ImportedPly) => list.make(ply);
    return {
      ...rangePage(rows, page, PLIES_ON_A_PAGE, cursor, (ply) => ply),
      totalCount: row.plyCount,
    };
  }
}

const dateOf = (moment: string | null): Date | null => (moment === null ? null : new Date(moment));
