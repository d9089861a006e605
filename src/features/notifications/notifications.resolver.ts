import { Args, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { MarkReadInput, NotificationsArgs } from './notifications.inputs.js';
import { Notification, NotificationConnection } from './notifications.model.js';
import { NotificationsService } from './notifications.service.js';

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

  @Mutation(() => Int, {
    description:
      'Marks as read the named ones, or all of a game, or all up to a moment (exactly one of the three); answers how many were unread.',
  })
  markNotificationsRead(@SignedIn() viewer: Viewer, @Args() which: MarkReadInput): Promise<number> {
    return this.notifications.markRead(viewer, which);
  }
}
