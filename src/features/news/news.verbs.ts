import { ID } from '@nestjs/graphql';
import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { NewsSettings, PushSubscription } from './news.model.js';

export const UPDATE_NEWS_SETTINGS = verb('updateNewsSettings', {
  needs: 'profile:write',
  description:
    'Change what you are told by mail and by push, and when. Fields that are left out stay unchanged. What waits to be told is timed anew.',
  codes: ['ACCOUNT_CLOSED'],
  answers: { newsSettings: shown(NewsSettings, { description: 'Your settings as they are now.' }) },
});

export const SAVE_PUSH_SUBSCRIPTION = verb('savePushSubscription', {
  needs: 'profile:write',
  by: 'password',
  description:
    'Be told by push in this browser, until the session of this request ends. Saved again, it keeps its id; the subscription of a browser belongs to whoever saved it last. A user has at most 10.',
  codes: ['LIMIT_REACHED'],
  answers: {
    pushSubscription: shown(PushSubscription, { description: 'The subscription.' }),
  },
});

export const DELETE_PUSH_SUBSCRIPTION = verb('deletePushSubscription', {
  needs: 'profile:write',
  description: 'Be told nothing more by push in one of your browsers.',
  codes: ['NOT_FOUND'],
  answers: { deletedId: shown(ID, { description: 'The id of the subscription that was deleted.' }) },
});
