import { ArgsType } from '@nestjs/graphql';
import { gameId, optional, text } from '../../platform/fields.js';
import { argsOf } from '../../platform/inputs.js';
import { MAX_PAGE_SIZE } from '../../platform/page.js';
import { pageInput } from '../../platform/page.inputs.js';

/** The inputs of events. */

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
export class GameEventsArgs extends argsOf({ gameId, ...pageInput(MAX_PAGE_SIZE) }) {}
