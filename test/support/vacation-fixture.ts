import { VacationSweep } from '../../src/features/vacations/vacation-sweep.js';
import { Referee } from '../../src/features/games/referee.js';
import { type Api, TRANSPORTS } from './api.js';
import { freshPlace, type Place } from './databases.js';
import type { MyVacations, Vacation } from './operations/vacations.js';
import { DAY } from './pair.js';
import { type Person, register, renewed } from './people.js';
import { begin } from './play.js';
import { startServer, type TestServer } from './server.js';
import type { Event, Game } from './api-types.js';
import { type StoppedTime, stopTime } from './stopped-time.js';
import { type Body, must } from './transport.js';

/**
 * Two players with games and vacations, on a clock that tests move. Sweeps run only when a test calls them.
 */

const SETTINGS = { ACCESS_TOKEN_SECONDS: '86400', SESSION_DAYS: '365', SWEEP_SECONDS: '3600' };

export const OVER = ['GraphQL', 'REST'] as const;

export const days = (count: number) => ({ timeControl: { type: 'perMove', seconds: (count * DAY) / 1000 } });
export const noVacation = (count: number) => ({
  timeControl: { ...days(count).timeControl, noVacation: true },
});

/** The time this many milliseconds after another one. */
const moment = (milliseconds: number, from: Date | string): string =>
  new Date(new Date(from).getTime() + milliseconds).toISOString();

export class VacationFixture {
  private place!: Place;
  server!: TestServer;
  time!: StoppedTime;
  api!: Api;
  ann!: Person;
  ben!: Person;
  year = 2026;
  private over: (typeof OVER)[number] = 'REST';

  async open(): Promise<void> {
    this.place = await freshPlace();
    await this.start();
  }

  close(): Promise<void> {
    return this.server.close().finally(() => this.place.remove());
  }

  /** Stops the server and starts it again after this time. */
  async restart(milliseconds: number): Promise<void> {
    const { moment } = this.time;
    await this.server.close();
    await this.start();
    this.time.moment = moment;
    this.time.forward(milliseconds);
  }

  private async start(): Promise<void> {
    this.server = await startServer(SETTINGS, this.place);
    this.time = stopTime(this.server.app);
    this.speak(this.over);
  }

  private speak(over: (typeof OVER)[number]): void {
    this.over = over;
    this.api = new Map(TRANSPORTS).get(over)!(this.server.http);
  }

  /** Each test has its own year and users. */
  async meet(over: (typeof OVER)[number] = 'REST', at: Date | null = null): Promise<void> {
    this.speak(over);
    this.year += 1;
    this.time.moment = at ?? this.noon(3, 1);
    const { http } = this.server;
    [this.ann, this.ben] = await Promise.all([register(http, 'ann'), register(http, 'ben')]);
  }

  /** Noon of a day of the year, and 250 ms, because clocks are not in whole seconds. */
  noon(month: number, day: number): Date {
    return new Date(Date.UTC(this.year, month - 1, day, 12, 0, 0, 250));
  }

  after(milliseconds: number, from: Date | string = this.time.now()): string {
    return moment(milliseconds, from);
  }

  /** Moves the clock and renews the tokens. */
  async later(milliseconds: number): Promise<void> {
    this.time.forward(milliseconds);
    const { http } = this.server;
    [this.ann, this.ben] = await Promise.all([renewed(http, this.ann), renewed(http, this.ben)]);
  }

  sweepVacations(): Promise<void> {
    return this.server.app.get(VacationSweep).sweep();
  }

  async sweepGames(): Promise<void> {
    await this.server.app.get(Referee).sweep();
  }

  /** A new game in which Ann is to move. */
  game(terms: Body = days(3)): Promise<Game> {
    return begin(this.api, this.ann, this.ben, terms);
  }

  async shown({ id }: Pick<Game, 'id'>): Promise<Game> {
    return must(await this.api.game(null, id));
  }

  /** The vacation and end events of a game. */
  async events({ id }: Pick<Game, 'id'>): Promise<readonly Body[]> {
    return must(await this.api.events(null, id))
      .filter(isTold)
      .map(toldOf);
  }

  async plan(wish: Body, by = this.ann): Promise<Vacation> {
    return must(await this.api.planVacation(by, wish));
  }

  async mine(by = this.ann): Promise<MyVacations> {
    return must(await this.api.myVacations(by));
  }

  /** The days of vacation left this year and next year. */
  async left(by = this.ann): Promise<readonly number[]> {
    return (await this.mine(by)).years.map(({ left }) => left);
  }
}

const isTold = ({ type }: Event): boolean => ['vacationStart', 'vacationEnd', 'flag', 'end'].includes(type);
const toldOf = ({ type, player, at, data }: Event): Body => ({ type, player, at, ...data });

/** Checks that the segments of the explanation add up to the deadline, and returns them. */
export function addsUp({ turnStartedAt, deadlineAt, deadline }: Game): readonly string[] {
  const seconds = deadline.explain.reduce((all, segment) => all + segment.seconds!, 0);
  expect(moment(seconds * 1000, turnStartedAt)).toBe(deadlineAt);
  expect(deadline.at).toBe(deadlineAt);
  return deadline.explain.map(({ kind, seconds: part }) => `${kind} ${part}`);
}
