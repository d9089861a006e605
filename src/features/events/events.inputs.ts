import { ArgsType } from '@nestjs/graphql';
import { gameId, longText, optional, text } from '../../platform/contract/fields.js';
import { argsOf } from '../../platform/contract/inputs.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { pageInput } from '../../platform/contract/page.inputs.js';

/** The inputs of events. */

const FROM = {
  after: optional(
    text(
      'The id of the event to continue after, or for your own events a cursor of `changes`; only new events when left out.',
    ),
  ),
};

/** The parameters of the route, where a ticket may replace the token. */
export class OwnEventsArgs extends argsOf({ ...pageInput(MAX_PAGE_SIZE), ticket: optional(longText()) }) {}

@ArgsType()
export class EventsFromArgs extends argsOf(FROM) {}

@ArgsType()
export class GameEventsFromArgs extends argsOf({ gameId, ...FROM }) {}

@ArgsType()
export class GameEventsArgs extends argsOf({ gameId, ...pageInput(MAX_PAGE_SIZE) }) {}
