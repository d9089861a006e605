import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { BlocksModule } from '../blocks/blocks.module.js';
import { GamesModule } from '../games/games.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { UsersModule } from '../users/users.module.js';
import { OwnMessagesController } from './own-messages.controller.js';
import { MessagesController } from './messages.controller.js';
import { MessagesResolver } from './messages.resolver.js';
import { MessagesService } from './messages.service.js';
import { MessagesStore } from './messages.store.js';
import { MessagesView } from './messages.view.js';
import { NotesController } from './notes.controller.js';
import { KeptResolver, NotesResolver } from './notes.resolver.js';
import { NotesService } from './notes.service.js';
import { NotesStore } from './notes.store.js';

@Module({
  imports: [BlocksModule, GamesModule, IdempotencyModule, NotificationsModule, UsersModule],
  controllers: [OwnMessagesController, MessagesController, NotesController],
  providers: [
    MessagesService,
    MessagesView,
    MessagesResolver,
    MessagesStore,
    NotesService,
    KeptResolver,
    NotesResolver,
    NotesStore,
  ],
  exports: [MessagesView, NotesService],
})
export class MessagesModule {}
