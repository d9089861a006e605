import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import type { Viewer } from '../auth/viewer.js';
import { noteOf } from '../messages/notes.model.js';
import { NotesService } from '../messages/notes.service.js';
import type { ShownGame } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import type { Vacation } from '../vacations/vacations.model.js';
import { VacationsView } from '../vacations/vacations.view.js';
import type { ImportRow } from '../imports/import.row.js';
import { ImportsService } from '../imports/imports.service.js';
import { ImportsView } from '../imports/imports.view.js';
import { ChallengesView } from '../matchmaking/challenges.view.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { RatingsView } from '../ratings/ratings.view.js';
import { UsersService } from '../users/users.service.js';
import type { ChangeKind, ChangeRow } from './change.row.js';
import type { ChangedSeat, ChangeDocument, ChangesDocument } from './changes.model.js';
import { ChangesService, type ChangesRequest } from './changes.service.js';

type Thing = Omit<ChangeRow, 'xid'>;

/** What the id of a change is that of a game for. */
const OF_GAMES: readonly ChangeKind[] = ['game', 'messages', 'seat'];

/** From changes to what leaves. What became of each thing is read on demand, all that is asked for at once together. */
@Injectable()
export class ChangesView {
  // Without a cache: they gather what is asked for in the same moment, and remember nothing.
  private readonly games = new DataLoader((ids: readonly string[]) => this.gamesOf(ids), { cache: false });
  private readonly vacations = new DataLoader((userIds: readonly Viewer[]) => this.vacationsOf(userIds), {
    cache: false,
  });

  constructor(
    private readonly changes: ChangesService,
    private readonly gamesService: GamesService,
    private readonly gamesView: GamesView,
    private readonly seats: NotesService,
    private readonly vacationsView: VacationsView,
    private readonly challenges: ChallengesView,
    private readonly imports: ImportsService,
    private readonly importsView: ImportsView,
    private readonly notifications: NotificationsService,
    private readonly ratings: RatingsView,
    private readonly users: UsersService,
  ) {}

  /** A page as GraphQL shows it: what became of a thing is read field by field. */
  async page(viewer: Viewer, request: ChangesRequest) {
    const { items, ...page } = await this.changes.page(viewer, request);
    const became = (change: ChangeRow) => ({
      ...this.became(change, viewer),
      game: () => this.ofGame(change, OF_GAMES, (row) => this.gamesView.game(row)),
      importedGame: () => this.ofImport(change, (row) => this.importsView.game(row)),
    });
    return { ...page, items: items.map((change) => ({ ...change, ...became(change) })) };
  }

  /** A page with what became of everything on it, as REST shows it. */
  async document(viewer: Viewer, request: ChangesRequest): Promise<ChangesDocument> {
    const { items, ...page } = await this.changes.page(viewer, request);
    const whole = async ({ xid: _, ...change }: ChangeRow): Promise<ChangeDocument> => ({
      ...change,
      ...(await allOf({
        ...this.became(change, viewer),
        game: () => this.ofGame(change, ['game'], (row) => this.gamesView.document(row, viewer)),
        importedGame: () => this.ofImport(change, (row) => this.importsView.document(row)),
        seat: () => this.ofGame(change, ['seat'], (row) => this.seat(row, viewer)),
      })),
    });
    return { ...page, items: await Promise.all(items.map(whole)) };
  }

  /** What became of a thing, by the field that shows it in either transport; null in the fields of other kinds. */
  private became(change: Thing, viewer: Viewer) {
    const { id } = change;
    const of = <T>(kind: ChangeKind, read: () => Promise<T>) => (isThere(change, [kind]) ? read() : null);
    return {
      challenge: () => of('challenge', () => this.challenges.byId(id, viewer)),
      rating: () => of('rating', async () => this.ratings.ofUserIn(await this.users.one(viewer.userId), id)),
      profile: () => of('profile', () => this.users.one(id)),
      blocked: () => of('block', () => this.users.one(id)),
      vacation: () =>
        of('vacation', async () => (await this.vacations.load(viewer)).find((one) => one.id === id) ?? null),
      notification: () => of('notification', () => this.notifications.one(viewer, id)),
    };
  }

  private async ofGame<T>(
    change: Thing,
    kinds: readonly ChangeKind[],
    show: (row: ShownGame) => T,
  ): Promise<Awaited<T> | null> {
    return isThere(change, kinds) ? await show(await this.games.load(change.id)) : null;
  }

  /** Null also when it has been deleted meanwhile: its tombstone comes with the next page. */
  private async ofImport<T>(change: Thing, show: (row: ImportRow) => T): Promise<Awaited<T> | null> {
    const row = isThere(change, ['import']) ? await this.imports.found(change.id) : null;
    return row && (await show(row));
  }

  private async seat(row: ShownGame, viewer: Viewer): Promise<ChangedSeat | null> {
    const seat = await this.seats.ofViewer(row, viewer);
    return seat && { ...noteOf(seat), muted: seat.muted };
  }

  /** As they stand now. An end by the clock that is not stored yet comes up again when it is. */
  private async gamesOf(ids: readonly string[]): Promise<ShownGame[]> {
    const asked = [...new Set(ids)];
    const rows = await this.gamesService.byIds(asked);
    return ids.map((id) => rows[asked.indexOf(id)]!);
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

const isThere = ({ kind, deleted }: Thing, kinds: readonly ChangeKind[]): boolean =>
  kinds.includes(kind) && !deleted;

type Reads = Readonly<Record<string, () => unknown>>;

/** Reads all fields at once. */
async function allOf<R extends Reads>(reads: R) {
  const read = await Promise.all(Object.entries(reads).map(async ([name, ask]) => [name, await ask()]));
  return Object.fromEntries(read) as { readonly [F in keyof R]: Awaited<ReturnType<R[F]>> };
}
