import { ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { SeatEnum } from '../games/enums.model.js';
import { EVENT_DESCRIPTIONS, USER_EVENT_TYPES } from './event.row.js';

/** The models of events. */

const EventTypeEnum = enumOf(USER_EVENT_TYPES, {
  name: 'EventType',
  description:
    'A type of event: a ply, an entry in the log of a game (GameEventType), or something that concerns a user.',
  values: EVENT_DESCRIPTIONS,
});

@ObjectType({
  description:
    'An event: what happened, when, and in which game or to which item; other queries give the details.',
})
export class Event extends model({
  id: shown(ID, {
    rest: { type: String },
    description:
      'The place of the event in this list, for `after` and `Last-Event-ID`; the same each time the event is delivered.',
  }),
  type: shown(EventTypeEnum, { description: 'The type of the event.' }),
  gameId: shown(ID, {
    nullable: true,
    description: 'The id of the game; null without one, as for a challenge not yet accepted.',
  }),
  version: shown(Int, {
    nullable: true,
    description: 'The version of the game after the event; null when it made none.',
  }),
  player: shown(SeatEnum, {
    nullable: true,
    description: 'The seat of the player who did it; null outside games and when no player did.',
  }),
  subject: shown(String, {
    nullable: true,
    description:
      'The id of the challenge, message, import, deleted imported game, vacation or user that the event is about, the pool ' +
      'of the rating, or the `externalId` of the player who left; null for any other event.',
  }),
  at: shown(DateTimeScalar, { description: 'The time at which it happened.' }),
  receipt: shown(String, {
    nullable: true,
    onDemand: true,
    description:
      'The signed receipt of the end of a game (docs/fairness.md, "Receipts"); null for any other event.',
  }),
}) {}

@ObjectType({ description: 'A page of events, the oldest first.' })
export class EventConnection extends model(
  connectionOf(Event, 'An event on a page.', { page: MAX_PAGE_SIZE }),
) {}

/** A page of events in REST. */
export class EventPage {
  @ApiProperty({ type: [Event], description: 'The events of the page, the oldest first.' })
  readonly items: readonly Event[];

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The cursor to send as `after` for the next page; null on the last page, after which the id of its last event continues. With `fromNow` the cursor of that moment.',
  })
  readonly next: string | null;
}
