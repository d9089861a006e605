import { Args, Query, Resolver } from '@nestjs/graphql';
import { Needs } from '../../platform/contract/access.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { MarkNotificationsReadInput, NotificationsArgs } from './notifications.inputs.js';
import { Notification, NotificationConnection } from './notifications.model.js';
import { NotificationsService } from './notifications.service.js';
import { MARK_NOTIFICATIONS_READ } from './notifications.verbs.js';

@Resolver(() => Notification)
export class NotificationsResolver {
  constructor(private readonly notifications: NotificationsService) {}

  @Needs('notifications')
  @Query(() => NotificationConnection, {
    name: 'notifications',
    description: 'Your notifications, newest first.',
  })
  page(
    @SignedIn() viewer: Principal,
    @Args() { unread, ...page }: NotificationsArgs,
  ): Promise<NotificationConnection> {
    return this.notifications.page(viewer, unread === true, page);
  }

  @MutationOf(MARK_NOTIFICATIONS_READ)
  async markRead(
    @SignedIn() viewer: Principal,
    @InputArg() which: MarkNotificationsReadInput,
  ): Promise<PayloadOf<typeof MARK_NOTIFICATIONS_READ>> {
    return { marked: await this.notifications.markRead(viewer, which) };
  }
}
