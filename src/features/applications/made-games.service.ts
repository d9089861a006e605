import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { Cursors } from '../../platform/contract/cursors.js';
import { DEFAULT_PAGE_SIZE, isUuid, pageOf, type PageRequest } from '../../platform/contract/page.js';
import {
  badInput,
  DomainError,
  ofRow,
  orThrow,
  renamed,
  ROOM_SECONDS,
} from '../../platform/errors/errors.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { Principal } from '../auth/principal.js';
import type { ShownGame } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import type { ChallengeTerms } from '../matchmaking/challenge.row.js';
import { type MadeGame, MadeGames } from '../matchmaking/made-games.js';
import type { NewGameInput, SeatedInput } from './made-games.inputs.js';
import type { OwnGame, OwnGameConnection, OwnGameDocument } from './made-games.model.js';
import { MadeGamesStore } from './made-games.store.js';
import { noPlayer, PlayersService, requireExternalId } from './players.service.js';

/** The games of an application, and those that it begins between its players. */
@Injectable()
export class MadeGamesService {
  constructor(
    private readonly store: MadeGamesStore,
    private readonly players: PlayersService,
    private readonly made: MadeGames,
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly cursors: Cursors,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Begins games, each in a transaction of its own; one that is there already is answered as it is. Throws BAD_INPUT,
   * NOT_FOUND, INVALID_RULESET, INVALID_OPTIONS, INVALID_TIME_CONTROL, INVALID_SEED, LIMIT_REACHED, ACCOUNT_CLOSED,
   * INVALID_CLIENT.
   */
  async create(application: Principal, wanted: readonly NewGameInput[]): Promise<readonly ShownGame[]> {
    const names = namesIn(wanted);
    const ids = await this.players.idsOf(
      application,
      wanted.flatMap(({ first, second }) => [first.externalId, second.externalId]),
    );
    const there = await this.store.named(application.userId, names);
    // All are checked before the first one begins.
    const same = await this.assertSame(application, wanted, there, ids);
    if (same.length === wanted.length) return same;
    const terms = wanted.map((game, i) =>
      there.has(game.externalId) ? null : inRow(game, i, () => this.termsOf(game, ids)),
    );
    await this.assertRoom(application.userId, names.filter((name) => !there.has(name)).length);
    const begun = new Map(there);
    for (const [i, externalId] of names.entries()) {
      if (begun.has(externalId)) continue;
      begun.set(externalId, await this.begin(application.userId, terms[i]!, externalId, `games.${i}`));
    }
    // Another request may have begun one meanwhile.
    return this.assertSame(application, wanted, begun, ids);
  }

  /** The games of the application, or those among these ids. */
  listed(
    { userId }: Principal,
    among: readonly string[] | null,
    page: PageRequest,
  ): Promise<OwnGameConnection> {
    const known = among?.filter(isUuid) ?? null;
    return pageOf(page, {
      cursors: this.cursors.of<string>('ownGames', userId, known),
      size: DEFAULT_PAGE_SIZE,
      read: async ({ after = null, limit }) => {
        const rows = await this.games.foundByIds(await this.store.ids(userId, known, after, limit));
        return rows.map((row) => row!);
      },
      key: ({ id }) => id,
      node: (row) => Promise.resolve(this.own(row)),
    });
  }

  own(row: ShownGame): OwnGame {
    return { externalId: row.externalId, game: this.view.game(row) };
  }

  async document(row: ShownGame): Promise<OwnGameDocument> {
    return { externalId: row.externalId, game: await this.view.document(row, null) };
  }

  documents({ edges }: OwnGameConnection): Promise<readonly OwnGameDocument[]> {
    return Promise.all(edges.map(({ node }) => this.document(node.game.row)));
  }

  /** The games that are there, once for each row that has one. Throws BAD_INPUT if one is not what its row says. */
  private async assertSame(
    application: Principal,
    wanted: readonly NewGameInput[],
    there: ReadonlyMap<string, string>,
    ids: ReadonlyMap<string, string>,
  ): Promise<readonly ShownGame[]> {
    const rows = [...wanted.entries()].filter(([, { externalId }]) => there.has(externalId));
    const found = await this.games.foundByIds(rows.map(([, { externalId }]) => there.get(externalId)!));
    const seated = found.flatMap((row) => [row!.firstId, row!.secondId]);
    const playing = await this.players.namesOf(application, seated);
    // Who has left is compared with nobody, unless their name is that of somebody else now.
    const isOf = (id: string, { externalId: name }: SeatedInput) =>
      ids.has(name) ? ids.get(name) === id : !playing.has(id);
    for (const [at, [i, game]] of rows.entries()) {
      const row = found[at]!;
      inRow(game, i, () => {
        const areSeated = isOf(row.firstId, game.first) && isOf(row.secondId, game.second);
        if (areSeated && this.isOnTerms(row, game)) return;
        throw badInput(
          'externalId',
          'There is a game of this name already, with other players or on other terms. Take another externalId.',
        );
      });
    }
    return found.map((row) => row!);
  }

  /** Whether a game has the terms of a request. Throws as termsOf. */
  private isOnTerms(row: ShownGame, game: NewGameInput): boolean {
    const { firstId, secondId } = row;
    const wanted = this.termsBetween(firstId, secondId, game);
    return (
      row.ruleset === wanted.ruleset &&
      row.rated === wanted.rated &&
      row.creator === wanted.side &&
      row.clientSeedHash === wanted.creatorClientSeedHash &&
      isDeepStrictEqual(row.options, stored(wanted.options)) &&
      isDeepStrictEqual(row.timeControl, stored(wanted.timeControl))
    );
  }

  /** Throws BAD_INPUT, NOT_FOUND, INVALID_RULESET, INVALID_OPTIONS, INVALID_TIME_CONTROL, INVALID_SEED. */
  private termsOf(game: NewGameInput, ids: ReadonlyMap<string, string>): ChallengeTerms {
    const { first, second } = game;
    const idOf = ({ externalId }: SeatedInput, seat: string) =>
      orThrow(ids.get(externalId) ?? null, () => noPlayer(externalId, `${seat}.externalId`));
    const seats = { firstId: idOf(first, 'first'), secondId: idOf(second, 'second') };
    if (seats.firstId === seats.secondId) {
      const message = `first and second must be two players; both are ${first.externalId}.`;
      throw badInput('second.externalId', message);
    }
    return this.termsBetween(seats.firstId, seats.secondId, game);
  }

  private termsBetween(
    firstId: string,
    secondId: string,
    { first, second, ruleset, options, timeControl, rated }: NewGameInput,
  ): ChallengeTerms {
    const announced = announcedIn(first, second);
    try {
      return this.made.terms({ firstId, secondId, ruleset, options, timeControl, rated, announced });
    } catch (error) {
      throw inSeat(error, announced?.by);
    }
  }

  /** The id of the game, which another request may have begun meanwhile. */
  private begin(
    applicationId: string,
    terms: ChallengeTerms,
    externalId: string,
    row: string,
  ): Promise<string> {
    return this.store.once(applicationId, externalId, async (tx) => {
      await this.players.assertActive(tx, applicationId);
      try {
        return (await this.made.store(tx, terms, externalId)).id;
      } catch (error) {
        throw ofRow(inSeat(toApplication(error), terms.side), row, externalId);
      }
    });
  }

  /** Throws LIMIT_REACHED. */
  private async assertRoom(applicationId: string, more: number): Promise<void> {
    const limit = this.config.maxRunningGamesOfApplication;
    if ((await this.store.countRunning(applicationId, limit + 1)) + more <= limit) return;
    throw new DomainError(
      'LIMIT_REACHED',
      `An application can have ${limit} running games. Try again when some of them have ended.`,
      { limit, retryAfter: ROOM_SECONDS },
    );
  }
}

/** A refusal of a limit speaks to a player, who asks for nothing here. */
function toApplication(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'LIMIT_REACHED') return error;
  const { field, limit } = error.details;
  const message =
    field === 'clientSeedHash'
      ? `The player has withheld an announced client seed in ${limit} games of the last 7 days, which is the limit. Leave out clientSeedHash.`
      : `One of the players has ${limit} running games, which is the limit of one player. Begin this one when one of these has ended.`;
  return new DomainError('LIMIT_REACHED', message, error.details);
}

