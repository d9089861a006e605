import { ArgsType } from '@nestjs/graphql';
import { flag, gameId, longText, optional, text } from '../../platform/contract/fields.js';
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

export const FROM_NOW =
  'True for an empty page with the cursor of this moment, from which to go on: take it first, then read what there is. Not together with `after`.';

const PAGE = { ...pageInput(MAX_PAGE_SIZE), fromNow: optional(flag(FROM_NOW)) };

@ArgsType()
export class EventsArgs extends argsOf(PAGE) {}

/** The parameters of the route, where a ticket may replace the token. */
export class OwnEventsArgs extends argsOf({ ...PAGE, ticket: optional(longText()) }) {}

@ArgsType()
export class EventsFromArgs extends argsOf(FROM) {}

@ArgsType()
export class GameEventsFromArgs extends argsOf({ gameId, ...FROM }) {}

@ArgsType()
export class GameEventsArgs extends argsOf({ gameId, ...pageInput(MAX_PAGE_SIZE) }) {}
