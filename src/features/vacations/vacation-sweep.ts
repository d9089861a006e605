import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { finishVacation, startVacation } from '../../arbiter/clock-acts.js';
import type { Decision } from '../../arbiter/state.js';
import { isFull } from '../../arbiter/vacation.js';
import type { Config } from '../../config.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Time } from '../../platform/process/time.js';
import type { Player } from '../../rules/ruleset.js';
import { isNothing, start, withEvent } from '../games/transition.js';
import { isDue } from '../games/as-of-now.js';
import { playerOf, stateOf, type Transition, type GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { Referee } from '../games/referee.js';
import { vacationOf, type VacationRow } from '../calendar/vacation.row.js';
import { VacationsStore } from './vacations.store.js';

const TOLD_AT_ONCE = 8;
/** After this time, games and changes that were in progress when the vacation began are stored. */
const CALM_MS = 60_000;

/** Updates games when a vacation of a player begins or ends. Several instances may do so at once. */
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

  /** Vacations that began while no server ran are applied before any move. */
  onApplicationBootstrap(): Promise<void> {
    return this.sweep().catch((error: unknown) => this.logger.error(error));
  }

  /** Applies all vacations that games may not know yet. A failure is logged and the next user follows. */
  async sweep(): Promise<void> {
    for (const userId of await this.store.unsettledUsers(this.time.now())) {
      await this.tell(userId).catch((error: unknown) => this.logger.error(error));
    }
  }

  /** Updates the games of a user; the next sweep completes what fails now. */
  async tell(userId: string): Promise<void> {
    const now = this.time.now();
    const vacations = await this.store.unsettled(userId, now);
    if (vacations.length === 0 || !(await this.tellGames(userId, vacations))) return;
    await Promise.all(vacations.filter((row) => isCalm(row, now)).map((row) => this.store.settle(row)));
  }

  /** True if all games are up to date. */
  private async tellGames(userId: string, vacations: readonly VacationRow[]): Promise<boolean> {
    const now = this.time.now();
    // Most games are up to date: reading all with one statement finds the others.
    const games = (await this.games.runningRows(userId)).filter(
      // The end of an earlier vacation is applied first.
      (row) => isDue(row, now) || heard(row, userId, vacations, now.getTime()) !== null,
    );
    let told = true;
    for (let i = 0; i < games.length; i += TOLD_AT_ONCE) {
      const some = games.slice(i, i + TOLD_AT_ONCE);
      const answers = await Promise.all(some.map(({ id }) => this.tellGame(id, userId)));
      told &&= answers.every((answer) => answer);
    }
    return told;
  }

  private async tellGame(id: string, userId: string): Promise<boolean> {
    try {
      // Reads the vacations for each attempt: it fails if one of them was ended meanwhile.
      await this.referee.decideFor(id, async (row) => {
        const now = this.time.now();
        return heard(row, userId, await this.store.unsettled(userId, now), now.getTime());
      });
      return true;
    } catch (error) {
      this.logger.error(error);
      return false;
    }
  }
}

/** Whether the start or end was so long ago that no game can have missed it. */
function isCalm({ startsAt, endsAt }: VacationRow, now: Date): boolean {
  const last = endsAt <= now ? endsAt : startsAt;
  return now.getTime() >= last.getTime() + CALM_MS;
}

/** The transition that applies these vacations to a game, in order of time; null if there is nothing to apply. */
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

/** Starts a vacation that the game does not know; ends one that is over. */
function hearing(transition: Transition, player: Player, row: VacationRow, now: number): Transition {
  const vacation = vacationOf(row);
  const { startsAt: from, endsAt: until } = vacation;
  const gone = step(transition, startVacation(stateOf(transition.after), player, { from, until }, now));
  const away = gone.after.clock.away[player];
  if (away?.from !== from || until > now) return gone;
  const usedUp = isFull(vacation) && away.until === until;
  return step(gone, finishVacation(stateOf(gone.after), player, until, usedUp));
}

const step = (transition: Transition, decision: Decision | null): Transition =>
  decision === null ? transition : withEvent(transition, decision);
