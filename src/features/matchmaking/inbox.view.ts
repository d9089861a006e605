import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import type { Viewer } from '../auth/viewer.js';
import type { Game } from '../games/games.model.js';
import { GamesView } from '../games/games.view.js';
import { Cursors } from '../../platform/cursors.js';
import { forwardPage, pageSize, type PageRequest } from '../../platform/page.js';
import { UsersService } from '../users/users.service.js';
import type { Challenge } from './challenges.model.js';
import { ChallengesView } from './challenges.view.js';
import { isChallenge, type InboxEntry, type InboxKey } from './inbox.entry.js';
import type { InboxConnection, InboxItem } from './inbox.model.js';
import { InboxService } from './inbox.service.js';

const ON_A_PAGE = 20;

/** From what waits to what leaves: the same for both transports. */
@Injectable()
export class InboxView {
  // Without a cache: they gather what is asked for in the same moment, and remember nothing.
  private readonly games = new DataLoader((ids: readonly string[]) => this.inbox.gamesOf(ids), {
    cache: false,
  });
  private readonly challenges = new DataLoader((ids: readonly string[]) => this.inbox.challengesOf(ids), {
    cache: false,
  });

  constructor(
    private readonly inbox: InboxService,
    private readonly gamesView: GamesView,
    private readonly challengesView: ChallengesView,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
  ) {}

  async page(viewer: Viewer, { first, after }: PageRequest): Promise<InboxConnection> {
    const list = this.cursors.of<InboxKey>('inbox', viewer.userId);
    const size = pageSize(first, 'first', ON_A_PAGE);
    const behind = list.read(after, 'after');
    const { entries, count } = await this.inbox.waiting(viewer, behind, size + 1);
    const cursor = ({ at, id, kind }: InboxKey) => list.make({ at, id, kind });
    const shown = await Promise.all(
      entries.map(async (entry) => ({ cursor: cursor(entry), item: await this.item(entry) })),
    );
    const page = forwardPage(
      shown,
      size,
      behind !== null,
      (row) => row.cursor,
      (row) => row.item,
    );
    return { ...page, totalCount: count };
  }

  async game(id: string): Promise<Game> {
    return this.gamesView.game(await this.games.load(id));
  }

  async challenge(id: string, viewer: Viewer | null): Promise<Challenge> {
    return this.challengesView.challenge(await this.challenges.load(id), viewer);
  }

  private async item(entry: InboxEntry): Promise<InboxItem> {
    const { id, kind, at, fromId, expiresAt, ply } = entry;
    const from = await this.users.one(fromId);
    const [gameId, challengeId] = isChallenge(entry) ? [null, id] : [id, null];
    return { kind, at, gameId, challengeId, from, expiresAt, ply };
  }
}
