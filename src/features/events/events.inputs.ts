import { ArgsType } from '@nestjs/graphql';
import { gameId, optional, text } from '../../platform/fields.js';
import { argsOf } from '../../platform/inputs.js';
import { PAGE } from '../../platform/page.inputs.js';

/** What comes in about events. */

const FROM = {
  after: optional(
    text(
      'The id of the event to continue after, or for your own events a cursor of `changes`; only new events when left out.',
    ),
  ),
};

@ArgsType()
export class EventsFromArgs extends argsOf(FROM) {}

@ArgsType()
export class GameEventsFromArgs extends argsOf({ gameId, ...FROM }) {}

@ArgsType()
export class GameEventsArgs extends argsOf({ gameId, ...PAGE }) {}
