import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { noteOf } from '../messages/notes.model.js';
import { NotesService } from '../messages/notes.service.js';
import type { ShownGame } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import type { Vacations } from '../vacations/vacations.model.js';
import { VacationsView } from '../vacations/vacations.view.js';
import type { ImportRow } from '../imports/import.row.js';
import { ImportsService } from '../imports/imports.service.js';
import { ImportsView } from '../imports/imports.view.js';
import { ChallengesView } from '../matchmaking/challenges.view.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { RatingsView } from '../ratings/ratings.view.js';
import { UsersService } from '../users/users.service.js';
import type { ChangeKind, ChangeRow } from './change.row.js';
import type { ChangedSeat, ChangeDocument, ChangePage } from './changes.model.js';
import { ChangesService, type ChangesRequest } from './changes.service.js';

type Thing = Omit<ChangeRow, 'xid' | 'mark'>;

/** The kinds of changes whose id is that of a game. */
const OF_GAMES: readonly ChangeKind[] = ['game', 'messages', 'seat'];

/** Converts changes for both transports. The changed things are read on demand, batched. */
@Injectable()
export class ChangesView {
  constructor(
    private readonly changes: ChangesService,
    private readonly games: GamesService,
    private readonly gamesView: GamesView,
    private readonly seats: NotesService,
    private readonly vacations: VacationsView,
    private readonly challenges: ChallengesView,
    private readonly imports: ImportsService,
    private readonly importsView: ImportsView,
    private readonly notifications: NotificationsService,
    private readonly ratings: RatingsView,
    private readonly users: UsersService,
  ) {}

  /** A page in GraphQL, where the changed things are read field by field. */
  async page(viewer: Principal, request: ChangesRequest) {
    const { items, ...page } = await this.changes.page(viewer, request);
    const became = this.became(viewer);
    const fields = (change: ChangeRow) => ({
      ...became(change),
      game: () => this.ofGame(change, OF_GAMES, (row) => this.gamesView.game(row)),
      importedGame: () => this.ofImport(change, (row) => this.importsView.game(row)),
    });
    return { ...page, items: items.map((change) => ({ ...change, ...fields(change) })) };
  }

  /** A page in REST, with all changed things. */
  async document(viewer: Principal, request: ChangesRequest): Promise<ChangePage> {
    const { items, ...page } = await this.changes.page(viewer, request);
    const became = this.became(viewer);
    const whole = async ({ xid: _, mark: __, ...change }: ChangeRow): Promise<ChangeDocument> => ({
      ...change,
      ...(await allOf({
        ...became(change),
        game: () => this.ofGame(change, ['game'], (row) => this.gamesView.document(row, viewer)),
        importedGame: () => this.ofImport(change, (row) => this.importsView.document(row)),
        seat: () => this.ofGame(change, ['seat'], (row) => this.seat(row, viewer)),
      })),
    });
    return { ...page, items: await Promise.all(items.map(whole)) };
  }

  /** The changed things by field; the fields of other kinds are null. */
  private became(viewer: Principal) {
    let vacations: Promise<Vacations> | undefined;
    const vacation = async (id: string) => {
      const { items } = await (vacations ??= this.vacations.mine(viewer));
      return items.find((one) => one.id === id) ?? null;
    };
    return (change: Thing) => {
      const { id } = change;
      const of = <T>(kind: ChangeKind, read: () => Promise<T>) => (isThere(change, [kind]) ? read() : null);
      return {
        challenge: () => of('challenge', () => this.challenges.byId(id, viewer)),
        rating: () => of('rating', async () => this.ratings.ofUserIn({ id: viewer.userId }, id)),
        profile: () => of('profile', () => this.users.person(id)),
        blocked: () => of('block', () => this.users.person(id)),
        vacation: () => of('vacation', () => vacation(id)),
        notification: () => of('notification', () => this.notifications.one(viewer, id)),
      };
    };
  }

  /** The current state. An end by the clock that is not stored yet is another change when it is. */
  private async ofGame<T>(
    change: Thing,
    kinds: readonly ChangeKind[],
    show: (row: ShownGame) => T,
  ): Promise<Awaited<T> | null> {
    return isThere(change, kinds) ? await show(await this.games.one(change.id)) : null;
  }

  /** Null also if it was deleted meanwhile: its tombstone is on the next page. */
  private async ofImport<T>(change: Thing, show: (row: ImportRow) => T): Promise<Awaited<T> | null> {
    const row = isThere(change, ['import']) ? await this.imports.found(change.id) : null;
    return row && (await show(row));
  }

  private async seat(row: ShownGame, viewer: Principal): Promise<ChangedSeat | null> {
    const seat = await this.seats.ofViewer(row, viewer);
    return seat && { ...noteOf(seat), muted: seat.muted };
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
