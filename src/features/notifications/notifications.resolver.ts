import { Args, Query, Resolver } from '@nestjs/graphql';
import { MutationOf, type PayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { MarkNotificationsReadInput, NotificationsArgs } from './notifications.inputs.js';
import { Notification, NotificationConnection } from './notifications.model.js';
import { NotificationsService } from './notifications.service.js';
import { MARK_NOTIFICATIONS_READ } from './notifications.verbs.js';

@Resolver(() => Notification)
export class NotificationsResolver {
  constructor(private readonly notifications: NotificationsService) {}

  @Query(() => NotificationConnection, {
    name: 'notifications',
    description: 'Your notifications, newest first.',
  })
  page(
    @SignedIn() viewer: Viewer,
    @Args() { unread, ...page }: NotificationsArgs,
  ): Promise<NotificationConnection> {
    return this.notifications.page(viewer, unread === true, page);
  }

  @MutationOf(MARK_NOTIFICATIONS_READ)
  async markRead(
    @SignedIn() viewer: Viewer,
    @Args('input') which: MarkNotificationsReadInput,
  ): Promise<PayloadOf<typeof MARK_NOTIFICATIONS_READ>> {
    return { marked: await this.notifications.markRead(viewer, which) };
  }
}
