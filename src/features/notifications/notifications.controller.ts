import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { MarkReadInput, NotificationsArgs } from './notifications.inputs.js';
import { MarkedNotifications, NOTIFICATION_ID, NotificationConnection } from './notifications.model.js';
import { NotificationsService } from './notifications.service.js';

const EXAMPLES = {
  named: { value: { ids: [NOTIFICATION_ID] } },
  game: { value: { gameId: NOTIFICATION_ID.slice(0, 36) } },
  before: { value: { before: '2026-01-31T12:00:00.000Z' } },
};

@ApiTags('notifications')
@ApiBearerAuth()
@Controller('v1/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @ApiOperation({ summary: 'Your notifications, newest first' })
  @ApiQuery({ name: 'unread', type: Boolean, required: false, description: 'Only what is unread.' })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiOkResponse({ type: NotificationConnection })
  page(
    @SignedIn() viewer: Viewer,
    @Query() { unread, ...page }: NotificationsArgs,
  ): Promise<NotificationConnection> {
    return this.notifications.page(viewer, unread === true, page);
  }

  @Post('read')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Marks as read the named ones, or all of a game, or all up to a moment: exactly one of the three',
  })
  @ApiBody({ type: MarkReadInput, examples: EXAMPLES })
  @ApiOkResponse({ type: MarkedNotifications })
  async markRead(@SignedIn() viewer: Viewer, @Body() which: MarkReadInput): Promise<MarkedNotifications> {
    return { marked: await this.notifications.markRead(viewer, which) };
  }
}
