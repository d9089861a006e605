import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { DealsService, isAwaited } from '../../engine/deals.service.js';
import { EngineService } from '../../engine/engine.service.js';
import { fieldsOf, formatOf } from '../../engine/formats.js';
import { formatById, type Format } from '../../formats/formats.js';
import type { FieldSelection } from '../../formats/json-writer.js';
import { storedRow, type GameRow, type ShownGame } from '../games/game.row.js';
import { ALL_PLIES, GamesService } from '../games/games.service.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { Place } from '../../platform/contract/cursors.js';
import { badInput, orThrow, DomainError } from '../../platform/errors/errors.js';
import type { TextFile } from '../../platform/http/files.js';
import type { Party } from '../../platform/limits/rotation.js';
import { Streams } from '../../platform/limits/streams.js';
import { Time } from '../../platform/process/time.js';
import { RatingsService } from '../ratings/ratings.service.js';
import { UsersService } from '../users/users.service.js';
import { ExportsStore, type EndedGame, type Selection } from './exports.store.js';
import { demandListed, rulesetsWith, writtenAs, type ListFormat } from './formats.js';
import { scoreOf, type AddedTime } from './score.js';

/** The number of games read at a time. */
const PAGE = 100;

type Maybe<T> = T | null | undefined;

/** The format of a game in a request. */
export interface AskedText {
  readonly format?: Maybe<string>;
  readonly fields?: Maybe<string>;
}

/** The selection of a list in a request. */
export interface AskedList {
  readonly format?: Maybe<ListFormat>;
  readonly player?: Maybe<string>;
  readonly fields?: Maybe<string>;
  readonly ruleset?: Maybe<string>;
  readonly since?: Maybe<Date>;
  readonly until?: Maybe<Date>;
  readonly after?: Maybe<string>;
  readonly max?: Maybe<number>;
}

/** How games are written, and what stands behind the last one. */
interface Written {
  readonly format: Format;
  readonly keeps: FieldSelection | undefined;
  readonly end: AsyncGenerator<string, void> | null;
}

