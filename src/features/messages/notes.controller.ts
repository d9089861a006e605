import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RouteOf, type RestPayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
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

  @Get('note')
  @ApiOperation({ operationId: 'SeatsController_note', summary: 'Your own note on a game' })
  @ApiOkResponse({ type: Note })
  async note(@SignedIn() viewer: Viewer, @Param() { id }: IdParam): Promise<Note> {
    return noteOf(await this.seats.kept(viewer, id));
  }

  @Put('note')
  @RouteOf(SET_NOTE)
  async setNote(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { note }: SetNoteBody,
  ): Promise<RestPayloadOf<typeof SET_NOTE>> {
    const { row, seat } = await this.seats.keep(viewer, id, { note });
    return { game: await this.games.document(row, viewer), ...noteOf(seat) };
  }

  @Get('mute')
  @ApiOperation({
    operationId: 'SeatsController_muted',
    summary: 'Whether you refuse the messages of your opponent',
  })
  @ApiOkResponse({ type: Mute })
  async muted(@SignedIn() viewer: Viewer, @Param() { id }: IdParam): Promise<Mute> {
    return muteOf(await this.seats.kept(viewer, id));
  }

  @Put('mute')
  @RouteOf(MUTE_OPPONENT)
  async mute(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { muted }: MuteOpponentBody,
  ): Promise<RestPayloadOf<typeof MUTE_OPPONENT>> {
    const { row, seat } = await this.seats.keep(viewer, id, { muted });
    return { game: await this.games.document(row, viewer), ...muteOf(seat) };
  }
}
