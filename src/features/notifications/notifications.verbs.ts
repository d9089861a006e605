import { Int } from '@nestjs/graphql';
import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';

export const MARK_NOTIFICATIONS_READ = verb('markNotificationsRead', {
  needs: 'notifications',
  description: 'Mark notifications as read: by id, all of a game, or all up to a time.',
  codes: [],
  answers: {
    marked: shown(Int, { description: 'The number of notifications that were unread and are now read.' }),
  },
});
