import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { Game } from '../games/games.model.js';
import { GamesView } from '../games/games.view.js';
import { MuteArgs, NoteArgs } from './notes.inputs.js';
import { noteOf } from './notes.model.js';
import { NotesService } from './notes.service.js';

@Resolver(() => Game)
export class NotesResolver {
  constructor(
    private readonly seats: NotesService,
    private readonly games: GamesView,
  ) {}

  @Mutation(() => Game, { description: 'Puts down a note for yourself; an empty one takes it away.' })
  async setNote(@SignedIn() viewer: Viewer, @Args() { gameId, note }: NoteArgs): Promise<Game> {
    return this.games.game((await this.seats.keep(viewer, gameId, { note })).row);
  }

  @Mutation(() => Game, {
    description: 'Refuses the messages of your opponent in a game, or takes them again.',
  })
  async muteOpponent(@SignedIn() viewer: Viewer, @Args() { gameId, muted }: MuteArgs): Promise<Game> {
    return this.games.game((await this.seats.keep(viewer, gameId, { muted })).row);
  }

  @ResolveField(() => String, { nullable: true, description: 'Your own note; nobody else sees it.' })
  async note(@Parent() { row }: Game, @Viewing() viewer: Viewer | null): Promise<string | null> {
    const seat = await this.seats.ofViewer(row, viewer);
    return seat && noteOf(seat).note;
  }

  @ResolveField(() => Boolean, {
    nullable: true,
    description: 'Do you refuse the messages of your opponent? Null when you do not play in the game.',
  })
  async opponentMuted(@Parent() { row }: Game, @Viewing() viewer: Viewer | null): Promise<boolean | null> {
    return (await this.seats.ofViewer(row, viewer))?.muted ?? null;
  }
}
