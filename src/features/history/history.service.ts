import { Injectable } from '@nestjs/common';
import type { Status } from '../../arbiter/table.js';
import { EngineService } from '../../engine/engine.service.js';
import { DomainError } from '../../platform/errors.js';
import type { Player, Reason } from '../../rules/ruleset.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { HistoryStore } from './history.store.js';
import { openingOf } from './opening.js';
import type { Count, Direction, Found, GameResult, Order, Search, Span, Stretch } from './search.js';
import { StatisticsStore, type Rival, type RulesetScore } from './statistics.store.js';
import type { Alike } from './counts.js';

type Maybe<T> = T | null | undefined;

/** What is looked for, as it comes in. */
export interface Asked {
  readonly player?: Maybe<string>;
  readonly opponent?: Maybe<string>;
  readonly side?: Maybe<Player>;
  readonly ruleset?: Maybe<string>;
  readonly options?: Maybe<Readonly<Record<string, unknown>>>;
  readonly rated?: Maybe<boolean>;
  readonly status?: Maybe<readonly Status[]>;
  readonly result?: Maybe<GameResult>;
  readonly reason?: Maybe<Reason>;
  readonly timeControl?: Maybe<string>;
  readonly seconds?: Maybe<number>;
  readonly initial?: Maybe<number>;
  readonly increment?: Maybe<number>;
  readonly createdFrom?: Maybe<Date>;
  readonly createdUntil?: Maybe<Date>;
  readonly endedFrom?: Maybe<Date>;
  readonly endedUntil?: Maybe<Date>;
  readonly lastActivityFrom?: Maybe<Date>;
  readonly lastActivityUntil?: Maybe<Date>;
  readonly minPlies?: Maybe<number>;
  readonly opening?: Maybe<string>;
}

export interface AskedOrder {
  readonly by?: Maybe<Order>;
  readonly direction?: Maybe<Direction>;
}

/** What may be asked of all games that there are. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly store: HistoryStore,
    private readonly statistics: StatisticsStore,
    private readonly users: UsersService,
    private readonly engine: EngineService,
  ) {}

  /** What is looked for, complete. Throws BAD_INPUT, NOT_FOUND, INVALID_RULESET, INVALID_OPTIONS. */
  async search(asked: Asked, order: AskedOrder): Promise<Search> {
    demandWhole(asked);
    const { ruleset = null, options = null, opening = null } = asked;
    if (ruleset !== null) this.engine.ruleset(ruleset);
    const [player, opponent] = await Promise.all([
      this.idOf(asked.player, 'player'),
      this.idOf(asked.opponent, 'opponent'),
    ]);
    return {
      ...{ player, opponent, ruleset, side: asked.side ?? null, rated: asked.rated ?? null },
      options: options === null ? null : this.engine.options(ruleset!, options),
      statuses: asked.status == null ? null : [...new Set(asked.status)].sort(),
      ...{ result: asked.result ?? null, reason: asked.reason ?? null, minPlies: asked.minPlies ?? null },
      timeControl: {
        ...{ type: asked.timeControl ?? null, seconds: asked.seconds ?? null },
        ...{ initial: asked.initial ?? null, increment: asked.increment ?? null },
      },
      created: spanOf(asked.createdFrom, asked.createdUntil, 'created'),
      ended: spanOf(asked.endedFrom, asked.endedUntil, 'ended'),
      active: spanOf(asked.lastActivityFrom, asked.lastActivityUntil, 'lastActivity'),
      opening: opening === null ? null : openingOf(opening),
      ...{ order: order.by ?? 'lastActivityAt', direction: order.direction ?? 'desc' },
    };
  }

  /** Among what is stored: an end by the clock counts from when it is. */
  find(search: Search, stretch: Stretch): Promise<Found> {
    return this.store.find(search, stretch);
  }

  count(search: Search): Promise<Count> {
    return this.store.count(search);
  }

  /** Throws NOT_FOUND. */
  async user(username: string, field: string): Promise<User> {
    const user = await this.users.byUsername(username);
    if (user !== null) return user;
    throw new DomainError('NOT_FOUND', 'Nobody has this username.', { field });
  }

  /** The finished games of a user, those that are alike added up. Throws INVALID_RULESET. */
  heaps(user: User, ruleset: string | null): Promise<readonly Alike[]> {
    if (ruleset !== null) this.engine.ruleset(ruleset);
    return this.statistics.heaps(user.id, ruleset);
  }

  /** The most played opponents of a user. */
  rivals(user: User, limit: number): Promise<readonly Rival[]> {
    return this.statistics.rivals(user.id, limit);
  }

  /** What a user has against another one, by rule set. Throws INVALID_RULESET. */
  between(a: User, b: User, ruleset: string | null): Promise<readonly RulesetScore[]> {
    if (ruleset !== null) this.engine.ruleset(ruleset);
    return this.statistics.between(a.id, b.id, ruleset);
  }

  private async idOf(username: Maybe<string>, field: string): Promise<string | null> {
    return username == null ? null : (await this.user(username, field)).id;
  }
}

/** What makes no sense without something else. */
function demandWhole({ player, opponent, side, result, ruleset, options, opening }: Asked): void {
  const needs = (field: string, other: string) =>
    new DomainError('BAD_INPUT', `${field} goes with ${other}: give that, too.`, { field });
  if (player == null) {
    if (opponent != null) throw needs('opponent', 'player');
    if (side != null) throw needs('side', 'player');
    if (result === 'won' || result === 'lost') throw needs('result', 'player');
  }
  if (ruleset == null) {
    if (options != null) throw needs('options', 'ruleset');
    if (opening != null) throw needs('opening', 'ruleset');
  }
}

function spanOf(from: Maybe<Date>, until: Maybe<Date>, name: string): Span {
  const span = { from: from ?? null, until: until ?? null };
  if (span.from === null || span.until === null || span.from < span.until) return span;
  throw new DomainError('BAD_INPUT', `${name}From lies before ${name}Until.`, { field: `${name}Until` });
}
