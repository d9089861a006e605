import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import { PageArgs } from '../../platform/page.inputs.js';
import { Sessions } from '../auth/sessions.js';
import { SignedIn, type SocketContext, type Viewer } from '../auth/viewer.js';
import { EventsFromArgs, GameEventsArgs, GameEventsFromArgs } from './events.inputs.js';
import { Event, EventConnection } from './events.model.js';
import { EventsService, type ShownEvent, type Stream } from './events.service.js';
import { asConnection } from './events.view.js';

const OWN = 'What concerns you, in the order in which it was stored; kept for 90 days.';
const OF_GAME = 'What happened in a game, in the order of its versions.';

/** Asks at each event whether the session of its listener still stands. */
async function shownTo(
  this: EventsResolver,
  event: ShownEvent,
  _: unknown,
  context: SocketContext,
): Promise<ShownEvent> {
  await this.sessions.listener(context);
  return event;
}

@Resolver()
export class EventsResolver {
  constructor(
    private readonly events: EventsService,
    readonly sessions: Sessions,
  ) {}

  @Query(() => EventConnection, { name: 'myEvents', description: `${OWN} The oldest first.` })
  async mine(@SignedIn() viewer: Viewer, @Args() page: PageArgs): Promise<EventConnection> {
    return asConnection(await this.events.mine(viewer, page), page);
  }

  @Query(() => EventConnection, { name: 'gameEvents', description: `${OF_GAME} The oldest first.` })
  async ofGame(@Args() { gameId, ...page }: GameEventsArgs): Promise<EventConnection> {
    return asConnection(await this.events.ofGame(gameId, page), page);
  }

  @Subscription(() => Event, { name: 'myEvents', description: OWN, resolve: shownTo })
  following(@SignedIn() viewer: Viewer, @Args() { after }: EventsFromArgs): Promise<Stream> {
    return this.events.following(viewer, after);
  }

  @Subscription(() => Event, { name: 'gameEvents', description: OF_GAME, resolve: shownTo })
  followingGame(@Args() { gameId, after }: GameEventsFromArgs): Promise<Stream> {
    return this.events.followingGame(gameId, after);
  }
}