/** The hash of a client seed stands with the player who announces it. */
const inSeat = (error: unknown, seat: string | undefined): unknown =>
  renamed(error, (field) => (field === 'clientSeedHash' ? `${seat}.${field}` : field));

/** Throws BAD_INPUT. */
function announcedIn(first: SeatedInput, second: SeatedInput): MadeGame['announced'] {
  if (first.clientSeedHash == null) {
    return second.clientSeedHash == null ? null : { by: 'second', clientSeedHash: second.clientSeedHash };
  }
  if (second.clientSeedHash == null) return { by: 'first', clientSeedHash: first.clientSeedHash };
  const message = 'Only one of the two players can announce a client seed: leave out one clientSeedHash.';
  throw badInput('second.clientSeedHash', message);
}

/** Runs a check of a game of the request; its refusals name the row. */
function inRow<T>({ externalId }: NewGameInput, i: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw ofRow(error, `games.${i}`, externalId);
  }
}

/** The names of the games, each there once. Throws BAD_INPUT. */
function namesIn(wanted: readonly NewGameInput[]): readonly string[] {
  const names = wanted.map(({ externalId }) => externalId);
  return wanted.map((game, i) =>
    inRow(game, i, () => {
      const before = names.indexOf(game.externalId);
      if (before === i) return requireExternalId(game.externalId, 'externalId');
      throw badInput('externalId', `Each game must be there once; this one is games.${before} already.`);
    }),
  );
}

/** As it is stored: without what is undefined. */
const stored = (value: object): unknown => JSON.parse(JSON.stringify(value));
