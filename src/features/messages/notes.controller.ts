import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { IdParam } from '../games/games.inputs.js';
import { MuteInput, NoteInput } from './notes.inputs.js';
import { Mute, muteOf, Note, noteOf } from './notes.model.js';
import { NotesService } from './notes.service.js';

@ApiTags('messages')
@ApiBearerAuth()
@Controller('v1/games/:id')
export class NotesController {
  constructor(private readonly seats: NotesService) {}

  @Get('note')
  @ApiOperation({ operationId: 'SeatsController_note', summary: 'Your own note on a game' })
  @ApiOkResponse({ type: Note })
  async note(@SignedIn() viewer: Viewer, @Param() { id }: IdParam): Promise<Note> {
    return noteOf(await this.seats.kept(viewer, id));
  }

  @Put('note')
  @ApiOperation({
    operationId: 'SeatsController_setNote',
    summary: 'Puts down a note for yourself; an empty one takes it away',
  })
  @ApiOkResponse({ type: Note })
  async setNote(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { note }: NoteInput,
  ): Promise<Note> {
    return noteOf((await this.seats.keep(viewer, id, { note })).seat);
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
  @ApiOperation({
    operationId: 'SeatsController_mute',
    summary: 'Refuses the messages of your opponent, or takes them again',
  })
  @ApiOkResponse({ type: Mute })
  async mute(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { muted }: MuteInput,
  ): Promise<Mute> {
    return muteOf((await this.seats.keep(viewer, id, { muted })).seat);
  }
}
