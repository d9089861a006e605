import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { listPage, Paginated } from '../../platform/contract/paginated.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { MarkNotificationsReadInput, NotificationsArgs, UNREAD } from './notifications.inputs.js';
import { NOTIFICATION_ID, NotificationPage } from './notifications.model.js';
import { NotificationsService } from './notifications.service.js';
import { MARK_NOTIFICATIONS_READ } from './notifications.verbs.js';

const EXAMPLES = {
  named: { value: { ids: [NOTIFICATION_ID] } },
  game: { value: { gameId: NOTIFICATION_ID.slice(0, 36) } },
  before: { value: { before: '2026-01-31T12:00:00.000Z' } },
};

@ApiTags('notifications')
@Controller('v1/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Needs('notifications')
  @Get()
  @ApiOperation({ operationId: 'notifications', summary: 'Your notifications, newest first.' })
  @ApiQuery({ name: 'unread', type: Boolean, required: false, description: UNREAD })
  @Paginated(NotificationPage)
  async page(
    @SignedIn() viewer: Principal,
    @Query() { unread, ...page }: NotificationsArgs,
  ): Promise<NotificationPage> {
    return listPage(await this.notifications.page(viewer, unread === true, page));
  }

  @Post('read')
  @RouteOf(MARK_NOTIFICATIONS_READ)
  @ApiBody({ type: MarkNotificationsReadInput, examples: EXAMPLES })
  async markRead(
    @SignedIn() viewer: Principal,
    @Body() which: MarkNotificationsReadInput,
  ): Promise<RestPayloadOf<typeof MARK_NOTIFICATIONS_READ>> {
    return { marked: await this.notifications.markRead(viewer, which) };
  }
}
