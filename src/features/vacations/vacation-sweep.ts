import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { comeBack, goAway } from '../../arbiter/clock-acts.js';
import type { Decision } from '../../arbiter/state.js';
import { isFull } from '../../arbiter/vacation.js';
import type { Config } from '../../config.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import { Time } from '../../platform/time.js';
import { retry, UNTIL_STILL } from '../../platform/retry.js';
import type { Player } from '../../rules/ruleset.js';
import { isNothing, start, withEvent } from '../games/transition.js';
import { isDue } from '../games/as-of-now.js';
import { playerOf, stateOf, type Transition, type GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { Referee } from '../games/referee.js';
import { vacationOf, type VacationRow } from '../calendar/vacation.row.js';
import { VacationsStore } from './vacations.store.js';

const TOLD_AT_ONCE = 8;
/** A game that was about to begin when a vacation did is there by then, and a change under way is done. */
const CALM_MS = 60_000;

/** Tells games that their players have gone on vacation or have come back. Several instances may do so at once. */
@Injectable()
export class VacationSweep implements OnApplicationBootstrap {
  private readonly logger = new Logger(VacationSweep.name);

  constructor(
    private readonly store: VacationsStore,
    private readonly games: GamesService,
    private readonly referee: Referee,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) config: Config,
  ) {
    background.every('VacationSweep', config.sweepSeconds * 1000, () => this.sweep());
  }

  /** What began while no server ran is told before anybody can move. */
  onApplicationBootstrap(): Promise<void> {
    return this.sweep().catch((error: unknown) => this.logger.error(error));
  }

  /** Tells all games what they may not know yet. A user for whom it fails is logged and passed by. */
  async sweep(): Promise<void> {
    for (const userId of await this.store.unsettledUsers(this.time.now())) {
      await this.tell(userId).catch((error: unknown) => this.logger.error(error));
    }
  }

  /** Tells the games of a user; what could not be told now the next sweep will tell. */
  async tell(userId: string): Promise<void> {
    await retry(async () => {
      const now = this.time.now();
      const vacations = await this.store.unsettled(userId, now);
      if (vacations.length === 0) return true;
      const told = await this.tellGames(userId, vacations);
      // What was ended while it was told has to be told again.
      if (!isSame(vacations, await this.store.unsettled(userId, now))) return null;
      if (told)
        await Promise.all(vacations.filter((row) => isCalm(row, now)).map((row) => this.store.settle(row)));
      return true;
    }, UNTIL_STILL);
  }

  /** True when all games know. */
  private async tellGames(userId: string, vacations: readonly VacationRow[]): Promise<boolean> {
    const now = this.time.now();
    // Most of them have heard already: these are read at one stroke, and left alone.
    const games = (await this.games.runningRows(userId)).filter(
      // The end of an earlier vacation comes first, where it is due.
      (row) => isDue(row, now) || heard(row, userId, vacations, now.getTime()) !== null,
    );
    let told = true;
    for (let i = 0; i < games.length; i += TOLD_AT_ONCE) {
      const some = games.slice(i, i + TOLD_AT_ONCE);
      const answers = await Promise.all(some.map(({ id }) => this.tellGame(id, userId, vacations)));
      told &&= answers.every((answer) => answer);
    }
    return told;
  }

  private async tellGame(id: string, userId: string, vacations: readonly VacationRow[]): Promise<boolean> {
    try {
      await this.referee.decideFor(id, (row) => heard(row, userId, vacations, this.time.now().getTime()));
      return true;
    } catch (error) {
      this.logger.error(error);
      return false;
    }
  }
}

const isSame = (some: readonly VacationRow[], others: readonly VacationRow[]): boolean =>
  some.length === others.length &&
  some.every(({ id, endsAt }, i) => id === others[i]!.id && endsAt.getTime() === others[i]!.endsAt.getTime());

/** Has the start, or the end, been known for so long that nothing can have missed it? */
function isCalm({ startsAt, endsAt }: VacationRow, now: Date): boolean {
  const last = endsAt <= now ? endsAt : startsAt;
  return now.getTime() >= last.getTime() + CALM_MS;
}

/** What a game makes of these vacations, in order of time; null when it knows them. */
function heard(
  row: GameRow,
  userId: string,
  vacations: readonly VacationRow[],
  now: number,
): Transition | null {
  const player = playerOf(row, userId);
  if (player === null) return null;
  const transition = vacations.reduce(
    (transition, vacation) => hearing(transition, player, vacation, now),
    start(row),
  );
  return isNothing(transition) ? null : transition;
}

/** A vacation that the game has not heard of begins; one that is over ends. */
function hearing(transition: Transition, player: Player, row: VacationRow, now: number): Transition {
  const vacation = vacationOf(row);
  const { startsAt: from, endsAt: until } = vacation;
  const gone = step(transition, goAway(stateOf(transition.after), player, { from, until }, now));
  const away = gone.after.clock.away[player];
  if (away?.from !== from || until > now) return gone;
  const usedUp = isFull(vacation) && away.until === until;
  return step(gone, comeBack(stateOf(gone.after), player, until, usedUp));
}

const step = (transition: Transition, decision: Decision | null): Transition =>
  decision === null ? transition : withEvent(transition, decision);
