import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { Refuses, RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { IdParam } from '../games/games.inputs.js';
import { GamesView } from '../games/games.view.js';
import { MUTE_OPPONENT, SET_NOTE } from './messages.verbs.js';
import { MuteOpponentBody, SetNoteBody } from './notes.inputs.js';
import { Mute, muteOf, Note, noteOf } from './notes.model.js';
import { NotesService } from './notes.service.js';

@ApiTags('messages')
@Controller('v1/games/:id')
export class NotesController {
  constructor(
    private readonly seats: NotesService,
    private readonly games: GamesView,
  ) {}

  @Needs('messages:read')
  @Get('note')
  @Refuses('NOT_YOUR_GAME')
  @ApiOperation({ operationId: 'note', summary: 'Your own note on a game.' })
  @ApiOkResponse({ type: Note })
  async note(@SignedIn() viewer: Principal, @Param() { id }: IdParam): Promise<Note> {
    return noteOf(await this.seats.kept(viewer, id));
  }

  @Put('note')
  @RouteOf(SET_NOTE)
  async setNote(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() { note }: SetNoteBody,
  ): Promise<RestPayloadOf<typeof SET_NOTE>> {
    const { row, seat } = await this.seats.keep(viewer, id, { note });
    return { game: await this.games.document(row, viewer), ...noteOf(seat) };
  }

  @Needs('messages:read')
  @Get('mute')
  @Refuses('NOT_YOUR_GAME')
  @ApiOperation({
    operationId: 'opponentMuted',
    summary: 'Your choice to mute your opponent in a game.',
  })
  @ApiOkResponse({ type: Mute })
  async muted(@SignedIn() viewer: Principal, @Param() { id }: IdParam): Promise<Mute> {
    return muteOf(await this.seats.kept(viewer, id));
  }

  @Put('mute')
  @RouteOf(MUTE_OPPONENT)
  async mute(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() { muted }: MuteOpponentBody,
  ): Promise<RestPayloadOf<typeof MUTE_OPPONENT>> {
    const { row, seat } = await this.seats.keep(viewer, id, { muted });
    return { game: await this.games.document(row, viewer), ...muteOf(seat) };
  }
}
