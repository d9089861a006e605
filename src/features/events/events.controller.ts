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
import { Needs, NeedsKind, Public, TakesTicket } from '../../platform/contract/access.js';
import { DomainError } from '../../platform/errors/errors.js';
import { LINK, linked } from '../../platform/contract/paginated.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { wanted } from '../../platform/http/accept.js';
import { LINES, SERVER_SENT, type StreamForm } from '../../platform/http/event-stream.js';
import type { Party } from '../../platform/limits/rotation.js';
import { itemCount, LongPageArgs } from '../../platform/contract/page.inputs.js';
import { Refuses } from '../../platform/contract/verb.js';
import { Client, OfApplication, SignedIn, type Principal } from '../auth/principal.js';
import { IdParam } from '../games/games.inputs.js';
import { EventsArgs, FROM_NOW, OwnEventsArgs } from './events.inputs.js';
import { Event, EventPage } from './events.model.js';
import { EventsService, type ShownEvent, type Stream } from './events.service.js';
import { EventsView } from './events.view.js';
import type { Part } from './following.js';
import { EventStreams } from './event-streams.js';

const ANSWER = {
  description:
    'As `text/event-stream` a stream with each event as JSON in `data` and its `id`, as `application/x-ndjson` with each ' +
    'event as JSON on a line; without `after` it has only new events. If it cannot go on, its last message is `end` with a ' +
    'problem, or its last line `{"end": problem}`: the event that it stands on is lost with the newest commits of the ' +
    'database, or in a stream of your events the token has expired or the session has ended. As JSON a page; without ' +
    '`after` the first one.',
  content: {
    'application/json': { schema: { $ref: getSchemaPath(EventPage) } },
    'text/event-stream': { schema: { type: 'string' } },
    'application/x-ndjson': { schema: { type: 'string' } },
  },
  headers: LINK,
} as const;

const AFTER = {
  name: 'after',
  type: String,
  required: false,
  description: 'The id of the event to continue after.',
} as const;
const FIRST = {
  name: 'first',
  type: 'integer',
  required: false,
  description: `${itemCount('events on a page', MAX_PAGE_SIZE)} Ignored by a stream.`,
} as const;
const NOW = {
  name: 'fromNow',
  type: Boolean,
  required: false,
  description: `${FROM_NOW} Ignored by a stream, which begins now without \`after\`.`,
} as const;
const LAST_ID = {
  name: 'Last-Event-ID',
  required: false,
  description: 'The same as `after`, which it replaces; browsers send it when they reconnect.',
} as const;

const TICKET = {
  name: 'ticket',
  type: String,
  required: false,
  description: 'A ticket of `createStreamTicket`, in place of a token. The answer is a stream.',
} as const;

/** Who asks, and whether for a stream. */
interface Asker {
  readonly client: Party;
  /** With whose token the stream ends. */
  readonly viewer: Principal | null;
  /** How the stream is written; null for a page. */
  readonly form: StreamForm | null;
}

@ApiTags('events')
@ApiExtraModels(Event, EventPage)
@Controller('v1')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly streams: EventStreams,
    private readonly view: EventsView,
  ) {}

  @Needs('games:read')
  @TakesTicket()
  @Get('me/events')
  @Refuses('CURSOR_EXPIRED')
  @ApiOperation({
    operationId: 'myEvents',
    summary: 'Your events of the last 90 days, the oldest first.',
    description: 'Events that need another scope than the token has are left out.',
  })
  @ApiQuery(FIRST)
  @ApiQuery(AFTER)
  @ApiQuery(NOW)
  @ApiQuery(TICKET)
  @ApiHeader(LAST_ID)
  @ApiOkResponse(ANSWER)
  async mine(
    @SignedIn() viewer: Principal,
    @Client() client: Party,
    @Query() { ticket, ...page }: OwnEventsArgs,
    @Headers('authorization') authorization: string | undefined,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (ticket != null && authorization !== undefined) throw tokenAndTicket();
    const after = lastId ?? page.after;
    await this.answer(
      reply,
      { client, viewer, form: formOf(accept) ?? (ticket == null ? null : SERVER_SENT) },
      {
        follow: () => this.events.following(viewer, after),
        read: () => this.events.mine(viewer, { ...page, after }),
      },
    );
  }

  @NeedsKind('application', 'application')
  @Get('application/events')
  @Refuses('CURSOR_EXPIRED')
  @ApiOperation({
    operationId: 'ownEvents',
    summary: 'The events of the games of your application, of the last 90 days, the oldest first.',
  })
  @ApiQuery(FIRST)
  @ApiQuery(AFTER)
  @ApiQuery(NOW)
  @ApiHeader(LAST_ID)
  @ApiOkResponse(ANSWER)
  async ofApplication(
    @OfApplication() application: Principal,
    @Client() client: Party,
    @Query() page: EventsArgs,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastId ?? page.after;
    await this.answer(
      reply,
      { client, viewer: application, form: formOf(accept) },
      {
        follow: () => this.events.following(application, after),
        read: () => this.events.mine(application, { ...page, after }),
      },
    );
  }

  @Public()
  @Get('events')
  @Refuses('CURSOR_EXPIRED')
  @ApiOperation({
    operationId: 'publicEvents',
    summary: 'The events of all public games of the last 90 days, the oldest first.',
    description: 'Those of `gameEvents`, without the games of applications.',
  })
  @ApiQuery(FIRST)
  @ApiQuery(AFTER)
  @ApiQuery(NOW)
  @ApiHeader(LAST_ID)
  @ApiOkResponse(ANSWER)
  async ofAll(
    @Client() client: Party,
    @Query() page: EventsArgs,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastId ?? page.after;
    await this.answer(
      reply,
      { client, viewer: null, form: formOf(accept) },
      {
        follow: () => this.events.followingAll(after),
        read: () => this.events.ofAll({ ...page, after }),
      },
    );
  }

  @Public()
  @Get('games/:id/events')
  @Refuses('CURSOR_EXPIRED')
  @ApiOperation({ operationId: 'gameEvents', summary: 'The events of a game, the oldest first.' })
  @ApiQuery(FIRST)
  @ApiQuery(AFTER)
  @ApiHeader(LAST_ID)
  @ApiOkResponse(ANSWER)
  async ofGame(
    @Client() client: Party,
    @Param() { id }: IdParam,
    @Query() page: LongPageArgs,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = lastId ?? page.after;
    await this.answer(
      reply,
      { client, viewer: null, form: formOf(accept) },
      {
        follow: () => this.events.followingGame(id, after),
        read: () => this.events.ofGame(id, { ...page, after }),
      },
    );
  }

  private async answer(
    reply: FastifyReply,
    { client, viewer, form }: Asker,
    {
      follow,
      read,
    }: { readonly follow: () => Promise<Stream>; readonly read: () => Promise<Part<ShownEvent>> },
  ): Promise<void> {
    if (form !== null) await this.streams.answer(reply, client, viewer, form, follow);
    else void reply.send(linked(reply, await this.view.page(await read())));
  }
}

const tokenAndTicket = (): DomainError =>
  new DomainError('BAD_INPUT', 'ticket replaces the access token: send one of them, not both.', {
    field: 'ticket',
  });

/** `application/ndjson` is not registered either, and as usual. */
const FORMS = {
  'text/event-stream': SERVER_SENT,
  'application/x-ndjson': LINES,
  'application/ndjson': LINES,
  'application/json': null,
} as const;
const STREAMED = ['text/event-stream', 'application/x-ndjson', 'application/ndjson'] as const;

const formOf = (accept: string | undefined): StreamForm | null => FORMS[wanted(accept, STREAMED)];
