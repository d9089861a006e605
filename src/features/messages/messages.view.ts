import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../../platform/errors.js';
import {
  isUuid,
  makeCursor,
  rangePage,
  rangeSize,
  readCursor,
  type PageRequest,
} from '../../platform/page.js';
import { playerOf, type GameRow } from '../games/game.row.js';
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
    const mayRead = viewer !== null && playerOf(row, viewer.userId) !== null;
    return mayRead ? this.page(row.id, page) : null;
  }

  /** The same for a player; throws NOT_FOUND, NOT_YOUR_GAME. */
  async own(viewer: Viewer, gameId: string, page: PageRequest): Promise<model.MessageConnection> {
    const { row } = await this.seats.own(viewer, gameId);
    return this.page(row.id, page);
  }

  private async page(gameId: string, page: PageRequest): Promise<model.MessageConnection> {
    const { size, fromEnd } = rangeSize(page, ON_A_PAGE);
    const after = idOf(gameId, page.after, 'after');
    const before = idOf(gameId, page.before, 'before');
    const rows = await this.messages.ofGame(gameId, { after, before, limit: size + 1, fromEnd });
    const cursor = ({ id }: MessageRow) => makeCursor(listOf(gameId), [id]);
    return rangePage(rows, page, ON_A_PAGE, cursor, (row) => this.message(row));
  }
}

const listOf = (gameId: string): string => `messages ${gameId}`;

function idOf(gameId: string, cursor: string | null | undefined, field: string): string | undefined {
  if (cursor == null) return undefined;
  const [id] = readCursor(listOf(gameId), cursor, field);
  if (isUuid(id)) return id;
  throw new DomainError('INVALID_CURSOR', 'This is no cursor of this list.', { field });
}
