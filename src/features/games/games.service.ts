import { Inject, Injectable } from '@nestjs/common';
import type { Plan } from '../../arbiter/plans.js';
import { adjudicate } from '../../arbiter/clock-acts.js';
import { isOver } from '../../arbiter/state.js';
import type { Principal } from '../auth/principal.js';
import type { Config } from '../../config.js';
import { DealsService } from '../../engine/deals.service.js';
import { EngineService } from '../../engine/engine.service.js';
import type { GameRecord as OldRecord } from '../../fairness/format-1/record.js';
import type { GameRecord } from '../../fairness/format-2/record.js';
import { CONFIG } from '../../platform/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors.js';
import { gather } from '../../platform/gather.js';
import { isUuid } from '../../platform/page.js';
import { PubSub } from '../../platform/pubsub.js';
import { stopIfGone } from '../../platform/request-context.js';
import { Time } from '../../platform/time.js';
import type { LegalMove } from '../../rules/analyse.js';
import { opponent, type Claim, type Player } from '../../rules/ruleset.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { UsersService } from '../users/users.service.js';
import { start, withEvent, type NewEvent } from './transition.js';
import { visibleText } from '../../platform/written-text.js';
import { Alarm } from './alarm.js';
import { isDue } from './as-of-now.js';
import {
  planOf,
  seatOf,
  stateOf,
  userOf,
  type EventRow,
  type GameRow,
  type PlyRow,
  type ShownGame,
} from './game.row.js';
import { GamesStore, newestFirst, type GameKey, type GameList } from './games.store.js';
import { GameLog } from './log.js';
import type { PlyRange } from './log.store.js';
import { beginning, openedIn, openingRow, type Beginning, type Terms } from './opening.js';
import { Participants } from './participants.js';
import { oldRecordOf, recordOf, type Recorded } from './record.js';
import { noGame, Referee } from './referee.js';
import { byUrgency, type RunningGame } from './urgency.js';

const MOST_OF_A_REASON = 500;

/** What was stored when the row was read: an act may have come in between. */
const upTo = ({ version }: GameRow, recorded: Recorded): Recorded => ({
  ...recorded,
  plies: recorded.plies.filter(({ seq }) => seq <= version),
  events: recorded.events.filter(({ seq }) => seq <= version),
});

const unrecorded = ({ status }: GameRow): DomainError =>
  status === 'pending'
    ? new DomainError('GAME_PENDING', 'The game has not started: there is no record yet.')
    : new DomainError('NOT_FOUND', 'The game was called off before it started: there is no record.');

/** What of a user is stored as running, at one moment: what goes on, the most urgent first, and what is over by now. */
export interface GoingOn {
  readonly now: Date;
  readonly running: readonly RunningGame[];
  readonly over: readonly ShownGame[];
}

/** Games as they begin and as they are read. What players do in them is PlayService's. */
@Injectable()
export class GamesService {
  /** A game that exists, as it stands now; all that are asked for at once are read by one statement. */
  readonly one = gather((ids: readonly string[]) => this.byIds(ids));

