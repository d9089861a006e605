import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import type { Viewer } from '../auth/viewer.js';
import { noteOf } from '../messages/notes.model.js';
import { NotesService } from '../messages/notes.service.js';
import type { ShownGame } from '../games/game.row.js';
import type { Game, GameDocument } from '../games/games.model.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import type { Vacation } from '../vacations/vacations.model.js';
import { VacationsView } from '../vacations/vacations.view.js';
import type { ImportRow } from '../imports/import.row.js';
import type { ImportedGame, ImportedGameDocument } from '../imports/imports.model.js';
import { ImportsService } from '../imports/imports.service.js';
import { ImportsView } from '../imports/imports.view.js';
import type { ChallengeRow } from '../matchmaking/challenge.row.js';
import type { Challenge } from '../matchmaking/challenges.model.js';
import { ChallengesService } from '../matchmaking/challenges.service.js';
import { ChallengesView } from '../matchmaking/challenges.view.js';
import type { Notification } from '../notifications/notifications.model.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import type { Rating } from '../ratings/ratings.model.js';
import { RatingsView } from '../ratings/ratings.view.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import type { ChangeKind } from './change.row.js';
import type { Change, ChangedSeat, ChangeDocument, Changes, ChangesDocument } from './changes.model.js';
import { ChangesService, type ChangesRequest } from './changes.service.js';

/** What the id of a change is that of a game for. */
const OF_GAMES: readonly ChangeKind[] = ['game', 'messages', 'seat'];

/** From changes to what leaves. What became of each thing is read on demand, all that is asked for at once together. */
@Injectable()
export class ChangesView {
  // Without a cache: they gather what is asked for in the same moment, and remember nothing.
  private readonly games = new DataLoader((ids: readonly string[]) => this.gamesOf(ids), { cache: false });
  private readonly challenges = new DataLoader((ids: readonly string[]) => this.challengesOf(ids), {
    cache: false,
  });
  private readonly vacations = new DataLoader((userIds: readonly Viewer[]) => this.vacationsOf(userIds), {
    cache: false,
  });

  constructor(
    private readonly changes: ChangesService,
    private readonly gamesService: GamesService,
    private readonly gamesView: GamesView,
    private readonly seats: NotesService,
    private readonly vacationsView: VacationsView,
    private readonly challengesService: ChallengesService,
    private readonly challengesView: ChallengesView,
    private readonly imports: ImportsService,
    private readonly importsView: ImportsView,
    private readonly notifications: NotificationsService,
    private readonly ratings: RatingsView,
    private readonly users: UsersService,
  ) {}

  async page(viewer: Viewer, request: ChangesRequest): Promise<Changes> {
    const { rows, cursor, hasMore } = await this.changes.page(viewer, request);
    return { items: rows.map(({ xid: _, ...change }) => change), cursor, hasMore };
  }

  /** A page with what became of everything on it, as REST shows it. */
  async document(viewer: Viewer, request: ChangesRequest): Promise<ChangesDocument> {
    const { items, ...page } = await this.page(viewer, request);
    return { ...page, items: await Promise.all(items.map((change) => this.whole(change, viewer))) };
  }

  async game(change: Change): Promise<Game | null> {
    const row = await this.gameRow(change, OF_GAMES);
    return row && this.gamesView.game(row);
  }

  async challenge(change: Change, viewer: Viewer): Promise<Challenge | null> {
    if (!isThere(change, 'challenge')) return null;
    return this.challengesView.challenge(await this.challenges.load(change.id), viewer);
  }

  async importedGame(change: Change): Promise<ImportedGame | null> {
    const row = await this.importRow(change);
    return row && this.importsView.game(row);
  }

  async rating(change: Change, { userId }: Viewer): Promise<Rating | null> {
    return isThere(change, 'rating') ? this.ratings.ofUserIn(await this.users.one(userId), change.id) : null;
  }

  async profile(change: Change): Promise<User | null> {
    return isThere(change, 'profile') ? this.users.one(change.id) : null;
  }

  async blocked(change: Change): Promise<User | null> {
    return isThere(change, 'block') ? this.users.one(change.id) : null;
  }

  async vacation(change: Change, viewer: Viewer): Promise<Vacation | null> {
    if (!isThere(change, 'vacation')) return null;
    return (await this.vacations.load(viewer)).find(({ id }) => id === change.id) ?? null;
  }

  async notification(change: Change, viewer: Viewer): Promise<Notification | null> {
    return isThere(change, 'notification') ? this.notifications.one(viewer, change.id) : null;
  }

  private async whole(change: Change, viewer: Viewer): Promise<ChangeDocument> {
    const [game, importedGame, seat, challenge, rating, profile, blocked, vacation, notification] =
      await Promise.all([
        this.gameDocument(change, viewer),
        this.importDocument(change),
        this.seat(change, viewer),
        this.challenge(change, viewer),
        this.rating(change, viewer),
        this.profile(change),
        this.blocked(change),
        this.vacation(change, viewer),
        this.notification(change, viewer),
      ]);
    return {
      ...change,
      game,
      importedGame,
      seat,
      challenge,
      rating,
      profile,
      blocked,
      vacation,
      notification,
    };
  }

  private async gameDocument(change: Change, viewer: Viewer): Promise<GameDocument | null> {
    const row = await this.gameRow(change, ['game']);
    return row && this.gamesView.document(row, viewer);
  }

  private async importDocument(change: Change): Promise<ImportedGameDocument | null> {
    const row = await this.importRow(change);
    return row && this.importsView.document(row);
  }

  /** Null also when it has been deleted meanwhile: its tombstone comes with the next page. */
  private async importRow(change: Change): Promise<ImportRow | null> {
    return isThere(change, 'import') ? this.imports.found(change.id) : null;
  }

  private async seat(change: Change, viewer: Viewer): Promise<ChangedSeat | null> {
    const row = await this.gameRow(change, ['seat']);
    const seat = row && (await this.seats.ofViewer(row, viewer));
    return seat && { ...noteOf(seat), muted: seat.muted };
  }

  private async gameRow(
    { kind, id, deleted }: Change,
    kinds: readonly ChangeKind[],
  ): Promise<ShownGame | null> {
    return kinds.includes(kind) && !deleted ? this.games.load(id) : null;
  }

  /** As they stand now. An end by the clock that is not stored yet comes up again when it is. */
  private async gamesOf(ids: readonly string[]): Promise<ShownGame[]> {
    const asked = [...new Set(ids)];
    const rows = await this.gamesService.byIds(asked);
    return ids.map((id) => rows[asked.indexOf(id)]!);
  }

  private async challengesOf(ids: readonly string[]): Promise<ChallengeRow[]> {
    return [...(await this.challengesService.byIds(ids))];
  }

  private async vacationsOf(viewers: readonly Viewer[]): Promise<(readonly Vacation[])[]> {
    const asked = new Map(viewers.map((viewer) => [viewer.userId, viewer]));
    const lists = await Promise.all(
      [...asked.values()].map(
        async (viewer) => [viewer.userId, (await this.vacationsView.mine(viewer)).vacations] as const,
      ),
    );
    const found = new Map(lists);
    return viewers.map(({ userId }) => found.get(userId)!);
  }
}

const isThere = ({ kind, deleted }: Change, wanted: ChangeKind): boolean => kind === wanted && !deleted;
