import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { DealsService, isAwaited } from '../../engine/deals.service.js';
import { EngineService } from '../../engine/engine.service.js';
import { fieldsOf, formatOf } from '../../engine/formats.js';
import { formatById, type Format } from '../../formats/formats.js';
import type { Keeps } from '../../formats/json-written.js';
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
import { scoreOf, type Gift } from './score.js';

/** Games that are held at a time. */
const PAGE = 100;
/** The same for every game, so that those of several are read at once. */
const ALL_PLIES = { limit: 2 ** 31 - 1, fromEnd: false };

type Maybe<T> = T | null | undefined;

/** How a game is to be written, as it comes in. */
export interface AskedText {
  readonly format?: Maybe<string>;
  readonly fields?: Maybe<string>;
}

/** What of a list is asked for, as it comes in. */
export interface AskedList {
  readonly format?: Maybe<ListFormat>;
  readonly fields?: Maybe<string>;
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
    private readonly deals: DealsService,
    private readonly streams: Streams,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws NOT_FOUND, GAME_PENDING, BAD_INPUT. */
  async file(row: ShownGame, asked: AskedText): Promise<TextFile<string>> {
    const format = formatOf(row.ruleset, asked.format ?? null);
    const keeps = fieldsOf(format, asked.fields);
    if (isAwaited(row)) throw unstarted(row);
    return {
      content: await this.written(row, format, keeps),
      mediaType: format.mediaType,
      fileName: `${row.ruleset}-${row.id}.${format.extension}`,
    };
  }

  /** Null as long as the game has not started. Throws BAD_INPUT. */
  async text(row: ShownGame, asked: AskedText): Promise<string | null> {
    const format = formatOf(row.ruleset, asked.format ?? null);
    const keeps = fieldsOf(format, asked.fields);
    return isAwaited(row) ? null : this.written(row, format, keeps);
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

  private async written(row: ShownGame, format: Format, keeps: Keeps | undefined): Promise<string> {
    const [plies, changes, gifts, serverSeed, ...users] = await Promise.all([
      // Not one that came behind the row: its text is of one moment.
      this.games.plies(row, false, { ...ALL_PLIES, before: storedRow(row).version + 1 }),
      row.endedAt === null ? null : this.ratings.changesOf(row.id),
      row.timeControl.type === 'perMove' ? this.gifts(row) : [],
      saysSeed(format, keeps) ? this.games.serverSeed(row) : null,
      this.users.one(row.firstId),
      this.users.one(row.secondId),
    ]);
    const beside = { users: new Map(users.map((user) => [user.id, user])), changes, gifts, serverSeed };
    const { publicUrl } = this.config;
    // What the clock has done and nobody has stored is in no chain yet.
    const game = { ...row, headHash: storedRow(row).headHash };
    return format.write(scoreOf(game, plies, { ...beside, publicUrl }), keeps);
  }

  private async gifts(row: ShownGame): Promise<readonly Gift[]> {
    const events = await this.games.events(row);
    const given = events.filter(({ type }) => type === 'giveTime' || type === 'acceptTimeRequest');
    return given.map(({ seq, data }) => ({ seq, seconds: data['seconds'] as number }));
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
    const keeps = fieldsOf(format, asked.fields);
    // What ends while the stream goes out is for the next one.
    const now = this.time.now().getTime();
    const until = new Date(Math.min(asked.until?.getTime() ?? Infinity, now + 1));
    const selection = { userId, rulesets: this.rulesets(asked.ruleset ?? null, kind), since, until };
    const place = await this.place(asked.after ?? null);
    const isNdjson = kind === 'ndjson';
    return {
      content: await this.stream(client, this.texts(selection, { format, keeps }, place, max ?? Infinity)),
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
    { format, keeps }: { readonly format: Format; readonly keeps: Keeps | undefined },
    after: Place | null,
    max: number,
  ): AsyncGenerator<string, void> {
    let place = after;
    for (let left = max; left > 0; left -= PAGE) {
      const size = Math.min(left, PAGE);
      const games = await this.store.page(selection, place, size);
      const [users, changes, seeds] = await Promise.all([
        this.users.byIds([...new Set(games.flatMap(playersOf))]),
        Promise.all(games.map(({ id }) => this.ratings.changesOf(id))),
        saysSeed(format, keeps) ? this.deals.seedsOfEnded(games.map(({ id }) => id)) : [],
      ]);
      for (const [i, { plies, gifts, ...game }] of games.entries()) {
        const [serverSeed, { publicUrl }] = [seeds[i] ?? null, this.config];
        const score = scoreOf(game, plies, { users, changes: changes[i]!, gifts, serverSeed, publicUrl });
        yield format.write(score, keeps) + format.between;
      }
      const last = games.at(-1);
      if (last === undefined || games.length < size) return;
      place = { at: last.endedAt, id: last.id };
    }
  }
}

/** Is the seed of a deal in these texts? It costs a statement. */
const saysSeed = ({ id }: Format, keeps: Keeps | undefined): boolean =>
  id === 'json' && (keeps?.has('fairness') ?? true);

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
