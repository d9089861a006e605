import { Query, Resolver } from '@nestjs/graphql';
import { Needs } from '../../platform/contract/access.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import {
  DeletePushSubscriptionInput,
  SavePushSubscriptionInput,
  UpdateNewsSettingsInput,
} from './news.inputs.js';
import { NewsSettings } from './news.model.js';
import { NewsService } from './news.service.js';
import { DELETE_PUSH_SUBSCRIPTION, SAVE_PUSH_SUBSCRIPTION, UPDATE_NEWS_SETTINGS } from './news.verbs.js';
import { PushSubscriptions } from './push-subscriptions.js';

@Resolver()
export class NewsResolver {
  constructor(
    private readonly news: NewsService,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  @Needs('profile:read')
  @Query(() => NewsSettings, { description: 'What you want to be told by mail and by push, and when.' })
  newsSettings(@SignedIn() viewer: Principal): Promise<NewsSettings> {
    return this.news.settings(viewer);
  }

  @MutationOf(UPDATE_NEWS_SETTINGS)
  async updateNewsSettings(
    @SignedIn() viewer: Principal,
    @InputArg() input: UpdateNewsSettingsInput,
  ): Promise<PayloadOf<typeof UPDATE_NEWS_SETTINGS>> {
    return { newsSettings: await this.news.update(viewer, input) };
  }

  @MutationOf(SAVE_PUSH_SUBSCRIPTION)
  async savePushSubscription(
    @SignedIn() viewer: Principal,
    @InputArg() input: SavePushSubscriptionInput,
  ): Promise<PayloadOf<typeof SAVE_PUSH_SUBSCRIPTION>> {
    return { pushSubscription: await this.subscriptions.save(viewer, input) };
  }

  @MutationOf(DELETE_PUSH_SUBSCRIPTION)
  async deletePushSubscription(
    @SignedIn() viewer: Principal,
    @InputArg() { id }: DeletePushSubscriptionInput,
  ): Promise<PayloadOf<typeof DELETE_PUSH_SUBSCRIPTION>> {
    await this.subscriptions.delete(viewer, id);
    return { deletedId: id };
  }
}
