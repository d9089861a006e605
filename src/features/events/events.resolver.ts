import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import { Needs, NeedsKind, Public } from '../../platform/contract/access.js';
import type { Connection } from '../../platform/contract/page.js';
import { Sessions } from '../auth/sessions.js';
import { OfApplication, SignedIn, type SocketContext, type Principal } from '../auth/principal.js';
import { EventsArgs, EventsFromArgs, GameEventsArgs, GameEventsFromArgs } from './events.inputs.js';
import { Event, EventConnection } from './events.model.js';
import { EventsService, type ShownEvent, type Stream } from './events.service.js';
import { EventsView, type EventOnDemand } from './events.view.js';

const OWN =
  'Your events of the last 90 days in the order in which they were stored, the oldest first. ' +
  'Events that need another scope than the token has are left out.';
const OF_APPLICATION =
  'The events of the games of your application, of the last 90 days, in the order in which they were stored, the oldest first: ' +
  'moves, starts and ends, offers, messages, changes of ratings, and players who leave.';
const OF_ALL =
  'The events of all public games of the last 90 days in the order in which they were stored, the oldest first: those of ' +
  '`gameEvents`, without the games of applications.';
const OF_GAME = 'The events of a game in the order of its versions, the oldest first.';

/** Checks at each event whether the session of the listener is still open. */
async function shownTo(
  this: EventsResolver,
  event: ShownEvent,
  _: unknown,
  context: SocketContext,
): Promise<EventOnDemand> {
  await this.sessions.listener(context);
  return this.view.event(event);
}

@Resolver()
export class EventsResolver {
  constructor(
    private readonly events: EventsService,
    readonly sessions: Sessions,
    readonly view: EventsView,
  ) {}

  @Needs('games:read')
  @Query(() => EventConnection, { name: 'myEvents', description: OWN })
  async mine(@SignedIn() viewer: Principal, @Args() page: EventsArgs): Promise<Connection<EventOnDemand>> {
    return this.view.connection(await this.events.mine(viewer, page), page);
  }

  @NeedsKind('application', 'application')
  @Query(() => EventConnection, { name: 'ownEvents', description: OF_APPLICATION })
  async ofApplication(
    @OfApplication() application: Principal,
    @Args() page: EventsArgs,
  ): Promise<Connection<EventOnDemand>> {
    return this.view.connection(await this.events.mine(application, page), page);
  }

  @Public()
  @Query(() => EventConnection, { name: 'publicEvents', description: OF_ALL })
  async ofAll(@Args() page: EventsArgs): Promise<Connection<EventOnDemand>> {
    return this.view.connection(await this.events.ofAll(page), page);
  }

  @Public()
  @Query(() => EventConnection, { name: 'gameEvents', description: OF_GAME })
  async ofGame(@Args() { gameId, ...page }: GameEventsArgs): Promise<Connection<EventOnDemand>> {
    return this.view.connection(await this.events.ofGame(gameId, page), page);
  }

  @Needs('games:read')
  @Subscription(() => Event, {
    name: 'myEvents',
    description:
      'Your events as they are stored; with `after`, first those since that event. ' +
      'Events that need another scope than the token has are left out.',
    resolve: shownTo,
  })
  following(@SignedIn() viewer: Principal, @Args() { after }: EventsFromArgs): Promise<Stream> {
    return this.events.following(viewer, after);
  }

  @NeedsKind('application', 'application')
  @Subscription(() => Event, {
    name: 'ownEvents',
    description:
      'The events of the games of your application as they are stored; with `after`, first those since that event.',
    resolve: shownTo,
  })
  followingOfApplication(
    @OfApplication() application: Principal,
    @Args() { after }: EventsFromArgs,
  ): Promise<Stream> {
    return this.events.following(application, after);
  }

  @Public()
  @Subscription(() => Event, {
    name: 'publicEvents',
    description:
      'The events of all public games as they are stored, without the games of applications; with `after`, first those ' +
      'since that event.',
    resolve: shownTo,
  })
  followingAll(@Args() { after }: EventsFromArgs): Promise<Stream> {
    return this.events.followingAll(after);
  }

  @Public()
  @Subscription(() => Event, {
    name: 'gameEvents',
    description: 'The events of a game as they are stored; with `after`, first those since that event.',
    resolve: shownTo,
  })
  followingGame(@Args() { gameId, after }: GameEventsFromArgs): Promise<Stream> {
    return this.events.followingGame(gameId, after);
  }
}
