import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import type { Viewer } from '../auth/viewer.js';
import { Cursors } from '../../platform/cursors.js';
import { forwardPage, pageSize, type PageRequest } from '../../platform/page.js';
import type { SeekAnnouncement } from '../../platform/pubsub.js';
import type { Challenge, ChallengeConnection } from './challenges.model.js';
import { ChallengesView } from './challenges.view.js';
import { Lobby, type GivenFilter } from './lobby.js';
import type { LobbyKey } from './lobby.store.js';
import type { LobbyChange } from './seeks.model.js';

const ON_A_PAGE = 20;

/** From rows to what leaves: the same for both transports. */
@Injectable()
export class LobbyView {
  // Without a cache: it gathers what all who listen ask for in the same moment, and remembers nothing.
  private readonly shown = new DataLoader((ids: readonly string[]) => this.seeks(ids), { cache: false });

  constructor(
    private readonly lobby: Lobby,
    private readonly challenges: ChallengesView,
    private readonly cursors: Cursors,
  ) {}

  async page(
    viewer: Viewer | null,
    filter: GivenFilter,
    { first, after }: PageRequest,
  ): Promise<ChallengeConnection> {
    const wanted = this.lobby.wanted(viewer, filter);
    const list = this.cursors.of<LobbyKey>('lobby', wanted);
    const size = pageSize(first, 'first', ON_A_PAGE);
    const behind = list.read(after, 'after');
    const { rows, stoppedAt } = await this.lobby.page(viewer, wanted, behind, size + 1);
    const cursor = ({ createdAt, id }: LobbyKey) => list.make({ createdAt, id });
    const shown = await Promise.all(rows.map((row) => this.challenges.challenge(row, viewer)));
    const page = forwardPage(shown, size, behind !== null, cursor, (row) => row);
    // Where the walk stopped early there may be more behind it, whatever the page holds.
    return stoppedAt === null
      ? page
      : { ...page, pageInfo: { ...page.pageInfo, hasNextPage: true, endCursor: cursor(stoppedAt) } };
  }

  /** A seek that came or went, as it stands in the lobby of this viewer. */
  async change({ id }: SeekAnnouncement, viewer: Viewer | null): Promise<LobbyChange> {
    const seek = id === null ? null : await this.shown.load(id);
    const isSeen = seek !== null && (await this.lobby.maySee(viewer, seek.creator.id));
    return { id, seek: isSeen ? seek : null };
  }

  /** As everybody sees them: of a seek nothing is for its maker alone. */
  private async seeks(ids: readonly string[]): Promise<(Challenge | null)[]> {
    const unique = [...new Set(ids)];
    const rows = await this.lobby.seeks(unique);
    const seeks = await Promise.all(rows.map(async (row) => row && this.challenges.challenge(row, null)));
    return ids.map((id) => seeks[unique.indexOf(id)] ?? null);
  }
}
