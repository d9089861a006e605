import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { badInput } from '../../platform/errors/errors.js';
import type { Game } from '../games/games.model.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import { Cursors, type Place } from '../../platform/contract/cursors.js';
import type { PageOfTexts } from '../../platform/http/json-text.js';
import { listPageBothWays } from '../../platform/contract/paginated.js';
import {
  LazyEdge,
  LazyPageInfo,
  pageSize,
  rangeOf,
  type Connection,
  type PageInfo,
  type PageRequest,
  DEFAULT_PAGE_SIZE,
} from '../../platform/contract/page.js';
import { named } from '../rulesets/named.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { LAST_GAMES, OPPONENTS } from './history.inputs.js';
import type {
  GameSearchPage,
  HeadToHead,
  HeadToHeadDocument,
  Opponent,
  RulesetTally,
  Statistics,
} from './history.model.js';
import { HistoryService, type Asked, type AskedOrder } from './history.service.js';
import { HistoryStore } from './history.store.js';
import type { Count, Found, Stretch } from './search.js';
import { StatisticsStore } from './statistics.store.js';
import {
  byLength,
  byPace,
  byReason,
  byRuleset,
  bySeat,
  lengthsOf,
  countsOf,
  sumOf,
  timeOf,
  type RulesetScore,
} from './counts.js';

/** A page of games, counted on request. */
export interface FoundGames extends Connection<Game> {
  readonly totalCount: () => Promise<number>;
  readonly totalCountCapped: () => Promise<boolean>;
}

/** The statistics in GraphQL, which looks at the aborted games on request. */
export interface StatisticsOnDemand extends Omit<Statistics, 'calledOff'> {
  readonly calledOff: () => Promise<number>;
}

/** Builds the responses about the history, for both transports. */
@Injectable()
export class HistoryView {
  constructor(
    private readonly history: HistoryService,
    private readonly store: HistoryStore,
    private readonly statisticsStore: StatisticsStore,
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
  ) {}

  /** Searches stored games only: an end by the clock counts once it is stored. */
  async search(
    asked: Asked,
    order: AskedOrder,
    page: PageRequest,
    stopIfGone: () => void = () => undefined,
  ): Promise<FoundGames> {
    const search = await this.history.search(asked, order);
    const list = this.cursors.of<Place>('games', search);
    const stretch = rangeOf(page, list, DEFAULT_PAGE_SIZE);
    stopIfGone();
    const found = await this.store.find({ search, stretch, stampOf: this.games.stampOf });
    const rows = await this.games.withStamps(found.places);
    const cursor = ({ at, id }: Place) => list.make({ at, id });
    let counted: Promise<Count> | undefined;
    const count = () => (counted ??= this.store.count(search));
    return {
      edges: rows.map((row, i) => new LazyEdge(found.places[i]!, cursor, this.view.game(row))),
      pageInfo: pageInfoOf(found, stretch, cursor),
      totalCount: async () => (await count()).many,
      totalCountCapped: async () => (await count()).capped,
    };
  }

  /** The search for REST, counted on request. */
  async documents(
    asked: Asked,
    order: AskedOrder,
    page: PageRequest,
    isCounted: boolean,
    viewer: Principal | null,
    stopIfGone: () => void,
  ): Promise<PageOfTexts<GameSearchPage>> {
    const found = await this.search(asked, order, page, stopIfGone);
    const { edges, pageInfo } = found;
    const items = await this.view.texts(found, viewer);
    const shown = { ...listPageBothWays({ edges, pageInfo }), items };
    if (!isCounted) return shown;
    const [totalCount, totalCountCapped] = [await found.totalCount(), await found.totalCountCapped()];
    return { ...shown, totalCount, totalCountCapped };
  }

  /** `fields` names the parameters of the two usernames, for errors. */
  async headToHead(
    a: string,
    b: string,
    ruleset: string | null,
    fields: { readonly a: string; readonly b: string } = { a: 'a', b: 'b' },
  ): Promise<HeadToHead> {
    const [one, other] = await Promise.all([
      this.users.profile(a, fields.a),
      this.users.profile(b, fields.b),
    ]);
    if (one.id === other.id) {
      throw badInput(
        fields.b,
        `${fields.b} must not be the same user as ${fields.a}: both are ${one.username}.`,
      );
    }
    const scores = await this.statisticsStore.between(one.id, other.id, this.history.known(ruleset));
    return { a: one, b: other, all: sumOf(scores), byRuleset: byName(scores), ruleset };
  }

  /** The last finished games of the two. */
  lastGames({ a, b, ruleset }: HeadToHead, { first, after }: PageRequest): Promise<FoundGames> {
    const asked = { player: a.username, opponent: b.username, ruleset, status: ['finished'] } as const;
    return this.search(asked, { by: 'endedAt', direction: 'desc' }, { first: first ?? LAST_GAMES, after });
  }

  async headToHeadDocument(
    a: string,
    b: string,
    ruleset: string | null,
    first: number | null | undefined,
    viewer: Principal | null,
  ): Promise<HeadToHeadDocument> {
    const fields = { a: 'username', b: 'opponent' };
    const { ruleset: _of, ...found } = await this.headToHead(a, b, ruleset, fields);
    const last = await this.lastGames({ ...found, ruleset }, { first });
    return { ...found, lastGames: await this.view.documents(last, viewer) };
  }

  async statistics(username: string, ruleset: string | null): Promise<StatisticsOnDemand> {
    const user = await this.users.profile(username, 'username');
    const known = this.history.known(ruleset);
    const groups = await this.statisticsStore.groups(user.id, known);
    return {
      user,
      all: countsOf(groups),
      calledOff: () => this.statisticsStore.calledOff(user.id, known),
      byRuleset: byName(byRuleset(groups)),
      bySeat: bySeat(groups),
      byReason: byReason(groups),
      byLength: byLength(groups),
      byTimeUsed: byPace(groups),
      plies: lengthsOf(groups),
      timeUsed: timeOf(groups),
    };
  }

  /** All of them, for REST. */
  async statisticsDocument(username: string, ruleset: string | null): Promise<Statistics> {
    const found = await this.statistics(username, ruleset);
    return { ...found, calledOff: await found.calledOff() };
  }

  async opponents(username: string, first: number | null | undefined): Promise<readonly Opponent[]> {
    const size = pageSize(first, 'first', OPPONENTS);
    const { id } = await this.users.profile(username, 'username');
    const opponents = await this.statisticsStore.opponents(id, size);
    const users = await this.users.byIds(opponents.map(({ userId }) => userId));
    return opponents.map(({ userId, ...counts }) => ({ ...counts, user: users.get(userId) as User }));
  }
}

const byName = (scores: readonly RulesetScore[]): readonly RulesetTally[] =>
  scores.map(({ ruleset, ...counts }) => ({ ...counts, ruleset: named(ruleset) }));

/** The cursors of a page; where the scan stopped early, the cursor at that end points to the last scanned row. */
function pageInfoOf(
  { places, stop, more }: Found,
  { after, before, fromEnd }: Stretch,
  cursor: (place: Place) => string,
): PageInfo {
  const [first, last] = [places[0] ?? stop, places.at(-1) ?? stop];
  const start = fromEnd && stop !== null ? stop : first;
  const end = !fromEnd && stop !== null ? stop : last;
  return new LazyPageInfo(
    fromEnd ? before !== undefined : more,
    fromEnd ? more : after !== undefined,
    () => start && cursor(start),
    () => end && cursor(end),
  );
}