  constructor(
    private readonly store: GamesStore,
    private readonly log: GameLog,
    private readonly referee: Referee,
    private readonly engine: EngineService,
    private readonly deals: DealsService,
    private readonly calendar: CalendarService,
    private readonly users: UsersService,
    private readonly participants: Participants,
    private readonly pubsub: PubSub,
    private readonly alarm: Alarm,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The game as it stands now. Throws NOT_FOUND. */
  async game(id: string): Promise<ShownGame> {
    return this.referee.settled(await this.stored(id));
  }

  /** The same, or null, also for an id that is no UUID. */
  async found(id: string): Promise<ShownGame | null> {
    const row = isUuid(id) ? await this.store.find(id) : null;
    return row && this.referee.settled(row);
  }

  /** The game as it stands now, for those who go on from there: what its clock has done is stored. Throws NOT_FOUND. */
  async settle(id: string): Promise<GameRow> {
    return this.referee.settle(await this.stored(id));
  }

  private async stored(id: string): Promise<GameRow> {
    const row = await this.store.find(id);
    if (row !== null) return row;
    const gameId = await this.store.gameOfSeek(id);
    if (gameId === null) throw noGame('id');
    const message = `The seek with this id has become part of game ${gameId}: ask for that.`;
    throw new DomainError('NOT_FOUND', message, { field: 'id' });
  }

  /** What of a user is stored as running, as it stands now. */
  async goingOn(userId: string): Promise<GoingOn> {
    stopIfGone();
    const rows = await this.store.running(userId);
    const now = this.time.now();
    const due = rows.filter((row) => isDue(row, now)).map(({ id }) => id);
    const settled = await this.referee.settledAll(due.length === 0 ? [] : await this.store.byIds(due), now);
    const known = new Map<string, ShownGame>(settled.map((row) => [row.id, row]));
    const running = rows.map((row) => known.get(row.id) ?? row).filter((row) => !isOver(row));
    return { now, running: byUrgency(running, userId), over: settled.filter(isOver) };
  }

  /** All games of a user, or those that are over, by last activity, newest first. `own` is what goingOn says of them. */
  async ofUser(
    userId: string,
    list: Exclude<GameList, 'running'>,
    { now, over }: GoingOn,
    after: GameKey | null,
    limit: number,
  ): Promise<readonly ShownGame[]> {
    const found = await this.store.ofUser(userId, list, after, limit + over.length);
    // What is over has its place already, so that a walk through the list is the same when that is stored meanwhile.
    const ended = over.filter((row) => after === null || newestFirst(row, after) > 0);
    const rows = new Map(ended.map((row) => [row.id, row]));
    for (const row of found) if (isOver(row) || !over.some(({ id }) => id === row.id)) rows.set(row.id, row);
    const page = [...rows.values()].sort(newestFirst).slice(0, limit);
    return this.referee.settledAll(page, now);
  }

  /** Calls a game off in the name of whoever runs the server. Throws NOT_FOUND, BAD_INPUT, GAME_OVER. */
  async adjudicate(id: string, why: string): Promise<GameRow> {
    if (!isUuid(id)) throw new DomainError('BAD_INPUT', 'The id of a game is a UUID.', { field: 'id' });
    const text = visibleText(why, 'why', MOST_OF_A_REASON);
    if (isOver(await this.game(id))) throw new DomainError('GAME_OVER', 'The game is over already.');
    await this.referee.decideFor(id, (row) => {
      const decision = adjudicate(stateOf(row), text, this.time.now().getTime());
      return decision && withEvent(start(row), decision);
    });
    return this.game(id);
  }

  /** The running games of a user whole, in no order, as they are stored. */
  async runningRows(userId: string): Promise<readonly GameRow[]> {
    return this.store.byIds((await this.store.running(userId)).map(({ id }) => id));
  }

  /** Games that exist, in the order of their ids here, as they stand now. */
  async byIds(ids: readonly string[]): Promise<readonly ShownGame[]> {
    const found = await this.referee.settledAll(await this.store.byIds(ids), this.time.now());
    const rows = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id)!);
  }

  /** Games as they stand now, in the order of their ids here; null where there is none, or the id is no UUID. */
  async sought(ids: readonly string[]): Promise<readonly (ShownGame | null)[]> {
    const stored = await this.store.byIds([...new Set(ids.filter(isUuid))]);
    const found = await this.referee.settledAll(stored, this.time.now());
    const rows = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id.toLowerCase()) ?? null);
  }

  /** Who of these users had the first side with this rule set how often, in games that began and were not called off. */
  timesFirst(userIds: readonly string[], ruleset: string): Promise<ReadonlyMap<string, number>> {
    return this.store.timesFirst(userIds, ruleset);
  }

  /** The row of a game that these terms open: at once, or as soon as the client seeds are known that are announced. */
  async draft(terms: Terms, version: number): Promise<GameRow> {
    const now = this.time.now();
    const [setup, dealRoot] = await Promise.all([this.deals.setup(terms), this.deals.root(terms)]);
    const position = this.engine.opening(terms.ruleset, terms.options, setup);
    return openingRow(terms, { setup, position, dealRoot }, version, now);
  }

  /**
   * Stores a drafted game, and what has happened before it, in the transaction that closes its challenge; as it then is.
   * Throws ACCOUNT_CLOSED, LIMIT_REACHED.
   */
  async insert(tx: Transaction, drafted: GameRow, happened: readonly NewEvent[]): Promise<GameRow> {
    await this.users.hold(tx, [drafted.firstId, drafted.secondId]);
    await this.demandRoom(tx, drafted);
    const begun = beginning(await this.openedNow(tx, drafted), happened);
    await this.store.insert(tx, begun);
    const { row } = begun;
    this.alarm.for(row);
    await this.participants.begun(tx, row);
    return row;
  }

  /**
   * Puts the drafted game in the place of the one that waited for a client seed, with its coming; false when it waits
   * no more, or another one came in this moment. Throws ACCOUNT_CLOSED.
   */
  async goOn(pending: GameRow, drafted: GameRow, happened: readonly NewEvent[]): Promise<boolean> {
    const { createdAt, headHash } = pending;
    const waiting = { ...drafted, createdAt, headHash: drafted.format === 1 ? drafted.headHash : headHash };
    const open = async (tx: Transaction): Promise<Beginning> => {
      await this.users.hold(tx, [waiting.firstId, waiting.secondId]);
      return beginning(await this.openedNow(tx, waiting), happened);
    };
    const started = await this.store.goOn(pending.version, open, (tx, row) =>
      row.status === 'pending' ? Promise.resolve() : this.participants.begun(tx, row),
    );
    if (started) {
      this.pubsub.publish(`game.${waiting.id}`, { version: waiting.version });
      this.alarm.for(waiting);
    }
    return started;
  }

  /** The legal moves of the player at this seat, if he may move now; else none. */
  legalMoves(row: GameRow, seat: Player | null): readonly LegalMove[] {
    const mayMove = seat !== null && row.status === 'active' && seat === row.turn;
    return mayMove ? this.engine.legalMoves(row) : [];
  }

  /** The draws that a player may claim as the game stands. */
  claimable(row: GameRow): readonly Claim[] {
    return row.status === 'active' ? this.engine.claimable(row) : [];
  }

  /** The plies that stand, or all that were ever played. */
  plies({ id, takebacks }: GameRow, all: boolean, range: PlyRange): Promise<readonly PlyRow[]> {
    return this.log.plies({ id, takebacks }, all, range);
  }

  /** All plies that were ever played. */
  countPlies({ id }: GameRow): Promise<number> {
    return this.log.count(id);
  }

  /** The conditional moves of whoever asks; nobody sees those of another player. */
  plan(row: GameRow, viewer: Principal | null): Plan | null {
    const player = seatOf(row, viewer);
    return player === null ? null : planOf(row, player);
  }

  /** In order; those that nobody has stored yet come behind the others. */
  async events({ id, unstored }: ShownGame): Promise<readonly EventRow[]> {
    const stored = await this.log.events(id);
    const last = stored.at(-1)?.seq ?? 0;
    // Somebody may have stored them since the row was read.
    return [...stored, ...(unstored?.events ?? []).filter(({ seq }) => seq > last)];
  }

  /** The secret of the deal, published when the end of the game is stored; null before. */
  serverSeed(row: GameRow): Promise<string | null> {
    return isOver(row) ? this.deals.publish(row.id) : Promise.resolve(null);
  }

  /** Everything that the verifier needs, as one document. An end is in it once it is stored, together with the seed. */
  async record(id: string): Promise<OldRecord | GameRecord> {
    const row = await this.stored(id);
    if (row.termsHash === null) throw unrecorded(row);
    const [plies, events, users, serverSeed] = await Promise.all([
      this.log.plies(row, true, { limit: row.version, fromEnd: false }),
      this.log.events(id),
      this.users.byIds([row.firstId, row.secondId]),
      this.serverSeed(row),
    ]);
    return (row.format === 1 ? oldRecordOf : recordOf)(upTo(row, { row, plies, events, users, serverSeed }));
  }

  /** Neither player may have too many games already; the creator first, for the seats were drawn in secret. */
  private async demandRoom(tx: Transaction, row: GameRow): Promise<void> {
    const most = this.config.maxRunningGames;
    for (const player of [row.creator, opponent(row.creator)]) {
      if ((await this.store.countRunning(tx, userOf(row, player))) < most) continue;
      const who = player === row.creator ? 'The creator of the challenge has' : 'You have';
      throw new DomainError(
        'LIMIT_REACHED',
        `${who} ${most} running games already, as many as one may have.`,
      );
    }
  }

  /** The row as the game begins for players who may be on vacation. */
  private async openedNow(tx: Transaction, row: GameRow): Promise<GameRow> {
    const away = await this.calendar.awayAt([row.firstId, row.secondId], row.lastActivityAt, tx);
    return openedIn(row, { first: away.get(row.firstId) ?? null, second: away.get(row.secondId) ?? null });
  }
}
