import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { Cursors } from '../../platform/contract/cursors.js';
import { pageOf, type PageRequest, MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { listPageBothWays } from '../../platform/contract/paginated.js';
import type * as model from './messages.model.js';
import { MessagesService } from './messages.service.js';
import type { MessageRow } from './messages.store.js';
import { NotesService } from './notes.service.js';

/** Converts rows for both transports. */
@Injectable()
export class MessagesView {
  constructor(
    private readonly messages: MessagesService,
    private readonly seats: NotesService,
    private readonly cursors: Cursors,
  ) {}

  message({ id, player, text, createdAt }: MessageRow): model.Message {
    return { id, player, text, createdAt };
  }

  /** A page of the messages of a game in REST, for one of its players. Throws NOT_FOUND, NOT_YOUR_GAME. */
  async own(viewer: Principal, gameId: string, page: PageRequest): Promise<model.MessagePage> {
    const { row, player } = await this.seats.own(viewer, gameId);
    const [list, messagesAllowed] = await Promise.all([
      this.page(row.id, page),
      this.messages.allowed(row, player),
    ]);
    return { ...listPageBothWays(list), messagesAllowed };
  }

  /** A page of the messages of the games of an application that acts as itself, or of one of these. */
  ofApplication(
    { userId: applicationId }: Principal,
    gameId: string | null,
    page: PageRequest,
  ): Promise<model.OwnMessageConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<string>('ownMessages', `${applicationId} ${gameId}`),
      size: MAX_PAGE_SIZE,
      read: (range) => this.messages.ofApplication(applicationId, gameId, range),
      key: ({ id }) => id,
      node: (row) => ({ gameId: row.gameId, ...this.message(row) }),
    });
  }

  /** The same for a viewer who is known to be a player. */
  page(gameId: string, page: PageRequest): Promise<model.MessageConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<string>('messages', gameId),
      size: MAX_PAGE_SIZE,
      read: (range) => this.messages.ofGame(gameId, range),
      key: ({ id }) => id,
      node: (row) => this.message(row),
    });
  }
}
