import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { Cursors } from '../../platform/cursors.js';
import { pageOf, type PageRequest } from '../../platform/page.js';
import { seatOf, type GameRow } from '../games/game.row.js';
import type * as model from './messages.model.js';
import { MessagesService } from './messages.service.js';
import type { MessageRow } from './messages.store.js';
import { NotesService } from './notes.service.js';

const ON_A_PAGE = 100;

/** From rows to what leaves: the same for both transports. */
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

  /** A page of the messages of a game that was read already; null for all but its players. */
  async ofGame(
    row: GameRow,
    viewer: Viewer | null,
    page: PageRequest,
  ): Promise<model.MessageConnection | null> {
    return seatOf(row, viewer) === null ? null : this.page(row.id, page);
  }

  /** The same for a player; throws NOT_FOUND, NOT_YOUR_GAME. */
  async own(viewer: Viewer, gameId: string, page: PageRequest): Promise<model.MessageConnection> {
    const { row } = await this.seats.own(viewer, gameId);
    return this.page(row.id, page);
  }

  private page(gameId: string, page: PageRequest): Promise<model.MessageConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<string>('messages', gameId),
      size: ON_A_PAGE,
      read: (range) => this.messages.ofGame(gameId, range),
      key: ({ id }) => id,
      node: (row) => this.message(row),
    });
  }
}
