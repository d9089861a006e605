import { ArgsType } from '@nestjs/graphql';
import { id, optional, text } from '../../platform/fields.js';
import { argsOf } from '../../platform/inputs.js';
import { PAGE } from '../../platform/page.inputs.js';

/** What comes in about events. */

const GAME = { gameId: id() };
const FROM = {
  after: optional(
    text(
      'Behind the event with this id; without it what happens from now on. For your own events also a cursor of `changes`.',
    ),
  ),
};

@ArgsType()
export class EventsFromArgs extends argsOf(FROM) {}

@ArgsType()
export class GameEventsFromArgs extends argsOf({ ...GAME, ...FROM }) {}

@ArgsType()
export class GameEventsArgs extends argsOf({ ...GAME, ...PAGE }) {}
