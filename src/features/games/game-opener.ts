import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { DealsService } from '../../engine/deals.service.js';
import { EngineService } from '../../engine/engine.service.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError, ROOM_SECONDS } from '../../platform/errors/errors.js';
import { PubSub } from '../../platform/events/pubsub.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Time } from '../../platform/process/time.js';
import { opponent } from '../../rules/ruleset.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { type HeldUser, UsersService } from '../users/users.service.js';
import { ClockTimer } from './clock-timer.js';
import { userOf, type GameRow } from './game.row.js';
import { GamesStore } from './games.store.js';
import { beginning, openedIn, openingRow, type Beginning, type Terms } from './opening.js';
import { Participants } from './participants.js';
import type { NewEvent } from './transition.js';

/** Opens games on the terms that two players have agreed on. */
@Injectable()
export class GameOpener {
  constructor(
    private readonly store: GamesStore,
    private readonly engine: EngineService,
    private readonly deals: DealsService,
    private readonly calendar: CalendarService,
    private readonly users: UsersService,
    private readonly participants: Participants,
    private readonly pubsub: PubSub,
    private readonly timer: ClockTimer,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** How often each user had the first side in games of this rule set that started and were not aborted. */
  timesFirst(userIds: readonly string[], ruleset: string): Promise<ReadonlyMap<string, number>> {
    return this.store.timesFirst(userIds, ruleset);
  }

  /** The row of a new game on these terms; pending while an announced client seed is awaited. */
  async draft(terms: Terms, version: number, tx?: Transaction): Promise<GameRow> {
    const now = this.time.now();
    const [setup, dealRoot] = [await this.deals.setup(terms, tx), await this.deals.root(terms, tx)];
    const position = this.engine.opening(terms.ruleset, terms.options, setup);
    return openingRow(terms, { setup, position, dealRoot }, version, now);
  }

  /**
   * Stores a drafted game and the events before it, in the transaction that closes its challenge. Returns the stored row.
   * Throws ACCOUNT_CLOSED, LIMIT_REACHED, FORBIDDEN.
   */
  async insert(tx: Transaction, drafted: GameRow, happened: readonly NewEvent[]): Promise<GameRow> {
    const players = await this.users.hold(tx, [drafted.firstId, drafted.secondId]);
    const applicationId = applicationOf(drafted, players);
    await this.assertBelowLimit(tx, drafted, players);
    const begun = beginning(await this.openedNow(tx, { ...drafted, applicationId }), happened, null);
    await this.store.insert(tx, begun);
    const { row } = begun;
    this.timer.schedule(row);
    await this.participants.begun(tx, row);
    return row;
  }

  /**
   * Replaces a pending game with the drafted one after a client seed was given. Returns false if the game is no longer
   * pending or another seed came first. Throws ACCOUNT_CLOSED.
   */
  async goOn(pending: GameRow, drafted: GameRow, happened: readonly NewEvent[]): Promise<boolean> {
    const { createdAt, applicationId, externalId } = pending;
    const waiting = { ...drafted, createdAt, applicationId, externalId };
    const open = async (tx: Transaction): Promise<Beginning> => {
      await this.users.hold(tx, [waiting.firstId, waiting.secondId]);
      return beginning(await this.openedNow(tx, waiting), happened, pending.headHash);
    };
    const started = await this.store.goOn(pending, open, (tx, row) =>
      row.status === 'pending' ? Promise.resolve() : this.participants.begun(tx, row),
    );
    if (started) {
      this.pubsub.publish(`game.${waiting.id}`, { version: waiting.version });
      this.timer.schedule(waiting);
    }
    return started;
  }

  /** Checks both players' running games, the creator first: the order must not reveal the drawn seats. */
  private async assertBelowLimit(
    tx: Transaction,
    row: GameRow,
    players: ReadonlyMap<string, HeldUser>,
  ): Promise<void> {
    for (const player of [row.creator, opponent(row.creator)]) {
      const id = userOf(row, player);
      const isGuest = players.get(id)?.kind === 'guest';
      const most = isGuest ? this.config.maxRunningGamesOfGuests : this.config.maxRunningGames;
      if ((await this.store.countRunning(tx, id)) < most) continue;
      const message =
        player === row.creator
          ? `The creator of the challenge has ${most} running games, which is the limit. Try again when one of them has ended.`
          : `You have ${most} running games, which is the limit. Finish one of them, then try again.`;
      throw new DomainError('LIMIT_REACHED', message, { limit: most, retryAfter: ROOM_SECONDS });
    }
  }

  /** The row of a starting game with its players' current vacations applied. */
  private async openedNow(tx: Transaction, row: GameRow): Promise<GameRow> {
    const away = await this.calendar.awayAt([row.firstId, row.secondId], row.lastActivityAt, tx);
    return openedIn(row, { first: away.get(row.firstId) ?? null, second: away.get(row.secondId) ?? null });
  }
}

/**
 * The application of a game: that of its players, null without one. Public ratings are for persons alone, and those of an
 * application for its players. Throws FORBIDDEN.
 */
function applicationOf(
  { firstId, secondId, rated }: GameRow,
  players: ReadonlyMap<string, HeldUser>,
): string | null {
  const [first, second] = [firstId, secondId].map((id) => players.get(id)?.applicationId ?? null);
  if (first === second) return first ?? null;
  if (first != null && second != null) {
    throw new DomainError('FORBIDDEN', 'Players of different applications cannot play each other.');
  }
  if (!rated) return first ?? second ?? null;
  throw new DomainError(
    'FORBIDDEN',
    'A person and a player of an application can only play casual games. Send a challenge with rated false.',
  );
}
