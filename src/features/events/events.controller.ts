import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PageArgs } from '../../platform/page.inputs.js';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { IdParam } from '../games/games.inputs.js';
import { Event, EventPage } from './events.model.js';
import { EventsService } from './events.service.js';
import { asPage } from './events.view.js';
import { EventStreams } from './event-streams.js';

const ANSWER = {
  description:
    'As `text/event-stream` a stream: each event as JSON in `data`, with its `id`; without `after` what happens from now ' +
    'on. As JSON a page; without `after` from the beginning.',
  content: {
    'application/json': { schema: { $ref: getSchemaPath(EventPage) } },
    'text/event-stream': { schema: { type: 'string' } },
  },
} as const;

const AFTER = {
  name: 'after',
  type: String,
  required: false,
  description: 'Behind the event with this id.',
} as const;
const FIRST = {
  name: 'first',
  type: 'integer',
  required: false,
  description: 'Of a page: 1 to 100.',
} as const;
const LAST_ID = {
  name: 'Last-Event-ID',
  required: false,
  description: 'The same as `after`, which it takes the place of: browsers send it when they come again.',
} as const;

@ApiTags('events')
@ApiExtraModels(Event, EventPage)
@Controller('v1')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly streams: EventStreams,
  ) {}

  @Get('me/events')
  @ApiOperation({ summary: 'What concerns you, in the order in which it was stored; kept for 90 days' })
  @ApiQuery(FIRST)
  @ApiQuery(AFTER)
  @ApiHeader(LAST_ID)
  @ApiOkResponse(ANSWER)
  async mine(
    @SignedIn() viewer: Viewer,
    @Query() page: PageArgs,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastId ?? page.after;
    if (isStream(accept)) {
      await this.streams.answer(reply, viewer, () => this.events.following(viewer, after));
    } else void reply.send(asPage(await this.events.mine(viewer, { ...page, after })));
  }

  @Get('games/:id/events/stream')
  @ApiOperation({ summary: 'What happened in a game, in the order of its versions' })
  @ApiQuery(FIRST)
  @ApiQuery(AFTER)
  @ApiHeader(LAST_ID)
  @ApiOkResponse(ANSWER)
  async ofGame(
    @Viewing() viewer: Viewer | null,
    @Param() { id }: IdParam,
    @Query() page: PageArgs,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastId ?? page.after;
    if (isStream(accept)) {
      await this.streams.answer(reply, viewer, () => this.events.followingGame(id, after));
    } else void reply.send(asPage(await this.events.ofGame(id, { ...page, after })));
  }
}

const isStream = (accept = ''): boolean => accept.includes('text/event-stream');