/** Exports games as text: one as it stands, or all that are over as a stream. */
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
    private readonly address: OwnAddress,
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

  /** Null until the game has started. Throws BAD_INPUT. */
  async text(row: ShownGame, asked: AskedText): Promise<string | null> {
    const format = formatOf(row.ruleset, asked.format ?? null);
    const keeps = fieldsOf(format, asked.fields);
    return isAwaited(row) ? null : this.written(row, format, keeps);
  }

  /** Games that are over, for one client. Throws NOT_FOUND, BAD_INPUT, INVALID_RULESET, INVALID_CURSOR, RATE_LIMITED. */
  async many({ player, ...asked }: AskedList, client: Party): Promise<TextFile<Readable>> {
    if (player == null) return this.list(null, asked, 'games', client);
    const user = await this.users.profile(player, 'player');
    return this.list(user.id, asked, user.username, client);
  }

  private async written(row: ShownGame, format: Format, keeps: FieldSelection | undefined): Promise<string> {
    const [plies, changes, addedTimes, serverSeed, ...users] = await Promise.all([
      this.games.plies(row, false, ALL_PLIES),
      row.endedAt === null ? null : this.ratings.changesOf(row.id),
      row.timeControl.type === 'perMove' ? this.addedTimes(row) : [],
      saysSeed(format, keeps) ? this.games.serverSeed(row) : null,
      this.users.one(row.firstId),
      this.users.one(row.secondId),
    ]);
    const { address } = this;
    const context = { users: new Map(users.map((user) => [user.id, user])), changes, addedTimes, serverSeed };
    // A change by the clock that is not stored yet is not in the chain.
    const game = { ...row, headHash: storedRow(row).headHash };
    return format.write(scoreOf(game, plies, { ...context, address }), keeps);
  }

  private async addedTimes(row: ShownGame): Promise<readonly AddedTime[]> {
    const events = await this.games.events(row);
    const given = events.filter(({ type }) => type === 'giveTime' || type === 'acceptTimeRequest');
    return given.map(({ seq, data }) => ({ seq, seconds: data['seconds'] as number }));
  }

  private async list(
    userId: string | null,
    asked: AskedList,
    name: string,
    client: Party,
  ): Promise<TextFile<Readable>> {
    const { since = null, max } = asked;
    if (since !== null && asked.until != null && since >= asked.until) {
      const [from, to] = [since.toISOString(), asked.until.toISOString()];
      throw badInput('until', `since (${from}) must be earlier than until (${to}).`);
    }
    const kind = asked.format ?? 'ndjson';
    const format = formatById(writtenAs(kind))!;
    const keeps = fieldsOf(format, asked.fields);
    // Leave out games that end while the stream is being read.
    const now = this.time.now().getTime();
    const until = new Date(Math.min(asked.until?.getTime() ?? Infinity, now + 1));
    const selection = { userId, rulesets: this.rulesets(asked.ruleset ?? null, kind), since, until };
    const place = await this.place(asked.after ?? null);
    const isNdjson = kind === 'ndjson';
    const isAll = asked.ruleset != null || selection.rulesets === null;
    const end = isAll ? null : this.leftOut(selection, place);
    return {
      content: await this.stream(
        client,
        this.texts(selection, { format, keeps, end }, place, max ?? Infinity),
      ),
      mediaType: isNdjson ? 'application/x-ndjson' : format.mediaType,
      fileName: `halfmove-${name}.${isNdjson ? 'ndjson' : format.extension}`,
    };
  }

  private stream({ address, user }: Party, texts: AsyncGenerator<string, void>): Promise<Readable> {
    const most = this.config.maxStreams;
    const refusal = `You have ${most} open streams of games, which is the limit. Wait for one to end, or close it.`;
    return this.streams.bounded({ key: `games ${user || address}`, most, refusal }, async () =>
      // Read the first game before answering, so that a failure still becomes an error response.
      Readable.from(chained(await texts.next(), texts)),
    );
  }

  /** The rule sets whose games the list contains; null for all. */
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
    return orThrow(
      await this.store.place(after),
      () =>
        new DomainError(
          'INVALID_CURSOR',
          `after must be the id of a game that is over; got ${after}. Use the id of the last game that arrived completely.`,
          { field: 'after' },
        ),
    );
  }

  /** Tells in lines that readers of games pass over which rule sets had games as well, and where these are. */
  private async *leftOut(selection: Selection, after: Place | null): AsyncGenerator<string, void> {
    const others = this.engine.catalogue().map(({ id }) => id);
    const known = others.filter((id) => !selection.rulesets!.includes(id));
    const missing = await this.store.having(known, selection, after);
    if (missing.length === 0) return;
    yield `% Games of other rule sets cannot be written in this format and are left out: ${missing.join(', ')}.\n`;
    yield `% With format=ndjson they are all in ${this.address.url('/v1/exports/games')}.\n`;
  }

  /** Yields the texts of the games, reading the next page once the reader has taken all of the last one. */
  private async *texts(
    selection: Selection,
    { format, keeps, end }: Written,
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
      for (const [i, { plies, addedTimes, ...game }] of games.entries()) {
        const score = scoreOf(game, plies, {
          users,
          changes: changes[i]!,
          addedTimes,
          serverSeed: seeds[i] ?? null,
          address: this.address,
        });
        yield format.write(score, keeps) + format.between;
      }
      const last = games.at(-1);
      if (last === undefined || games.length < size) {
        if (end !== null) yield* end;
        return;
      }
      place = { at: last.endedAt, id: last.id };
    }
  }
}

/** True if the texts contain the server seed, which takes a statement to read. */
const saysSeed = ({ id }: Format, keeps: FieldSelection | undefined): boolean =>
  id === 'json' && (keeps?.has('fairness') ?? true);

const playersOf = ({ firstId, secondId }: EndedGame): string[] => [firstId, secondId];

async function* chained(first: IteratorResult<string, void>, rest: AsyncGenerator<string, void>) {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

const unstarted = ({ status }: GameRow): DomainError =>
  status === 'pending'
    ? new DomainError(
        'GAME_PENDING',
        'The game cannot be exported yet: it waits for an announced client seed.',
      )
    : new DomainError('NOT_FOUND', 'The game cannot be exported: it was aborted before it started.');
