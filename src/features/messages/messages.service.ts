import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Principal } from '../auth/principal.js';
import { BlocksService } from '../blocks/blocks.service.js';
import type { Config } from '../../config.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { batchById } from '../../platform/gathering/batch.js';
import { batchGroups } from '../../platform/gathering/batch-groups.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import { Idempotency, keyedAct, type KeyedAct } from '../../platform/idempotency/idempotency.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { Rate } from '../../platform/limits/rate.js';
import { Time } from '../../platform/process/time.js';
import { opponent, type Player } from '../../rules/ruleset.js';
import { UsersService } from '../users/users.service.js';
import { userOf, type GameRow } from '../games/game.row.js';
import { MessagesStore, type MessageRange, type MessageRow, type MessagesOf } from './messages.store.js';
import { NotesService } from './notes.service.js';
import { visibleText } from '../../platform/contract/user-text.js';

const MOST_CHARACTERS = 500;

export interface MessageRequest {
  readonly gameId: string;
  readonly text: string;
  readonly idempotencyKey?: string | null | undefined;
}

/** The messages between the two players of a game, during the game and after it. */
@Injectable()
export class MessagesService {
  private readonly loader = batchGroups((asked: readonly (MessagesOf & MessageRange)[], extent) =>
    this.store.ofGames(asked, extent),
  );
  private readonly chat = batchById(
    (ids) => this.store.chats(ids),
    () => false,
  );
  private readonly rate: Rate;

  constructor(
    private readonly store: MessagesStore,
    private readonly seats: NotesService,
    private readonly blocks: BlocksService,
    private readonly users: UsersService,
    private readonly idempotency: Idempotency,
    private readonly notifications: NotificationsService,
    private readonly time: Time,
    @Inject(CONFIG) { messagesPerMinute, messagesPerHour }: Config,
  ) {
    // Counted over all games.
    this.rate = new Rate({ things: 'messages', perMinute: messagesPerMinute, perHour: messagesPerHour });
  }

  /** Throws NOT_FOUND, NOT_YOUR_GAME, BAD_INPUT, FORBIDDEN, BLOCKED, MUTED, RATE_LIMITED. */
  async send(
    viewer: Principal,
    { idempotencyKey, ...request }: MessageRequest,
    quotas: Quotas,
  ): Promise<MessageRow> {
    const text = visibleText(request.text, 'text', MOST_CHARACTERS);
    const { row, player } = await this.seats.own(viewer, request.gameId);
    const act = keyedAct(viewer.userId, idempotencyKey, 'sendMessage', { gameId: row.id, text });
    const make = async () => {
      await this.assertNotMuted(row, player);
      await this.rate.count(viewer.userId, quotas);
      return this.insert(row, { id: uuid(), gameId: row.id, player, text, createdAt: this.time.now() }, act);
    };
    return (await this.idempotency.once(act, make, (id) => this.store.find(id)))!;
  }

  /** Whether send would accept a message of a player now, the limits on how many aside; batched into a statement for each reason. */
  async allowed(row: GameRow, player: Player): Promise<boolean> {
    const [own, other] = [userOf(row, player), userOf(row, opponent(player))];
    const [hasChat, areApart, { muted }, { closed }] = await Promise.all([
      row.applicationId === null || this.chat(row.applicationId),
      this.blocks.areApart(own, other),
      this.seats.seat(row.id, opponent(player)),
      this.users.one(other),
    ]);
    return hasChat && !areApart && !muted && !closed;
  }

  /** The messages of a game, which only its players may see (see NotesService); batched into one statement. */
  ofGame(gameId: string, range: MessageRange): Promise<readonly MessageRow[]> {
    return this.loader({ ...range, gameId });
  }

  /** The messages of the games of an application, or of one of them. */
  ofApplication(
    applicationId: string,
    gameId: string | null,
    range: Pick<MessageRange, 'after' | 'limit'>,
  ): Promise<readonly MessageRow[]> {
    return this.store.ofApplication(applicationId, gameId, range);
  }

  private async assertNotMuted(row: GameRow, player: Player): Promise<void> {
    await this.blocks.assertNotBlocked(userOf(row, player), userOf(row, opponent(player)));
    if (!(await this.seats.seat(row.id, opponent(player))).muted) return;
    throw new DomainError(
      'MUTED',
      'Your opponent has muted you in this game. Wait until they accept messages again.',
    );
  }

  /** Null if a request with this key was already carried out. */
  private insert(row: GameRow, message: MessageRow, act: KeyedAct | null): Promise<MessageRow | null> {
    const { id, player, createdAt: at } = message;
    const isFirst = async (tx: Transaction) => {
      if (!(await this.idempotency.claim(tx, act, id, at))) return false;
      if (row.applicationId !== null && !(await this.store.hasChat(tx, row.applicationId))) {
        throw new DomainError('FORBIDDEN', 'Messages are switched off in games of this application.');
      }
      const userId = userOf(row, opponent(player));
      await this.blocks.lockUnblocked(tx, userOf(row, player), userId);
      await this.notifications.add(tx, [{ userId, gameId: row.id, type: 'message', data: {}, at }]);
      return true;
    };
    return this.store.insert(message, row.applicationId, isFirst);
  }
}
