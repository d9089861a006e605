import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { BlocksService } from '../blocks/blocks.service.js';
import { EngineService } from '../../engine/engine.service.js';
import { DomainError } from '../../platform/errors.js';
import { Time } from '../../platform/time.js';
import { statusAt, type ChallengeRow } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { LobbyStore, type LobbyKey, type Wanted } from './lobby.store.js';

export type GivenFilter = { readonly [Name in keyof Wanted]?: Wanted[Name] | null | undefined };

/** What is wanted there, and by whom. */
@Injectable()
export class Lobby {
  constructor(
    private readonly store: LobbyStore,
    private readonly challenges: ChallengesStore,
    private readonly blocks: BlocksService,
    private readonly engine: EngineService,
    private readonly time: Time,
  ) {}

  /** The filter, complete. Throws INVALID_RULESET, UNAUTHENTICATED. */
  wanted(viewer: Viewer | null, given: GivenFilter): Wanted {
    const { ruleset = null, rated = null, timeControl = null, maxSeconds = null } = given;
    const acceptable = given.acceptable ?? false;
    if (acceptable && viewer === null) {
      throw new DomainError('UNAUTHENTICATED', 'Sign in to be shown what fits you.');
    }
    const known = ruleset === null ? null : this.engine.ruleset(ruleset).id;
    return { ruleset: known, rated, timeControl, maxSeconds, acceptable };
  }

  /** Open seeks that this viewer may see, newest first; where the walk stopped before it had found enough. */
  async page(
    viewer: Viewer | null,
    wanted: Wanted,
    after: LobbyKey | null,
    limit: number,
  ): Promise<{ readonly rows: readonly ChallengeRow[]; readonly stoppedAt: LobbyKey | null }> {
    const userId = viewer?.userId ?? null;
    const { keys, stoppedAt } = await this.store.page(userId, wanted, this.time.now(), after, limit);
    return { rows: await this.challenges.byIds(keys.map(({ id }) => id)), stoppedAt };
  }

  /** Seeks that exist, in the order of their ids here; null for those that are not open, or not any more. */
  async seeks(ids: readonly string[]): Promise<readonly (ChallengeRow | null)[]> {
    const rows = await this.challenges.byIds(ids);
    const now = this.time.now();
    return rows.map((row) => (statusAt(row, now) === 'open' ? row : null));
  }

  /** May this viewer see what that user seeks? */
  async maySee(viewer: Viewer | null, creatorId: string): Promise<boolean> {
    return viewer === null || !(await this.blocks.areApart(viewer.userId, creatorId));
  }
}
