import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { Cursors } from '../../platform/cursors.js';
import { forwardPage, pageSize, type PageRequest } from '../../platform/page.js';
import { UsersService } from '../users/users.service.js';
import { isChallenge, type InboxEntry, type InboxKey } from './inbox.entry.js';
import type { InboxConnection, InboxItem } from './inbox.model.js';
import { InboxService } from './inbox.service.js';

const ON_A_PAGE = 20;

/** From what waits to what leaves: the same for both transports. */
@Injectable()
export class InboxView {
  constructor(
    private readonly inbox: InboxService,
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

  private async item(entry: InboxEntry): Promise<InboxItem> {
    const { id, kind, at, fromId, expiresAt, ply } = entry;
    const from = await this.users.one(fromId);
    const [gameId, challengeId] = isChallenge(entry) ? [null, id] : [id, null];
    return { kind, at, gameId, challengeId, from, expiresAt, ply };
  }
}
