import { Int } from '@nestjs/graphql';
import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';

export const MARK_NOTIFICATIONS_READ = verb('markNotificationsRead', {
  description: 'Marks as read the named ones, or all of a game, or all up to a moment.',
  answers: { marked: shown(Int, { description: 'How many were unread and are read now.' }) },
});
