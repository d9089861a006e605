import { Needs } from '../../platform/contract/access.js';
import { ResolveField, Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { Game } from '../games/games.model.js';
import { GamesView } from '../games/games.view.js';
import { GameViewer } from '../games/viewer.model.js';
import { MUTE_OPPONENT, SET_NOTE } from './messages.verbs.js';
import { MuteOpponentInput, SetNoteInput } from './notes.inputs.js';
import { muteOf, noteOf } from './notes.model.js';
import { NotesService } from './notes.service.js';

@Resolver(() => Game)
export class NotesResolver {
  constructor(
    private readonly seats: NotesService,
    private readonly games: GamesView,
  ) {}

  @MutationOf(SET_NOTE)
  async setNote(
    @SignedIn() viewer: Principal,
    @InputArg() { gameId, note }: SetNoteInput,
  ): Promise<PayloadOf<typeof SET_NOTE>> {
    const { row, seat } = await this.seats.keep(viewer, gameId, { note });
    return { game: this.games.game(row), ...noteOf(seat) };
  }

  @MutationOf(MUTE_OPPONENT)
  async mute(
    @SignedIn() viewer: Principal,
    @InputArg() { gameId, muted }: MuteOpponentInput,
  ): Promise<PayloadOf<typeof MUTE_OPPONENT>> {
    const { row, seat } = await this.seats.keep(viewer, gameId, { muted });
    return { game: this.games.game(row), ...muteOf(seat) };
  }
}

@Resolver(() => GameViewer)
export class KeptResolver {
  constructor(private readonly seats: NotesService) {}

  @Needs('messages:read')
  @ResolveField(() => String, {
    nullable: true,
    description: 'Your private note on the game; null if there is none.',
  })
  async note({ row, seat }: GameViewer): Promise<string | null> {
    return noteOf(await this.seats.seat(row.id, seat)).note;
  }

  @Needs('messages:read')
  @ResolveField(() => Boolean, {
    nullable: true,
    description: 'True if you refuse the messages of your opponent in this game.',
  })
  async opponentMuted({ row, seat }: GameViewer): Promise<boolean> {
    return (await this.seats.seat(row.id, seat)).muted;
  }
}
