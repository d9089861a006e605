import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { Message } from '../messages/messages.model.js';
import { MessagesView } from '../messages/messages.view.js';
import { muteOf, noteOf } from '../messages/notes.model.js';
import { NotesService } from '../messages/notes.service.js';
import { seatOf, storedRow, type GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import type { Ply } from '../games/plies.model.js';
import { PliesView } from '../games/plies.view.js';
import { HistoryView } from '../history/history.view.js';
import type { Connection } from '../../platform/contract/page.js';
import { longLine, onwards, shownAs } from './own-data.lines.js';

/** The number of games in memory at a time. */
const AT_ONCE = 20;
const DEFAULT_PAGE_SIZE = 100;
const BY_AGE = { by: 'createdAt', direction: 'asc' } as const;

/** A game with the first pages of its lists, which for most games are complete. */
interface Begun {
  readonly row: GameRow;
  readonly data: object;
  readonly plies: Connection<Ply>;
  readonly messages: Connection<Message>;
}

/** The games of a user with everything that they may see: the public record of a game and their private data. */
@Injectable()
export class OwnGames {
  constructor(
    private readonly history: HistoryView,
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly pliesView: PliesView,
    private readonly messages: MessagesView,
    private readonly seats: NotesService,
  ) {}

  /** One line per game in chunks, the oldest first. */
  async *lines(viewer: Principal): AsyncGenerator<string> {
    const found = onwards((after) =>
      this.history.search({ playerId: viewer.userId }, BY_AGE, { first: AT_ONCE, after }),
    );
    // As stored: the record of an ended game without its seed would not verify.
    for await (const page of shownAs(found, ({ row }) => this.begun(storedRow(row), viewer))) {
      for (const game of page) yield* this.line(game);
    }
  }

  private async begun(row: GameRow, viewer: Principal): Promise<Begun> {
    const [document, events, plies, messages, seat] = await Promise.all([
      this.view.document(row, null),
      this.view.allEvents(row),
      this.plies(row, null),
      this.written(row, null),
      this.seats.ofViewer(row, viewer),
    ]);
    const own = {
      seat: seatOf(row, viewer),
      conditionalMoves: this.games.plan(row, viewer),
      ...noteOf(seat!),
      opponentMuted: muteOf(seat!).muted,
    };
    const { sidesBy, version } = row;
    const data = {
      ...document,
      sidesDrawn: sidesBy === 'seeds',
      viewer: own,
      events: events.filter(({ seq }) => seq <= version),
    };
    return { row, data, plies, messages };
  }

  private line({ row, data, plies, messages }: Begun): AsyncGenerator<string> {
    return longLine('game', data, {
      plies: upTo(
        row.version,
        onwards((after) => this.plies(row, after), plies),
      ),
      messages: onwards((after) => this.written(row, after), messages),
    });
  }

  private plies(row: GameRow, after: string | null): Promise<Connection<Ply>> {
    return this.pliesView.page(row, { first: DEFAULT_PAGE_SIZE, after, takenBack: true });
  }

  private written(row: GameRow, after: string | null): Promise<Connection<Message>> {
    return this.messages.page(row.id, { first: DEFAULT_PAGE_SIZE, after });
  }
}

/** Stops at the ply count that was read, so that later plies do not appear. */
async function* upTo(version: number, pages: AsyncIterable<readonly Ply[]>): AsyncGenerator<readonly Ply[]> {
  for await (const page of pages) yield page.filter(({ seq }) => seq <= version);
}
