import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { DomainError } from '../../platform/errors/errors.js';
import type { Player } from '../../rules/ruleset.js';
import { playerOf, seatOf, type GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { NotesStore, type Seat, type SeatKey } from './notes.store.js';
import { batch } from '../../platform/gathering/batch.js';
import { writtenText } from '../../platform/contract/user-text.js';

const MOST_OF_A_NOTE = 2_000;
const NOTHING_KEPT: Seat = { note: '', muted: false };

/** The private note of a player in a game, and whether they have muted their opponent. */
@Injectable()
export class NotesService {
  private readonly loader = batch((keys: readonly SeatKey[]) => this.inOrder(keys));

  constructor(
    private readonly store: NotesStore,
    private readonly games: GamesService,
  ) {}

  /** A game and the viewer's seat in it. Throws NOT_FOUND, NOT_YOUR_GAME. */
  async own(viewer: Principal, gameId: string): Promise<{ row: GameRow; player: Player }> {
    const row = await this.games.game(gameId);
    const player = playerOf(row, viewer.userId);
    if (player !== null) return { row, player };
    throw new DomainError(
      'NOT_YOUR_GAME',
      'You are not a player in this game: only its two players can use its messages and notes.',
    );
  }

  /** The note and mute of a seat; batched into one statement. */
  seat(gameId: string, player: Player): Promise<Seat> {
    return this.loader({ gameId, player });
  }

  /** The viewer's note and mute. Throws as own. */
  async kept(viewer: Principal, gameId: string): Promise<Seat> {
    const { row, player } = await this.own(viewer, gameId);
    return this.seat(row.id, player);
  }

  /** The viewer's note and mute in a game that was already read; null if they are not a player. */
  async ofViewer(row: GameRow, viewer: Principal | null): Promise<Seat | null> {
    const player = seatOf(row, viewer);
    return player === null ? null : this.seat(row.id, player);
  }

  /**
   * Stores a note, which an empty one deletes, or a mute, which the opponent learns when they write or read their messages. Throws
   * BAD_INPUT, and as own.
   */
  async keep(
    viewer: Principal,
    gameId: string,
    { note, ...given }: Partial<Seat>,
  ): Promise<{ row: GameRow; seat: Seat }> {
    const written = note === undefined ? {} : { note: writtenText(note, 'note', MOST_OF_A_NOTE) };
    const { row, player } = await this.own(viewer, gameId);
    return { row, seat: await this.store.keep({ gameId: row.id, player }, { ...given, ...written }) };
  }

  private async inOrder(keys: readonly SeatKey[]): Promise<Seat[]> {
    const seats = new Map((await this.store.seats(keys)).map((seat) => [nameOf(seat), seat]));
    return keys.map((key) => seats.get(nameOf(key)) ?? NOTHING_KEPT);
  }
}

const nameOf = ({ gameId, player }: SeatKey): string => `${gameId} ${player}`;
