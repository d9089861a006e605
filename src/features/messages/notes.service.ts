import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { DomainError } from '../../platform/errors.js';
import type { Player } from '../../rules/ruleset.js';
import { playerOf, seatOf, type GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { NotesStore, type Seat, type SeatKey } from './notes.store.js';
import { gather } from '../../platform/gather.js';
import { writtenText } from '../../platform/written-text.js';

const MOST_OF_A_NOTE = 2_000;
const NOTHING_KEPT: Seat = { note: '', muted: false };

/** What a player keeps at his seat of a game, for himself: a note, and whether he hears his opponent. */
@Injectable()
export class NotesService {
  private readonly loader = gather((keys: readonly SeatKey[]) => this.inOrder(keys));

  constructor(
    private readonly store: NotesStore,
    private readonly games: GamesService,
  ) {}

  /** A game and the seat that the viewer has in it. Throws NOT_FOUND, NOT_YOUR_GAME. */
  async own(viewer: Principal, gameId: string): Promise<{ row: GameRow; player: Player }> {
    const row = await this.games.game(gameId);
    const player = playerOf(row, viewer.userId);
    if (player !== null) return { row, player };
    throw new DomainError('NOT_YOUR_GAME', 'Only its two players have messages and notes in a game.');
  }

  /** All seats that are asked for at once are read by one statement. */
  seat(gameId: string, player: Player): Promise<Seat> {
    return this.loader({ gameId, player });
  }

  /** What the viewer keeps at his seat. Throws as own. */
  async kept(viewer: Principal, gameId: string): Promise<Seat> {
    const { row, player } = await this.own(viewer, gameId);
    return this.seat(row.id, player);
  }

  /** The viewer's seat in a game that was read already; null when he does not play in it. */
  async ofViewer(row: GameRow, viewer: Principal | null): Promise<Seat | null> {
    const player = seatOf(row, viewer);
    return player === null ? null : this.seat(row.id, player);
  }

  /**
   * Keeps what is given: a note, of which an empty one is none, or whether messages of the opponent are refused from now
   * on; he is not told before he writes. Throws BAD_INPUT, and as own.
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
