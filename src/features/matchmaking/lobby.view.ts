import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { BlocksService } from '../blocks/blocks.service.js';
import { EngineService } from '../../engine/engine.service.js';
import { Cursors } from '../../platform/contract/cursors.js';
import { DomainError } from '../../platform/errors/errors.js';
import { batchById } from '../../platform/gathering/batch.js';
import { connect, rangeOf, type PageRequest, DEFAULT_PAGE_SIZE } from '../../platform/contract/page.js';
import type { SeekAnnouncement } from '../../platform/events/pubsub.js';
import { Time } from '../../platform/process/time.js';
import { statusAt } from './challenge.row.js';
import type { Challenge, ChallengeConnection } from './challenges.model.js';
import { ChallengesStore } from './challenges.store.js';
import { ChallengesView } from './challenges.view.js';
import { LobbyStore, type LobbyKey, type LobbyCriteria } from './lobby.store.js';
import type { LobbyChange } from './seeks.model.js';

export type GivenFilter = { readonly [Name in keyof LobbyCriteria]?: LobbyCriteria[Name] | null | undefined };

/** Builds the lobby as each viewer sees it, for both transports. */
@Injectable()
export class LobbyView {
  private readonly shown = batchById<Challenge | null>(
    (ids) => this.seeks(ids),
    () => null,
  );

  constructor(
    private readonly store: LobbyStore,
    private readonly challenges: ChallengesStore,
    private readonly view: ChallengesView,
    private readonly blocks: BlocksService,
    private readonly engine: EngineService,
    private readonly cursors: Cursors,
    private readonly time: Time,
  ) {}

  /** Newest first. Throws INVALID_RULESET, UNAUTHENTICATED. */
  async page(viewer: Principal | null, filter: GivenFilter, page: PageRequest): Promise<ChallengeConnection> {
    const criteria = this.criteria(viewer, filter);
    const list = this.cursors.of<LobbyKey>('lobby', criteria);
    const range = rangeOf(page, list, DEFAULT_PAGE_SIZE);
    const found = await this.store.page(viewer, criteria, this.time.now(), range.after ?? null, range.limit);
    const rows = await this.challenges.byIds(found.keys.map(({ id }) => id));
    const cursor = ({ createdAt, id }: LobbyKey) => list.make({ createdAt, id });
    const seeks = await connect(rows, range, cursor, (row) => this.view.challenge(row, viewer));
    // If the scan stopped early there may be more behind it, even if the page is short.
    const { stoppedAt } = found;
    if (stoppedAt === null) return seeks;
    const { hasPreviousPage, startCursor } = seeks.pageInfo;
    return {
      ...seeks,
      pageInfo: { hasNextPage: true, hasPreviousPage, startCursor, endCursor: cursor(stoppedAt) },
    };
  }

  /** A seek that entered or left the lobby, as this viewer sees it. */
  async change({ id }: SeekAnnouncement, viewer: Principal | null): Promise<LobbyChange> {
    const seek = id === null ? null : await this.shown(id);
    const isApart =
      seek !== null && viewer !== null && (await this.blocks.areApart(viewer.userId, seek.creator.id));
    return { id, seek: isApart ? null : seek };
  }

  /** The filter with its defaults. */
  private criteria(viewer: Principal | null, given: GivenFilter): LobbyCriteria {
    const { ruleset = null, rated = null, timeControl = null, maxSeconds = null } = given;
    const acceptable = given.acceptable ?? false;
    if (acceptable && viewer === null) {
      throw new DomainError(
        'UNAUTHENTICATED',
        'acceptable requires an access token with the scope challenges:read. Log in, or leave it out.',
        { field: 'acceptable' },
      );
    }
    return {
      ruleset: ruleset === null ? null : this.engine.ruleset(ruleset).id,
      rated,
      timeControl,
      maxSeconds,
      acceptable,
    };
  }

  /** Those that are still open. A seek shows its creator nothing more than others, so no viewer is needed. */
  private async seeks(ids: readonly string[]): Promise<ReadonlyMap<string, Challenge>> {
    const rows = await this.challenges.byIds(ids);
    const open = rows.filter((row) => statusAt(row, this.time.now()) === 'open');
    const seeks = await Promise.all(open.map((row) => this.view.challenge(row, null)));
    return new Map(seeks.map((seek) => [seek.id, seek]));
  }
}
