import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../../platform/errors.js';
import type { GameDocument } from '../games/games.model.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import { Cursors, type ListCursors, type Place } from '../../platform/cursors.js';
import { stopIfGone } from '../../platform/request-context.js';
import { pageSize, rangeOf, type PageInfo, type PageRequest } from '../../platform/page.js';
import { UsersService } from '../users/users.service.js';
import type {
  GameSearch,
  GameSearchPage,
  HeadToHead,
  HeadToHeadDocument,
  Opponent,
  Statistics,
} from './history.model.js';
import { HistoryService, type Asked, type AskedOrder } from './history.service.js';
import type { Found, Search, Stretch } from './search.js';
import {
  byLength,
  byPace,
  byReason,
  byRuleset,
  bySide,
  lengthsOf,
  tallyOf,
  tallySum,
  timeOf,
} from './counts.js';

const GAMES_ON_A_PAGE = 20;
const LAST_GAMES = 5;
const OPPONENTS = 20;

/** From what is found to what leaves: the same for both transports. */
@Injectable()
export class HistoryView {
  constructor(
    private readonly history: HistoryService,
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
  ) {}

  async search(asked: Asked, order: AskedOrder, page: PageRequest): Promise<GameSearch> {
    const search = await this.history.search(asked, order);
    const list = this.cursors.of<Place>('games', search);
    const stretch = rangeOf(page, list, GAMES_ON_A_PAGE);
    let counted: ReturnType<HistoryService['count']> | undefined;
    return {
      ...(await this.page(list, search, stretch)),
      counted: () => (counted ??= this.history.count(search)),
    };
  }

  /** The same as documents, counted if asked for. */
  async documents(
    asked: Asked,
    order: AskedOrder,
    page: PageRequest,
    isCounted: boolean,
    viewer: Viewer | null,
  ): Promise<GameSearchPage> {
    const { edges, pageInfo, counted } = await this.search(asked, order, page);
    const games = await Promise.all(edges.map(({ node }) => this.view.document(node.row, viewer)));
    if (!isCounted) return { games, pageInfo };
    const { many, capped } = await counted();
    return { games, pageInfo, totalCount: many, totalCountCapped: capped };
  }

  /** `fields` is what the names of the two are called where they came in. */
  async headToHead(
    a: string,
    b: string,
    ruleset: string | null,
    fields: { readonly a: string; readonly b: string } = { a: 'a', b: 'b' },
  ): Promise<HeadToHead> {
    const [one, other] = await Promise.all([this.history.user(a, fields.a), this.history.user(b, fields.b)]);
    if (one.id === other.id) {
      throw new DomainError('BAD_INPUT', 'Nobody plays against himself: name two users.', {
        field: fields.b,
      });
    }
    const scores = await this.history.between(one, other, ruleset);
    return { a: one, b: other, all: tallySum(scores), byRuleset: scores, ruleset };
  }

  /** The last games that count in it. */
  lastGames({ a, b, ruleset }: HeadToHead, first: number | null | undefined): Promise<GameSearch> {
    const asked = { player: a.username, opponent: b.username, ruleset, status: ['finished'] } as const;
    return this.search(asked, { by: 'endedAt', direction: 'desc' }, { first: first ?? LAST_GAMES });
  }

  async headToHeadDocument(
    a: string,
    b: string,
    ruleset: string | null,
    first: number | null | undefined,
    viewer: Viewer | null,
  ): Promise<HeadToHeadDocument> {
    const fields = { a: 'username', b: 'opponent' };
    const { ruleset: _of, ...found } = await this.headToHead(a, b, ruleset, fields);
    const { edges } = await this.lastGames({ ...found, ruleset }, first);
    const documents: Promise<GameDocument>[] = edges.map(({ node }) => this.view.document(node.row, viewer));
    return { ...found, lastGames: await Promise.all(documents) };
  }

  async statistics(username: string, ruleset: string | null): Promise<Statistics> {
    const user = await this.history.user(username, 'username');
    const heaps = await this.history.heaps(user, ruleset);
    return {
      user,
      all: tallyOf(heaps),
      byRuleset: byRuleset(heaps),
      bySide: bySide(heaps),
      byReason: byReason(heaps),
      byLength: byLength(heaps),
      byTimeUsed: byPace(heaps),
      plies: lengthsOf(heaps),
      timeUsed: timeOf(heaps),
    };
  }

  async opponents(username: string, first: number | null | undefined): Promise<readonly Opponent[]> {
    const size = pageSize(first, 'first', OPPONENTS);
    const user = await this.history.user(username, 'username');
    const rivals = await this.history.rivals(user, size);
    const users = await this.users.byIds(rivals.map(({ userId }) => userId));
    return rivals.map(({ userId, ...tally }) => ({ ...tally, opponent: users.get(userId)! }));
  }

  private async page(
    list: ListCursors<Place>,
    search: Search,
    stretch: Stretch,
  ): Promise<Omit<GameSearch, 'counted'>> {
    stopIfGone();
    const found = await this.history.find(search, stretch);
    const rows = await this.games.byIds(found.places.map(({ id }) => id));
    const cursor = (place: Place) => list.make(place);
    const edges = rows.map((row, i) => ({ cursor: cursor(found.places[i]!), node: this.view.game(row) }));
    return { edges, pageInfo: pageInfoOf(found, stretch, cursor) };
  }
}

/** Where a page is short because its look had to stop, the cursor at that end stands where it stopped. */
function pageInfoOf(
  { places, stop, more }: Found,
  { after, before, fromEnd }: Stretch,
  cursor: (place: Place) => string,
): PageInfo {
  const [first, last] = [places[0] ?? stop, places.at(-1) ?? stop];
  const start = fromEnd && stop !== null ? stop : first;
  const end = !fromEnd && stop !== null ? stop : last;
  return {
    hasNextPage: fromEnd ? before !== undefined : more,
    hasPreviousPage: fromEnd ? more : after !== undefined,
    startCursor: start && cursor(start),
    endCursor: end && cursor(end),
  };
}
