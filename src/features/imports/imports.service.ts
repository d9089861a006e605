import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Quotas } from '../../platform/limits/quotas.js';
import type { Principal } from '../auth/principal.js';
import { Sessions } from '../auth/sessions.js';
import type { Config } from '../../config.js';
import { fieldsOf, formatOf } from '../../engine/formats.js';
import { EngineService } from '../../engine/engine.service.js';
import type { FormatId } from '../../formats/formats.js';
import type { ReadGame, ScorePly } from '../../formats/score.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { Place } from '../../platform/contract/cursors.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import type { TextFile } from '../../platform/http/files.js';
import type { Party } from '../../platform/limits/rotation.js';
import { batch, batchById } from '../../platform/gathering/batch.js';
import { Idempotency, keyedAct, type KeyedAct } from '../../platform/idempotency/idempotency.js';
import { Time } from '../../platform/process/time.js';
import { UsersService } from '../users/users.service.js';
import type { ImportRow, Stretch, WholeImportRow } from './import.row.js';
import { ImportQueue } from './import-queue.js';
import { ImportsStore } from './imports.store.js';
import { readGames } from './reading.js';
import { RESULT_TOKENS, type ImportResult } from './results.js';

export interface ImportRequest {
  readonly text: string;
  /** Detected from the text if absent. */
  readonly format?: FormatId | null | undefined;
  readonly ruleset?: string | null | undefined;
  /** The result of games whose text does not state one. */
  readonly result?: ImportResult | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Games played elsewhere, kept apart from the games played here. */
@Injectable()
export class ImportsService {
  /** An imported game, or null; concurrent calls are batched into one statement. */
  readonly found = batchById<ImportRow | null>(
    async (ids) => new Map((await this.store.byIds(ids)).map((row) => [row.id, row])),
    () => null,
  );
  private readonly lines = batch((asked: readonly Stretch[]) => this.store.plies(asked));

  constructor(
    private readonly store: ImportsStore,
    private readonly queue: ImportQueue,
    private readonly engine: EngineService,
    private readonly users: UsersService,
    private readonly sessions: Sessions,
    private readonly idempotency: Idempotency,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Imports all games of a text, or none, and returns them in its order. Throws INVALID_GAME_TEXT, INVALID_RULESET,
   * BAD_INPUT, LIMIT_REACHED, RATE_LIMITED, OVERLOADED, ACCOUNT_CLOSED.
   */
  async import(
    viewer: Principal,
    client: Party,
    { idempotencyKey, ...request }: ImportRequest,
    quotas: Quotas,
  ): Promise<readonly ImportRow[]> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'importGames', request);
    const make = async () => {
      const asked = this.asked(request);
      const most = { games: this.config.maxGamesPerImport, plies: this.config.maxPliesPerImport };
      const games = await this.queue.run(client, quotas, () => readGames(request.text, asked, most));
      const rows = rowsOf(viewer, games, this.time.now());
      const isFirst = await this.store.transaction((tx) => this.insert(tx, viewer, rows, act));
      return isFirst ? rows : null;
    };
    return (await this.idempotency.once<readonly ImportRow[]>(act, make, (id) => this.store.ofImport(id)))!;
  }

  /** Throws NOT_FOUND. */
  async one(id: string): Promise<ImportRow> {
    return orThrow(
      await this.found(id),
      () => new DomainError('NOT_FOUND', `No imported game has the id ${id}.`, { field: 'id' }),
    );
  }

  /** The viewer's own, newest first. */
  mine({ userId }: Principal, after: Place | null, limit: number): Promise<readonly ImportRow[]> {
    return this.store.ofUser(userId, after, limit);
  }

  /** The plies behind ply `after` up to ply `until`; concurrent calls are batched into one statement. */
  plies({ id, plyCount }: ImportRow, after = 0, until = plyCount): Promise<readonly ScorePly[]> {
    return this.lines({ id, after, until });
  }

  /** Deletes a game and returns its id. Throws NOT_FOUND, FORBIDDEN. */
  async delete({ userId }: Principal, id: string): Promise<string> {
    const row = await this.one(id);
    if (row.userId !== userId) {
      throw new DomainError('FORBIDDEN', 'You did not import this game, so you cannot delete it.');
    }
    await this.store.delete(id);
    return id;
  }

  /** The game as text, marked as imported. Throws BAD_INPUT. */
  async export(
    row: ImportRow,
    asked: { readonly format?: string | null | undefined; readonly fields?: string | null | undefined },
  ): Promise<TextFile<string>> {
    const { ruleset } = row.score;
    const format = formatOf(ruleset, asked.format ?? null);
    const keeps = fieldsOf(format, asked.fields);
    const importedAt = `${row.importedAt.toISOString().slice(0, 19)}Z`;
    const { facts = null, ...score } = row.score;
    const plies = await this.plies(row);
    return {
      content: format.write({ ...score, importedAt, facts, plies }, keeps),
      mediaType: format.mediaType,
      fileName: `${ruleset}-${row.id}.${format.extension}`,
    };
  }

  private asked({ format, ruleset, result }: Omit<ImportRequest, 'text'>) {
    if (ruleset != null) formatOf(this.engine.ruleset(ruleset).id, format ?? null);
    return {
      format: format ?? undefined,
      ruleset: ruleset ?? undefined,
      result: result == null ? undefined : RESULT_TOKENS[result],
    };
  }

  /** Returns false if the request with this idempotency key was already carried out. */
  private async insert(
    tx: Transaction,
    viewer: Principal,
    rows: readonly WholeImportRow[],
    act: KeyedAct | null,
  ): Promise<boolean> {
    const { id, importedAt } = rows[0]!;
    if (!(await this.idempotency.claim(tx, act, id, importedAt))) return false;
    const { userId } = viewer;
    await this.users.hold(tx, [userId]);
    // Reading may have waited and lasted.
    await this.sessions.assertOpenIn(tx, viewer);
    const [before, most] = [await this.store.count(tx, userId), this.config.maxImportedGames];
    if (before + rows.length > most) {
      const message = `You have ${before} imported games; ${rows.length} more would exceed the limit of ${most}. Delete some first.`;
      throw new DomainError('LIMIT_REACHED', message, { limit: most });
    }
    await this.store.insert(tx, rows);
    return true;
  }
}

/** The rows of the games; their ids ascend in the order of the text. */
function rowsOf(
  { userId }: Principal,
  games: readonly ReadGame[],
  importedAt: Date,
): readonly WholeImportRow[] {
  const ids = games.map(() => uuid());
  return games.map(({ score: { plies, importedAt: _before, ...score }, position }, at) => ({
    ...{ id: ids[at]!, userId, importId: ids[0]!, score, plies, plyCount: plies.length },
    ...{ position, importedAt },
  }));
}
