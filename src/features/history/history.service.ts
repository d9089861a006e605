import { Injectable } from '@nestjs/common';
import type { Status } from '../../arbiter/state.js';
import { EngineService } from '../../engine/engine.service.js';
import { errorOf } from '../../engine/refusals.js';
import { badInput } from '../../platform/errors/errors.js';
import { openingFault } from '../../rules/opening-line.js';
import type { Player, Reason } from '../../rules/ruleset.js';
import { givenSeat } from '../games/given-seat.js';
import { UsersService } from '../users/users.service.js';
import { movesOf } from './opening.js';
import type { Direction, GameResult, Order, Search, Span } from './search.js';

type Maybe<T> = T | null | undefined;

/** The filter of a search in a request. */
export interface Asked {
  readonly player?: Maybe<string>;
  /** In place of `player`, for a player without a username. */
  readonly playerId?: string;
  readonly opponent?: Maybe<string>;
  readonly seat?: Maybe<Player>;
  readonly side?: Maybe<string>;
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

/** Checks and completes searches. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly users: UsersService,
    private readonly engine: EngineService,
  ) {}

  /** The search with its defaults. Throws BAD_INPUT, NOT_FOUND, INVALID_RULESET, INVALID_OPTIONS, ILLEGAL_MOVE, GAME_OVER. */
  async search(asked: Asked, order: AskedOrder): Promise<Search> {
    assertComplete(asked);
    const { options = null, opening = null } = asked;
    const ruleset = this.known(asked.ruleset);
    const [player, opponent] = await Promise.all([
      asked.playerId ?? this.idOf(asked.player, 'player'),
      this.idOf(asked.opponent, 'opponent'),
    ]);
    return {
      ...{ player, opponent, ruleset, seat: this.seat(asked), rated: asked.rated ?? null },
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
      opening: opening === null ? null : this.opening(ruleset!, options ?? {}, opening),
      ...{ order: order.by ?? 'lastActivityAt', direction: order.direction ?? 'desc' },
    };
  }

  /** The id of an existing rule set, or null if none is given. Throws INVALID_RULESET. */
  known(ruleset: Maybe<string>): string | null {
    return ruleset == null ? null : this.engine.ruleset(ruleset).id;
  }

  /** Throws BAD_INPUT, ILLEGAL_MOVE, GAME_OVER. */
  private opening(ruleset: string, options: Readonly<Record<string, unknown>>, text: string): string {
    const moves = movesOf(text);
    const fault = openingFault<unknown>(
      this.engine.ruleset(ruleset),
      this.engine.options(ruleset, options),
      moves,
    );
    if (fault !== null) throw errorOf({ ...fault, field: 'opening' });
    return moves.map((move) => `${move} `).join('');
  }

  /** The seat of the player; null for either. Throws BAD_INPUT. */
  private seat({ seat, side, ruleset }: Asked): Player | null {
    const wish = givenSeat({ seat, side }, ruleset == null ? null : this.engine.ruleset(ruleset));
    return wish === 'any' ? null : wish;
  }

  private async idOf(username: Maybe<string>, field: string): Promise<string | null> {
    return username == null ? null : (await this.users.profile(username, field)).id;
  }
}

/** Throws BAD_INPUT for a condition without another one that it requires. */
function assertComplete(asked: Asked): void {
  const isOfPlayer = asked.result === 'won' || asked.result === 'lost';
  const needs = [
    { field: 'opponent', isGiven: asked.opponent != null, other: 'player' },
    { field: 'seat', isGiven: asked.seat != null, other: 'player' },
    { field: 'side', isGiven: asked.side != null, other: 'player' },
    { field: 'result', isGiven: isOfPlayer, other: 'player' },
    { field: 'options', isGiven: asked.options != null, other: 'ruleset' },
    { field: 'opening', isGiven: asked.opening != null, other: 'ruleset' },
  ] as const;
  const lacking = needs.find(({ isGiven, other }) => isGiven && asked[other] == null);
  if (lacking === undefined) return;
  const { field, other } = lacking;
  const given = field === 'result' ? `result ${asked.result}` : field;
  throw badInput(field, `${given} requires ${other} as well.`);
}

function spanOf(from: Maybe<Date>, until: Maybe<Date>, name: string): Span {
  const span = { from: from ?? null, until: until ?? null };
  if (span.from === null || span.until === null || span.from < span.until) return span;
  const [first, last] = [span.from.toISOString(), span.until.toISOString()];
  throw badInput(`${name}Until`, `${name}From (${first}) must be earlier than ${name}Until (${last}).`);
}
