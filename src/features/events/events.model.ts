import { ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { MOST_ON_A_PAGE } from '../../platform/page.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, model, shown } from '../../platform/model.js';
import { SeatEnum } from '../games/enums.model.js';
import { HAPPENINGS } from './event.row.js';

/** What leaves the server about events. */

const HappeningEnum = enumOf(HAPPENINGS, {
  name: 'EventType',
  description:
    'What has happened. PLY is a move; what GameEventType has stands in the log of a game; the others concern users.',
});

@ObjectType({
  description: 'Something that has happened: a small fact, from which a program goes on to ask.',
})
export class Event extends model({
  id: shown(ID, {
    rest: { type: String },
    description:
      'Its place in this list, for `after` and `Last-Event-ID`. The same event has the same id each time.',
  }),
  type: shown(HappeningEnum),
  gameId: shown(ID, { nullable: true, description: 'The game; null where there is none, or none yet.' }),
  version: shown(Int, { nullable: true, description: 'The version of the game that it made.' }),
  player: shown(SeatEnum, { nullable: true, description: 'Who did it, in a game.' }),
  subject: shown(String, {
    nullable: true,
    description:
      'The id of the challenge, message, import (of importDeleted: of the game), vacation or user; of ratingChanged the pool.',
  }),
  at: shown(DateTimeScalar),
}) {}

@ObjectType({ description: 'A page of events (Relay).' })
export class EventConnection extends model(
  connectionOf(Event, 'An event in a page.', { page: MOST_ON_A_PAGE }),
) {}

/** A page of events in REST. */
export class EventPage {
  @ApiProperty({ type: [Event] })
  readonly items: readonly Event[];

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'For `after` of the next page; null at the end: the id of the last event goes on from there.',
  })
  readonly next: string | null;
}
