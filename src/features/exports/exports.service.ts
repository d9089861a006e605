import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { EngineService } from '../../engine/engine.service.js';
import { formatOf } from '../../engine/formats.js';
import { formatById, type Format } from '../../formats/formats.js';
import { storedRow, type GameRow, type ShownGame } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { CONFIG } from '../../platform/config.module.js';
import type { Place } from '../../platform/cursors.js';
import { badInput, demand, DomainError } from '../../platform/errors.js';
import type { TextFile } from '../../platform/files.js';
import { Streams } from '../../platform/streams.js';
import { Time } from '../../platform/time.js';
import { RatingsService } from '../ratings/ratings.service.js';
import { UsersService } from '../users/users.service.js';
import { ExportsStore, type EndedGame, type Selection } from './exports.store.js';
import { demandListed, rulesetsWith, writtenAs, type ListFormat } from './formats.js';
import { scoreOf } from './score.js';

/** Games that are held at a time. */
const PAGE = 100;
/** The same for every game, so that those of several are read at once. */
const ALL_PLIES = { limit: 2 ** 31 - 1, fromEnd: false };

type Maybe<T> = T | null | undefined;

/** What of a list is asked for, as it comes in. */
export interface AskedList {
  readonly format?: Maybe<ListFormat>;
  readonly ruleset?: Maybe<string>;
  readonly since?: Maybe<Date>;
  readonly until?: Maybe<Date>;
  readonly after?: Maybe<string>;
  readonly max?: Maybe<number>;
}

/** Games as texts: one as it stands, or all that are over, as fast as they are taken. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly store: ExportsStore,
    private readonly games: GamesService,
    private readonly users: UsersService,
    private readonly ratings: RatingsService,
    private readonly engine: EngineService,
    private readonly streams: Streams,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws NOT_FOUND, GAME_PENDING, BAD_INPUT. */
  async file(id: string, asked: string | null): Promise<TextFile<string>> {
    const row = await this.games.game(id);
    const format = formatOf(row.ruleset, asked);
    if (row.termsHash === null) throw unstarted(row);
    return {
      content: await this.written(row, format),
      mediaType: format.mediaType,
      fileName: `${row.ruleset}-${row.id}.${format.extension}`,
    };
  }

  /** Null as long as the game has not started. Throws BAD_INPUT. */
  async text(row: ShownGame, asked: string | null): Promise<string | null> {
    const format = formatOf(row.ruleset, asked);
    return row.termsHash === null ? null : this.written(row, format);
  }

  /** The games of a user that are over. Throws NOT_FOUND, and as ofAll. */
  async ofUser(username: string, asked: AskedList, client: string): Promise<TextFile<Readable>> {
    const user = await this.users.profile(username);
    return this.list(user.id, asked, user.username, client);
  }

  /** All games that are over, for one client. Throws BAD_INPUT, INVALID_RULESET, INVALID_CURSOR, RATE_LIMITED. */
  ofAll(asked: AskedList, client: string): Promise<TextFile<Readable>> {
    return this.list(null, asked, 'games', client);
  }

  private async written(row: ShownGame, format: Format): Promise<string> {
    const [plies, changes, ...users] = await Promise.all([
      // Not one that came behind the row: its text is of one moment.
      this.games.plies(row, false, { ...ALL_PLIES, before: storedRow(row).version + 1 }),
      row.endedAt === null ? null : this.ratings.changesOf(row.id),
      this.users.one(row.firstId),
      this.users.one(row.secondId),
    ]);
    const byId = new Map(users.map((user) => [user.id, user]));
    return format.write(scoreOf(row, plies, byId, changes, this.config.publicUrl));
  }

  private async list(
    userId: string | null,
    asked: AskedList,
    name: string,
    client: string,
  ): Promise<TextFile<Readable>> {
    const { since = null, max } = asked;
    if (since !== null && asked.until != null && since >= asked.until) {
      throw badInput('until', 'since does not lie before until: nothing ends between them.');
    }
    const kind = asked.format ?? 'ndjson';
    const format = formatById(writtenAs(kind))!;
    // What ends while the stream goes out is for the next one.
    const now = this.time.now().getTime();
    const until = new Date(Math.min(asked.until?.getTime() ?? Infinity, now + 1));
    const selection = { userId, rulesets: this.rulesets(asked.ruleset ?? null, kind), since, until };
    const place = await this.place(asked.after ?? null);
    const isNdjson = kind === 'ndjson';
    return {
      content: await this.stream(client, this.texts(selection, format, place, max ?? Infinity)),
      mediaType: isNdjson ? 'application/x-ndjson' : format.mediaType,
      fileName: `halfmove-${name}.${isNdjson ? 'ndjson' : format.extension}`,
    };
  }

  private stream(client: string, texts: AsyncGenerator<string, void>): Promise<Readable> {
    const most = this.config.maxStreams;
    const refusal = `${most} streams of games go to you already, as many as may at once: wait for the end of one, or close it.`;
    return this.streams.bounded({ key: `games ${client}`, most, refusal }, async () =>
      // Before there is an answer: what fails here is still an error of its own.
      Readable.from(chained(await texts.next(), texts)),
    );
  }

  /** Of which rule sets there are games in a list; null: of all. */
  private rulesets(asked: string | null, format: ListFormat): readonly string[] | null {
    if (asked === null) {
      return rulesetsWith(
        format,
        this.engine.catalogue().map(({ id }) => id),
      );
    }
    const { id } = this.engine.ruleset(asked);
    demandListed(id, format);
    return [id];
  }

  private async place(after: string | null): Promise<Place | null> {
    if (after === null) return null;
    return demand(
      await this.store.place(after),
      () => new DomainError('INVALID_CURSOR', 'after is the id of a game that is over.', { field: 'after' }),
    );
  }

  /** A page at a time, the next one when all of it has been taken. */
  private async *texts(
    selection: Selection,
    format: Format,
    after: Place | null,
    max: number,
  ): AsyncGenerator<string, void> {
    let place = after;
    for (let left = max; left > 0; left -= PAGE) {
      const size = Math.min(left, PAGE);
      const games = await this.store.page(selection, place, size);
      const [users, changes] = await Promise.all([
        this.users.byIds([...new Set(games.flatMap(playersOf))]),
        Promise.all(games.map(({ id }) => this.ratings.changesOf(id))),
      ]);
      for (const [i, game] of games.entries()) {
        const score = scoreOf(game, game.plies, users, changes[i]!, this.config.publicUrl);
        yield format.write(score) + format.between;
      }
      const last = games.at(-1);
      if (last === undefined || games.length < size) return;
      place = { at: last.endedAt, id: last.id };
    }
  }
}

const playersOf = ({ firstId, secondId }: EndedGame): string[] => [firstId, secondId];

async function* chained(first: IteratorResult<string, void>, rest: AsyncGenerator<string, void>) {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

const unstarted = ({ status }: GameRow): DomainError =>
  status === 'pending'
    ? new DomainError('GAME_PENDING', 'The game has not started: there is nothing to export yet.')
    : new DomainError('NOT_FOUND', 'The game was called off before it started: there is nothing to export.');
